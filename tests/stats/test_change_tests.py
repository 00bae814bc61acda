import math
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, norm

from rankeval.errors import UsageError
from rankeval.stats.change_tests import DRAWS, nearest_levels, split_test, stretch_test

RNG = np.random.default_rng(11)


def rank_sum_z(inside, outside):
    """The absolute standardised rank sum of scipy, ties corrected, without continuity."""
    found = mannwhitneyu(inside, outside, method="asymptotic", use_continuity=False)
    return float(norm.isf(found.pvalue / 2))


def mid_ranks(values):
    return [sum(v < w for v in values) + (values.count(w) + 1) / 2 for w in values]


def plain_z(ranks, first, end):
    """The standardised rank sum of ranks first..end, from its definition."""
    n, size = len(ranks), end - first
    variance = sum((rank - (n + 1) / 2) ** 2 for rank in ranks) / (n - 1)
    deviation = sum(ranks[first:end]) - size * (n + 1) / 2
    return abs(deviation) / math.sqrt(size * (n - size) * variance / n)


def largest(values, divisions):
    ranks = mid_ranks(values)
    return max(plain_z(ranks, first, end) for first, end in divisions)


def splits(n, least):
    return [(0, k) for k in range(least, n - least + 1)]


def stretches(n, least):
    return [(i, j) for i in range(least, n - least + 1) for j in range(i + least, n - least + 1)]


def share_as_extreme(values, orders, divisions):
    observed = largest(values, divisions) - 1e-9
    return np.mean([largest(list(order), divisions) >= observed for order in orders])


@pytest.mark.parametrize("least", [2, 3])
@pytest.mark.parametrize(
    "values",
    [[3, 1, 2, 6, 5, 4], [0.4, 0.4, 0.4, 0.3, 0.3, 0.4, 0.3], [1, 1, 2, 2, 3, 3, 9]],
    ids=str,
)
def test_the_p_value_of_a_short_sequence_is_the_share_of_all_permutations(values, least):
    expected = share_as_extreme(values, permutations(values), splits(len(values), least))
    found = split_test(values, least=least)

    assert found.p_value == pytest.approx(expected, abs=1e-12)
    assert found.draws == math.factorial(len(values))


def two_levels(n, low):
    """All sequences of n values of which some are lower."""
    for places in combinations(range(n), low):
        yield [0.38 if i in places else 0.4 for i in range(n)]


@pytest.mark.parametrize(
    ("test", "divisions", "values"),
    [
        (split_test, splits, [0.4] * 7 + [0.38] * 4),
        (split_test, splits, [0.4] * 6 + [0.38] + [0.4] + [0.38] * 3),
        (stretch_test, stretches, [0.4] * 4 + [0.38] * 4 + [0.4] * 4),
        (stretch_test, stretches, [0.4] * 3 + [0.38] * 4 + [0.4, 0.38, 0.4, 0.4]),
    ],
)
def test_drawn_p_values_come_near_the_share_of_all_permutations(test, divisions, values):
    orders = two_levels(len(values), values.count(0.38))
    expected = share_as_extreme(values, orders, divisions(len(values), 3))
    found = test(values, least=3)

    error = max(math.sqrt(expected * (1 - expected) / found.draws), expected / 10)
    assert found.p_value == pytest.approx(expected, abs=4 * error + 1 / DRAWS)


@pytest.mark.parametrize("rounded", [1, 8])
def test_the_statistic_is_the_largest_rank_sum_of_scipy(rounded):
    for _ in range(20):
        values = RNG.normal(size=15).round(rounded)
        by_split = {k: rank_sum_z(values[:k], values[k:]) for k in range(3, 13)}
        inside = {
            (i, j): rank_sum_z(values[i:j], np.r_[values[:i], values[j:]])
            for i, j in stretches(15, 3)
        }
        split, stretch = split_test(values, least=3), stretch_test(values, least=3)

        assert split.statistic == pytest.approx(max(by_split.values()))
        assert by_split[split.places[0]] == pytest.approx(split.statistic)
        assert stretch.statistic == pytest.approx(max(inside.values()))
        assert inside[stretch.places] == pytest.approx(stretch.statistic)


def test_only_the_order_of_the_values_counts():
    for test in (split_test, stretch_test):
        values = RNG.normal(size=25).round(1)

        assert test(values) == test(np.exp(values)) == test(3 * values + 7)
        assert test(-values).places == test(values).places
        assert test(-values).p_value == pytest.approx(test(values).p_value, rel=0.5)


def test_the_permutations_are_those_of_the_ranks_in_any_order():
    """A sequence and its reverse have mirrored splits, and the same extents to compare with."""
    values = np.r_[RNG.normal(size=20), RNG.normal(1.5, size=20)]
    for test in (split_test, stretch_test):
        found, turned = test(values), test(values[::-1])

        assert (found.p_value, found.draws) == (turned.p_value, turned.draws)
        assert turned.places == tuple(40 - place for place in reversed(found.places))


def test_the_tests_are_exact_for_two_values_however_long_the_sequence():
    """One of the C(60, 20) arrangements and its mirror image have no overlap."""
    found = split_test([0.4] * 40 + [0.38] * 20, draws=999)

    assert (found.places, found.p_value) == ((40,), 1 / 1000)
    assert found.statistic == pytest.approx(math.sqrt(59))  # perfect separation


def test_rounding_in_the_last_bits_is_no_difference():
    values = [0.1 + 0.2, 0.3] * 10

    assert split_test(values) == split_test([0.3] * 20)
    assert (split_test(values).statistic, split_test(values).p_value) == (0.0, 1.0)


def test_four_values_at_an_end_are_no_level_yet():
    assert not split_test([0.4] * 26 + [0.38] * 4).settled
    assert not split_test([0.38] * 4 + [0.4] * 26).settled
    assert split_test([0.4] * 25 + [0.38] * 5).settled


def test_a_change_lies_where_values_are_nearest_to_the_levels():
    """The rank sums prefer 6, where 0.39 is the greatest of the lower side."""
    values = np.array([0.30, 0.31, 0.29, 0.32, 0.30, 0.39, *[0.4, 0.41] * 8])
    sums = [
        sum(abs(v - np.median(part)) for part in (values[:k], values[k:]) for v in part)
        for k in range(5, 18)
    ]

    assert split_test(values).places == (6,)
    assert nearest_levels(values) == 5 + int(np.argmin(sums)) == 5


def test_an_outlier_moves_no_change():
    values = np.array([0.4] * 5 + [0.1] + [0.4] * 14 + [0.38] * 10)

    assert nearest_levels(values) == 20


def test_a_long_sequence_has_its_stretches_at_some_places():
    values = np.full(1000, 0.4)
    values[400:480] = 0.38
    found = stretch_test(values, draws=199)

    assert found.p_value == 1 / 200
    assert abs(found.places[0] - 400) <= 16
    assert abs(found.places[1] - 480) <= 16


def test_too_few_values_are_refused():
    with pytest.raises(UsageError, match="first 9 is 0"):
        split_test(range(9))
    with pytest.raises(UsageError, match="first 14 is 0"):
        stretch_test(range(14))
