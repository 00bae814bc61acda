import numpy as np
import pytest

from docs.studies import plan_rates

pytestmark = pytest.mark.slow

REPETITIONS = 4_000


def test_differences_are_found_as_often_as_compare_simulates():
    table = plan_rates.planned(REPETITIONS, seed=3)
    error = 100 * np.sqrt(0.8 * 0.2 / REPETITIONS)

    assert len(table.rows) == 4 * 4
    for labels, gaps in table.rows:
        from_simulated = [gaps[1], gaps[3]]
        assert from_simulated == pytest.approx([0, 0], abs=3 + 2 * error), labels
