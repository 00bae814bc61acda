"""Intervals at the level of a corrected p-value exclude "no difference" where it is below alpha."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import Correction, adjust_p_values
from rankeval.stats.paired import interval_risks

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=15)


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("none", [0.01, 0.04, 0.03, 0.005]),
        # Ascending 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1; the last may not fall below 2 * 0.03.
        ("holm", [3 * 0.01, 2 * 0.03, 2 * 0.03, 4 * 0.005]),
        # Ascending times 4/1, 4/2, 4/3, 4/4; none above the next one.
        ("bh", [4 / 2 * 0.01, 0.04, 4 / 3 * 0.03, 4 * 0.005]),
    ],
)
def test_adjusted_p_values_worked_by_hand(correction, expected):
    adjusted = adjust_p_values([0.01, 0.04, 0.03, 0.005], correction=correction)

    assert adjusted.tolist() == pytest.approx(expected)


def test_benjamini_and_hochbergs_own_example():
    """Their 15 p-values (1995, section 3.2): BH rejects four at 0.05; Holm three, as Bonferroni."""
    published = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
    published += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000]

    rejected = {
        way: int((adjust_p_values(published, correction=way) <= 0.05).sum()) for way in Correction
    }

    assert rejected == {"holm": 3, "bh": 4, "none": 9}


@pytest.fixture(scope="module")
def multitest():
    module = pytest.importorskip("statsmodels.stats.multitest")
    module.multipletests([0.5, 0.1], method="holm")  # imports the rest of what it needs
    return module


@pytest.mark.slow
@pytest.mark.parametrize(("correction", "name"), [("holm", "holm"), ("bh", "fdr_bh")])
@given(values=p_values)
@settings(deadline=None, max_examples=25)  # that tool takes some 20 ms
def test_corrections_agree_with_statsmodels(multitest, correction, name, values):
    expected = multitest.multipletests(values, method=name)[1]

    assert adjust_p_values(values, correction=correction) == pytest.approx(expected)


@pytest.mark.parametrize("wrong", [[0.1, float("nan")], [1.1], [-0.1]])
def test_what_is_no_p_value_is_refused(wrong):
    with pytest.raises(UsageError):
        adjust_p_values(wrong)


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
