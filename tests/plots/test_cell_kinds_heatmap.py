"""Heat maps: differences and bins, computed outside; the scale; the terminal."""

import numpy as np
import pandas as pd
import pytest

from rankeval import plots
from rankeval.errors import UsageError
from rankeval.plots.cells import DIVERGING
from rankeval.plots.selection import rows_of
from tests.plots.conftest import panel
from tests.support.pictures import drawn_results
from tests.support.results import results, score

pytest.importorskip("matplotlib")

from matplotlib.colors import to_rgb

NAN = float("nan")


def made(values, *, loss=False):
    runs = {
        run: [score("AP", row, float(np.nanmean(row)), loss=loss)] for run, row in values.items()
    }
    n_topics = len(next(iter(values.values())))
    return results(runs, [f"{i + 1}" for i in range(n_topics)])


SMALL = {"a": [0.5, 0.1, NAN, 0.4], "b": [0.7, 0.0, 1.0, 0.4], "c": [0.6, 0.4, 0.2, 0.1]}


def test_differences_are_those_of_pandas_and_the_largest_gains_come_first(example):
    found = example("heatmap")
    columns = {}
    for run in found.runs:
        columns[run.name] = zip(run.topics, run.scores[0].values, strict=True)
    table = pd.DataFrame({name: pd.Series(dict(pairs)) for name, pairs in columns.items()})
    other = found.runs[2].name
    expected = table.drop(columns=other).sub(table[other], axis=0)

    rows = list(rows_of((panel("heatmap", found, baseline=other, differences=True),)))

    assert list(rows[0]) == ["baseline", "run", "measure", "topic", "difference"]
    assert len(rows) == expected.size
    for row in rows:
        assert row["baseline"] == other
        assert row["difference"] == pytest.approx(
            expected.loc[row["topic"], row["run"]], rel=0, abs=1e-9
        )
    topics = list(dict.fromkeys(row["topic"] for row in rows))
    means = expected.mean(axis=1)[topics].tolist()
    assert means == sorted(means, reverse=True)


def test_the_easiest_topic_of_a_loss_has_the_least_mean():
    drawn = panel("heatmap", made({"a": [0.5, 0.1, 0.9]}, loss=True))

    assert drawn.columns == ("2", "1", "3")


def test_a_difference_from_an_undefined_value_is_undefined():
    drawn = panel("heatmap", made(SMALL), baseline="a", differences=True)

    assert drawn.runs == ("b", "c")
    values = list(drawn.records)
    assert [row["topic"] for row in values if row["difference"] is None] == ["3", "3"]


def test_one_run_has_no_differences():
    with pytest.raises(UsageError, match="found 1 run"):
        panel("heatmap", made({"a": [0.1, 0.2]}), baseline="a", differences=True)


def heat_map(found, size="column", **choices):
    panels = plots.plot_data("heatmap", found, plots.Choices(**choices))
    return plots.figure("heatmap", panels, size=size)


def test_there_are_no_more_columns_than_pixels_and_rows_have_one_height():
    figure = heat_map(drawn_results("heatmap", 8, 7_000, letters=60))
    shades = figure.axes[0].collections[0]

    n_columns = np.asarray(shades.get_array()).shape[1]
    assert n_columns < 3.33 * 200
    assert f"7,000 topics in {n_columns} bins" in figure.axes[0].get_xlabel().replace("\n", " ")
    heights = np.diff(shades.get_coordinates()[:, 0, 1])
    assert np.ptp(heights) == pytest.approx(0.0)


@pytest.mark.parametrize("loss", [False, True])
def test_differences_have_a_scale_with_0_in_its_middle(loss):
    figure = heat_map(made(SMALL, loss=loss), differences=True, baseline="a")
    shades = figure.axes[0].collections[0]

    assert shades.get_clim() == pytest.approx((-0.3, 0.3))
    low, high = (shades.cmap(end)[2] for end in (0.0, 1.0))
    assert (low > high) == loss  # blue is better
    name = figure.axes[1].get_xlabel().replace("\n", " ")
    assert name == "difference in AP from a; blue: better"


def test_signs_differ_in_lightness_too():
    lightness = [np.dot(to_rgb(colour), [0.2126, 0.7152, 0.0722]) for colour in DIVERGING]

    assert lightness[0] - lightness[1] > 0.09
    assert lightness[1] - lightness[2] > 0.09
