"""The sizes of strata and of samples, against brute force and properties."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.stats.document_sampling import (
    EACH,
    allocate,
    average_precision_prior,
    by_bands,
    cut,
    draw,
    rate_for,
)


def test_bands_of_ranks_go_twice_as_deep_each():
    bands = by_bands(np.arange(1, 81), 9)

    assert Counter(bands.tolist()) == {0: 5, 1: 5, 2: 10, 3: 20, 4: 40}
    assert by_bands(np.arange(1, 81), 2).tolist() == [0] * 5 + [1] * 75


@pytest.mark.parametrize("length", [1, 2, 7, 50])
def test_the_prior_is_the_weight_of_a_pair_of_ranks_in_the_sum_of_precisions(length):
    """Aslam, Pavlu and Yilmaz (2006): average the weights of (i, j) over both, symmetrically."""
    weights = [Fraction(0)] * length
    for i in range(1, length + 1):
        for j in range(1, i + 1):  # precision at i has the documents down to i, 1/i each
            weights[i - 1] += Fraction(1, 2 * i * length)
            weights[j - 1] += Fraction(1, 2 * i * length)

    found = average_precision_prior(np.arange(1, length + 1), length)

    assert found == pytest.approx([float(weight) for weight in weights])
    assert found.sum() == pytest.approx(1.0)


@given(st.data())
def test_shares_are_whole_within_their_bounds_and_nearly_in_proportion(data):
    n = data.draw(st.integers(1, 8))
    numbers = st.integers(0, 12)
    least = np.array(data.draw(st.lists(numbers, min_size=n, max_size=n)))
    most = least + np.array(data.draw(st.lists(numbers, min_size=n, max_size=n)))
    mass = np.array(data.draw(st.lists(st.floats(0.01, 9), min_size=n, max_size=n)))
    total = data.draw(st.integers(0, 200))

    found = allocate(mass, least, most, total)

    assert (found >= least).all()
    assert (found <= most).all()
    assert found.sum() == min(max(total, least.sum()), most.sum())
    for i in range(n):  # nobody with room has less than another could spare
        for j in range(n):
            if found[i] < most[i] and found[j] > least[j]:
                assert (found[j] - 1) / mass[j] <= (found[i] + 1) / mass[i] + 1e-6


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=60), st.integers(1, 60))
def test_a_rate_makes_documents_due_what_is_wanted(importance, total):
    importance = np.array(importance)
    total = min(total, len(importance))

    rate = rate_for(importance, np.zeros(len(importance), dtype=int), np.zeros(1), total)

    assert np.minimum(rate * importance, 1).sum() == pytest.approx(total)


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=60), st.integers(1, 60))
def test_strata_hold_documents_of_adjacent_importance_and_are_due_a_few_draws(importance, total):
    importance = np.array(importance)
    group = np.zeros(len(importance), dtype=int)
    rate = rate_for(importance, group, np.zeros(1), min(total, len(importance)))

    stratum = cut(importance, group, rate)

    assert sorted(set(stratum.tolist())) == list(range(stratum.max() + 1))
    for earlier in range(stratum.max()):
        assert importance[stratum == earlier].min() >= importance[stratum == earlier + 1].max()
    due = np.minimum(rate * importance, 1)
    for number in range(stratum.max() + 1):
        mine = due[stratum == number]
        whole = bool((mine >= 1).all())
        assert whole or stratum.max() == 0 or due[due < 1].sum() < 2 * EACH or mine.sum() >= 1


def test_strata_do_not_cross_groups():
    rng = np.random.default_rng(3)
    group = rng.integers(0, 5, 200)

    stratum = cut(rng.random(200), group, 0.3)

    assert len({(g, s) for g, s in zip(group, stratum, strict=True)}) == stratum.max() + 1


def test_every_set_of_documents_is_drawn_as_often_by_all_orders_of_the_lots():
    """All 120 orders of five lots: each pair of five documents comes up 12 times."""
    stratum, nobody = np.zeros(5, dtype=int), np.zeros(5, dtype=bool)
    found = Counter(
        tuple(np.flatnonzero(draw(stratum, np.array([2]), nobody, np.array(lots))).tolist())
        for lots in permutations(range(5))
    )

    assert len(found) == 10
    assert set(found.values()) == {12}


def test_more_draws_make_a_larger_sample_as_random_as_one_drawn_at_once():
    """Two of five and then one more: each of the ten sets of three comes up as often."""
    stratum, nobody = np.zeros(5, dtype=int), np.zeros(5, dtype=bool)
    found = Counter()
    for lots in permutations(range(5)):
        first = draw(stratum, np.array([2]), nobody, np.array(lots))
        for others in permutations(range(5)):
            both = first | draw(stratum, np.array([3]), first, np.array(others))
            found[tuple(np.flatnonzero(both).tolist())] += 1

    assert len(found) == 10
    assert len(set(found.values())) == 1


def test_parts_of_a_stratum_are_random_samples_given_how_many_of_them_were_drawn():
    """Three of five drawn; given one of {0, 1}, both were as likely, as were pairs of {2, 3, 4}."""
    stratum, nobody = np.zeros(5, dtype=int), np.zeros(5, dtype=bool)
    found = Counter()
    for lots in permutations(range(5)):
        drawn = np.flatnonzero(draw(stratum, np.array([3]), nobody, np.array(lots)))
        if np.count_nonzero(drawn < 2) == 1:
            found[tuple(drawn.tolist())] += 1

    assert len(found) == 2 * 3
    assert len(set(found.values())) == 1
