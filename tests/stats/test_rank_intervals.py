"""Intervals of ranks: the bootstrap's by all samples, the posterior's by weighted draws."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.stats.rank_intervals import bootstrap_ranks, posterior_ranks

RANKS = (bootstrap_ranks, posterior_ranks)


def test_the_bootstrap_is_close_to_all_samples():
    gains = np.array([[0.6, 0.5, 0.1], [0.2, 0.5, 0.3], [0.7, 0.4, 0.8], [0.5, 0.5, 0.2]])
    first = []
    for drawn in product(range(4), repeat=4):
        means = gains[list(drawn)].mean(axis=0)
        best = np.abs(means - means.max()) < 1e-12
        first.append(best / best.sum())

    found = bootstrap_ranks(gains, samples=40_000)

    assert [each.best for each in found] == pytest.approx(np.mean(first, axis=0), abs=0.01)
    assert [each.rank for each in found] == [1, 2, 3]


def test_the_posterior_is_that_of_weighted_draws_from_the_prior():
    """Importance sampling of the model as it is written, topics' effects taken out by centring."""
    rng = np.random.default_rng(8)
    gains = rng.normal(0, 0.2, (8, 3)) + np.array([0.15, 0.05, 0.0]) + rng.normal(0, 1, (8, 1))
    centred = gains - gains.mean(axis=1, keepdims=True)
    means = centred.mean(axis=0)
    errors = ((centred - means) ** 2).sum()
    n, size, draws = 8, 3, 400_000
    scale = np.sqrt(errors / ((n - 1) * (size - 1)))
    sigma = np.exp(rng.uniform(np.log(scale / 4), np.log(scale * 4), draws))
    tau = np.abs(scale * np.tan(np.pi * (rng.random(draws) - 0.5)))
    effects = tau[:, None] * rng.standard_normal((draws, size))
    effects -= effects.mean(axis=1, keepdims=True)
    squares = errors + n * ((means - effects) ** 2).sum(axis=1)
    logarithm = -n * (size - 1) * np.log(sigma) - squares / (2 * sigma**2)
    weights = np.exp(logarithm - logarithm.max())
    expected = [np.average(effects.argmax(axis=1) == s, weights=weights) for s in range(size)]

    found = posterior_ranks(gains, draws=40_000)

    assert [each.best for each in found] == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("ranks", RANKS)
@given(st.lists(st.lists(st.integers(0, 8), min_size=4, max_size=4), min_size=2, max_size=8))
def test_intervals_are_ranks_and_chances_add_up(ranks, rows):
    found = (
        bootstrap_ranks(rows, samples=200) if ranks is bootstrap_ranks else ranks(rows, draws=200)
    )

    assert all(1 <= each.low <= each.high <= 4 for each in found)
    assert sum(each.best for each in found) == pytest.approx(1.0)


@pytest.mark.parametrize("ranks", RANKS)
def test_a_system_better_on_every_topic_by_the_same_has_its_rank(ranks):
    gains = np.random.default_rng(1).random((6, 1)) + np.array([0.0, 0.2, 0.1])

    assert [(each.low, each.high, each.best) for each in ranks(gains)] == [
        *((3, 3, 0.0), (1, 1, 1.0), (2, 2, 0.0))
    ]


@pytest.mark.parametrize("ranks", RANKS)
def test_one_topic_or_system_has_no_interval_and_undefined_topics_are_left_out(ranks):
    gains = np.array([[0.3, 0.1], [0.5, 0.6], [0.9, 0.2]])
    more = np.vstack((gains, [[np.nan, 0.4]]))

    assert ranks(gains[:1]) == ranks(gains[:, :1]) == ()
    assert ranks(more) == ranks(gains)
