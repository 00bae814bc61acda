from itertools import combinations

import numpy as np
import pytest
import scipy.stats

from rankeval.stats import friedman, nemenyi


def sample(n_topics, n_systems, *, decimals, seed=0):
    rng = np.random.default_rng(seed)
    topics = rng.uniform(0, 0.8, size=(n_topics, 1))
    values = topics + rng.normal(0, 0.1, size=(n_topics, n_systems)) + 0.03 * np.arange(n_systems)
    return np.round(values, decimals)


# --- Friedman ---------------------------------------------------------------------------------


def test_friedmans_test_of_classifiers_worked_in_the_literature():
    """Demsar (2006), tables 6 and following: AUC of four classifiers on 14 data sets."""
    c45 = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619]
    c45_m = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666]
    c45_cf = [0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609, 0.563, 0.866, 1.000, 0.965, 0.614]
    c45_both = [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685, 0.625, 0.875, 1.000, 0.962, 0.669]
    # Both are printed as 0.975, but ranked 2 and 3.
    last_two = ([0.972, 0.957], [0.981, 0.978], [0.9751, 0.946], [0.975, 0.970])
    values = np.array(
        [a + b for a, b in zip([c45, c45_m, c45_cf, c45_both], last_two, strict=True)]
    ).T

    outcome = friedman(values)

    assert outcome.mean_ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=1e-3)
    assert outcome.statistic == pytest.approx(9.28, abs=0.03)


@pytest.mark.parametrize("decimals", [1, 6])
@pytest.mark.parametrize(("n_topics", "n_systems"), [(5, 3), (50, 6), (300, 12)])
def test_friedmans_test_agrees_with_scipy(n_topics, n_systems, decimals):
    values = sample(n_topics, n_systems, decimals=decimals)
    expected = scipy.stats.friedmanchisquare(*values.T)

    outcome = friedman(values)

    assert outcome.corrected == pytest.approx(expected.statistic)
    assert outcome.p_value == pytest.approx(expected.pvalue)
    ranks = scipy.stats.rankdata(-values, axis=1).mean(axis=0)
    assert outcome.mean_ranks == pytest.approx(list(ranks))


def test_rounding_does_not_break_a_tie():
    assert friedman([[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]]).mean_ranks == (1.5, 1.5)


@pytest.mark.parametrize(
    ("values", "ranks"),
    [(np.empty((0, 3)), None), ([[0.1, 0.2, 0.4]], (3, 2, 1)), ([[np.nan, 0.2, 0.4]], None)],
)
def test_fewer_than_two_topics_decide_nothing(values, ranks):
    outcome = friedman(values)

    assert outcome.mean_ranks == ranks
    assert outcome.statistic is outcome.corrected is outcome.f is None
    assert outcome.p_value == outcome.p_f == 1.0


@pytest.mark.parametrize("n_topics", [2, 3, 7, 49])
def test_topics_that_agree_give_the_limit(n_topics):
    outcome = friedman([[0.5, 0.2, 0.1]] * n_topics)

    assert outcome.corrected == pytest.approx(n_topics * 2)
    assert (outcome.f, outcome.p_f) == (None, 0.0)


# --- Nemenyi ----------------------------------------------------------------------------------


AT_5 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]


@pytest.mark.parametrize(
    ("n_systems", "alpha", "published"),
    [*((n, 0.05, q) for n, q in enumerate(AT_5, 2)), (2, 0.10, 1.645), (10, 0.10, 2.920)],
)
def test_critical_values_are_those_of_the_table(n_systems, alpha, published):
    """Demsar (2006), table 5a."""
    compared = nemenyi(sample(20, n_systems, decimals=3), alpha=alpha)

    assert compared.q == pytest.approx(published, abs=1.1e-3)


@pytest.mark.parametrize("decimals", [1, 6])
@pytest.mark.parametrize(("n_topics", "n_systems"), [(14, 4), (50, 7)])
def test_nemenyis_test_agrees_with_scikit_posthocs(n_topics, n_systems, decimals):
    posthocs = pytest.importorskip("scikit_posthocs")
    values = sample(n_topics, n_systems, decimals=decimals)
    expected = posthocs.posthoc_nemenyi_friedman(values).to_numpy()

    compared = nemenyi(values)

    assert [(pair.first, pair.second) for pair in compared.pairs] == list(
        combinations(range(n_systems), 2)
    )
    for pair in compared.pairs:
        assert pair.p_value == pytest.approx(expected[pair.first, pair.second], abs=1e-7)
