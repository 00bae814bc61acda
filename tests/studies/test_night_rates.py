"""The study of gates by bets over nights: its lines are those of the gate, and keep alpha."""

import numpy as np
import pytest

from docs.studies import night_rates
from rankeval.stats.night_bets import NightBets

LINES = 120
ERROR = 100 * (0.05 * 0.95 / LINES) ** 0.5


def test_a_line_has_the_bets_of_a_gate():
    rng = np.random.default_rng(5)
    nights = [rng.normal(0.01, 0.1, (3, 20)) for _ in range(5)]
    line = night_rates.Line(3, 0.02, 1.0)
    for losses in nights:
        assert not line.alarms(losses).any()
    for row in range(3):
        bets = NightBets()
        for losses in nights:
            bets = bets.after((losses[row] - 0.02) / 1.02)
        assert tuple(line.capital.at_stake[:, row]) == pytest.approx(bets.at_stake)


@pytest.mark.slow
def test_clean_nights_have_few_alarms_and_drops_are_shown_in_time():
    one_look, delays, clean = night_rates.tables(LINES, seed=3)

    for (name,), rates in clean.rows:
        within, beyond = rates[0], rates[1]
        assert beyond <= 5 + 3 * ERROR, name
        assert within <= 5 + 3 * ERROR or "own" in name, name
    shown = dict(delays.rows)
    assert shown["0.05", "3"][0] > 90
    assert shown["0.025", "10"][0] > 90
    assert dict(one_look.rows)["200", "0.05"][0] == 100
