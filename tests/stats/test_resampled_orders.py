"""Intervals of the agreement of orders, against order_agreement sample by sample."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.stats.rank_correlation import order_agreement
from rankeval.stats.resampled_orders import OrderIntervals, order_intervals
from rankeval.stats.resampling import sample_weights

NAMES = ("tau", "tau_ap", "rbo")


def by_hand(first, second, *, level, samples, seed):
    """The definition: order the systems on each sample of topics, and compare the two orders."""
    found = {name: [] for name in NAMES}
    for weights in sample_weights(len(first), samples, seed):
        for drawn in weights:
            means = []
            for values in (first, second):
                known = ~np.isnan(values)
                sums = [
                    sum(w * v for w, v in zip(drawn, col, strict=True) if not math.isnan(v))
                    for col in values.T
                ]
                counts = [float(drawn @ col) for col in known.T]
                means.append(
                    [round(s / c, 12) if c else math.nan for s, c in zip(sums, counts, strict=True)]
                )
            if np.isnan(means).any():
                continue
            orders = order_agreement(*means)
            for name in NAMES:
                value = getattr(orders, name)
                if value is not None:
                    found[name].append(value)
    ends = [(1 - level) / 2, (1 + level) / 2]
    return {name: np.quantile(values, ends) if values else None for name, values in found.items()}


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(2, 8), st.booleans())
def test_intervals_are_the_quantiles_of_samples(seed, systems, topics, lacking):
    """Grades of few values give many ties."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 3, (2, topics, systems)) / 2
    if lacking:
        second[rng.random((topics, systems)) < 0.2] = np.nan

    found = order_intervals(first, second, level=0.8, samples=15, seed=seed)

    expected = by_hand(first, second, level=0.8, samples=15, seed=seed)
    for name in NAMES:
        shown = getattr(found, name)
        assert (shown is None) == (expected[name] is None)
        assert shown is None or shown == pytest.approx(expected[name], abs=1e-9)


def test_equal_values_agree_wholly():
    values = np.random.default_rng(3).random((20, 5))

    found = order_intervals(values, values)

    assert found.tau == found.tau_ap == (1.0, 1.0)
    assert found.rbo == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize("shape", [(1, 4), (5, 1)])
def test_one_topic_or_one_system_has_no_interval(shape):
    assert order_intervals(np.ones(shape), np.ones(shape)) == OrderIntervals()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_samples():
    values = np.random.default_rng(1).random((2, 50, 40))

    def most(samples):
        tracemalloc.start()
        order_intervals(*values, samples=samples)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    assert most(8_000) < 1.5 * most(2_000)
