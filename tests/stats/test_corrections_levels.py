"""Intervals at the level of a corrected p-value exclude "no difference" where it is below alpha."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rankeval.stats import adjust_p_values
from rankeval.stats.corrections import interval_risks

SHARES = st.floats(1e-12, 1.0)


@given(
    st.lists(SHARES, min_size=1, max_size=12),
    st.floats(0.001, 0.5),
    st.sampled_from(["holm", "bh", "none"]),
)
def test_a_p_value_is_below_its_risk_where_it_is_below_alpha_corrected(p_values, alpha, correction):
    adjusted = adjust_p_values(p_values, correction=correction)
    assume((np.abs(adjusted - alpha) > 1e-9).all())  # ties of rounding decide nothing

    risks = interval_risks(p_values, correction=correction, alpha=alpha)

    assert ((np.array(p_values) < risks) == (adjusted < alpha)).all()
    assert ((alpha / len(p_values) <= risks * (1 + 1e-12)) & (risks <= alpha)).all()


def test_holms_levels_by_hand():
    """Of three, 0.01 is below 0.06 / 3 and 0.02 below 0.06 / 2; 0.3 is compared with 0.06."""
    assert interval_risks([0.3, 0.01, 0.02], alpha=0.06) == pytest.approx([0.06, 0.02, 0.03])


def test_benjamini_and_hochbergs_level_by_hand():
    """Of four, 0.01 and 0.02 are at most their places times 0.05 / 4: two of four are left."""
    found = interval_risks([0.01, 0.9, 0.02, 0.8], correction="bh", alpha=0.05)

    assert found == pytest.approx([0.025] * 4)
