import math
from itertools import combinations

import numpy as np
import pytest
import scipy.stats

from rankeval.stats import friedman, holm_rank_pairs


def sample(n, m, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 6, size=(n, m)) + np.arange(m)


@pytest.mark.parametrize(("n", "m"), [(5, 2), (13, 4), (30, 7)])
def test_pairs_are_those_of_scikit_posthocs(n, m):
    """Siegel and Castellan's z of mean ranks, with Holm's correction by statsmodels."""
    posthocs = pytest.importorskip("scikit_posthocs")
    values = sample(n, m)

    expected = posthocs.posthoc_siegel_friedman(values, p_adjust="holm").to_numpy()

    found = holm_rank_pairs(values)
    assert [(one.first, one.second) for one in found] == list(combinations(range(m), 2))
    for one in found:
        assert one.p_value == pytest.approx(expected[one.first, one.second], abs=1e-12)


def test_pairs_by_the_definition():
    """Three systems that eight collections rank alike: z is 2, 4 and 2 (Demsar's formula)."""
    first, second, third = holm_rank_pairs([[0.9, 0.7, 0.5]] * 8)

    assert [one.difference for one in (first, second, third)] == [1.0, 2.0, 1.0]
    p = [2 * scipy.stats.norm.sf(z) for z in (2.0, 4.0, 2.0)]
    assert second.p_value == pytest.approx(3 * p[1])
    assert first.p_value == third.p_value == pytest.approx(2 * p[0])


def test_pairs_with_a_control_are_corrected_for_themselves_only():
    """Four systems that eight collections rank alike; z is the difference / sqrt(4 5 / 48)."""
    found = holm_rank_pairs([[0.9, 0.7, 0.5, 0.3]] * 8, 1)
    z = 1 / math.sqrt(4 * 5 / 48)
    p = [2 * scipy.stats.norm.sf(one) for one in (z, z, 2 * z)]

    assert [(one.first, one.second) for one in found] == [(1, 0), (1, 2), (1, 3)]
    assert [one.difference for one in found] == [-1.0, 1.0, 2.0]
    assert found[2].p_value == pytest.approx(3 * p[2])
    assert found[0].p_value == found[1].p_value == pytest.approx(2 * p[0])


def test_two_systems_have_the_p_value_of_friedmans_chi_square():
    """With two systems z squared is chi square with one degree of freedom."""
    values = np.random.default_rng(3).normal(size=(12, 2))

    (pair,) = holm_rank_pairs(values)

    assert pair.p_value == pytest.approx(friedman(values).p_value)


def test_rows_without_a_value_are_left_out():
    values = sample(8, 3)
    more = np.vstack([values, [[math.nan, 0.5, 0.2]]])

    assert holm_rank_pairs(more) == holm_rank_pairs(values)
    assert [one.p_value for one in holm_rank_pairs([[math.nan, 1.0, 2.0]])] == [1.0] * 3
