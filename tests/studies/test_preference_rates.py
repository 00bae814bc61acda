"""The table that docs/preferences.md shows, against what is promised and a short run."""

import math
from pathlib import Path

import pytest

from docs.studies import preference_rates

PAGE = Path(__file__).parents[2] / "docs" / "preferences.md"
REPETITIONS, FULL = 60, 2_000
STANDARD_ERRORS = 4.5


@pytest.fixture(scope="module")
def shown():
    """The rates that the page shows, by labels."""
    text = PAGE.read_text(encoding="utf-8")
    below = text.split("Misses of the 95% interval:\n", 1)[1]
    lines = below.lstrip().split("\n\n", 1)[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return {tuple(row[:3]): list(map(float, row[3:])) for row in cells}


def test_intervals_miss_as_often_as_they_should(shown):
    assert len(shown) == 6
    for rates in shown.values():
        assert all(3.5 <= rate <= 6.5 for rate in rates)


@pytest.mark.slow
def test_the_page_shows_the_rates_within_the_error_of_a_short_simulation(shown):
    (table,) = preference_rates.tables(REPETITIONS, seed=7)

    assert list(shown) == [labels for labels, _ in table.rows]
    for labels, rates in table.rows:
        for rate, expected in zip(rates, shown[labels], strict=True):
            share = expected / 100
            error = math.sqrt(share * (1 - share) * (1 / REPETITIONS + 1 / FULL))
            assert abs(rate - expected) / 100 <= STANDARD_ERRORS * error, (labels, rates)
