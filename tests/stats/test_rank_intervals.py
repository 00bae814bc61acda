"""Intervals of ranks by the bootstrap, against all samples."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.stats.rank_intervals import bootstrap_ranks


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


@given(st.lists(st.lists(st.integers(0, 8), min_size=4, max_size=4), min_size=2, max_size=8))
def test_intervals_are_ranks_and_chances_add_up(rows):
    found = bootstrap_ranks(rows, samples=200)

    assert all(1 <= each.low <= each.high <= 4 for each in found)
    assert sum(each.best for each in found) == pytest.approx(1.0)


def test_a_system_better_on_every_topic_by_the_same_has_its_rank():
    gains = np.random.default_rng(1).random((6, 1)) + np.array([0.0, 0.2, 0.1])

    assert [(each.low, each.high, each.best) for each in bootstrap_ranks(gains)] == [
        *((3, 3, 0.0), (1, 1, 1.0), (2, 2, 0.0))
    ]


def test_one_topic_or_system_has_no_interval_and_undefined_topics_are_left_out():
    gains = np.array([[0.3, 0.1], [0.5, 0.6], [0.9, 0.2]])
    more = np.vstack((gains, [[np.nan, 0.4]]))

    assert bootstrap_ranks(gains[:1]) == bootstrap_ranks(gains[:, :1]) == ()
    assert bootstrap_ranks(more) == bootstrap_ranks(gains)
