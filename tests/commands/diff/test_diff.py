"""The difference between two systems: topics, documents and their shares, unjudged documents."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.measures import parse_measures
from tests.support.files import qrels_of, run_of
from tests.support.plain import PLAIN, topics_of

# r and s are relevant, x is not; u, v and w are unjudged.
QRELS = qrels_of(t1="r1 s2 x0", t2="r1 x0", t3="r1")
A = run_of("alpha", t1="r s x u", t2="x r", t3="r")
B = run_of("beta", t1="u v r x s", t2="r w x", t3="r")
FILES = ("diff", "qrels.txt", "a.txt", "b.txt")


@pytest.fixture
def files(shell):
    return shell.write(qrels=QRELS, a=A, b=B)


@pytest.fixture
def found_by(files):
    """What the command finds, as JSON."""
    return lambda *extra: json.loads(files(*FILES, *extra, "-f", "json").out)


def ranked(docnos):
    return {docno: float(len(docnos) - place) for place, docno in enumerate(docnos)}


def of_topics(found):
    """The topics in the first measure of a difference."""
    return found.measures[0].topics


# --- what documents add ---------------------------------------------------------------------

MEASURES = {
    "AP": ("AP", {}),
    "AP@7": ("AP", {"cutoff": 7}),
    "nDCG@10": ("nDCG", {"cutoff": 10}),
    "RR": ("RR", {}),
    "P@5": ("P", {"cutoff": 5}),
    "ERR@20": ("ERR", {"cutoff": 20}),
    "RBP": ("RBP", {}),
}
HIGHEST = 3


def data(seed, n_topics=3):
    """Judgments of documents d0 to d29, some of which each of two runs retrieves."""
    rng = np.random.default_rng(seed)
    names = [f"d{i}" for i in range(30)]
    topics = [f"t{t}" for t in range(n_topics)]
    qrels = {
        topic: {
            name: int(rng.integers(0, HIGHEST + 1))
            for name in rng.choice(names, 12, replace=False).tolist()
        }
        for topic in topics
    }
    runs = [
        {
            topic: ranked(rng.choice(names, int(rng.integers(3, 25)), replace=False).tolist())
            for topic in topics
        }
        for _ in range(2)
    ]
    return qrels, *runs


def adds(name, qrels, ranking, topic):
    """What each document adds, by the plain loop of the measure on the first documents."""
    plain, parameters = MEASURES[name]
    known = {**parse_measures(name)[0].measure.parameters, **parameters}

    def value(rank):
        kept = dict([*ranking.items()][:rank])
        (one,) = topics_of({topic: qrels[topic]}, {topic: kept}, HIGHEST)
        return PLAIN[plain](one, **known) or 0.0

    values = [value(rank) for rank in range(len(ranking) + 1)]
    return dict(zip(ranking, np.diff(values).tolist(), strict=True))


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("rows", [1, 4, 100])
@pytest.mark.parametrize("seed", range(2))
def test_shares_are_those_of_brute_force_and_sum_to_the_difference(name, rows, seed):
    qrels, a, b = data(seed)

    topics = of_topics(rankeval.diff(qrels, a, b, name, top=rows, shown=3))

    assert topics
    for topic in topics:
        before = adds(name, qrels, a[topic.topic], topic.topic)
        after = adds(name, qrels, b[topic.topic], topic.topic)
        for moved in topic.documents:
            gained, lost = after.get(moved.docno, 0.0), before.get(moved.docno, 0.0)
            if moved.grade is None:
                lost = 0.0 if moved.rank_a is None else lost
                gained = 0.0 if moved.rank_b is None else gained
            assert moved.share == pytest.approx(gained - lost, abs=1e-12)
        total = sum(moved.share for moved in topic.documents) + topic.rest
        assert total == pytest.approx(topic.difference, abs=1e-12)


@given(
    st.lists(st.permutations(list("abcdefgh")), min_size=2, max_size=2),
    st.lists(st.sampled_from([None, 0, 1, 2]), min_size=8, max_size=8),
    st.integers(1, 8),
    st.sampled_from(["AP", "nDCG@5", "RR", "P@3", "ERR@10", "bpref", "infAP", "SetF", "Judged@5"]),
)
def test_shares_sum_to_the_difference_of_any_measure(orders, grades, rows, name):
    judged = {
        docno: grade for docno, grade in zip("abcdefgh", grades, strict=True) if grade is not None
    }
    qrels = {"t": {"other": 1, **judged}}

    found = rankeval.diff(qrels, *({"t": ranked(order)} for order in orders), name, top=rows)

    for topic in of_topics(found):
        total = sum(moved.share for moved in topic.documents) + topic.rest
        assert total == pytest.approx(topic.difference, abs=1e-12)


def test_shares_are_of_rankings_without_unjudged_documents_where_these_are_removed():
    a, b = {"t": ranked(["u", "n", "r"])}, {"t": ranked(["u", "v", "w", "r"])}

    found = rankeval.diff({"t": {"r": 1, "n": 0}}, a, b, "RR", judged_only=True)

    (topic,) = of_topics(found)
    assert (topic.a, topic.b, topic.rest) == (0.5, 1.0, 0.0)
    shares = {moved.docno: moved.share for moved in topic.documents if moved.grade is not None}
    assert shares == {"r": 0.5, "n": 0.0}


def test_systems_of_several_runs_differ_by_their_means_and_have_no_shares():
    qrels, *one = data(1, 6)
    _, *two = data(2, 6)

    found = rankeval.diff(qrels, rankeval.Seeds(one), rankeval.Seeds(two), "AP")

    def values(runs):
        of_each = [rankeval.evaluate(qrels, run, "AP")["AP"].values for run in runs]
        return dict(zip(qrels, np.mean(of_each, axis=0), strict=True))

    a, b = values(one), values(two)
    difference = np.mean([b[topic] - a[topic] for topic in qrels])
    assert found.measures[0].summary.difference == pytest.approx(difference)
    for topic in of_topics(found):
        assert (topic.a, topic.b) == pytest.approx((a[topic.topic], b[topic.topic]))
        assert topic.rest is None
        for moved in topic.documents:
            assert moved.share is None
            if moved.grade is not None and moved.rank_a:
                assert [*one[0][topic.topic]].index(moved.docno) == moved.rank_a - 1


# --- the command ----------------------------------------------------------------------------


def test_the_difference_is_told_with_wins_ties_and_losses(files):
    told = " ".join(files(*FILES, "-m", "RR").out.split())
    of_a_loss = " ".join(files(*FILES, "-m", "Unjudged@2").out.split())

    # RR: 1, 1/2, 1 against 1/3, 1, 1.
    expected = "RR: 0.8333 (A, alpha), 0.7778 (B, beta); B - A is -0.0556 (-6.7%); "
    assert told.startswith(expected + "B wins 1, ties 1 and loses 1 of 3 topics.")
    assert of_a_loss.startswith("Unjudged@2 (less is better): ")
    assert "B wins 0, ties 1 and loses 2 of 3 topics." in of_a_loss


def test_topics_that_moved_most_come_first_with_their_documents(found_by):
    first, second = found_by("-m", "RR", "--rows", "3")["measures"][0]["topics"]
    (few,) = found_by("-m", "RR", "--top", "1", "--rows", "1")["measures"][0]["topics"]
    opened = found_by("t3", "t1", "-m", "RR")["measures"][0]["topics"]

    assert (first["topic"], second["topic"]) == ("t1", "t2")
    assert first["difference"] == pytest.approx(1 / 3 - 1)
    assert [(d["docno"], d["grade"], d["rank_a"], d["rank_b"]) for d in first["documents"]] == [
        ("s", 2, 2, 5),
        ("r", 1, 1, 3),
        ("x", 0, 3, 4),
        ("u", None, None, 1),  # in A it is below the first three
        ("v", None, None, 2),
    ]
    assert [d["docno"] for d in second["documents"]] == ["r", "x", "w"]
    assert [d["docno"] for d in few["documents"] if 1 in (d["rank_a"], d["rank_b"])] == ["r", "u"]
    assert [topic["topic"] for topic in opened] == ["t3", "t1"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-m", ""], "no measure to compute"),
        (["-m", "nDGC@10"], "nDCG"),
        (["-m", "GMAP"], "aggregated by geometric"),
        (["--rows", "0"], "--rows"),
        (["--ties", "best"], "ties by docno, input or rank"),
        (["-o", "a.txt"], "would overwrite this input"),
        (["t9"], "the topic 't9' was not evaluated"),
    ],
)
def test_what_is_wrong_ends_with_2(files, arguments, told):
    outcome = files(*FILES, *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err


def test_paths_with_seed_are_one_system_each(files):
    for name in ("b.1", "b.2", "c.1"):
        files.path(f"{name}.run").write_text(B)
    words = ("diff", "qrels.txt", "a.txt", "b.{seed}.run", "-m", "RR")

    told = " ".join(files(*words).out.split())
    many = files("diff", "qrels.txt", "a.txt", "*.{seed}.run")

    assert "0.7778 ± 0.0000 (B, beta)" in told
    assert "documents are those of b.1.run." in told
    assert [one["path"] for one in json.loads(files(*words, "-f", "json").out)["b"]["seeds"]] == [
        "b.1.run",
        "b.2.run",
    ]
    assert (many.code, many.out) == (2, "")
    assert "the two paths match 3 systems: a.txt, b.{seed}.run, c.{seed}.run" in many.err
