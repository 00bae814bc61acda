import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import equivalence_test, posterior_probabilities

ttost_paired = pytest.importorskip("statsmodels.stats.weightstats").ttost_paired


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("n_topics", [2, 5, 50])
@pytest.mark.parametrize("shift", [0.0, 0.03, -0.08])
def test_two_one_sided_tests_agree_with_statsmodels(n_topics, margin, shift):
    rng = np.random.default_rng(n_topics)
    before = rng.uniform(0, 1, n_topics)
    after = before + rng.normal(shift, 0.1, n_topics)
    p_value, (_, p_low, _), (_, p_high, _) = ttost_paired(after, before, -margin, margin)

    found = equivalence_test(after - before, margin=margin)

    assert found.p_value == pytest.approx(p_value, abs=1e-12)
    assert found.p_low == pytest.approx(p_low, abs=1e-12)
    assert found.p_high == pytest.approx(p_high, abs=1e-12)


@given(
    st.lists(st.integers(-20, 20), min_size=2, max_size=30).map(lambda x: np.array(x) / 100),
    st.sampled_from([0.015, 0.05, 0.11]),
)
def test_equivalent_is_what_has_its_interval_within_the_margins(differences, margin):
    found = equivalence_test(differences, margin=margin)

    if differences.std() > 0 and abs(found.p_value - 0.05) > 1e-9:
        within = -margin < found.low and found.high < margin
        assert (found.p_value < 0.05) == within


@pytest.mark.parametrize(
    ("differences", "p_value"),
    [([], 1.0), ([0.0], 1.0), ([0.0, 0.0], 0.0), ([0.01] * 5, 0.0), ([0.3, 0.3, np.nan], 1.0)],
)
def test_what_cannot_vary_has_a_decided_outcome(differences, p_value):
    assert equivalence_test(differences, margin=0.05).p_value == p_value


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
        ([0.01, 0.01], (0.0, 1.0, 0.0)),  # exactly at the margin
        ([-0.2, -0.2, np.nan], (1.0, 0.0, 0.0)),
        ([0.2] * 4, (0.0, 0.0, 1.0)),
    ],
)
def test_a_posterior_that_cannot_vary_has_a_decided_outcome(differences, expected):
    found = posterior_probabilities(differences)

    assert (found.worse, found.equal, found.better) == expected


@pytest.mark.parametrize("wrong", [{"margin": 0.0}, {"correlation": 1.0}, {"correlation": -0.1}])
def test_what_has_no_posterior_is_refused(wrong):
    with pytest.raises(UsageError):
        posterior_probabilities([0.1, 0.2], **wrong)
