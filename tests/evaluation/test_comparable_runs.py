"""Runs that can be compared, and the errors for those that cannot."""

import pytest

import rankeval
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.comparable_runs import runs_or_results
from rankeval.evaluation.results import Results
from rankeval.evaluation.settings import Settings

QRELS = {"t1": {"r": 1, "x": 0}, "t2": {"r": 1, "x": 0}}
GOOD = {"t1": {"r": 2.0, "x": 1.0}, "t2": {"r": 2.0, "x": 1.0}}
BAD = {"t1": {"r": 1.0, "x": 2.0}, "t2": {"r": 1.0, "x": 2.0}}


def evaluated(qrels: dict[str, dict[str, int]] = QRELS, **settings) -> Results:
    return rankeval.evaluate(qrels, GOOD, "RR P@1", Settings(**settings))


def test_a_baseline_has_the_measures_and_topics_of_the_candidate_in_its_order():
    now = rankeval.evaluate(dict(reversed(QRELS.items())), BAD, "P@1")

    compared = rankeval.compare(dict(reversed(QRELS.items())), evaluated(), BAD, "P@1")

    baseline = compared.runs[0]
    assert [score.measure for score in baseline.scores] == ["P@1"]
    assert baseline.topics == now.runs[0].topics
    assert baseline.scores[0].values.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("saved", "told"),
    [
        (evaluated({**QRELS, "t2": {"r": 1, "x": 1}}), "was evaluated with other judgments"),
        (evaluated(depth=1), "RR is not defined in the same way: depth is 1 for"),
        (rankeval.evaluate(QRELS, GOOD, "AP"), "has no values of RR"),
    ],
)
def test_the_gate_and_compare_refuse_a_baseline_for_the_same_reason(saved, told):
    with pytest.raises(InputError, match=told):
        rankeval.gate(QRELS, saved, BAD, ["max-drop RR=1"])
    with pytest.raises(InputError, match=told):
        rankeval.compare(QRELS, saved, BAD, "RR")


def test_runs_over_the_topics_that_all_have_name_these_topics():
    compared = rankeval.compare(QRELS, GOOD, {"t2": BAD["t2"]}, "RR", topics="both")

    assert [run["RR"].per_topic for run in compared.runs] == [{"t2": 1.0}, {"t2": 0.5}]


def test_runs_stay_as_they_were_given_beside_saved_results():
    run = {"1": {"a": 1.0}}

    assert runs_or_results(["dense.{seed}.run", run], {}) == (["dense.{seed}.run", run], None)
    assert runs_or_results({"dense": run}, {}) == ([run], ("dense",))


@pytest.mark.parametrize(
    ("evaluation", "measure"),
    [({"weights": {"t1": 1, "t2": 3}}, "RR"), ({"aggregate": "median"}, "RR"), ({}, "GMAP")],
)
def test_a_measure_without_a_test_names_a_way_that_has_one(evaluation, measure):
    remedy = "weighted means have no test, .* name measures that are averaged over topics"
    good, bad = (rankeval.evaluate(QRELS, run, measure, **evaluation) for run in (GOOD, BAD))

    for others in (bad, BAD):  # saved values, and a run that is evaluated without weights
        with pytest.raises(rankeval.RankevalError, match=remedy):
            rankeval.compare(QRELS, good, others, measure)
    with pytest.raises(UsageError, match=remedy):
        rankeval.evaluate(QRELS, {"a": GOOD, "b": BAD}, measure, **evaluation).compare()
