"""What documents gain or lose: against brute force, the difference, and what only one run found."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.measures import parse_measures
from tests.support.plain import PLAIN, topics_of

MEASURES = {
    "AP": ("AP", {}),
    "AP@7": ("AP", {"cutoff": 7}),
    "nDCG@10": ("nDCG", {"cutoff": 10}),
    "nDCG": ("nDCG", {}),
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
    qrels = {
        f"t{t}": {
            name: int(rng.integers(0, HIGHEST + 1))
            for name in rng.choice(names, 12, replace=False).tolist()
        }
        for t in range(n_topics)
    }
    runs = [
        {
            topic: ranked(rng.choice(names, int(rng.integers(3, 25)), replace=False).tolist())
            for topic in qrels
        }
        for _ in range(2)
    ]
    return qrels, *runs


def ranked(docnos):
    return {docno: float(len(docnos) - place) for place, docno in enumerate(docnos)}


def value_of_cut(name, qrels, ranking, topic, rank):
    """The measure's plain loop on the first documents of a ranking."""
    plain, parameters = MEASURES[name]
    kept = dict([*ranking.items()][:rank])
    (one,) = topics_of({topic: qrels[topic]}, {topic: kept}, HIGHEST)
    defaults = parse_measures(name)[0].measure.parameters
    known = {**defaults, **parameters}
    return PLAIN[plain](one, **known) or 0.0


def adds(name, qrels, ranking, topic):
    """What each document adds, by brute force."""
    values = [value_of_cut(name, qrels, ranking, topic, k) for k in range(len(ranking) + 1)]
    return dict(zip(ranking, np.diff(values).tolist(), strict=True))


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("rows", [1, 4, 100])
@pytest.mark.parametrize("seed", range(4))
def test_shares_are_those_of_brute_force_and_sum_to_the_difference(name, rows, seed):
    qrels, a, b = data(seed)

    found = rankeval.diff(qrels, a, b, name, top=rows, shown=3)

    assert found.measures[0].topics
    for topic in found.measures[0].topics:
        before = adds(name, qrels, a[topic.topic], topic.topic)
        after = adds(name, qrels, b[topic.topic], topic.topic)
        listed = topic.documents
        for moved in listed:
            gained, lost = after.get(moved.docno, 0.0), before.get(moved.docno, 0.0)
            if moved.grade is None:
                lost = 0.0 if moved.rank_a is None else lost
                gained = 0.0 if moved.rank_b is None else gained
            assert moved.share == pytest.approx(gained - lost, abs=1e-12)
        others = {*before, *after} - {moved.docno for moved in listed}
        rest = sum(after.get(docno, 0.0) - before.get(docno, 0.0) for docno in others)
        assert topic.rest == pytest.approx(rest, abs=1e-12)
        total = sum(moved.share for moved in listed) + topic.rest
        assert total == pytest.approx(topic.difference, abs=1e-12)


@given(
    st.lists(st.permutations(list("abcdefgh")), min_size=2, max_size=2),
    st.lists(st.sampled_from([None, 0, 1, 2]), min_size=8, max_size=8),
    st.integers(1, 8),
    st.sampled_from(
        ["AP", "nDCG@5", "RR", "P@3", "ERR@10", "RBP", "bpref", "infAP", "SetF", "Judged@5"]
    ),
)
def test_shares_sum_to_the_difference_of_any_measure(orders, grades, rows, name):
    judged = {
        docno: grade for docno, grade in zip("abcdefgh", grades, strict=True) if grade is not None
    }
    qrels = {"t": {"other": 1, **judged}}

    found = rankeval.diff(qrels, *({"t": ranked(order)} for order in orders), name, top=rows)

    for topic in found.measures[0].topics:
        total = sum(moved.share for moved in topic.documents) + topic.rest
        assert total == pytest.approx(topic.difference, abs=1e-12)


def test_shares_are_of_rankings_without_unjudged_documents_where_these_are_removed():
    qrels = {"t": {"r": 1, "n": 0}}
    a, b = {"t": ranked(["u", "n", "r"])}, {"t": ranked(["u", "v", "w", "r"])}
    removed = rankeval.options.Settings(judged_only=True)

    (topic,) = rankeval.diff(qrels, a, b, "RR", settings=removed).measures[0].topics

    assert (topic.a, topic.b) == (0.5, 1.0)
    assert {moved.docno: moved.share for moved in topic.documents if moved.grade is not None} == {
        "r": 0.5,
        "n": 0.0,
    }
    assert topic.rest == 0.0


def test_relevant_documents_of_one_run_only_are_named_the_best_first():
    qrels = {"t": {"r1": 1, "r2": 2, "both": 1, "n": 0, "lost": 1}}
    a, b = {"t": ranked(["both", "n", "r1"])}, {"t": ranked(["r2", "both"])}

    (topic,) = rankeval.diff(qrels, a, b, "AP", top=1).measures[0].topics

    assert [(moved.docno, moved.rank_a, moved.rank_b) for moved in topic.documents] == [
        ("r2", None, 1),
        ("both", 1, 2),
        ("r1", 3, None),  # below the first rank, and relevant in A alone
    ]
    deep = (
        rankeval.diff(qrels, a, b, "AP(rel=2)", settings=rankeval.options.Settings(depth=2))
        .measures[0]
        .topics[0]
    )
    assert [moved.docno for moved in deep.documents] == ["r2", "both", "n"]


def test_unjudged_documents_of_either_run_are_named():
    qrels = {"t": {"r": 1, "s": 1}}
    a, b = {"t": ranked(["u", "r", "v", "s", "w"])}, {"t": ranked(["r", "u", "v", "w", "s"])}

    (topic,) = rankeval.diff(qrels, a, b, "AP", top=4).measures[0].topics

    unjudged = [moved for moved in topic.documents if moved.grade is None]
    assert [(moved.docno, moved.rank_a, moved.rank_b) for moved in unjudged] == [
        ("u", 1, 2),
        ("v", 3, 3),
        ("w", None, 4),
    ]


def test_systems_of_several_runs_have_no_shares():
    qrels, a, b = data(1)

    found = rankeval.diff(qrels, rankeval.Seeds([a, b]), b, "AP")

    assert all(topic.rest is None for topic in found.measures[0].topics)
    assert all(
        moved.share is None for topic in found.measures[0].topics for moved in topic.documents
    )


def test_topics_are_chosen_by_overlap_without_judgments_too():
    qrels = {"judged": {"x": 1}}
    a = {"judged": ranked("xyz"), "not": ranked("abc"), "same": ranked("pq")}
    b = {"judged": ranked("xyw"), "not": ranked("efc"), "same": ranked("pq")}

    found = rankeval.diff(qrels, a, b, "RR", contrast="overlap", top=3)

    assert [(t.topic, t.overlap, t.a) for t in found.measures[0].topics] == [
        ("not", pytest.approx(1 / 3), None),
        ("judged", pytest.approx(2 / 3), 1.0),
    ]
    assert [(m.docno, m.rank_a, m.rank_b) for m in found.measures[0].topics[0].documents] == [
        ("a", 1, None), ("e", None, 1), ("b", 2, None), ("f", None, 2), ("c", 3, 3),
    ]  # fmt: skip


def test_overlap_looks_at_the_first_rows_only():
    a, b = {"t": ranked("abcx")}, {"t": ranked("xabc")}

    by_rows = [
        rankeval.diff({"t": {"a": 1}}, a, b, "RR", contrast="overlap", top=rows).measures[0].topics
        for rows in (1, 2, 4)
    ]

    assert [topics and topics[0].overlap for topics in by_rows] == [0.0, 0.5, ()]


def test_an_unknown_contrast_is_refused():
    with pytest.raises(rankeval.UsageError, match="overlap"):
        rankeval.diff({"t": {"a": 1}}, {"t": {"a": 1}}, {"t": {"a": 1}}, contrast="rbo")
