"""Preferences between documents, of one group of judgments and of several."""

from random import Random

import pytest

import rankeval
from rankeval.measures import definitions
from tests.support import trec_eval_running as running

NAMES = [name for name in definitions() if "Pref" in name]


def values(qrels, run, names=NAMES):
    """{measure: {topic: value}} of judgments {topic: {docno: {group: grade}}}."""
    (result,) = rankeval.evaluate(qrels, run, " ".join(names)).runs
    return {s.measure: dict(zip(result.topics, s.values, strict=True)) for s in result.scores}


def test_a_preference_is_fulfilled_by_a_higher_rank_or_by_being_retrieved_alone():
    """a > b > c in one group; b c are ranked, a is not: b > c holds, a > b and a > c do not."""
    found = values({"1": {"a": 3, "b": 2, "c": 1}}, {"1": {"b": 2, "c": 1}})

    assert found["NumPrefsPoss"]["1"] == 3
    assert found["NumPrefsFul"]["1"] == found["NumPrefsFulRet"]["1"] == 1
    for name in ("PrefSimp", "PrefPair", "PrefAvgjg"):
        assert found[name]["1"] == pytest.approx(1 / 3)
        assert found[f"{name}_imp"]["1"] == pytest.approx(1 / 3)
        assert found[f"{name}_ret"]["1"] == 1


def test_groups_count_in_the_ways_that_the_names_tell():
    """Groups 1 and 2 prefer a to b, group 3 prefers b to a and to c; ranked a b, c is missing."""
    judged = {"a": {"1": 1, "2": 1, "3": 0}, "b": {"1": 0, "2": 0, "3": 1}, "c": {"3": 0}}
    found = values({"1": judged}, {"1": {"a": 2, "b": 1}})

    # a > b twice and b > c are fulfilled, b > a is not.
    assert found["PrefSimp"]["1"] == pytest.approx(3 / 4)
    assert found["PrefSimp_ret"]["1"] == pytest.approx(2 / 3)
    assert found["PrefAvgjg"]["1"] == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert found["PrefAvgjg_ret"]["1"] == pytest.approx((1 + 1 + 0) / 3)
    # Two of three groups agree about a and b, all about b and c.
    assert found["PrefPair"]["1"] == pytest.approx((2 / 3 + 1) / 2)
    assert found["PrefPair_ret"]["1"] == pytest.approx(2 / 3)


def collection(seed):
    """Judgments in several groups, and rankings without ties."""
    random = Random(seed)
    qrels, run = {}, {}
    for topic in ("1", "2", "3", "4"):
        pool = [f"d{n:02}" for n in random.sample(range(100), random.randint(2, 20))]
        qrels[topic] = {}
        for group in random.sample("xyz", random.randint(1, 3)):
            for docno in random.sample(pool, random.randint(1, len(pool))):
                level = random.choice([-1, 0, 0, 1, 2])
                qrels[topic].setdefault(docno, {})[group] = level
        ranked = random.sample(pool, random.randint(1, len(pool)))
        run[topic] = {docno: float(len(pool) - i) for i, docno in enumerate(ranked)}
    return qrels, run


@pytest.mark.parametrize("seed", range(4))
def test_every_preference_measure_is_trec_evals(seed, tmp_path):
    qrels, run = collection(seed)
    judgments, ranking = tmp_path / "qrels", tmp_path / "run"
    judgments.write_text(
        "".join(
            f"{topic} {group} {docno} {level}\n"
            for topic, documents in qrels.items()
            for docno, levels in documents.items()
            for group, level in levels.items()
        )
    )
    ranking.write_text(
        "".join(f"{t} Q0 {d} 0 {s} tag\n" for t, docs in run.items() for d, s in docs.items())
    )
    found = values(str(judgments), str(ranking))

    for name in NAMES:
        (theirs,) = (alias.name for alias in definitions()[name].aliases)
        files = ("-R", "qrels_prefs", "-m", theirs, str(judgments), str(ranking))
        expected = running.values(running.trec_eval("-q", *files))
        for topic, value in found[name].items():
            assert value == pytest.approx(float(expected[theirs, topic]), abs=5.1e-5), name
