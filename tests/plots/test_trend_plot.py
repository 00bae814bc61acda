"""Means by night: the panels, their curves, and the marks of changes."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("matplotlib")

import rankeval
from rankeval import plots
from rankeval.plots.faults import layout_of
from rankeval.plots.look import DARK, FALL, LIGHT, NEUTRAL, RISE
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


def test_a_change_is_marked_with_its_run_and_commit():
    made = plots.figure("trend", plots.trend_data(rankeval.trend(history(FELL), "AP")))
    (ax,) = made.axes

    (line,) = (one for one in ax.get_lines() if one.get_gid() == "change")
    assert [text.get_text() for text in ax.texts] == ["1"]
    assert ax.get_xlabel() == "1 bm25 fell, c21"
    curve = next(one for one in ax.get_lines() if one.get_gid() == "run0")
    assert line.get_xdata()[0] == pytest.approx(curve.get_xdata()[20])


def test_a_rename_and_a_new_baseline_are_marked():
    lines = history([(0.4, 5)]) + [gate_line(day, 0.4, run="dense") for day in range(6, 10)]
    for line in lines[7:]:
        line["baseline"] = "better"
    found = rankeval.trend(lines, "AP", join={"bm25": "dense"})

    (panel,) = plots.trend_data(found)
    (ax,) = plots.figure("trend", [panel]).axes

    assert [(event.kind, event.run, event.detail) for event in panel.events] == [
        ("renamed", "dense", "bm25"),
        ("new baseline", "better", ""),
    ]
    assert [event.time.day for event in panel.events] == [6, 8]
    assert ax.get_xlabel().replace("\n", " ") == "1 dense, was bm25. 2 new baseline better"
    assert [text.get_text() for text in ax.texts] == ["1", "2"]
    assert ax.get_ylabel() == "AP of dense"


def test_a_history_without_events_marks_none():
    found = rankeval.trend(history([(0.4, 9)]), "AP")
    (ax,) = plots.figure("trend", plots.trend_data(found)).axes

    assert (ax.get_xlabel(), list(ax.texts)) == ("", [])
    assert all(
        series.names == (name,) * 9
        for series, name in zip(found.suites[0].series, ("bm25", "base"), strict=True)
    )


def test_the_colour_of_an_event_is_no_runs():
    assert not {FALL, RISE, NEUTRAL} & {*LIGHT, *DARK}


@pytest.mark.parametrize("suites", [1, 2, 30])
def test_numbers_of_events_lie_above_the_curves(suites):
    lines = [one for i in range(suites) for one in history(FELL, suite=f"s{i}", commit="c" * 40)]
    made = plots.figure("trend", plots.trend_data(rankeval.trend(lines, "AP")))
    made.draw_without_rendering()

    for ax in made.axes:
        for text in ax.texts:
            below = ax.transData.inverted().transform((0, text.get_window_extent().y0))[1]
            assert 0.4 < below < ax.get_ylim()[1]
        curves = max(line.get_ydata().max() for line in ax.get_lines() if line.get_gid() == "run0")
        low, high = ax.get_ylim()
        assert (curves - low) / (high - low) > 0.6 or not ax.get_visible()


def test_many_events_are_told_apart_or_counted():
    start = datetime(2026, 1, 1, tzinfo=UTC)
    times = [start + timedelta(days=i) for i in range(200)]
    changes = [
        SimpleNamespace(time=time, commit="abcdef0", fell=bool(i % 2))
        for i, time in enumerate(times[100:160])
    ]
    series = SimpleNamespace(
        suite="s", name="AP", run="bm25", role="candidate", loss=False, times=times,
        values=[0.4] * 200, changes=changes, renames=(),
    )  # fmt: skip
    panels = plots.trend_data(SimpleNamespace(series=[series]))

    figure = plots.figure("trend", panels, size="column")

    assert layout_of(figure).faults == ()
    n_marked = len(figure.axes[0].texts)
    assert 10 < n_marked < 60
    assert figure.axes[0].get_xlabel().replace("\n", " ").endswith(f"and {60 - n_marked} more")


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
