import numpy as np
import pandas as pd
import pytest

from rankeval.errors import UsageError
from tests.plots.conftest import panel, panels
from tests.support.results import results, score

NAN = float("nan")


def small(*, loss=False):
    values = {"a": [0.5, 0.1, 0.9, NAN], "b": [0.7, 0.1, 0.2, 0.3], "c": [0.5, 0.3, 0.9, 0.1]}
    return results(
        {run: [score("AP", v, 0.0, loss=loss)] for run, v in values.items()}, ["1", "2", "3", "4"]
    )


def frame(found, measure):
    return pd.DataFrame(
        {
            run.name: score.values  # noqa: PD011  a score, not a data frame
            for run in found.runs
            for score in run.scores
            if score.measure == measure
        },
        index=found.runs[0].topics,
    )


def test_differences_are_sorted_and_counted(example):
    found = example("topics", "AP")
    table = frame(found, "AP")

    drawn = panels("topics", found, baseline="lsa")

    assert [one.run for one in drawn] == [name for name in table if name != "lsa"]
    for one in drawn:
        expected = (table[one.run] - table["lsa"]).sort_values(ascending=False, kind="stable")
        assert one.differences == pytest.approx(expected.to_numpy())
        assert dict(zip(one.topics, one.differences, strict=True)) == pytest.approx(dict(expected))
        counts = [(expected > 0).sum(), (expected < 0).sum(), (expected == 0).sum()]
        better, worse, equal = counts
        assert one.counted().startswith(f"{better} better, {worse} worse, {equal} equal; ")


def test_the_first_run_is_the_baseline_and_topics_without_a_value_are_left_out():
    first, second = panels("topics", small())

    assert (first.baseline, first.run, second.run) == ("a", "b", "c")
    assert first.topics == ("1", "2", "3")
    assert first.differences == pytest.approx([0.2, 0.0, -0.7])
    assert first.counted().startswith("1 better, 1 worse, 1 equal; ")


def test_a_lower_value_is_an_improvement_for_a_loss():
    first, _ = panels("topics", small(loss=True))

    assert first.topics == ("3", "2", "1")
    assert first.counted().startswith("1 better, 1 worse")


def test_pairs_have_the_values_of_both_runs(example):
    found = example("scatter", "nDCG@10")
    table = frame(found, "nDCG@10")

    drawn = panels("scatter", found)

    assert len(drawn) == 5
    assert drawn[0].x == pytest.approx(table["bm25"].to_numpy())
    assert drawn[0].y == pytest.approx(table["lsa"].to_numpy())
    assert drawn[0].topics == tuple(table.index)
    assert drawn[0].span == (0.0, 1.0)


def test_the_table_has_the_easiest_topics_first(example):
    found = example("heatmap", "AP")
    table = frame(found, "AP")
    expected = table.loc[table.mean(axis=1).sort_values(ascending=False, kind="stable").index]

    drawn = panel("heatmap", found)

    assert drawn.runs == tuple(expected.columns)
    assert drawn.columns == tuple(expected.index)
    (layer,) = drawn.layers
    assert pytest.approx(expected.to_numpy()) == layer.values.T  # noqa: PD011  the plot's


def test_undefined_values_stay_in_the_table():
    drawn = panel("heatmap", small())

    means = [(0.5 + 0.7 + 0.5) / 3, 0.5 / 3, 2.0 / 3, 0.4 / 2]
    order = sorted(range(4), key=lambda i: -means[i])
    assert drawn.columns == tuple(str(i + 1) for i in order)
    assert np.isnan(drawn.layers[0].values).sum() == 1


def test_topics_that_not_all_runs_have_are_left_out():
    one = results({"a": [score("AP", [0.1, 0.2], 0.15)]}, ["1", "2"])
    other = results({"b": [score("AP", [0.4, 0.3], 0.35)]}, ["2", "3"])
    both = type(one)(one.qrels, one.settings, one.runs + other.runs)

    (drawn,) = panels("topics", both)

    assert (drawn.topics, drawn.differences.tolist()) == (("2",), [0.2])


def test_no_common_topic_is_refused():
    one = results({"a": [score("AP", [0.1], 0.1)]}, ["1"])
    other = results({"b": [score("AP", [0.4], 0.4)]}, ["2"])

    with pytest.raises(UsageError, match="no topic"):
        panel("heatmap", type(one)(one.qrels, one.settings, one.runs + other.runs))


def test_one_run_is_not_enough_for_differences():
    alone = results({"a": [score("AP", [0.1, 0.2], 0.15)]})

    for kind in ("topics", "scatter", "ranks", "forest", "pairs", "slope"):
        with pytest.raises(UsageError, match="found 1 run to draw"):
            panels(kind, alone)


def test_a_measure_goes_by_any_of_its_names(example):
    found = example("topics", "nDCG@10 map")

    assert panels("topics", found)[0].measure == "nDCG@10"
    for name in ("AP", "map", "MAP"):
        assert panels("topics", found, name)[0].measure == "AP"
