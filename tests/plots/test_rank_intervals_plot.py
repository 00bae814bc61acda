"""Ranks with intervals, drawn at any size."""

import warnings

import numpy as np
import pytest

from rankeval import plots
from rankeval.errors import UsageError
from tests.support.pictures import drawn_results
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
    assert [each.best for each in data.ranks] == [1.0, 0.0]


def test_one_topic_has_no_samples():
    found = results({run: [score("AP", [v], v)] for run, v in (("a", 0.1), ("b", 0.9))}, ["1"])

    with pytest.raises(UsageError, match="defined for all runs on 1 topic"):
        plots.rank_intervals_data(found)


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("n_runs", [2, 30])
@pytest.mark.parametrize("size", ["column", "page", "slide"])
def test_a_picture_holds(n_runs, size, long):
    pytest.importorskip("matplotlib")
    from rankeval.plots.faults import layout_of
    from rankeval.plots.look import look

    panels = plots.plot_data("rank-intervals", drawn_results("ranks", n_runs, 20, long=long))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = plots.figure("rank-intervals", panels, size=size)
    with look():
        layout = layout_of(figure)

    assert layout.faults == ()
    assert layout.panel >= 0.3
    assert figure.axes[0].get_title(loc="right") == "chance to be best"


def test_axes_of_ones_own_are_drawn_on(example):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    _, axes = pyplot.subplots()

    assert plots.rank_intervals(example("ranks"), axes, alpha=0.2) is axes
    assert axes.get_xlabel().replace("\n", " ") == "rank by nDCG@10, 80% intervals"
    pyplot.close("all")
