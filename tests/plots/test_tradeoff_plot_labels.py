"""Labels beside points: near them, and none covering another or a point; legends like them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval import plots
from rankeval.plots.tradeoff_plot import free_places
from tests.support.pictures import drawn_results

WIDTH, HEIGHT, MARK = 0.1, 0.08, 0.07
points = st.lists(st.tuples(st.floats(0, 6), st.floats(0, 3)), min_size=1, max_size=40)


def corners(middle, width, height):
    x, y = middle
    return x - width / 2, x + width / 2, y - height / 2, y + height / 2


def overlap(one, other):
    return min(one[1], other[1]) - max(one[0], other[0]) > 1e-9 and (
        min(one[3], other[3]) - max(one[2], other[2]) > 1e-9
    )


@given(points)
def test_no_label_covers_a_point_or_another_label(found):
    x, y = np.array(found).T

    places = free_places(x, y, WIDTH, HEIGHT, MARK)

    labels = [
        corners(point + place, WIDTH, HEIGHT)
        for point, place in zip(np.column_stack([x, y]), places, strict=True)
        if np.isfinite(place).all()
    ]
    marks = [corners(point, MARK, MARK) for point in found]
    for i, one in enumerate(labels):
        assert not any(overlap(one, other) for other in [*labels[:i], *marks])


def test_a_point_alone_has_its_label_above():
    ((right, up),) = free_places(np.array([1.0]), np.array([1.0]), WIDTH, HEIGHT, MARK)

    assert right == 0.0
    assert MARK / 2 + HEIGHT / 2 <= up < 0.2


def test_points_without_room_or_value_have_no_label():
    x = np.full(60, 1.0)

    places = free_places(x, x, WIDTH, HEIGHT, MARK)

    assert np.isfinite(places[0]).all()
    assert np.isnan(places[-1]).all()
    assert np.isnan(free_places(np.array([np.nan]), x[:1], WIDTH, HEIGHT, MARK)).all()


def drawn(n_runs, *, long=False, measures=1):
    pytest.importorskip("matplotlib")
    found = drawn_results("slope" if measures == 2 else "tradeoff", n_runs, 20, long=long)
    costs = {run.name: float(3 ** (i % 7) + i) for i, run in enumerate(found.runs)}
    panels = plots.plot_data("tradeoff", found, plots.Choices(costs=costs))
    return panels, plots.figure("tradeoff", panels)


@pytest.mark.parametrize(("n_runs", "long"), [(8, True), (30, False)])
def test_a_legend_is_like_the_picture(n_runs, long):
    (data,), figure = drawn(n_runs, long=long)

    (legend,) = figure.legends
    points = [line for line in figure.axes[0].lines if (line.get_gid() or "").startswith("run")]
    assert len(points) == len(legend.legend_handles) == n_runs
    for handle, point, on_front in zip(legend.legend_handles, points, data.on_front, strict=True):
        for part in ("marker", "markerfacecolor", "markeredgecolor", "linestyle"):
            value = getattr(handle, f"get_{part}")()
            assert value == getattr(point, f"get_{part}")() or part == "linestyle"
        assert handle.get_linestyle() == "None"
        assert (handle.get_markerfacecolor() == "none") == (not on_front)
    assert "(filled: Pareto front)" in figure.axes[0].get_xlabel()


def test_a_legend_of_several_panels_has_filled_markers():
    _, figure = drawn(8, measures=2)

    (legend,) = figure.legends
    assert all(handle.get_markerfacecolor() != "none" for handle in legend.legend_handles)
