"""Sums over runs do not depend on their order."""

import numpy as np
import pytest

from rankeval.fusion.fused_scores import total


@pytest.mark.parametrize("runs", [1, 2, 3, 6, 12, 13, 20])
def test_rows_in_any_order_have_the_same_sum_to_the_last_bit(runs):
    rng = np.random.default_rng(runs)
    values = rng.lognormal(0, 5, (runs, 400))
    values[rng.random(values.shape) < 0.2] = np.nan

    expected = total(values)

    assert (total(values[rng.permutation(runs)]) == expected).all()
    assert expected == pytest.approx(np.nansum(values, axis=0))
