"""Bayesian comparison of two systems over several collections."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import (
    Floats,
    as_vector,
    random_numbers,
    require_count,
    require_margin,
)

CHAINS = 50
WARM_UP = 200
# Of the degrees of freedom of the population of collections; Juarez and Steel's family of priors,
# as Benavoli et al. bound it: nu - 1 is Gamma(a, b), a uniform on 0.5 to 5, b on 0.05 to 0.15.
DEGREES = np.linspace(1.0, 200.0, 200)
LARGEST = 1000.0  # the priors of deviations end at this many times the observed one
GRID = 200


@frozen
class Probabilities:
    """Probabilities that a mean difference is below, in or above the region of equivalence."""

    worse: float
    equal: float
    better: float


@frozen
class HierarchicalPosterior:
    """The posterior distribution of the difference of two systems over several collections.

    ================  =============================================================================
    margin            half the width of the region of practical equivalence around 0
    collections       of each collection's true mean difference, drawn towards the others'
    next_collection   of the mean difference on another collection of the same kind
    most_probable     how probable it is that each region is the most probable one there
    mean, low, high   of the mean over collections of this kind: posterior mean, 95% interval
    draws             that all of this was averaged over
    seed              of the draws
    ================  =============================================================================
    """

    margin: float
    collections: tuple[Probabilities, ...]
    next_collection: Probabilities
    most_probable: Probabilities
    mean: float
    low: float
    high: float
    draws: int
    seed: int


def hierarchical_posterior(
    differences: Sequence[npt.ArrayLike],
    *,
    margin: float = 0.01,
    correlation: float = 0.0,
    draws: int = 10_000,
    seed: int = 0,
) -> HierarchicalPosterior:
    r"""Give the probabilities of worse, equal and better over collections with topics of their own.

    .. math::
        d_{it} \sim \mathcal N(\mu_i, \sigma_i^2) \text{ with correlation } \rho, \qquad
        \mu_i \sim t_\nu(\mu_0, \sigma_0^2)

    with mu_0 uniform from -1 to 1 (or as far as the largest difference), the deviations sigma_i
    and sigma_0 uniform up to 1000 times the one that is seen, and nu - 1 ~ Gamma(a, b), a uniform
    on 0.5 to 5 and b on 0.05 to 0.15. Drawn by Gibbs sampling from 50 chains: the t distribution
    as a normal one with Gamma-distributed precision; sigma_0 and nu from their exact distribution
    on a grid, sigma_0 with mu_0 and all mu_i integrated out.

    `collections` are shrunk towards each other, the more so the less data each has.
    `next_collection` is predictive; Benavoli et al. report `most_probable`. `correlation`,
    rho, is between the differences of a collection: 0 for separate topics.

    Shapes: q >= 3 arrays of differences, of at least 2 topics each, which may differ in length.

    Edge cases
        - Fewer than 3 collections cannot show how collections differ: UsageError.
        - A collection with fewer than 2 topics, or whose differences are all the same, has no
          variance: UsageError.
        - NaN: the pair is left out.

    Source: Benavoli, Corani, Demsar and Zaffalon, "Time for a change: a tutorial for comparing
    multiple classifiers through Bayesian analysis", Journal of Machine Learning Research 18, 2017;
    Corani, Benavoli, Demsar, Mangili and Zaffalon, "Statistical comparison of classifiers through
    Bayesian hierarchical modelling", Machine Learning 106, 2017; for retrieval, Carterette,
    "Bayesian inference for information retrieval evaluation", ICTIR 2015.

    >>> collections = [[0.04, 0.06, 0.05, 0.07], [0.05, 0.03, 0.06], [0.06, 0.05, 0.04, 0.03]]
    >>> hierarchical_posterior(collections, draws=1000).next_collection.better > 0.8
    True
    """
    require_margin(margin)
    require_count(draws, "draws")
    if not 0.0 <= correlation < 1.0:
        raise UsageError(f"the correlation is {correlation}", expected="0 or more, and below 1")
    complete = _complete(differences)
    chain = _Chains(complete, correlation, random_numbers(seed))
    rounds = -(-draws // CHAINS)
    kept = [chain.step() for _ in range(WARM_UP + rounds)][WARM_UP:]
    means, centre, spread, degrees = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    from scipy.special import stdtr

    worse = stdtr(degrees, (-margin - centre) / spread)
    better = stdtr(degrees, (centre - margin) / spread)
    regions = np.stack([worse, 1.0 - worse - better, better], axis=1)
    most = np.bincount(regions.argmax(axis=1), minlength=3) / len(regions)
    low, high = np.quantile(centre, [0.025, 0.975])
    return HierarchicalPosterior(
        margin=float(margin),
        collections=tuple(
            _probabilities(
                [(m < -margin).mean(), (np.abs(m) <= margin).mean(), (m > margin).mean()]
            )
            for m in means.T
        ),
        next_collection=_probabilities(regions.mean(axis=0)),
        most_probable=_probabilities(most),
        mean=float(centre.mean()),
        low=float(low),
        high=float(high),
        draws=len(centre),
        seed=seed,
    )


def _probabilities(shares: Sequence[float] | Floats) -> Probabilities:
    worse, equal, better = (float(share) for share in shares)
    return Probabilities(worse, equal, better)


def _complete(differences: Sequence[npt.ArrayLike]) -> list[Floats]:
    vectors = [as_vector(difference, "differences") for difference in differences]
    complete = [vector[~np.isnan(vector)] for vector in vectors]
    if len(complete) < 3:
        raise UsageError(
            f"found {len(complete)} collections", expected="three or more, to see how they differ"
        )
    for i, one in enumerate(complete):
        if one.size < 2 or not one.std() > 0.0:
            raise UsageError(
                f"the differences of collection {i + 1} do not vary",
                expected="at least two topics, and differences that are not all the same",
            )
    return complete


@cache
def _prior_of_degrees() -> Floats:
    """Return the logarithm of the prior of the degrees of freedom, on the grid."""
    from scipy.special import gammaln

    shape, rate = np.meshgrid(np.linspace(0.5, 5.0, 40), np.linspace(0.05, 0.15, 40))
    # The density at nu = 1 may be infinite, and the cell around it is not: take its middle.
    above = np.maximum(DEGREES - 1.0, (DEGREES[1] - DEGREES[0]) / 4.0)[:, np.newaxis, np.newaxis]
    density = np.exp(
        shape * np.log(rate) - gammaln(shape) + (shape - 1.0) * np.log(above) - rate * above
    )
    result: Floats = np.log(density.mean(axis=(1, 2)))
    return result


class _Chains:
    """The state of all chains: arrays of shape (chains, collections) and (chains,)."""

    def __init__(
        self, complete: list[Floats], correlation: float, rng: np.random.Generator
    ) -> None:
        self._rng = rng
        self._n = np.array([values.size for values in complete], dtype=np.float64)
        self._mean = np.array([values.mean() for values in complete])
        squares = np.array([((values - values.mean()) ** 2).sum() for values in complete])
        # Deviations from a collection's mean have the variance sigma^2 (1 - rho), the mean itself
        # sigma^2 (1 + (n - 1) rho) / n.
        self._squares = squares / (1.0 - correlation)
        self._of_mean = (1.0 + (self._n - 1.0) * correlation) / self._n
        deviation = np.sqrt(squares / (self._n - 1.0))
        self._reach = max(1.0, *(float(np.abs(one).max()) for one in complete))
        self._largest = LARGEST * deviation
        largest_spread = LARGEST * max(float(self._mean.std(ddof=1)), float(deviation.mean()) / 100)
        self._spreads = largest_spread * np.geomspace(1e-8, 1.0, GRID)
        shape = (CHAINS, len(complete))
        self._variance = np.broadcast_to(deviation**2, shape)
        self._precision = np.ones(shape)
        self._degrees = np.full(CHAINS, 30.0)

    def step(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Draw each parameter once, given the rest: collections' means, centre, spread, degrees."""
        rng = self._rng
        error = self._variance * self._of_mean
        spread = self._draw_spread(error)
        prior = spread[:, np.newaxis] ** 2 / self._precision
        weight = 1.0 / (error + prior)
        total = weight.sum(axis=1)
        centre = self._truncated((weight * self._mean).sum(axis=1) / total, total**-0.5)
        pulled = error / (error + prior)
        expected = self._mean + pulled * (centre[:, np.newaxis] - self._mean)
        means = rng.normal(expected, np.sqrt(prior * pulled))
        self._draw_variance(means)
        apart = ((means - centre[:, np.newaxis]) / spread[:, np.newaxis]) ** 2
        half = (self._degrees[:, np.newaxis] + 1.0) / 2.0
        self._precision = rng.gamma(half, 2.0 / (self._degrees[:, np.newaxis] + apart))
        self._draw_degrees()
        return means, centre, spread, self._degrees

    def _draw_spread(self, error: Floats) -> Floats:
        """Draw sigma_0 from its grid, with the centre and all means integrated out."""
        from scipy.special import ndtr

        variance = error[:, np.newaxis] + (
            self._spreads[:, np.newaxis] ** 2 / self._precision[:, np.newaxis]
        )
        weight = 1.0 / variance
        total = weight.sum(axis=2)
        centre = (weight * self._mean).sum(axis=2) / total
        apart = (weight * (self._mean - centre[:, :, np.newaxis]) ** 2).sum(axis=2)
        within = ndtr((self._reach - centre) * total**0.5) - ndtr(
            (-self._reach - centre) * total**0.5
        )
        # The prior is uniform in sigma_0, and the steps of the grid grow with it.
        logarithm = 0.5 * (np.log(weight).sum(axis=2) - np.log(total) - apart) + np.log(
            self._spreads
        )
        return self._spreads[self._draw_place(logarithm + np.log(np.maximum(within, 1e-300)))]

    def _draw_variance(self, means: Floats) -> None:
        """Draw sigma_i^2: inverse Gamma, cut where the prior of sigma_i ends."""
        from scipy.special import gammaincc, gammainccinv

        shape = (self._n - 1.0) / 2.0
        half = (self._squares + (self._mean - means) ** 2 / self._of_mean) / 2.0
        least = gammaincc(shape, half / self._largest**2)
        uniform = self._rng.uniform(0.0, 1.0, half.shape) * least
        self._variance = half / gammainccinv(shape, np.maximum(uniform, 1e-300))

    def _draw_degrees(self) -> None:
        from scipy.special import gammaln

        half = DEGREES / 2.0
        n_collections = self._precision.shape[1]
        gathered = (np.log(self._precision) - self._precision).sum(axis=1)
        logarithm = _prior_of_degrees() + (
            n_collections * (half * np.log(half) - gammaln(half)) + half * gathered[:, np.newaxis]
        )
        self._degrees = DEGREES[self._draw_place(logarithm)]

    def _draw_place(self, logarithm: Floats) -> npt.NDArray[np.int64]:
        """Draw a place of the grid for each chain, from the logarithms of its probabilities."""
        density = np.exp(logarithm - logarithm.max(axis=1, keepdims=True))
        cumulated = density.cumsum(axis=1)
        uniform = self._rng.uniform(0.0, 1.0, (len(density), 1)) * cumulated[:, -1:]
        return (cumulated < uniform).sum(axis=1)

    def _truncated(self, mean: Floats, deviation: Floats) -> Floats:
        """Draw normal numbers within the prior of the centre."""
        from scipy.special import ndtr, ndtri

        low, high = (ndtr((end - mean) / deviation) for end in (-self._reach, self._reach))
        uniform = low + (high - low) * self._rng.uniform(0.0, 1.0, mean.shape)
        drawn: Floats = mean + deviation * ndtri(np.clip(uniform, 1e-300, 1.0 - 1e-16))
        return np.clip(drawn, -self._reach, self._reach)
