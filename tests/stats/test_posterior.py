import numpy as np
import pytest
import scipy.stats

from rankeval.errors import UsageError
from rankeval.stats import posterior_probabilities


@pytest.mark.parametrize("margin", [0.005, 0.01, 0.05])
@pytest.mark.parametrize("n_topics", [2, 10, 100])
def test_probabilities_agree_with_baycomp(n_topics, margin):
    """Its one-data-set comparison is of n folds, whose correlation is 1 / n."""
    baycomp = pytest.importorskip("baycomp")
    differences = np.random.default_rng(n_topics).normal(0.01, 0.05, n_topics)
    expected = baycomp.CorrelatedTTest.probs(np.zeros(n_topics), differences, rope=margin)

    found = posterior_probabilities(differences, margin=margin, correlation=1 / n_topics)

    assert (found.worse, found.equal, found.better) == pytest.approx(tuple(expected), abs=1e-9)


def test_probabilities_are_those_of_draws_from_the_posterior():
    """Variance from its inverse chi square, then the mean from a normal distribution given it."""
    differences = np.random.default_rng(1).normal(0.02, 0.1, 12)
    rng, draws = np.random.default_rng(2), 400_000
    variance = differences.var(ddof=1) * 11 / rng.chisquare(11, draws)
    mean = rng.normal(differences.mean(), np.sqrt(variance / 12))

    found = posterior_probabilities(differences, margin=0.02)

    shares = (mean < -0.02).mean(), (np.abs(mean) <= 0.02).mean(), (mean > 0.02).mean()
    assert (found.worse, found.equal, found.better) == pytest.approx(shares, abs=0.004)
    assert (found.low, found.high) == pytest.approx(np.quantile(mean, [0.025, 0.975]), abs=0.001)


def test_without_correlation_the_interval_is_students():
    differences = np.random.default_rng(3).normal(0.0, 0.1, 20)
    expected = scipy.stats.ttest_1samp(differences, 0.0).confidence_interval(0.9)

    found = posterior_probabilities(differences, level=0.9)

    assert (found.low, found.high) == pytest.approx(tuple(expected))


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([], (None, None, None)),
        ([0.3, np.nan], (None, None, None)),
        ([0.0, 0.0], (0.0, 1.0, 0.0)),
        ([-0.2, -0.2, np.nan], (1.0, 0.0, 0.0)),
        ([0.2] * 4, (0.0, 0.0, 1.0)),
    ],
)
def test_what_cannot_vary_has_a_decided_outcome(differences, expected):
    found = posterior_probabilities(differences)

    assert (found.worse, found.equal, found.better) == expected


@pytest.mark.parametrize("wrong", [{"margin": 0.0}, {"correlation": 1.0}, {"correlation": -0.1}])
def test_what_has_no_posterior_is_refused(wrong):
    with pytest.raises(UsageError):
        posterior_probabilities([0.1, 0.2], **wrong)
