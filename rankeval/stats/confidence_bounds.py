r"""Confidence bounds of a drop, from Student's t, from bets, or from both.

A drop is tolerated up to a multiple f of each topic's allowance: with gains g (candidate minus
baseline) and allowances s, the test asks whether the mean of g + f s is above 0. For a limit in the
measure's units every s is 1 and f is the limit. For a limit relative to the baseline's mean, s are
the baseline's values and f is the share; the baseline's mean is then treated as random, not as a
constant.

Bets against a mean are evidence that needs no normality, only a least possible value. If the mean
of a population is 0 or less, a stake that gains in proportion to the next value is fair or worse. A
gambler whose capital grows nevertheless has evidence that the mean is above 0.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import record
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Ends, Floats, as_columns, as_floats, is_constant
from rankeval.stats.choices import Bound
from rankeval.stats.mean_tests import t_lower_tail, t_quantile

LARGEST_STAKE = 0.98
"""Largest stake, as a share of the capital. With 1 a single greatest loss would end the game."""
USUAL_RISK = 0.05
LARGEST_DEVIATION = 0.5
"""Of values in units of the greatest loss; the smallest stake is the best one for it and for the
usual risk."""
HALVINGS = 5
"""Times that factors are multiplied in pairs before the logarithm: each factor is from 0.02 to
about 100, so the product of 32 is a double."""

BLOCK = 4_096
"""Topics whose factors are multiplied at a time, so that they stay in the processor's cache."""


def stakes(n_topics: int) -> tuple[Floats, Floats]:
    r"""Return the stakes as shares of the capital, and the weight of the capital on each.

    .. math:: \lambda_j = 0.98 \cdot 2^{-j}, \qquad w_j \propto \frac{1}{j + 1}, \qquad
        j = 0 \ldots \max \bigl(0, \lfloor \log_2 (\sigma \sqrt{n / (2 \ln 20)}) + \tfrac12
        \rfloor \bigr)

    The best stake for n values of standard deviation s, in units of the greatest loss, is about
    :math:`\sqrt{2 \ln(1 / \alpha) / n} / s`, or all where that is above 1; the smallest one here is
    the best for s = 0.5. They depend on nothing but n, so the bets are made before any value is
    seen.

    Shapes: n_topics gives two arrays (J,); the weights add up to 1.
    """
    smallest = math.sqrt(2.0 * math.log(1.0 / USUAL_RISK) / max(n_topics, 1)) / LARGEST_DEVIATION
    levels = 1 + max(0, math.floor(0.5 - math.log2(smallest)))
    place = np.arange(levels, dtype=np.float64)
    weights: Floats = 1.0 / (place + 1.0)
    shares: Floats = LARGEST_STAKE * np.exp2(-place)
    weights /= float(weights.sum())
    return shares, weights


@checked
def log_capital(values: npt.ArrayLike, least: npt.ArrayLike) -> Floats:
    r"""Return the logarithm of the final capital of bets on "the mean is above 0", from capital 1.

    .. math:: K = \sum_j w_j \prod_{t=1}^{n} \Bigl(1 + \lambda_j \frac{x_t}{-\mathit{least}}\Bigr)

    with the stakes of `stakes(n)`. Where topics are drawn independently from a population of mean
    at most 0 and all its values are at least `least`, each factor has mean 1 at most, and so has K:
    :math:`\Pr(K \ge 1/\alpha) \le \alpha`, whatever the distribution (Markov). K is an e-value, and
    min(1, 1 / K) a p-value. The order of the values plays no part.

    Shapes: values (n, m), or (n,) for one column, and `least` (m,) or one number give (m,).

    Edge cases
        - No value: 0.0, the capital stays 1.
        - `least` of 0 or above: the mean cannot be below 0; infinite.
        - A value below `least`: UsageError.

    Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
    Journal of the Royal Statistical Society B 86(1), 2024 (online 2023), with a mixture over fixed
    stakes in place of stakes that follow what was seen; Orabona and Jun, "Tight concentrations and
    confidence sequences from the regret of universal portfolio", IEEE Transactions on Information
    Theory 70(1), 2024.

    >>> float(log_capital([0.5, 0.5, 0.5], -0.5).round(6)[0])  # (1 + 0.98)^3
    2.049291
    """
    columns = as_columns(values, "values")
    floors = np.broadcast_to(as_floats(least, "least"), columns.shape[1:])
    lowest = columns.min(axis=0, initial=np.inf)
    if (lowest < floors - NOISE * np.maximum(1.0, np.abs(floors))).any():
        problem = f"found the value {columns.min():g} below the least one"
        raise UsageError(problem, expected="values of at least `least`")
    sure = floors >= -NOISE
    # One row for each column, so that the products run along contiguous memory.
    unit = np.divide(columns.T, np.where(sure, 1.0, -floors)[:, None], order="C")
    return np.where(sure, np.inf, log_capital_of_units(unit))


def log_capital_of_units(unit: Floats) -> Floats:
    """Return the capital of `log_capital`, for rows (m, n) in units of the greatest loss."""
    shares, weights = stakes(unit.shape[1])
    terms = log_growths(unit, shares)
    top: Floats = terms.max(axis=0)
    found: Floats = top + np.log(weights @ np.exp(terms - top))
    return found


def log_growths(unit: Floats, shares: Floats) -> Floats:
    """Return the logarithm of the capital's growth by each stake; (m, n), (J,) give (J, m).

    Values below -1, which rounding can give, count as -1.
    """
    terms = np.zeros((len(shares), len(unit)))
    for start in range(0, unit.shape[1], BLOCK):
        losses = np.maximum(unit[:, start : start + BLOCK], -1.0)
        terms += _log_growth(shares[:, None, None] * losses)
    return terms


def _log_growth(gained: Floats) -> Floats:
    """Return the logarithm of the product of 1 + gained over the last axis; overwrites `gained`."""
    factors = gained
    factors += 1.0
    left = np.zeros(factors.shape[:-1])
    for _ in range(HALVINGS):  # numpy multiplies two arrays faster than it reduces one
        half, odd = divmod(factors.shape[-1], 2)
        if odd:
            left += np.log(factors[..., -1])
        factors = factors[..., :half] * factors[..., half : 2 * half]
    found: Floats = left + np.log(factors).sum(axis=-1)
    return found


LEAST_TOPICS = 10
LEAST_CHANGED = 5
"""Of the topics, that differ: with fewer of either t bounds nothing, for their deviation says next
to nothing of that of all topics."""
PRECISION = 1e-6
MIXING = 1.0
"""About the loss of the bets, as a logarithm, because they hold several stakes."""
MOST_STEPS, FARTHEST, HALVED = 60, 4.0, 8
"""Steps of a search, the factor by which one may exceed the last value tried, and halvings."""

Range = tuple[float, float]
"""The least and the greatest value that a measure can have for a topic."""


@checked
def excess_p_values(
    excess: npt.ArrayLike, least: npt.ArrayLike, bound: Bound | str = Bound.BETTING
) -> Floats:
    r"""Return one-sided p-values of "the mean is at most 0" for values not below `least`.

    .. math:: \text{betting: } \min(1, 1 / K) \qquad
        \text{t: } \Pr(T_{n-1} \ge \bar x \sqrt n / s)

    with K the capital of `log_capital`. Betting is valid for every distribution; t is valid where
    means of n values are nearly normal, which takes some hundred topics if few of them differ.

    Shapes: excess (n, m), or (n,) for one column, and `least` (m,) or one number, give (m,).

    Edge cases
        - Fewer than two topics: 1.0.
        - t with fewer than 10 topics: 1.0, because their deviation is too uncertain; with the same
          value above 0 everywhere: 0.0.
        - `least` minus infinity, for values without a lower limit: only t applies.

    Source: see `log_capital` and `student_t`.

    >>> excess_p_values([[0.02]] * 200, -0.98).round(4)
    array([0.0321])
    """
    values = as_columns(excess, "excess")
    floors = np.broadcast_to(as_floats(least, "least"), values.shape[1:])
    if len(values) < 2:
        return np.ones(values.shape[1])
    if Bound(bound) is Bound.STUDENT_T:
        return _p_of_t(values)
    found: Floats = np.exp(-np.maximum(log_capital(values, floors), 0.0))
    return found


def _p_of_t(values: Floats) -> Floats:
    n_topics = len(values)
    if n_topics < LEAST_TOPICS:
        return np.ones(values.shape[1])
    mean = values.mean(axis=0)
    constant = is_constant(values)
    error = values.std(axis=0, ddof=1) / math.sqrt(n_topics)
    t = -mean / np.where(constant, 1.0, error)
    p_values = [t_lower_tail(n_topics - 1, one) for one in t.tolist()]
    return np.where(constant, np.where(mean > 0.0, 0.0, 1.0), p_values)


@record
class Drop:
    """One drop, topic by topic.

    ========= ===========================================================================
    gains     candidate minus baseline, more being better, shape (n,), without NaN
    allowance what each topic allows for each unit of the limit, shape (n,): 1, or the baseline's
              value where the limit is relative
    sign      of the baseline's mean, by which the allowance was multiplied; None where the limit
              is not relative
    span      least and greatest value of the measure; None where it has none
    ========= ===========================================================================
    """

    gains: Floats
    allowance: Floats
    sign: float | None
    span: Range | None

    @property
    def observed(self) -> float:
        """The observed drop, in units of the allowance."""
        return 0.0 - float(self.gains.sum()) / float(self.allowance.sum())

    @property
    def n_changed(self) -> int:
        """The number of topics that differ."""
        return int(np.count_nonzero(self.gains))

    @property
    def has_t(self) -> bool:
        """True if there are enough topics, and enough that differ, for a bound by t."""
        return self.gains.size >= LEAST_TOPICS and self.n_changed >= LEAST_CHANGED

    def excess(self, factor: float) -> Floats:
        """Return the unused allowance of each topic; a mean above 0 is within the limit."""
        left = self.gains + factor * self.allowance
        left[np.abs(left) <= NOISE] = 0.0
        return left

    def least(self, factor: float) -> float:
        """Return the least possible excess."""
        if self.span is None:
            return -math.inf
        low, high = self.span
        if self.sign is None:
            return low - high + factor
        # a - b + f s b, with the values a of the candidate and b of the baseline anywhere between
        kept = factor * self.sign - 1.0
        return low + min(kept * low, kept * high)

    def least_shortfall(self, factor: float) -> float:
        """Return the least possible value of minus the excess."""
        if self.span is None:
            return -math.inf
        low, high = self.span
        if self.sign is None:
            return low - high - factor
        kept = factor * self.sign - 1.0
        return -high - max(kept * low, kept * high)

    def applicable(self, bound: Bound) -> Bound:
        """Return the bound itself, or t for a measure without a range."""
        return Bound.STUDENT_T if self.span is None else bound

    def p_within(self, factor: float, bound: Bound) -> float:
        """Return the p-value of "the drop is the limit or more"."""
        if bound is Bound.STUDENT_T and self.n_changed < LEAST_CHANGED:
            return 1.0
        return float(excess_p_values(self.excess(factor), self.least(factor), bound)[0])

    def p_beyond(self, factor: float, bound: Bound) -> float:
        """Return the p-value of "the drop is the limit or less"."""
        if bound is Bound.STUDENT_T and self.n_changed < LEAST_CHANGED:
            return 1.0
        shortfall = 0.0 - self.excess(factor)
        return float(excess_p_values(shortfall, self.least_shortfall(factor), bound)[0])

    def limits(self, alpha: float, bound: Bound) -> Ends:
        r"""Return one-sided bounds of the drop, each at 1 - alpha, in units of the allowance.

        The lower bound is the greatest limit that the drop is shown to exceed; the upper bound is
        the least limit that the drop is shown to stay within. For t these are Fieller's, and the
        usual ones where every topic allows 1.
        """
        if self.gains.size < 2:
            return None, None
        return self._by_t(alpha) if bound is Bound.STUDENT_T else self._by_bets(alpha)

    def _by_t(self, alpha: float) -> Ends:
        """Find the roots of (mean of excess)^2 = t^2 s^2 / n in the factor."""
        n_topics = self.gains.size
        if not self.has_t:
            return None, None
        gain, allowed = float(self.gains.mean()), float(self.allowance.mean())
        centred, spread = self.gains - gain, self.allowance - allowed
        if is_constant(self.gains[:, None])[0]:
            centred = np.zeros(n_topics)
        scale = t_quantile(n_topics - 1, alpha) ** 2 / (n_topics * (n_topics - 1))
        a = allowed**2 - scale * float(spread @ spread)
        b = gain * allowed - scale * float(centred @ spread)
        c = gain**2 - scale * float(centred @ centred)
        root = math.sqrt(max(b * b - a * c, 0.0))
        return ((-b - root) / a, (-b + root) / a) if a > 0.0 else (None, None)

    def _by_bets(self, alpha: float) -> Ends:
        """Find the first limits on both sides of the observed drop that the bets show."""
        low, high = self.span or (0.0, 1.0)
        near, allowed = self.observed, abs(float(self.allowance.mean()))
        unit, enough = (high - low) / allowed, MIXING - math.log(alpha)
        error = float(self.gains.std()) / math.sqrt(self.gains.size) / allowed
        # Bernstein's bound, which that of the bets is close to
        guess = error * math.sqrt(2.0 * enough) + unit * enough / (2.0 * self.gains.size)

        def end(way: float, least: Callable[[float], float]) -> float | None:
            if least(near) >= -NOISE:  # the range ends here
                return near

            def surplus(distance: float) -> float:
                factor = near + way * distance
                loss = -least(factor)
                if loss <= NOISE:
                    return math.inf
                excess = (self.gains + factor * self.allowance) * (way / loss)
                # The capital grows with the square of the distance, and its root grows evenly.
                grown = float(log_capital_of_units(excess[None])[0]) + MIXING
                return math.copysign(math.sqrt(abs(grown)), grown) - math.sqrt(enough)

            found = _reached(surplus, -math.sqrt(enough), guess, PRECISION * unit)
            return None if found is None else near + way * found

        return end(-1.0, self.least_shortfall), end(1.0, self.least)


def _reached(
    rising: Callable[[float], float], start: float, guess: float, precision: float
) -> float | None:
    """Find where a function reaches 0 that is `start`, below 0, at 0; at most `precision` too far.

    Follows secants, which a nearly even function needs few of, between the places where it is known
    to be below 0 and above. scipy's searches need a bracket, and values at both ends of it.
    """
    low, high = 0.0, math.inf
    before, was, now = 0.0, start, guess
    for count in range(1, MOST_STEPS):
        found = rising(now)
        low, high = (low, now) if found >= 0.0 else (now, high)
        if high - low <= precision:
            return high
        following = (low + high) / 2.0
        if math.isfinite(found) and found != was:
            secant = min(now - found * (now - before) / (found - was), FARTHEST * now)
            if abs(secant - now) <= precision:
                return secant + precision
            if low < secant < high and (count % HALVED or math.isinf(high)):
                following = secant
            before, was = now, found
        now = min(following, FARTHEST * now)
    return high if math.isfinite(high) else None


def absolute(gains: Floats, span: Range | None) -> Drop:
    """Return a drop whose limit is in the measure's own units."""
    return Drop(gains, np.ones_like(gains), None, span)


def relative(gains: Floats, baseline: Floats, span: Range | None) -> Drop:
    """Return a drop whose limit is a share of the baseline's mean."""
    sign = math.copysign(1.0, float(baseline.sum()))
    return Drop(gains, sign * baseline, sign, span)
