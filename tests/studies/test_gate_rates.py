"""The tables on seeds, suites and nights that docs/statistics/ shows, against a short run."""

import math
from pathlib import Path

import numpy as np
import pytest
from rankeval.stats.macro_gate import seeded_verdict

from docs.studies import gate_rates
from rankeval.stats import Verdict, macro_verdict

pytestmark = pytest.mark.slow

STATISTICS = Path(__file__).parents[2] / "docs" / "statistics"
REPETITIONS, LINES = 1_000, 60
FULL_REPETITIONS, FULL_LINES = 20_000, 2_000
STANDARD_ERRORS = 4.5


@pytest.fixture(scope="module")
def shown():
    """Return the rates in percent that the docs show, by title and labels."""
    text = "".join(page.read_text(encoding="utf-8") for page in STATISTICS.glob("*.md"))
    found = {}
    for table in gate_rates.tables(REPETITIONS, LINES, seed=7):
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
        by_night = "shared variance" in table.heads
        drawn = LINES if by_night else REPETITIONS
        full = FULL_LINES if by_night else FULL_REPETITIONS
        drawn_rows = dict(table.rows)
        assert len(documented) >= 2
        for labels, figures in documented.items():
            for rate, expected in zip(drawn_rows[labels], figures, strict=True):
                share = min(max(expected / 100, 1 / drawn), 1 - 1 / drawn)
                error = math.sqrt(share * (1 - share) * (1 / drawn + 1 / full))
                assert abs(rate - expected) / 100 <= STANDARD_ERRORS * error, (labels, rate)


def test_independent_suites_and_nights_have_the_rates_of_probability_theory(shown):
    (nights,) = (rates for table, rates in shown.items() if "shared variance" in table.heads)
    tests = gate_rates.SUITES * gate_rates.NIGHTS
    level = 0.05 / gate_rates.SUITES

    assert nights["0",] == pytest.approx(
        [
            100 * (1 - 0.95**gate_rates.SUITES),
            100 * (1 - 0.95**tests),
            100 * (1 - (1 - level) ** gate_rates.SUITES),
            100 * (1 - (1 - level) ** tests),
        ],
        abs=1.5,
    )


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


@pytest.mark.parametrize("shape", gate_rates.SHAPES)
def test_the_simulated_verdicts_on_macro_means_are_those_of_the_gate(shape):
    rng = np.random.default_rng(5)
    sizes = (20, 80, 200)
    gains = [one[:100] / 2 for one in gate_rates.macro_gains(shape, -0.01, sizes, rng)]
    baseline = [np.full(n, 0.5) for n in sizes]

    def verdicts(limit, bound):
        return [
            macro_verdict(
                *(baseline, [old + one[i] for old, one in zip(baseline, gains, strict=True)]),
                limit=limit,
                bound=bound,
                spans=[(-0.5, 1.5)] * 3,
            ).verdict
            for i in range(100)
        ]

    assert [one is Verdict.WORSE for one in verdicts(0.0, "t")] == gate_rates.macro_loss(
        gains
    ).tolist()
    for_limit = [-one - gate_rates.LIMIT for one in gains]
    by_t = [one is Verdict.NOT_WORSE for one in verdicts(gate_rates.LIMIT, "t")]
    assert by_t == gate_rates.macro_loss(for_limit).tolist()
    assert 10 < sum(by_t) <= 100
