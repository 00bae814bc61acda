"""Bars of thousands of topics: as many shapes as can be seen, at the heights of the topics."""

import pytest

from rankeval.plots import figure, save
from tests.plots.conftest import panels
from tests.plots.test_pictures import made


@pytest.mark.slow
def test_seven_thousand_topics_make_a_small_file():
    drawn = panels("topics", made(3, 7000))

    size = len(save(figure("topics", drawn), "a.svg"))

    # A corner of a shape in SVG takes some 20 bytes; each topic would have three of them.
    assert size < 20 * 7000 * len(drawn)
