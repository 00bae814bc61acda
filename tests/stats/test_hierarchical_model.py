import numpy as np
import pytest
from scipy import stats

from rankeval.errors import UsageError
from rankeval.stats import hierarchical_posterior
from rankeval.stats.hierarchical_model import DEGREES, _prior_of_degrees

MARGIN = 0.01


@pytest.fixture(scope="module")
def collections():
    rng = np.random.default_rng(3)
    return [rng.normal(mean, 0.1, 200) for mean in rng.normal(0.02, 0.03, 5)]


def by_integration(collections):
    """The next collection's probabilities and the centre, summed over a grid of the parameters.

    The deviations of the collections are taken as known, which 200 topics nearly make them.
    """
    observed = np.array([one.mean() for one in collections])
    error = np.array([one.std(ddof=1) / np.sqrt(one.size) for one in collections])
    centres, spreads = np.linspace(-0.3, 0.3, 61), np.geomspace(1e-3, 2.0, 40)
    degrees = np.array([1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 160, 200.0])
    prior = np.interp(degrees, DEGREES, _prior_of_degrees()) + np.log(np.gradient(degrees))
    places = np.linspace(-0.6, 0.6, 1601)
    likelihood = stats.norm.pdf(observed[:, np.newaxis], places, error[:, np.newaxis])
    weights, found = [], []
    for nu, of_nu in zip(degrees, prior, strict=True):
        for spread in spreads:
            density = stats.t.pdf((places - centres[:, np.newaxis]) / spread, nu) / spread
            of_data = np.log(density @ likelihood.T * (places[1] - places[0]) + 1e-300).sum(axis=1)
            weights.append(of_data + of_nu + np.log(spread))
            worse = stats.t.cdf((-MARGIN - centres) / spread, nu)
            better = stats.t.sf((MARGIN - centres) / spread, nu)
            found.append(np.stack([worse, better, centres], axis=1))
    logarithms = np.concatenate(weights)
    shares = np.exp(logarithms - logarithms.max())
    return shares / shares.sum() @ np.concatenate(found)


@pytest.mark.slow
def test_probabilities_of_the_next_collection_are_those_of_integration(collections):
    worse, better, centre = by_integration(collections)

    found = hierarchical_posterior(collections, margin=MARGIN, draws=10_000)

    assert found.next_collection.worse == pytest.approx(worse, abs=0.02)
    assert found.next_collection.better == pytest.approx(better, abs=0.02)
    assert found.mean == pytest.approx(centre, abs=0.003)


@pytest.mark.slow
def test_turning_the_sign_swaps_worse_and_better(collections):
    found = hierarchical_posterior(collections, draws=5000)
    turned = hierarchical_posterior([-one for one in collections], draws=5000)

    one, other = found.next_collection, turned.next_collection
    assert one.worse == pytest.approx(other.better, abs=0.03)
    assert one.worse + one.equal + one.better == pytest.approx(1.0)
    assert found.mean == pytest.approx(-turned.mean, abs=0.006)


@pytest.mark.slow
def test_a_collection_of_few_topics_is_drawn_towards_the_others():
    rng = np.random.default_rng(5)
    many = [rng.normal(0.05, 0.05, 100) for _ in range(6)]
    few = np.array([-0.08, 0.05, -0.05])

    alone = stats.t.sf(0.01, 2, few.mean(), few.std(ddof=1) / np.sqrt(3))
    found = hierarchical_posterior([*many, few], draws=5000)

    assert found.collections[-1].better > 2 * alone
    assert found.collections[0].better > 0.99
    assert found.most_probable.better > 0.99


@pytest.mark.slow
def test_correlated_differences_say_less(collections):
    free = hierarchical_posterior(collections, draws=2000)
    tied = hierarchical_posterior(collections, correlation=0.5, draws=2000)

    assert tied.high - tied.low > free.high - free.low


def test_the_seed_decides_what_is_drawn(collections):
    one, same, other = (
        hierarchical_posterior(collections, draws=100, seed=seed) for seed in (1, 1, 2)
    )

    assert one == same
    assert one.mean != other.mean


@pytest.mark.parametrize(
    "wrong",
    [
        [[0.1, 0.2], [0.1, 0.3]],
        [[0.1, 0.2], [0.1, 0.3], [0.2]],
        [[0.1, 0.2], [0.1, 0.3], [0.2, 0.2, np.nan]],
    ],
)
def test_what_says_nothing_of_how_collections_differ_is_refused(wrong):
    with pytest.raises(UsageError):
        hierarchical_posterior(wrong)
