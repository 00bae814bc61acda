"""Topics drawn like those observed, and the search for the fewest of them that are enough."""

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.stats.checked_arrays import Floats, random_numbers
from rankeval.stats.power_of_tests import MAX_TOPICS

REPETITIONS = 1_000
"""Samples of topics. With the controls below a power near 80% has a standard error of some 0.8
points, which would take twice as many without."""
FEW = 32
"""Up to this many topics, the observed ones are drawn; above, nodes replace them."""
NODES = 5
STRATA, NODES_OF_STRATUM = 3, 2
"""Groups of topics by the drop that a relative limit allows, each with nodes of its own."""
NEGLIGIBLE = 1e-10
"""Share of values that is rounding: of their remainder after nodes, or of their differences."""

Booleans = npt.NDArray[np.bool_]
Members = npt.NDArray[np.intp]


@frozen(eq=False)
class Population:
    """Topics to draw from.

    ========= ===========================================================================
    gains     candidate minus baseline, shape (k,)
    allowance what each topic allows for each unit of the limit, shape (k,); see `Drop`
    changed   whether the two runs differ on the topic, shape (k,)
    weights   probability of each topic, shape (k,); they add up to 1
    ========= ===========================================================================
    """

    gains: Floats
    allowance: Floats
    changed: Booleans
    weights: Floats


@frozen(eq=False)
class Draws:
    """Samples of a population: `times` each member is drawn, or else the `members` drawn.

    Shapes: times (r, k); members (n, r), None where the times are given, and the other way round.
    """

    population: Population
    n_topics: int
    times: Floats | None
    members: Members | None

    def added(self, terms: Floats) -> Floats:
        """Add up the contribution of each member of the population, shape (k, j), giving (r, j)."""
        if self.times is not None:
            return self.times @ terms
        sums = [column.take(self.members).sum(axis=0) for column in np.ascontiguousarray(terms.T)]
        return np.stack(sums, axis=1)

    @cached_property
    def sample_weights(self) -> Floats:
        r"""Return weights of samples, shape (r,), that estimate how often something is met.

        Sums u of gains and v of their squares have known means, so a chance surplus of theirs is
        taken out: the estimate is the constant of the regression of what is met on u, u squared and
        v, standardized (control variates). That constant is linear in what is met.

        Source: Owen, Monte Carlo Theory, Methods and Examples, 2013, section 8.9.
        """
        gains, weights = self.population.gains, self.population.weights
        terms = np.stack((gains, gains**2))
        largest = np.abs(terms).max(axis=1)
        terms -= (terms @ weights)[:, np.newaxis]
        # Squares of gains of one size vary by rounding only, which is no control.
        varies = terms.max(axis=1) - terms.min(axis=1) > NEGLIGIBLE * largest
        spread = np.where(varies, np.sqrt(terms**2 @ weights * self.n_topics), np.inf)
        scaled = self.added((terms / spread[:, np.newaxis]).T).T
        squared = varies[0] * (scaled[0] ** 2 - 1.0)
        controls = np.vstack((np.ones_like(squared), scaled, squared))
        first = np.eye(1, len(controls))[0]
        found: Floats = np.linalg.lstsq(controls @ controls.T, first, rcond=1e-9)[0] @ controls
        return found


def share_met(met: Booleans, sample_weights: Floats) -> float:
    """Estimate how often something is met, from where it was, shape (r,)."""
    if not 0 < met.sum() < met.size:
        return float(met[0])
    return min(max(float(sample_weights @ met), 0.0), 1.0)


@frozen(eq=False)
class TopicPool:
    """Observed topics, equally likely, and the few nodes that represent them."""

    observed: Population
    nodes: Population

    def draw(self, n_topics: int, seed: int) -> Draws:
        """Draw `n_topics` topics with replacement, many times."""
        rng = random_numbers(seed, n_topics)
        if n_topics <= FEW:
            members = rng.integers(0, self.observed.gains.size, (n_topics, REPETITIONS))
            return Draws(self.observed, n_topics, None, members)
        repetitions = REPETITIONS if self.nodes.gains.size > 1 else 1  # all alike
        times = rng.multinomial(n_topics, self.nodes.weights, repetitions)
        return Draws(self.nodes, n_topics, times.astype(np.float64), None)


def unbiased(gains: Floats) -> Floats:
    """Return gains with mean 0 and, taken as a population, their unbiased variance."""
    centred: Floats = gains - gains.mean()
    return centred * math.sqrt(gains.size / (gains.size - 1))


def mean_and_error(sums: Floats, n_topics: int) -> tuple[Floats, Floats]:
    """Return mean and standard error of samples, from sums of gains and of their squares."""
    mean = sums[:, 0] / n_topics
    squares = np.maximum(sums[:, 1] - n_topics * mean**2, 0.0)
    return mean, np.sqrt(squares / (n_topics - 1) / n_topics)


def pool(
    gains: Floats, allowance: Floats, changed: Booleans, *, relative: bool = False
) -> TopicPool:
    """Return the pool of topics with these gains; `relative` as in `condensed`."""
    observed = Population(gains, allowance, changed, np.full(gains.size, 1.0 / gains.size))
    return TopicPool(observed, condensed(observed, relative=relative))


def condensed(topics: Population, *, relative: bool) -> Population:
    """Return a few nodes that represent equally weighted topics, those that differ and the others.

    Sums of many topics are distributed as those of nodes that have the same first moments. With
    `relative`, topics that allow little, more and much have nodes of their own.
    """
    parts, most = [], NODES_OF_STRATUM if relative else NODES
    for changed in (True, False):
        group = np.flatnonzero(topics.changed == changed)
        strata = _strata(group, topics.allowance) if relative else [group]
        for part in filter(len, strata):
            gains, weights = gauss_nodes(topics.gains[part], most)
            allowance = _regressed(topics.allowance[part], topics.gains[part], gains)
            share = part.size / topics.gains.size
            parts.append((gains, allowance, np.full(gains.size, changed), weights * share))
    gains, allowance, differ, weights = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    return Population(gains, allowance, differ, weights / weights.sum())


def _strata(group: Members, allowance: Floats) -> list[Members]:
    """Split topics into those that allow little, more and much, as many of each."""
    if not group.size:
        return []
    cuts = [group.size * i // STRATA for i in range(1, STRATA)]
    return np.split(group[np.argpartition(allowance[group], cuts)], cuts)


def _regressed(allowance: Floats, gains: Floats, at: Floats) -> Floats:
    """Return the allowance of topics with these gains, by linear regression."""
    centred = gains - gains.mean()
    squares = float(centred @ centred)
    slope = float(centred @ allowance) / squares if at.size > 1 else 0.0
    return allowance.mean() + slope * (at - gains.mean())


def gauss_nodes(values: Floats, most: int) -> tuple[Floats, Floats]:
    r"""Return at most `most` nodes and weights that have the moments of the values.

    .. math:: \sum_i w_i x_i^k = \frac1n \sum_t v_t^k, \qquad k = 0 \ldots 2m - 1

    for m nodes. Means of smooth functions over the nodes are nearly those over the values, and so
    are sums of values that are drawn at random.

    Shapes: values (n,), n >= 1, give two arrays (m,). Values with fewer different numbers than
    `most` give these numbers and their shares.

    Source: Golub and Welsch, "Calculation of Gauss quadrature rules", Mathematics of Computation
    23(106), 1969; Gautschi, Orthogonal Polynomials, 2004, for a discrete measure (Stieltjes).

    >>> nodes, weights = gauss_nodes(np.array([0.0, 0.0, 0.0, 1.0]), 8)
    >>> nodes.round(6).tolist(), weights.round(6).tolist()
    ([0.0, 1.0], [0.75, 0.25])
    """
    centre, scale = float(values.mean()), float(values.std())
    if most == 1 or scale <= NEGLIGIBLE * float(np.abs(values).max(initial=1e-300)):
        return np.array([centre]), np.ones(1)
    unit = (values - centre) / scale
    # Polynomials of the values, each orthogonal to the others and of length 1.
    before, now = np.zeros_like(unit), np.full_like(unit, 1.0 / math.sqrt(unit.size))
    diagonal: list[float] = []
    off_diagonal: list[float] = []
    for _ in range(most):
        following = unit * now
        diagonal.append(float(following @ now))
        following -= diagonal[-1] * now
        if off_diagonal:
            following -= off_diagonal[-1] * before
        length = math.sqrt(float(following @ following))
        if length <= NEGLIGIBLE:
            break
        off_diagonal.append(length)
        before, now = now, following / length
    size = len(diagonal)
    between = np.diag(off_diagonal[: size - 1], 1)
    places, vectors = np.linalg.eigh(np.diag(diagonal) + between + between.T)
    return centre + scale * places, vectors[0] ** 2


SHORT, LONG = 0.005, 0.025
"""How far below and above the wanted power a search may end."""
FINE = 0.01
"""Share of the topics below which a search looks no closer."""
MOST_TRIALS = 12
EDGE = 1e-9
"""Added to an effect that just suffices, so that rounding does not decide."""
RARE = 0.001
"""Power below which no simulated verdict may come out, or above which all may; for the quantile to
be finite."""


@frozen
class Planned:
    """A number of topics, or an effect, and the power that it has.

    If 0.8 was asked for, the power is 0.8 or some more: where each topic changes the power much,
    the smallest number that suffices has more of it.
    """

    value: float
    power: float


@frozen
class FirstGuess:
    """The root of a number of topics, and how fast the quantile of the power grows with it."""

    root: float
    slope: float


@frozen
class _Trial:
    """A number of topics, and the normal quantile of its power."""

    n_topics: int
    place: float

    @property
    def root(self) -> float:
        return math.sqrt(self.n_topics)


def fewest_topics(
    power_of: Callable[[int], float], wanted: float, guess: FirstGuess
) -> Planned | None:
    """Search for the fewest topics with the wanted power; None above a million.

    The normal quantile of the power grows nearly with the root of the number of topics, so few
    trials are needed.
    """
    aim = normal_quantile(min(wanted + (LONG - SHORT) / 2.0, 1.0 - RARE))
    low, high, best = _Trial(1, -math.inf), _Trial(2 * MAX_TOPICS, math.inf), None
    root = guess.root
    for count in range(MOST_TRIALS):
        n_topics = min(max(low.n_topics + 1, round(root * abs(root))), high.n_topics - 1)
        if n_topics > MAX_TOPICS:
            return None
        power = power_of(n_topics)
        tried = _Trial(n_topics, normal_quantile(min(max(power, RARE), 1.0 - RARE)))
        if power >= wanted - SHORT:
            high, best = tried, Planned(n_topics, power)
        else:
            low = tried
        if -SHORT <= power - wanted <= LONG:
            break
        if high.n_topics - low.n_topics <= max(1.0, FINE * low.n_topics):
            break
        between = math.isfinite(high.place) and math.isfinite(low.place)
        # Steps grow while they lead to one side, where the guess of the slope is wrong.
        slope = guess.slope / 2.0**count
        if between:
            slope = (high.place - low.place) / (high.root - low.root)
        root = tried.root + (aim - tried.place) / slope
        if not between:  # where one topic more or less decides, a step of one topic is no step
            least = FINE * 2.0**count
            edge = tried.root * math.sqrt(1.0 + least if tried is low else max(1.0 - least, 0.0))
            root = max(root, edge) if tried is low else min(root, edge)
        if between and count % 3 == 2:  # where the power is no such line
            root = (low.root + high.root) / 2.0
        elif count and tried is low and power <= RARE:  # where the guess was far too low
            root = max(root, 1.5 * low.root)
    return best


def smallest_effect(needed: Floats, draws: Draws, wanted: float) -> Planned:
    """Return the smallest true effect that samples show with the wanted power.

    Shapes: needed (r,), the effect above which each of the r samples shows it.
    """
    ordered, level = np.sort(needed), wanted
    weights = draws.sample_weights
    for _ in range(2):  # the share of samples is not yet the power, see `sample_weights`
        place = min(max(math.ceil(level * ordered.size), 1), ordered.size) - 1
        # Whether a sample shows an effect of exactly the needed size depends on rounding.
        smallest = float(ordered[place]) + EDGE
        power = share_met(needed < smallest, weights)
        level += wanted - power
    while power < wanted - SHORT and smallest < ordered[-1]:  # where effects come in steps
        smallest = float(ordered[np.searchsorted(ordered, smallest)]) + EDGE
        power = share_met(needed < smallest, weights)
    return Planned(smallest, power)


def least_effect(
    power_of: Callable[[float], float], wanted: float, guess: float, largest: float
) -> Planned | None:
    """Search for the least effect with the wanted power, which grows with the effect.

    None where the `largest` effect has less.
    """
    low, high = 0.0, guess
    while (power := power_of(min(high, largest))) < wanted:
        if high >= largest:
            return None
        low, high = high, 2.0 * high
    found = Planned(min(high, largest), power)
    while found.value - low > FINE * found.value and found.power - wanted > SHORT:
        middle = (low + found.value) / 2.0
        power = power_of(middle)
        if power >= wanted:
            found = Planned(middle, power)
        else:
            low = middle
    return found


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile of a probability."""
    from scipy.special import ndtri

    return float(ndtri(probability))
