"""The tables that docs/trend.md shows, against a short run."""

import math
from pathlib import Path

import pytest

from docs.studies import trend_rates

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "trend.md"
REPETITIONS, FULL = 4, 60
STANDARD_ERRORS = 4.5
RATES = (3, 2)
"""Columns of each table that are rates of all histories."""


@pytest.fixture(scope="module")
def shown():
    """Return pairs of the tables drawn here and the numbers that the page shows, by labels."""
    text = PAGE.read_text(encoding="utf-8")
    found = []
    for table in trend_rates.tables(REPETITIONS, seed=7):
        below = text.split(f"{table.title}:\n", 1)[1].lstrip().split("\n\n", 1)[0].splitlines()
        assert below[:2] == table.markdown().splitlines()[2:4]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in below[2:]]
        n_labels = len(table.rows[0][0])
        numbers = {tuple(row[:n_labels]): [*map(float, row[n_labels:])] for row in cells}
        found.append((table, numbers))
    return found


def test_the_page_shows_the_rates_within_the_error_of_a_short_simulation(shown):
    for (table, documented), n_rates in zip(shown, RATES, strict=True):
        assert list(documented) == [labels for labels, _ in table.rows]
        for labels, rates in table.rows:
            compared = zip(rates, documented[labels], table.repetitions, strict=True)
            for rate, expected, drawn in list(compared)[:n_rates]:
                share = min(max(expected / 100, 1 / drawn), 1 - 1 / drawn)
                times = 1 / drawn + REPETITIONS / drawn / FULL
                error = math.sqrt(share * (1 - share) * times)
                assert abs(rate - expected) / 100 <= STANDARD_ERRORS * error, (labels, rates)


def test_the_promise_is_what_the_page_shows(shown):
    """1,000 nights between false alarms: at most 6% by night 60, and 20% by night 200."""
    (_, rates), _ = shown
    for name in trend_rates.KINDS:
        by_60, by_200, _, length, together = rates[name,]
        assert length >= 1_000
        assert by_200 <= 20
        assert max(by_60, together) <= 6
    for name in trend_rates.DEPENDENT:
        assert rates[name,][3] < 1_000
