"""Means by night: the panels, their curves, and the marks of changes."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

import rankeval
from rankeval import plots
from tests.support.files import gate_line


def history(levels, **options):
    means = [mean for mean, times in levels for _ in range(times)]
    return [gate_line(day, mean, **options) for day, mean in enumerate(means, 1)]


FELL = [(0.4, 20), (0.38, 10)]


def test_a_panel_is_a_measure_of_a_suite():
    lines = history(FELL) + history([(0.5, 4)], suite="other", run="dense")
    panels = plots.trend_data(rankeval.trend(lines))

    assert [(one.suite, one.measure) for one in panels] == [
        *[("nightly", "AP"), ("nightly", "P@5")],
        *[("other", "AP"), ("other", "P@5")],
    ]
    assert panels[0].runs == panels[3].runs == ("bm25", "baseline base", "dense")
    (place, times, means), (base, *_) = panels[0].curves
    assert (place, base) == (0, 1)
    assert means.tolist() == [0.4] * 20 + [0.38] * 10
    assert times[0] == np.datetime64("2026-09-01T03:00:00")
    assert [curve[0] for curve in panels[3].curves] == [2, 1]


def test_a_change_is_marked_with_its_commit():
    made = plots.figure("trend", plots.trend_data(rankeval.trend(history(FELL), "AP")))
    (ax,) = made.axes

    (line,) = (one for one in ax.get_lines() if one.get_gid() == "change")
    assert {text.get_text() for text in ax.texts} == {"c21"}
    curve = next(one for one in ax.get_lines() if one.get_gid() == "run0")
    assert line.get_xdata()[0] == pytest.approx(curve.get_xdata()[20])


@pytest.mark.parametrize("suites", [1, 2, 30])
def test_commits_lie_below_the_curves(suites):
    lines = [one for i in range(suites) for one in history(FELL, suite=f"s{i}", commit="c" * 40)]
    made = plots.figure("trend", plots.trend_data(rankeval.trend(lines, "AP")))
    made.draw_without_rendering()

    for ax in made.axes:
        for text in ax.texts:
            top = ax.transData.inverted().transform((0, text.get_window_extent().y1))[1]
            assert ax.get_ylim()[0] < top < 0.38


def test_names_are_drawn_as_they_are():
    lines = history([(0.4, 3)], suite="$x_1$", run="$y^2$", commit="$c$")
    panels = plots.trend_data(rankeval.trend(lines))
    made = plots.figure("trend", panels)

    assert made.axes[0].get_title(loc="left") == r"\$x_1\$"
    assert plots.save(made, "x.svg").startswith(b"<?xml")


@pytest.mark.slow
def test_many_suites_fit_a_page():
    lines = [one for i in range(30) for one in history([(0.4, 3)], suite=f"suite-{i:02}")]
    made = plots.figure("trend", plots.trend_data(rankeval.trend(lines)))

    shown = sum(ax.get_visible() for ax in made.axes)
    assert made.get_suptitle() == f"and {60 - shown} more panels without room here"
    assert made.get_figheight() <= 9.0
    assert plots.save(made, "x.png").startswith(b"\x89PNG")
