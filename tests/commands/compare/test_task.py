"""Comparisons in Python, without the command."""

import pytest

import rankeval


def test_the_baseline_may_be_named():
    qrels, run = {"q1": {"d1": 1}}, {"q1": {"d7": 2, "d1": 1}}
    found = rankeval.compare(qrels, {"old": run}, {"new": run}, "RR")

    assert [(pair.baseline, pair.run) for pair in found.pairs] == [("old", "new")]
    with pytest.raises(rankeval.UsageError, match="found 2 baselines"):
        rankeval.compare(qrels, {"a": run, "b": run}, run, "RR")


def test_topics_of_one_run_only_are_dropped():
    qrels = {"t1": {"r": 1, "x": 0}, "t2": {"r": 1, "x": 0}}
    base = {"t1": {"r": 2.0, "x": 1.0}, "t2": {"r": 2.0, "x": 1.0}}
    run = {"t1": {"r": 2.0, "x": 1.0}, "t2": {"x": 1.0}}

    found = rankeval.compare(qrels, base, run, "AUC")

    (dropped,) = found.pairs
    assert (dropped.summary.n_topics, dropped.summary.n_excluded) == (1, 1)
    assert any(
        "over the topics for which both runs have a value" in line for line in found.warnings
    )


def test_groups_have_the_order_of_their_file_as_in_evaluate():
    qrels = {topic: {"a": 1, "b": 0} for topic in ("1", "2", "3")}
    runs = [
        {topic: {"a": 1.0, "b": s} for topic, s in zip("123", w, strict=True)}
        for w in ([0, 2, 0], [2, 0, 2])
    ]
    groups = {"3": "late", "1": "early", "2": "late"}

    found = rankeval.compare(qrels, *runs, "RR", groups=groups)

    names = [*dict.fromkeys(pair.group for pair in found.pairs if pair.group)]
    assert names == ["late", "early"]
    (run, *_) = rankeval.evaluate(qrels, runs, "RR", groups=groups).runs
    assert tuple(group.name for group in run.groups) == tuple(names)
