"""Bars of thousands of topics: as many shapes as can be seen, at the heights of the topics."""

import numpy as np
import pytest

from rankeval.plots import figure, save
from rankeval.plots.bars import merged_bars
from tests.plots.conftest import panels
from tests.plots.test_pictures import made


@pytest.mark.parametrize("values", [[], [0.0], [0.25] * 5, [1.0, 0.5, 0.5, 0.0, -1.0]])
def test_few_values_keep_their_heights(values):
    edges, heights = merged_bars(np.array(values))

    assert edges[0] == -0.5
    assert edges[-1] == len(values) - 0.5
    assert np.repeat(heights, np.diff(edges).astype(int)) == pytest.approx(values, abs=1e-12)


def test_each_topic_lies_in_a_bar_of_its_height_to_a_thousandth_of_the_range():
    values = np.sort(np.random.default_rng(1).normal(0.0, 0.2, 7000))[::-1]

    edges, heights = merged_bars(values)

    places = np.searchsorted(edges, np.arange(7000)) - 1
    assert np.abs(heights[places] - values).max() <= np.ptp(values) / 2000 * (1 + 1e-9)
    assert len(heights) <= 1001


@pytest.mark.slow
def test_seven_thousand_topics_make_a_small_file():
    drawn = panels("topics", made(3, 7000))

    size = len(save(figure("topics", drawn), "a.svg"))

    # A corner of a shape in SVG takes some 20 bytes; each topic would have three of them.
    assert size < 20 * 7000 * len(drawn)
