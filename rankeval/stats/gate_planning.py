"""Plan topics for a gate's verdict, by drawing topics like those observed and judging them.

Formulas for normal differences are wrong by 15 points and more where a few topics lose much, and
bets and t tests of few topics have no other. So the verdict itself is simulated. Each figure comes
with the power that it was found to have, because one topic more can change much of it.
"""

import math
from collections.abc import Callable, Sequence
from functools import cached_property, partial

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.choices import Bound
from rankeval.stats.checked_arrays import NOISE, Floats
from rankeval.stats.confidence_bounds import (
    LARGEST_STAKE,
    LEAST_CHANGED,
    LEAST_TOPICS,
    Drop,
    stakes,
)
from rankeval.stats.planning_search import (
    NODES,
    RARE,
    SHORT,
    Booleans,
    Draws,
    FirstGuess,
    Planned,
    Population,
    TopicPool,
    fewest_topics,
    least_effect,
    mean_and_error,
    normal_quantile,
    pool,
    share_met,
    smallest_effect,
    unbiased,
)
from rankeval.stats.power_of_tests import MAX_TOPICS

TELLING = 0.2
"""Share of the deviation of gains that adds 2% to it."""
EVEN = 0.5
"""A test at this level asks no more than which side of 0 the mean is on."""
NEWTON = 2
"""Steps that lead to a root with three digits, from near above."""
Terms = Callable[["Population", int], Floats]
"""From a population and the number of topics drawn to the terms of each topic, shape (k, j)."""


@frozen(eq=False)
class SimulatedVerdict:
    """A verdict that depends on sums over topics.

    `terms` gives the terms of the sums by topic. `shows` takes the sums, shape (r, j), and the
    number of topics, and returns True where the verdict is given, shape (r,).
    """

    terms: Terms
    shows: Callable[[Floats, int], Booleans]


class Plan:
    """Planning figures for candidates whose differences are spread as those of a drop.

    The observed differences, moved to another mean and with their variance made unbiased, are the
    population of topics. Up to 32 topics are drawn from it; for more, nodes with the first moments
    of the observed differences are drawn in its place, which gives sums of many topics the same
    distribution and takes no time. A thousand verdicts are simulated for each number of topics that
    the search tries.

    Source: for planning by simulation, Efron and Tibshirani, An Introduction to the Bootstrap,
    1993, chapter 25; for the nodes `gauss_nodes`.
    """

    def __init__(self, drop: Drop, *, power: float, seed: int = 0) -> None:
        self._drop = drop
        self._power = power
        self._seed = seed
        n_topics = drop.gains.size
        self.varies = n_topics > 1 and float(np.ptp(drop.gains)) > NOISE
        if n_topics > 1:
            self._gains = unbiased(drop.gains)
            self._changed = drop.gains != 0.0
            self._plain = pool(self._gains, drop.allowance, self._changed)

    def topics_to_clear(
        self, limit: float, *, alpha: float, bound: Bound, two_sided: bool = False
    ) -> Planned | None:
        """Return the topics with which an equal candidate is called "not worse" with the power.

        Two-sided, the candidate is to be called equivalent. Limit 0, fewer than two topics, or for
        t no spread: None. More than a million topics: None.
        """
        drop = self._drop
        allowed = float(drop.allowance.mean()) if drop.gains.size else 0.0
        centre = limit * allowed
        if drop.gains.size < 2 or centre <= NOISE:
            return None
        sides = [(1.0, -drop.least(limit))]
        topics = self._plain
        if two_sided:
            sides.append((-1.0, -drop.least_shortfall(-limit)))
            topics = self._joint(limit, 0.0)
        elif drop.sign is not None:  # only what is left of the limit counts
            moved = self._gains + limit * (drop.allowance - allowed)
            topics = pool(moved, np.full_like(moved, allowed), self._changed)
        rules: list[SimulatedVerdict] = []
        guesses: list[FirstGuess] = []
        for sign, loss in sides:
            if bound is not Bound.BETTING:
                if not self.varies:
                    return None
                rules.append(_within_by_t(sign, limit, alpha))
                guesses.append(self._guess_of_t(topics.nodes, sign, limit, 0.0, alpha))
            if bound is not Bound.STUDENT_T:
                rules.append(_within_by_bets(sign, limit, loss, alpha))
                guesses.append(self._guess_of_bets(topics.nodes, rules[-1], alpha))
        return self._fewest(topics, rules, max(guesses, key=lambda guess: guess.root))

    def topics_to_show(
        self,
        true_drop: float,
        limit: float,
        *,
        alpha: float,
        bound: Bound = Bound.STUDENT_T,
        least: int = 2,
    ) -> Planned | None:
        """Return the topics with which a candidate of this true drop is called "worse".

        `bound` is the method of the test, which takes `least` topics. None where the drop is not
        above the limit: for a true drop equal to it, about half of all samples of many topics show
        a larger one.
        """
        if not self.varies:
            return None
        beyond = true_drop - limit * float(self._drop.allowance.mean())
        if beyond <= NOISE:
            return None
        deviation = float(self._gains.std())
        guesses = [FirstGuess(self._reach * deviation / beyond, beyond / deviation)]
        if bound is not Bound.BETTING:
            guesses.append(self._guess_of_t(self._plain.nodes, -1.0, 0.0, true_drop, alpha))
        rules = self._worse(true_drop, limit, alpha, bound)
        if bound is not Bound.STUDENT_T:
            guesses.append(self._guess_of_bets(self._plain.nodes, rules[-1], alpha))
        topics = self._joint(limit, TELLING)
        found = self._fewest(topics, rules, max(guesses, key=lambda one: one.root))
        if found is not None and found.value < least:
            return Planned(least, self._power_of(topics, rules, least))
        return found

    def _worse(
        self, true_drop: float, limit: float, alpha: float, bound: Bound
    ) -> list[SimulatedVerdict]:
        """Return the rules of "worse" for candidates that lose so much; that of bets is the last.

        Bets show that there is a drop; that it is above the limit is the rule of t at even odds.
        """
        if bound is Bound.STUDENT_T:
            return [_worse(true_drop, limit, alpha)]
        first = alpha if bound is Bound.BOTH else EVEN
        loss = -self._drop.least_shortfall(0.0)
        return [_worse(true_drop, limit, first), _lost_by_bets(true_drop, loss, alpha)]

    def smallest_drop(
        self, n_topics: int, limit: float, *, alpha: float, bound: Bound = Bound.STUDENT_T
    ) -> Planned | None:
        """Return the smallest true drop that `n_topics` topics call "worse" with the power.

        `bound` is the method of the test. None with fewer than two topics, if all differences are
        equal, or if not even the greatest loss on every topic would be shown.
        """
        if n_topics < 2 or not self.varies:
            return None
        draws = self._joint(limit, TELLING).draw(n_topics, self._seed)
        sums = draws.added(_terms_of_worse(draws.population, n_topics))
        needed = _drop_needed(sums, n_topics, limit, alpha)
        found = smallest_effect(needed, draws, self._power)
        if bound is Bound.STUDENT_T:
            return found

        def power_of(true_drop: float) -> float:
            rules = self._worse(true_drop, limit, alpha, bound)
            return share_met(_all_met(rules, draws, n_topics), draws.sample_weights)

        largest = -self._drop.least_shortfall(0.0) / self._drop.times
        return least_effect(power_of, self._power, found.value, largest)

    def _joint(self, limit: float, telling: float) -> TopicPool:
        """Return topics whose gains and allowances vary each in its own way.

        They do so where the part of the limit that is not a linear function of the gain deviates by
        more than this share of the gain's deviation, or at all if gains have few values: sums of
        these are far from each other, and the limit may come to lie near one.
        """
        gains, allowance = self._gains, self._drop.allowance
        if self._drop.sign is None:
            return self._plain
        if self._plain.nodes.gains.size < NODES:
            telling = 0.0
        spread = float(gains.std()) or 1.0
        slope = float(np.mean(gains * allowance)) / spread**2
        own = limit * float((allowance - slope * gains).std())
        if own <= telling * spread:
            return self._plain
        return self._stratified

    @cached_property
    def _stratified(self) -> TopicPool:
        """The topics, with nodes of their own for those that allow little, more and much."""
        return pool(self._gains, self._drop.allowance, self._changed, relative=True)

    def _power_of(
        self, topics: TopicPool, rules: Sequence[SimulatedVerdict], n_topics: int
    ) -> float:
        """Return how often all rules are met."""
        draws = topics.draw(n_topics, self._seed)
        return share_met(_all_met(rules, draws, n_topics), draws.sample_weights)

    def _fewest(
        self, topics: TopicPool, rules: Sequence[SimulatedVerdict], guess: FirstGuess
    ) -> Planned | None:
        """Return the fewest topics with which all rules are met with the wanted power."""
        return fewest_topics(partial(self._power_of, topics, rules), self._power, guess)

    @cached_property
    def _reach(self) -> float:
        """Deviations by which a statistic may fall, with a little more than the power."""
        return normal_quantile(min(self._power + SHORT, 1.0 - RARE))

    def _guess_of_t(
        self, topics: Population, sign: float, limit: float, shift: float, alpha: float
    ) -> FirstGuess:
        r"""Solve sqrt(n) d - g / (2 sqrt(n)) - z s = t for values of standardized mean d.

        The left side is the mean of t and z of its deviations s, which is about 1 - d g / 2 with
        the skewness g of the values (Hall, The Bootstrap and Edgeworth Expansion, 1992, 2.6). Of
        few values with g > 0 the mean of t is higher than that, so there it is left at sqrt(n) d.
        """
        from scipy.special import stdtrit

        values = _excess(topics, sign, limit) + shift
        mean = float(topics.weights @ values)
        spread = max(math.sqrt(float(topics.weights @ (values - mean) ** 2)), NOISE)
        effect = mean / spread
        skewness = float(topics.weights @ ((values - mean) / spread) ** 3)
        deviation = min(max(1.0 - effect * skewness / 2.0, 0.5), 2.0)
        root, critical = math.inf, -normal_quantile(alpha)
        for _ in range(2):
            needed = critical + self._reach * deviation
            below = math.sqrt(max(needed**2 + 2.0 * effect * min(skewness, 0.0), 0.0))
            root = (needed + below) / (2.0 * effect)
            critical = -float(stdtrit(max(root**2, 2.0) - 1.0, alpha))
        return FirstGuess(root, effect / deviation)

    def _guess_of_bets(
        self, topics: Population, rule: SimulatedVerdict, alpha: float
    ) -> FirstGuess:
        """Guess the topics with which bets clear; their stakes depend on the number of topics."""
        guess = self._solved(topics, rule, alpha, MAX_TOPICS)
        for _ in range(2):
            n_topics = min(max(2, round(guess.root**2)), MAX_TOPICS)
            other = self._solved(topics, rule, alpha, n_topics)
            if other.root >= guess.root:  # fewer stakes may not do
                break
            guess = other
        return guess

    def _solved(
        self, topics: Population, rule: SimulatedVerdict, alpha: float, n_stakes: int
    ) -> FirstGuess:
        r"""Solve ln sum_j w_j exp(n mean_j - z sqrt(n) deviation_j) = ln 1 / alpha over the stakes.

        The root for the best stake alone is a little above it, and Newton's steps lead down.
        """
        growth = rule.terms(topics, n_stakes)
        mean = topics.weights @ growth
        spread = np.sqrt(np.maximum(topics.weights @ growth**2 - mean**2, NOISE**2))
        needed = -np.log(alpha * stakes(n_stakes)[1])
        reach, rising = self._reach * spread, np.maximum(mean, NOISE)
        roots = (reach + np.sqrt(reach**2 + 4.0 * rising * needed)) / (2.0 * rising)
        best = int(roots.argmin())
        root = float(roots[best])
        slope = float((mean[best] + needed[best] / root**2) / spread[best])
        for _ in range(NEWTON):
            gained = root**2 * mean - root * reach - needed
            top = float(gained.max())
            shares = np.exp(gained - top)
            total = float(shares.sum())
            rate = float(shares @ (2.0 * root * mean - reach)) / total
            root -= min(max((top + math.log(total)) / max(rate, NOISE), 0.0), root / 2.0)
        return FirstGuess(root, slope)


def _all_met(rules: Sequence[SimulatedVerdict], draws: Draws, n_topics: int) -> Booleans:
    """Return the samples in which all rules are met."""
    met = [
        rule.shows(draws.added(rule.terms(draws.population, n_topics)), n_topics) for rule in rules
    ]
    found: Booleans = np.logical_and.reduce(met)
    return found


def _excess(population: Population, sign: float, limit: float) -> Floats:
    """Return the rest of the limit, or for sign -1 of the margin on the other side."""
    return sign * population.gains + limit * population.allowance


def _within_by_t(sign: float, limit: float, alpha: float) -> SimulatedVerdict:
    """Return the rule of Student's bound."""

    def terms(population: Population, _n_topics: int) -> Floats:
        excess = _excess(population, sign, limit)
        return np.stack((excess, excess**2, population.changed), axis=1)

    def shows(sums: Floats, n_topics: int) -> Booleans:
        from scipy.special import stdtrit

        if n_topics < LEAST_TOPICS:
            return np.zeros(len(sums), dtype=bool)
        mean, error = mean_and_error(sums, n_topics)
        critical = -float(stdtrit(n_topics - 1, alpha))
        found: Booleans = (
            (mean > 0.0) & (mean >= critical * error) & (sums[:, 2] >= LEAST_CHANGED - 0.5)
        )
        return found

    return SimulatedVerdict(terms, shows)


def _within_by_bets(sign: float, limit: float, loss: float, alpha: float) -> SimulatedVerdict:
    """Return the rule of the bets; `loss` is the greatest one, above 0 or not."""
    return _by_bets(partial(_excess, sign=sign, limit=limit), loss, alpha)


def _lost_by_bets(true_drop: float, loss: float, alpha: float) -> SimulatedVerdict:
    """Return the rule of the bets on "no drop", for candidates that lose so much."""
    return _by_bets(lambda population: true_drop - population.gains, loss, alpha)


def _by_bets(won: Callable[[Population], Floats], loss: float, alpha: float) -> SimulatedVerdict:
    """Return the rule of bets on the gains of topics; `loss` is the greatest loss."""

    def terms(population: Population, n_topics: int) -> Floats:
        shares, _ = stakes(n_topics)
        factors = 1.0 + np.outer(won(population), shares) / max(loss, NOISE)
        return np.log(np.maximum(factors, 1.0 - LARGEST_STAKE))

    def shows(sums: Floats, n_topics: int) -> Booleans:
        if loss <= 0.0:  # no candidate can reach this limit
            return np.full(len(sums), n_topics >= 2)
        _, weights = stakes(n_topics)
        top = sums.max(axis=1)
        capital = top + np.log(np.exp(sums - top[:, np.newaxis]) @ weights)
        found: Booleans = capital >= -math.log(alpha)
        return found

    return SimulatedVerdict(terms, shows)


def _worse(true_drop: float, limit: float, alpha: float) -> SimulatedVerdict:
    """Return the rule of "worse" for candidates that lose so much."""

    def shows(sums: Floats, n_topics: int) -> Booleans:
        found: Booleans = _drop_needed(sums, n_topics, limit, alpha) < true_drop
        return found

    return SimulatedVerdict(_terms_of_worse, shows)


def _terms_of_worse(population: Population, _n_topics: int) -> Floats:
    return np.stack(
        (population.gains, population.gains**2, population.allowance),
        axis=1,
    )


def _drop_needed(sums: Floats, n_topics: int, limit: float, alpha: float) -> Floats:
    r"""Return for each sample the true drop from which on it would be called "worse".

    With the sample's deviation s and the mean g of its gains around the true one, the observed
    drop is the true one minus g, and has to be above both the limit and
    :math:`t_{1-\alpha,\,n-1}\, s / \sqrt n`.
    """
    from scipy.special import stdtrit

    if n_topics < 2:
        return np.full(len(sums), np.inf)
    mean, error = mean_and_error(sums, n_topics)
    tolerated = limit * np.abs(sums[:, 2]) / n_topics
    critical = -float(stdtrit(n_topics - 1, alpha))
    return mean + np.maximum(tolerated, critical * error)
