"""The tables that docs/statistics/collections.md shows, against a short simulation."""

import math
from pathlib import Path

import pytest

from docs.studies.collection_rates import tables

pytestmark = pytest.mark.slow

STATISTICS = Path(__file__).parents[2] / "docs" / "statistics" / "collections.md"
REPETITIONS, BOOTSTRAPPED = 100, 40
FULL = {True: 2_000, False: 1_000}
STANDARD_ERRORS = 4.5


def test_docs_show_the_rates_within_the_error_of_a_short_simulation():
    text = STATISTICS.read_text(encoding="utf-8")

    for table in tables(REPETITIONS, BOOTSTRAPPED, seed=7):
        lines = table.markdown().splitlines()
        below = text.split(f"{table.title}:\n", 1)[1].lstrip().split("\n\n", 1)[0].splitlines()
        assert below[:2] == lines[2:4]
        is_of_tests = "interval" not in table.title
        drawn = REPETITIONS if is_of_tests else BOOTSTRAPPED
        drawn_rows = dict(table.rows)
        n_labels = len(table.rows[0][0])
        assert len(below) >= 4
        for line in below[2:]:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            rates = drawn_rows[tuple(cells[:n_labels])]
            for rate, cell in zip(rates, cells[n_labels:], strict=True):
                expected = float(cell) / 100
                share = max(expected, 1 / drawn)
                error = math.sqrt(share * (1 - share) * (1 / drawn + 1 / FULL[is_of_tests]))
                assert abs(rate / 100 - expected) <= STANDARD_ERRORS * error, (table.title, line)
