"""The table that docs/estimate.md shows, against what is promised and a short run."""

import math
from pathlib import Path

import numpy as np
import pytest

from docs.studies import estimate_rates

PAGE = Path(__file__).parents[2] / "docs" / "estimate.md"
REPETITIONS, FULL = 60, 2_000
STANDARD_ERRORS = 4.5


@pytest.fixture(scope="module")
def shown():
    """The rates that the page shows, by labels."""
    text = PAGE.read_text(encoding="utf-8")
    below = text.split("Means of the population outside the 95% interval:\n", 1)[1]
    lines = below.lstrip().split("\n\n", 1)[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return {tuple(row[:3]): list(map(float, row[3:])) for row in cells}


def test_intervals_miss_at_most_what_is_promised(shown):
    assert len(shown) == 36
    for mean, difference, width in shown.values():
        assert max(mean, difference) <= 8.0
        assert width <= 105.0


@pytest.mark.slow
def test_the_page_shows_the_rates_within_the_error_of_a_short_simulation(shown):
    (table,) = estimate_rates.tables(REPETITIONS, seed=7)

    assert list(shown) == [labels for labels, _ in table.rows]
    for labels, rates in table.rows:
        for rate, expected in zip(rates[:2], shown[labels][:2], strict=True):
            share = min(max(expected / 100, 1 / REPETITIONS), 1 - 1 / REPETITIONS)
            error = math.sqrt(share * (1 - share) * (1 / REPETITIONS + 1 / FULL))
            assert abs(rate - expected) / 100 <= STANDARD_ERRORS * error, (labels, rates)


def test_measures_of_the_study_are_those_of_the_definitions():
    grades = np.zeros((2, 1, estimate_rates.DEPTH))
    grades[0, 0, [0, 2]] = 1.0

    assert estimate_rates.precision(grades)[:, 0] == pytest.approx([0.2, 0.0])
    assert estimate_rates.average_precision(grades)[0, 0] == pytest.approx((1 / 1 + 2 / 3) / 2)
    ideal = 1 + 1 / math.log2(3)
    assert estimate_rates.ndcg(grades)[0, 0] == pytest.approx((1 + 1 / math.log2(4)) / ideal)
