"""Labels beside points: near them, and none covering another or a point."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rankeval.plots.tradeoff_plot import free_places

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
