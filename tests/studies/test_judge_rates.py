"""The table that docs/judges.md shows, against a short run."""

import math
from pathlib import Path

import pytest

from docs.studies import judge_rates

PAGE = Path(__file__).parents[2] / "docs" / "judges.md"
REPETITIONS, FULL = 60, 4_000
STANDARD_ERRORS = 4.5
MOST_MISSES = {5: 11.0, 10: 8.0}
"""Percent of intervals that may miss, by the number of topics."""


@pytest.fixture(scope="module")
def shown():
    """The rates that the page shows, by labels."""
    text = PAGE.read_text(encoding="utf-8")
    below = text.split("Agreement of the population outside the 95% interval:\n", 1)[1]
    lines = below.lstrip().split("\n\n", 1)[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return {tuple(row[:2]): list(map(float, row[2:])) for row in cells}


def test_intervals_miss_at_most_what_is_promised(shown):
    for (_, n_topics), rates in shown.items():
        assert max(rates[: len(judge_rates.VALUES)]) <= MOST_MISSES.get(int(n_topics), 8.0)


@pytest.mark.slow
def test_the_page_shows_the_rates_within_the_error_of_a_short_simulation(shown):
    (table,) = judge_rates.tables(REPETITIONS, seed=7)

    assert list(shown) == [labels for labels, _ in table.rows]
    for labels, rates in table.rows:
        for rate, expected in zip(rates, shown[labels], strict=True):
            share = min(max(expected / 100, 1 / REPETITIONS), 1 - 1 / REPETITIONS)
            error = math.sqrt(share * (1 - share) * (1 / REPETITIONS + 1 / FULL))
            assert abs(rate - expected) / 100 <= STANDARD_ERRORS * error, (labels, rates)
