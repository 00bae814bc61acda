"""The error rates that docs/statistics/ shows, against a short simulation with another seed."""

import math
from pathlib import Path

import pytest

from docs.studies.error_rates import Effort, tables

pytestmark = pytest.mark.slow

STATISTICS = Path(__file__).parents[2] / "docs" / "statistics"
FULL, QUICK = Effort(), Effort(repetitions=500, resampled=120, seed=2)
STANDARD_ERRORS = 4.0


@pytest.fixture(scope="module")
def simulated():
    return list(tables(QUICK))


def shown(title):
    """The rows of a table in the docs: cells as text."""
    text = "".join(page.read_text(encoding="utf-8") for page in STATISTICS.glob("*.md"))
    assert f"{title}:\n" in text, f"no table '{title}'"
    below = text.split(f"{title}:\n", 1)[1].lstrip().split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in below.splitlines()]


def test_docs_show_the_tables_within_the_error_of_a_short_simulation(simulated):
    apart = []
    for table in simulated:
        heads, _, *rows = shown(table.title)
        assert heads == list(table.heads)
        drawn_rows = dict(table.rows)
        n_labels = len(table.rows[0][0])
        assert len(rows) >= 2
        for cells in rows:
            labels = tuple(cells[:n_labels])
            rates = drawn_rows[labels]
            figures = [float(cell) / 100 for cell in cells[len(labels) :]]
            shares = [rate / 100 for rate in rates]
            for rate, figure, drawn in zip(shares, figures, table.repetitions, strict=True):
                long = FULL.resampled if drawn == QUICK.resampled else FULL.repetitions
                if abs(rate - figure) > allowed(figure, drawn, long):
                    apart.append((table.title, labels, rate, figure))
    assert not apart


def allowed(rate, short, long):
    """Four standard errors of the difference of two shares; two hits where the rate is 0 or 1."""
    variance = rate * (1 - rate) * (1 / short + 1 / long)
    return STANDARD_ERRORS * math.sqrt(variance) + 2 / short


def test_a_table_in_markdown_has_a_line_for_each_shape_and_number_of_topics(simulated):
    lines = simulated[0].markdown().splitlines()

    assert lines[0] == "Equal means rejected, two-sided, alpha 5%:"
    assert len(lines) == 2 + 2 + 3 * 4
