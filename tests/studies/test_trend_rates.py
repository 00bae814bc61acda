"""The tables that docs/trend.md shows, against a short run."""

import math
from pathlib import Path

import pytest

from docs.studies import trend_rates

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "trend.md"
REPETITIONS, FULL = 50, 2_000
STANDARD_ERRORS = 4.5


@pytest.fixture(scope="module")
def shown():
    """Return pairs of the tables drawn here and the rates that the page shows, by labels."""
    text = PAGE.read_text(encoding="utf-8")
    found = []
    for table in trend_rates.tables(REPETITIONS, seed=7):
        below = text.split(f"{table.title}:\n", 1)[1].lstrip().split("\n\n", 1)[0].splitlines()
        assert below[:2] == table.markdown().splitlines()[2:4]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in below[2:]]
        n_labels = len(table.rows[0][0])
        rates = {
            tuple(row[:n_labels]): [
                math.nan if one == "–" else float(one) for one in row[n_labels:]
            ]
            for row in cells
        }
        found.append((table, rates))
    return found


def test_the_page_shows_the_rates_within_the_error_of_a_short_simulation(shown):
    for table, documented in shown:
        assert list(documented) == [labels for labels, _ in table.rows]
        for labels, rates in table.rows:
            for rate, expected, drawn in zip(
                rates, documented[labels], table.repetitions, strict=True
            ):
                assert math.isnan(rate) == math.isnan(expected)
                if math.isnan(rate):
                    continue
                share = min(max(expected / 100, 1 / drawn), 1 - 1 / drawn)
                times = 1 / drawn + REPETITIONS / drawn / FULL
                error = math.sqrt(share * (1 - share) * times)
                assert abs(rate - expected) / 100 <= STANDARD_ERRORS * error, (labels, rates)


def test_independent_nights_keep_the_risk(shown):
    """The rates of the page themselves: 10% by one look, 12% by a look every night."""
    (_, rates), _ = shown
    for name in {**trend_rates.INDEPENDENT, **trend_rates.CHANGING}:
        one_look, every_night, _, family = rates[name,]
        assert one_look <= 10
        assert every_night <= 12
        assert family <= 10
