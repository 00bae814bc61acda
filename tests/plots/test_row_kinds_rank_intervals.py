"""Ranks with intervals, drawn at any size."""

import numpy as np
import pytest

from rankeval import plots
from rankeval.errors import UsageError
from tests.support.results import results, score


def test_the_lowest_of_a_loss_is_first():
    columns = {"a": [0.5, 0.7, 0.6], "b": [0.1, 0.2, 0.3]}
    scores = {
        run: [score("Unjudged@10", values, float(np.mean(values)), loss=True)]
        for run, values in columns.items()
    }
    found = results(scores, "123")

    data = plots.rank_intervals_data(found)

    assert data.runs == ("b", "a")
    assert [row["best"] for row in data.rows()] == [1.0, 0.0]


def test_one_topic_has_no_samples():
    found = results({run: [score("AP", [v], v)] for run, v in (("a", 0.1), ("b", 0.9))}, ["1"])

    with pytest.raises(UsageError, match="defined for all runs on 1 topic"):
        plots.rank_intervals_data(found)


def test_axes_of_ones_own_are_drawn_on(example):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    _, axes = pyplot.subplots()

    assert plots.draw("rank-intervals", example("ranks"), axes, alpha=0.2) is axes
    assert axes.get_xlabel().replace("\n", " ") == "rank by nDCG@10, 80% intervals"
    pyplot.close("all")
