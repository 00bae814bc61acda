"""Strengths by preferences, against scipy, choix, brute force and what must hold."""

import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize
from scipy.stats import t

from rankeval.errors import UsageError
from rankeval.stats.preference_strengths import (
    bradley_terry,
    decisions_contradict,
    tables_of,
    unbounded,
)

CHOIX = json.loads((Path(__file__).parents[1] / "data" / "tools" / "choix.json").read_text())


def drawn(seed, *, systems=5, number=200, ties=0.6, topics=30):
    """Systems, scores and topics of preferences, drawn from the model."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 1, systems)
    first = rng.integers(0, systems, number)
    second = (first + rng.integers(1, systems, number)) % systems
    half = (strength[first] - strength[second]) / 2
    win, loss = np.exp(half), np.exp(-half)
    place = rng.random(number) * (win + loss + ties)
    score = np.where(place < win, 1.0, np.where(place < win + loss, 0.0, 0.5))
    return first, second, score, rng.integers(0, topics, number)


def minus_log_likelihood(parameters, first, second, score):
    """Davidson's, written from the definition; the last parameter is the logarithm of nu."""
    total = 0.0
    nu = math.exp(parameters[-1])
    for i, j, won in zip(first, second, score, strict=True):
        a, b = math.exp(parameters[i]), math.exp(parameters[j])
        tie = nu * math.sqrt(a * b)
        total -= math.log({1.0: a, 0.0: b, 0.5: tie}[won] / (a + b + tie))
    return total


@pytest.mark.parametrize("seed", range(4))
def test_strengths_and_ties_are_the_most_likely_ones_by_scipy(seed):
    first, second, score, _ = drawn(seed)
    best = minimize(
        minus_log_likelihood, np.zeros(6), (first, second, score), options={"gtol": 1e-7}
    ).x

    found = bradley_terry(first, second, score)

    assert found.strength == pytest.approx(best[:5] - best[:5].mean(), abs=1e-5)
    assert found.ties == pytest.approx(math.exp(best[5]), abs=1e-5)
    ours = [*found.strength, math.log(found.ties)]
    assert (
        minus_log_likelihood(ours, first, second, score)
        <= minus_log_likelihood(best, first, second, score) + 1e-9
    )


@pytest.mark.parametrize("case", CHOIX, ids=lambda case: str(case["systems"]))
def test_strengths_without_ties_are_those_of_choix(case):
    winners, losers = np.array(case["won"]).T

    found = bradley_terry(winners, losers, np.ones(len(winners)))

    expected = np.array(case["strength"])
    assert found.strength == pytest.approx(expected - expected.mean(), abs=1e-5)
    assert found.ties == 0.0


def test_two_systems_have_the_logarithm_of_their_odds():
    found = bradley_terry([0] * 5, [1] * 5, [1, 1, 1, 0, 0])

    assert found.strength == pytest.approx([math.log(3 / 2) / 2, -math.log(3 / 2) / 2])
    assert found.beats[0, 1] == pytest.approx(3 / 5)


def test_equal_systems_tie_with_nu_over_2_plus_nu():
    found = bradley_terry([0] * 8, [1] * 8, [1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5])

    assert found.ties / (2 + found.ties) == pytest.approx(1 / 2)
    assert found.strength == pytest.approx([0, 0])
    assert found.wins.tolist() == [[0, 2], [2, 0]]
    assert found.tied.tolist() == [[0, 4], [4, 0]]


def test_errors_are_those_of_the_sandwich_by_numeric_derivatives():
    first, second, score, topics = drawn(3, systems=3, number=90, topics=12)
    found = bradley_terry(first, second, score, topics, level=0.9)
    at = np.array([*(found.strength - found.strength[2])[:2], math.log(found.ties)])

    def loss(free, chosen):
        return minus_log_likelihood(
            [*free[:2], 0.0, free[2]], first[chosen], second[chosen], score[chosen]
        )

    def gradient(point, chosen, h=1e-5):
        return np.array(
            [
                (loss(point + h * e, chosen) - loss(point - h * e, chosen)) / (2 * h)
                for e in np.eye(3)
            ]
        )

    every = np.ones(90, dtype=bool)
    hessian = np.array(
        [
            (gradient(at + 1e-4 * e, every) - gradient(at - 1e-4 * e, every)) / 2e-4
            for e in np.eye(3)
        ]
    )
    groups = np.unique(topics)
    gradients = np.array([gradient(at, topics == group) for group in groups])
    bread = np.linalg.inv(hessian)
    free = bread @ gradients.T @ gradients @ bread * len(groups) / (len(groups) - 1)
    # Strengths of mean 0 from those with the last at 0.
    change = np.vstack([np.eye(2), np.zeros((1, 2))]) - np.full((3, 2), 1 / 3)
    errors = np.sqrt(np.diag(change @ free[:2, :2] @ change.T))

    assert found.standard_error == pytest.approx(errors, rel=1e-4)
    width = t.ppf(0.95, len(groups) - 1) * errors
    assert found.high - found.strength == pytest.approx(width, rel=1e-4)
    ratio = (found.strength[0] - found.strength[1]) / math.sqrt(
        free[0, 0] + free[1, 1] - 2 * free[0, 1]
    )
    assert found.p_value[0, 1] == pytest.approx(2 * t.sf(abs(ratio), len(groups) - 1), rel=1e-3)


def test_one_topic_has_no_errors():
    found = bradley_terry([0, 0, 1], [1, 1, 0], [1, 0, 1], ["q1"] * 3)

    assert np.isnan([*found.low, *found.high, found.p_value[0, 1]]).all()


def test_repeating_every_preference_within_its_topic_changes_nothing():
    """Votes that say the same again tell nothing: intervals are by topics."""
    first, second, score, topics = drawn(5)
    once = bradley_terry(first, second, score, topics)

    twice = bradley_terry(*(np.tile(column, 2) for column in (first, second, score, topics)))

    assert twice.strength == pytest.approx(once.strength)
    assert twice.standard_error == pytest.approx(once.standard_error)


@given(st.integers(0, 10_000))
def test_sides_and_numbers_of_systems_do_not_matter(seed):
    first, second, score, topics = drawn(seed, systems=4, number=60)
    assume(len(unbounded(*tables_of(first, second, score))) == 1)
    order = np.random.default_rng(seed).permutation(4)

    found = bradley_terry(first, second, score, topics)
    turned = bradley_terry(order[second], order[first], 1 - score, topics)

    assert turned.strength[order] == pytest.approx(found.strength, abs=1e-7)
    assert turned.high[order] == pytest.approx(found.high, abs=1e-6)
    assert turned.p_value[np.ix_(order, order)] == pytest.approx(found.p_value, abs=1e-6)


def has_one_maximum(wins, tied):
    """True if the likelihood has one finite maximum, by a linear program.

    It has none if there is a change (u, d) of strengths and nu along which no outcome that was seen
    loses against the others, and one gains; and many if no preference links some systems.
    """
    k = len(wins)
    rows, links = [], []
    for i in range(k):
        for j in range(k):
            if i == j:
                continue
            unit = np.zeros(k + 1)
            unit[i], unit[j] = 1.0, -1.0
            tie = np.append(unit[:k] / 2, -1.0)  # u_i >= (u_i + u_j) / 2 + d
            if wins[i, j]:
                rows += [unit, tie] if tied.any() else [unit]
            if tied[i, j]:
                rows.append(-tie)
            if wins[i, j] or tied[i, j]:
                links.append(unit)
    bounds = [(-1, 1)] * k + [(-1, 1) if tied.any() else (0, 0)]
    gains = np.array(rows)
    best = linprog(-gains.sum(axis=0), A_ub=-gains, b_ub=np.zeros(len(rows)), bounds=bounds)
    return -best.fun < 1e-9 and np.linalg.matrix_rank(links) == k - 1


@given(st.integers(0, 100_000), st.integers(2, 4), st.integers(1, 9), st.sampled_from([0, 1, 3]))
def test_estimates_are_refused_where_the_likelihood_grows_for_ever(seed, systems, number, ties):
    first, second, score, _ = drawn(seed, systems=systems, number=number, ties=ties)
    wins, tied = tables_of(first, second, score)

    exists = len(unbounded(wins, tied)) == 1 and (
        not tied.any() or decisions_contradict(wins, tied)
    )

    assert exists == has_one_maximum(wins, tied)
    if exists:
        bradley_terry(first, second, score)
    else:
        with pytest.raises(UsageError, match="no finite strengths"):
            bradley_terry(first, second, score)


def test_groups_that_wins_run_one_way_between_are_told_the_best_first():
    """0 and 1 beat each other and 2, which beats 3."""
    wins, tied = tables_of([0, 1, 1, 2], [1, 0, 2, 3], [1, 1, 1, 1])

    assert unbounded(wins, tied) == ((0, 1), (2,), (3,))
    assert unbounded(wins, tied + tables_of([2], [3], [0.5])[1]) == ((0, 1), (2, 3))


@pytest.mark.parametrize(
    ("first", "second", "score", "problem"),
    [
        ([], [], [], "no preference"),
        ([0], [0], [1], "same system twice"),
        ([0], [1], [0.3], "a score is not possible"),
        ([0, 1], [1], [1], "other shapes"),
        ([0], [-1], [1], "negative number"),
    ],
)
def test_wrong_preferences_are_refused(first, second, score, problem):
    with pytest.raises(UsageError, match=problem):
        bradley_terry(first, second, score)


def test_probabilities_of_every_two_sum_to_one():
    found = bradley_terry(*drawn(8))

    for i, j in combinations(range(5), 2):
        ratio = math.exp(found.strength[i] - found.strength[j])
        tie = found.ties * math.sqrt(ratio)
        assert found.beats[i, j] == pytest.approx(ratio / (1 + ratio + tie))
        assert found.beats[j, i] == pytest.approx(1 / (1 + ratio + tie))
