"""Each paired test: worked by hand, against scipy, and by its properties."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import Alternative, TestName, paired_test

ALTERNATIVES = list(Alternative)
TESTS = list(TestName)

# Student (1908): additional hours of sleep with two drugs, ten patients.
SLEEP = np.subtract(
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
)
# Fisher (1935), section 21: Darwin's maize, height of crossed minus self-fertilized in 1/8 inch.
MAIZE = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], dtype=np.float64)

value = st.floats(-1, 1, allow_nan=False).map(lambda x: round(x, 3))
differences = st.lists(value, min_size=2, max_size=12).map(np.array)


def sample(n_topics, seed=0, shift=0.1):
    return np.random.default_rng(seed).normal(shift, 0.3, size=n_topics)


def test_student_of_the_sleep_data():
    """Student (1908) by hand, and R's documentation of `sleep`: t = 4.0621, p = 0.002833."""
    outcome = paired_test(SLEEP, test="t")

    by_hand = SLEEP.mean() / np.sqrt(((SLEEP - SLEEP.mean()) ** 2).sum() / 9 / 10)
    assert outcome.statistic == pytest.approx(by_hand)
    assert outcome.statistic == pytest.approx(4.0621, abs=5e-5)
    assert outcome.p_value == pytest.approx(0.002833, abs=5e-7)
    assert outcome.n_topics == 10
    assert outcome.resamples is outcome.seed is None


def test_randomization_of_darwins_maize():
    """Fisher (1935): 863 of 32,768 sign vectors give 314 or more, 1,726 in either direction."""
    outcome = paired_test(MAIZE, test="randomization")

    assert outcome.p_value == 1726 / 32768
    assert paired_test(MAIZE, test="randomization", alternative="greater").p_value == 863 / 32768
    assert outcome.statistic == pytest.approx(314 / 15)
    assert outcome.exact
    assert (outcome.resamples, outcome.seed) == (32768, None)


def test_sign_test_of_darwins_maize():
    outcome = paired_test(MAIZE, test="sign")

    assert outcome.statistic == 13
    assert outcome.p_value == pytest.approx(2 * (1 + 15 + 15 * 14 / 2) / 2**15)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("tenths", [(-3, 1, 2), (-3, 1, 2, 0), (-6, 1, 1, 4), (1, 2, 2, 3)])
def test_the_bootstrap_agrees_with_fractions_where_rounding_meets_ties(tenths, alternative):
    """All n^n samples in exact arithmetic; -0.3, 0.1 and 0.2 have the mean 0, and 1e-17 here."""
    n_topics, draws = len(tenths), 20_000
    mean = Fraction(sum(tenths), n_topics)
    samples = product([value - mean for value in tenths], repeat=n_topics)
    counted = [
        as_extreme_as(sum(sample, Fraction(0)) / n_topics, mean, alternative) for sample in samples
    ]
    exact = sum(counted) / len(counted)

    found = paired_test(
        np.array(tenths) / 10, test="bootstrap", alternative=alternative, resamples=draws
    ).p_value

    assert found == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / draws) + 1 / draws)


def as_extreme_as(one, observed, alternative):
    if alternative == "two-sided":
        return abs(one) >= abs(observed)
    return one >= observed if alternative == "greater" else one <= observed


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_topics", [2, 3, 10, 50, 200])
def test_student_agrees_with_scipy(n_topics, alternative):
    d = sample(n_topics)
    expected = scipy.stats.ttest_1samp(d, 0.0, alternative=str(alternative))

    outcome = paired_test(d, test="t", alternative=alternative)

    assert outcome.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert outcome.p_value == pytest.approx(expected.pvalue, rel=1e-10)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("step", [None, 0.1])
def test_exact_randomization_agrees_with_scipy(alternative, step):
    d = sample(9) if step is None else np.round(sample(9) / step) * step
    expected = scipy.stats.permutation_test(
        (d,),
        np.mean,
        permutation_type="samples",
        n_resamples=np.inf,
        alternative=str(alternative),
    )

    outcome = paired_test(d, test="randomization", alternative=alternative)

    # scipy doubles the smaller tail, which is the same for a symmetric distribution.
    assert outcome.p_value == pytest.approx(expected.pvalue, abs=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_sampled_randomization_agrees_with_the_exact_one(alternative):
    d = np.concatenate((sample(14, seed=3), np.zeros(5)))
    exact = paired_test(d, test="randomization", alternative=alternative)

    drawn = paired_test(d, test="randomization", alternative=alternative, resamples=16_000)

    assert exact.exact
    assert not drawn.exact
    assert (drawn.resamples, drawn.seed) == (16_000, 0)
    error = np.sqrt(exact.p_value * (1 - exact.p_value) / 16_000)
    assert drawn.p_value == pytest.approx(exact.p_value, abs=4 * error)
    assert drawn.statistic == pytest.approx(exact.statistic)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_topics", [2, 10, 50, 51, 300])
def test_wilcoxon_agrees_with_scipy(n_topics, alternative):
    d = sample(n_topics)
    expected = scipy.stats.wilcoxon(
        d,
        alternative=str(alternative),
        method="exact" if n_topics <= 50 else "approx",
        correction=False,
    )

    outcome = paired_test(d, test="wilcoxon", alternative=alternative)

    assert outcome.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert outcome.exact is (n_topics <= 50)


@given(differences)
@settings(max_examples=50, deadline=None)
def test_exact_wilcoxon_with_ties_equals_a_plain_enumeration(d):
    d = np.round(d, 1)
    moved = d[d != 0]
    ranks = scipy.stats.rankdata(np.round(np.abs(moved), 6))
    observed = ranks[moved > 0].sum()
    sums = [
        sum(r for r, s in zip(ranks, signs, strict=True) if s)
        for signs in product((False, True), repeat=moved.size)
    ]

    outcome = paired_test(d, test="wilcoxon", alternative="greater")

    assert outcome.p_value == pytest.approx(np.mean(np.array(sums) >= observed))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_topics", [1, 2, 25, 400])
def test_sign_test_agrees_with_scipy(n_topics, alternative):
    d = np.round(sample(n_topics), 1)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    expected = scipy.stats.binomtest(wins, wins + losses, alternative=str(alternative))

    outcome = paired_test(d, test="sign", alternative=alternative)

    assert outcome.p_value == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("test", TESTS)
@given(d=differences)
@settings(max_examples=25, deadline=None)
def test_p_values_are_probabilities_that_ignore_direction_and_unit(test, d):
    outcome = paired_test(d, test=test, resamples=200)
    turned = paired_test(-1000.0 * d, test=test, resamples=200)

    assert 0.0 <= outcome.p_value <= 1.0
    assert outcome.p_value == pytest.approx(turned.p_value)


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_the_same_seed_gives_the_same_result_and_another_one_another(test):
    d = sample(60, shift=0.05)

    one, same, other = (paired_test(d, test=test, resamples=3000, seed=s) for s in (7, 7, 8))

    assert one == same
    assert one.p_value != other.p_value
    assert (one.resamples, one.seed) == (3000, 7)


@pytest.mark.parametrize(
    "wrong",
    [
        {"differences": [0.1, np.inf]},
        {"differences": [[0.1]]},
        {"differences": [0.1], "test": "randomization", "resamples": 0},
        {"differences": np.tile(SLEEP, 3), "test": "randomization", "seed": -1},
        {"differences": SLEEP, "test": "bootstrap", "seed": -1},
    ],
)
def test_impossible_input_is_refused(wrong):
    with pytest.raises(UsageError):
        paired_test(**wrong)
