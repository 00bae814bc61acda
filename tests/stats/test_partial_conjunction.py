from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import replicability

P_VALUES = st.lists(st.floats(1e-9, 1.0), min_size=1, max_size=6)


def fisher(p_values):
    return scipy.stats.combine_pvalues(p_values, method="fisher").pvalue


def bonferroni(p_values):
    return min(1.0, len(p_values) * min(p_values))


@pytest.mark.parametrize(("name", "combine"), [("fisher", fisher), ("bonferroni", bonferroni)])
@given(P_VALUES)
def test_p_values_are_the_largest_over_all_sets_of_the_others(name, combine, p_values):
    """By definition: whichever u - 1 collections have the difference, the others' combination."""
    n = len(p_values)
    plain = [
        max(combine(list(rest)) for rest in combinations(p_values, n - u + 1))
        for u in range(1, n + 1)
    ]

    found = replicability(p_values, combination=name)

    assert found.p_values == pytest.approx(np.maximum.accumulate(plain), rel=1e-6, abs=1e-12)
    assert found.at_least == sum(p <= 0.05 for p in found.p_values)


@given(P_VALUES)
def test_holm_shows_no_more_collections_one_by_one_than_the_bound(p_values):
    found = replicability(p_values, combination="bonferroni")

    assert len(found.collections) <= found.at_least


@pytest.mark.parametrize("n_true", [0, 2, 4])
@pytest.mark.parametrize("combination", ["fisher", "bonferroni"])
def test_more_collections_than_there_are_are_claimed_at_most_alpha(n_true, combination):
    rng = np.random.default_rng(n_true)
    z = rng.normal(size=(2000, 5)) + np.where(np.arange(5) < n_true, 3.0, 0.0)
    claimed = [
        replicability(p, combination=combination).at_least for p in scipy.stats.norm.sf(z).tolist()
    ]

    too_many = np.mean(np.array(claimed) > n_true)

    assert too_many <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 2000)
    # Counting the significant ones claims too many more often, but for the last collection.
    if n_true == 0:
        assert np.mean((scipy.stats.norm.sf(z) <= 0.05).sum(axis=1) > n_true) > 0.2


def test_a_p_value_of_0_is_one_collection():
    found = replicability([0.0, 0.5, 0.9])

    assert found.p_values[0] == 0.0
    assert found.p_values[1] == pytest.approx(fisher([0.5, 0.9]))
    assert found.at_least == 1
    assert found.collections == (0,)


@pytest.mark.parametrize("wrong", [[], [np.nan], [1.1, 0.2], [-0.1]])
def test_what_is_no_p_value_is_refused(wrong):
    with pytest.raises(UsageError, match="p-values"):
        replicability(wrong)
