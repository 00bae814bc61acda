"""How often true null hypotheses are rejected, by simulation: the promise behind every p-value.

2,000 pairs of equal systems on 30 topics; docs/studies/error_rates.py does more at length.
"""

import numpy as np
import pytest

from rankeval.stats import (
    Bound,
    Verdict,
    gate_verdict,
    paired_tests,
)

pytestmark = pytest.mark.slow

N_TOPICS, N_PAIRS, ALPHA = 30, 2000, 0.05
# Four standard errors of a rejection rate near 0.05: 0.0195.
NOISE = 4 * np.sqrt(ALPHA * (1 - ALPHA) / N_PAIRS)


@pytest.fixture(scope="module")
def null_differences():
    """Differences of equal systems: two beta-distributed values around each topic's difficulty."""
    rng = np.random.default_rng(20_070_706)
    difficulty = rng.uniform(1.0, 4.0, size=(N_TOPICS, 1))
    one, other = (rng.beta(difficulty, 3.0, size=(N_TOPICS, N_PAIRS)) for _ in range(2))
    return other - one


def rejection_rate(differences, **choice):
    outcomes = paired_tests(differences, resamples=2000, **choice)
    return np.mean([outcome.p_value <= ALPHA for outcome in outcomes])


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("test", ["t", "randomization", "wilcoxon"])
def test_true_null_hypotheses_are_rejected_at_the_level(test, alternative, null_differences):
    rate = rejection_rate(null_differences, test=test, alternative=alternative)

    assert rate == pytest.approx(ALPHA, abs=NOISE)


def test_the_sign_test_keeps_within_the_level_it_can_reach(null_differences):
    """30 topics: 9 wins or fewer, 21 or more, have probability 0.0428; with 10 and 20, 0.0987."""
    rate = rejection_rate(null_differences, test="sign")

    assert rate == pytest.approx(0.0428, abs=NOISE)


@pytest.mark.parametrize("bound", [Bound.STUDENT_T, Bound.BETTING])
def test_a_gate_errs_no_more_often_than_alpha(bound):
    """Equal candidates called worse; candidates that lose the limit called not worse.

    Differences are normal, where t errs exactly as often as alpha; bets err so often at most.
    """
    rng = np.random.default_rng(2)
    pairs = N_PAIRS // 4
    baseline = rng.uniform(0.4, 0.6, size=(N_TOPICS, pairs))
    noise = rng.normal(0.0, 0.05, size=baseline.shape)

    equal, losing = (
        [
            gate_verdict(before, before - drop + moved, limit=0.02, bound=bound)
            for before, moved in zip(baseline.T, noise.T, strict=True)
        ]
        for drop in (0.0, 0.02)
    )

    error = 4 * np.sqrt(ALPHA * (1 - ALPHA) / pairs)
    assert all(one.bound is bound for one in losing)
    assert np.mean([one.verdict is Verdict.WORSE for one in equal]) <= ALPHA + error
    not_worse = np.mean([one.verdict is Verdict.NOT_WORSE for one in losing])
    if bound is Bound.STUDENT_T:
        assert not_worse == pytest.approx(ALPHA, abs=error)
    else:
        assert not_worse <= ALPHA + error
