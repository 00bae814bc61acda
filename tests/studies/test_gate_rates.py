"""The table on seeds that docs/statistics/ shows, against a short run."""

import math
from pathlib import Path

import numpy as np
import pytest

from docs.studies import gate_rates
from rankeval.stats import Verdict
from rankeval.stats.seeded_gate import seeded_verdict

pytestmark = pytest.mark.slow

STATISTICS = Path(__file__).parents[2] / "docs" / "statistics"
REPETITIONS, FULL = 1_000, 20_000
STANDARD_ERRORS = 4.5


@pytest.fixture(scope="module")
def shown():
    """Return the rates in percent that the docs show, by title and labels."""
    text = "".join(page.read_text(encoding="utf-8") for page in STATISTICS.glob("*.md"))
    found = {}
    for table in gate_rates.tables(REPETITIONS, seed=7):
        below = text.split(f"{table.title}:\n", 1)[1].lstrip().split("\n\n", 1)[0].splitlines()
        assert below[:2] == table.markdown().splitlines()[2:4]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in below[2:]]
        n_labels = len(table.rows[0][0])
        found[table] = {
            tuple(row[:n_labels]): [float(rate) for rate in row[n_labels:]] for row in cells
        }
    return found


def test_docs_show_the_rates_within_the_error_of_a_short_simulation(shown):
    for table, documented in shown.items():
        drawn_rows = dict(table.rows)
        assert len(documented) >= 2
        for labels, figures in documented.items():
            for rate, expected in zip(drawn_rows[labels], figures, strict=True):
                share = min(max(expected / 100, 1 / REPETITIONS), 1 - 1 / REPETITIONS)
                error = math.sqrt(share * (1 - share) * (1 / REPETITIONS + 1 / FULL))
                assert abs(rate - expected) / 100 <= STANDARD_ERRORS * error, (labels, rate)


def test_the_simulated_verdicts_are_those_of_the_gate():
    rng = np.random.default_rng(3)
    for k in gate_rates.SEEDS:
        gains = gate_rates.systems("normal", -0.015, 0.01, 50, k, rng)[:150]
        found = [seeded_verdict(np.zeros(50), one, limit=0.0).verdict for one in gains]
        cleared = [seeded_verdict(np.zeros(50), one, limit=0.05).verdict for one in gains]

        called = gate_rates.shown_loss(gains)
        assert 5 < called.sum() < 145
        assert [one is Verdict.WORSE for one in found] == called.tolist()
        within = gate_rates.shown_loss(-gains - 0.05)
        assert [one is Verdict.NOT_WORSE for one in cleared] == within.tolist()
