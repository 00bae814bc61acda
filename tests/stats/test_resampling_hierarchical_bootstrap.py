import math

import numpy as np
import pytest

from rankeval.errors import UsageError
from rankeval.stats import hierarchical_bootstrap


def drawn(seed=0, sizes=(5, 9, 4, 12, 7, 6)):
    rng = np.random.default_rng(seed)
    return [rng.normal(rng.normal(0.05, 0.1), 0.2, size=size) for size in sizes]


def drawn_means(collections, samples, seed):
    """Draw collections, and topics of each part of each one that is drawn."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, len(collections), (samples, len(collections)))
    means = np.empty(chosen.shape)
    for c, parts in enumerate(collections):
        drawn_there = chosen == c
        times = np.count_nonzero(drawn_there)
        of_parts = [rng.choice(part, size=(times, len(part))).mean(axis=1) for part in parts]
        means[drawn_there] = np.mean(of_parts, axis=0)
    return means.mean(axis=1)


@pytest.mark.parametrize(
    "collections",
    [[[one] for one in drawn()], [[one, one[:3] - 0.1, one[2:] * 2] for one in drawn(1)]],
    ids=["collections", "with parts"],
)
def test_the_interval_is_that_of_means_drawn_at_random(collections):
    (found,) = hierarchical_bootstrap(collections, samples=20_000, seed=1)
    means = drawn_means(collections, 20_000, seed=2)
    deviation = means.std()

    low, high = np.quantile(means, [0.025, 0.975])
    assert found.low == pytest.approx(low, abs=0.06 * deviation)
    assert found.high == pytest.approx(high, abs=0.06 * deviation)
    assert found.mean == pytest.approx(
        np.mean([np.mean([p.mean() for p in c]) for c in collections])
    )


def test_the_variance_is_that_of_collections_and_of_topics():
    """The variance of means, and the mean of their variances over topics, both divided by C."""
    collections = drawn(2)
    means = np.array([one.mean() for one in collections])
    within = np.array([one.var() / one.size for one in collections])
    variance = (means.var() + within.mean()) / len(collections)

    (found,) = hierarchical_bootstrap([[one] for one in collections], samples=50_000, level=0.6827)

    assert (found.high - found.low) / 2 == pytest.approx(math.sqrt(variance), rel=0.05)


def test_collections_without_noise_leave_the_variance_of_collections():
    collections = [[np.full(4, value)] for value in (0.1, 0.3)]

    (found,) = hierarchical_bootstrap(collections, samples=5_000)

    assert (found.low, found.mean, found.high) == pytest.approx((0.1, 0.2, 0.3))


def test_columns_share_the_samples():
    one = drawn()
    both = [[np.column_stack([part, 2 * part])] for part in one]

    first, second = hierarchical_bootstrap(both, samples=500)

    assert (second.low, second.high) == pytest.approx((2 * first.low, 2 * first.high))
    assert [first] == [*hierarchical_bootstrap([[part] for part in one], samples=500)]


def test_a_seed_gives_one_interval():
    collections = [[one] for one in drawn()]

    assert hierarchical_bootstrap(collections, seed=4, samples=200) == hierarchical_bootstrap(
        collections, seed=4, samples=200
    )
    assert hierarchical_bootstrap(collections, seed=5, samples=200) != hierarchical_bootstrap(
        collections, seed=4, samples=200
    )


def test_topics_without_a_value_are_left_out():
    collections = [[np.append(one, math.nan)] for one in drawn()]

    assert hierarchical_bootstrap(collections, samples=200) == hierarchical_bootstrap(
        [[one] for one in drawn()], samples=200
    )


@pytest.mark.parametrize(
    ("collections", "words"),
    [([[[0.1]]], "found 1 collections"), ([[[0.1]], [[math.nan]]], "no topic with values")],
)
def test_what_cannot_be_drawn_is_refused(collections, words):
    with pytest.raises(UsageError, match=words):
        hierarchical_bootstrap(collections)
