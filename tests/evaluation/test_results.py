"""Results are looked up by the names of runs and measures, and become frames and dictionaries."""

import json
import pickle
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

import rankeval
from rankeval import AP

QRELS = {"1": {"a": 1}, "2": {"b": 1}}
RUN = {"1": {"a": 1.0}, "2": {"c": 2.0, "b": 1.0}}


@pytest.fixture
def results(tmp_path):
    for name in ("x", "y"):
        lines = [f"{t} Q0 {d} 1 {s} {name}\n" for t, r in RUN.items() for d, s in r.items()]
        (tmp_path / name).write_text("".join(lines))
    return rankeval.evaluate(QRELS, [tmp_path / "x", tmp_path / "y"], "map RR@5")


def test_a_score_is_found_by_run_and_measure(results):
    score = results["y"]["map"]

    assert score is results["y"]["AP"]
    assert score == score.mean == score.aggregate == 0.75
    assert (score < 1, round(score, 1), max(0.5, score), json.dumps(score)) == (
        *(True, 0.8, 0.75, "0.75"),
    )
    for copy in (pickle.loads(pickle.dumps(score)), deepcopy(score), replace(score)):
        assert (copy, copy.signature, copy.per_topic) == (0.75, score.signature, score.per_topic)
    assert score.per_topic == {"1": 1.0, "2": 0.5}


def test_results_are_a_mapping_of_runs_and_runs_one_of_scores(results):
    assert [*results] == [*results.keys()] == ["x", "y"]
    assert [run.name for run in results.values()] == ["x", "y"]
    assert [*results["x"]] == [*results.measures] == ["map", "RR@5"]
    assert dict(results)["y"]["map"] is results["y", "map"] is results["y", AP]
    assert (len(results), len(results["x"])) == (2, 2)


def test_a_look_up_that_fails_lists_what_there_is(results):
    with pytest.raises(KeyError, match="no run 'z'; there is x, y"):
        results["z"]
    with pytest.raises(KeyError, match="no measure 'P@5'; there is"):
        results["x"]["P@5"]


def test_a_dictionary_has_runs_topics_and_measures(results):
    means = {"map": 0.75, "RR@5": 0.75}

    assert results.to_dict() == {"x": means, "y": means}
    assert results.to_dict(per_topic=True)["x"] == {
        "1": {"map": 1.0, "RR@5": 1.0},
        "2": {"map": 0.5, "RR@5": 0.5},
    }


def test_a_frame_has_runs_and_measures_or_a_row_for_each_value(results):
    frame, tidy = results.to_frame(), results.to_frame(per_topic=True)

    assert frame.loc["y", "RR@5"] == 0.75
    assert list(tidy.columns) == ["run", "topic", "measure", "value"]
    assert tidy.groupby(["run", "measure"])["value"].mean().tolist() == [0.75] * 4


def test_a_score_is_a_number_in_text_and_arithmetic(results):
    score = results["x"]["RR@5"]

    assert float(score) == score.mean
    assert f"{score:.3f} {score:>8.1%}" == f"{score.mean:.3f} {score.mean:>8.1%}"
    assert f"{score}" == repr(score)


def test_topics_with_other_judgments_are_found():
    """Whatever the order of lines: a grade, a document or a topic that is new or gone."""
    before = {f"t{i}": {"a": 1, "b": 0} for i in range(6)}
    after = {t: dict(reversed(judged.items())) for t, judged in before.items()}
    after["t1"]["b"] = 1
    after["t2"]["c"] = 0
    del after["t3"]
    after["new"] = {"a": 1}

    old, new = (
        rankeval.evaluate(qrels, {"x": {"t0": {"a": 1}}}, "AP").qrels for qrels in (before, after)
    )

    assert old.changed_topics(new) == new.changed_topics(old) == ["new", "t1", "t2", "t3"]
    assert old.changed_topics(old) == []


def test_the_interval_of_a_mean_is_students_or_the_bootstraps():
    qrels = {f"q{i}": {"d": 1} for i in range(6)}
    run = {f"q{i}": {**{f"x{j}": 2 for j in range(i)}, "d": 1} for i in range(6)}
    score = rankeval.evaluate(qrels, run, "RR")["run", "RR"]
    values = 1 / np.arange(1.0, 7.0)

    interval = score.interval(0.9)

    expected = scipy.stats.t.interval(0.9, 5, values.mean(), scipy.stats.sem(values))
    assert (interval.low, interval.high) == pytest.approx(expected)
    drawn = score.interval(method="bca")
    assert values.min() < drawn.low < score < drawn.high < values.max()


@pytest.mark.parametrize(
    ("runs", "measure", "options", "reason"),
    [
        ({"q1": {"d": 1}}, "NumRet", {}, "NumRet, a sum"),
        ({"q1": {"d": 1}}, "AP", {"weights": {"q1": 2}}, "AP, a weighted mean"),
        ([rankeval.Seeds([{"q1": {"d": 1}}] * 2)], "AP", {}, "a mean of several runs"),
    ],
)
def test_there_is_no_interval_of_what_is_no_plain_mean(runs, measure, options, reason):
    (result,) = rankeval.evaluate({"q1": {"d": 1}}, runs, measure, **options).values()

    with pytest.raises(rankeval.UsageError, match=reason):
        result[measure].interval()
