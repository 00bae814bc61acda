r"""Bets against a mean: evidence that needs no normality, only a least possible value.

If the mean of a population is 0 or less, a stake that gains in proportion to the next value is fair
or worse. A gambler whose capital grows nevertheless has evidence that the mean is above 0.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats, as_columns

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


@lru_cache(maxsize=64)  # a search asks again and again
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
    shares.flags.writeable = weights.flags.writeable = False  # all callers share them
    return shares, weights


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
    floors = np.broadcast_to(np.asarray(least, dtype=np.float64), columns.shape[1:])
    lowest = columns.min(axis=0, initial=np.inf)
    if (lowest < floors - NOISE * np.maximum(1.0, np.abs(floors))).any():
        problem = f"found the value {columns.min():g} below the least one"
        raise UsageError(problem, expected="values of at least `least`")
    sure = floors >= -NOISE
    # One row for each column, so that the products run along what lies together in memory.
    unit = np.divide(columns.T, np.where(sure, 1.0, -floors)[:, None], order="C")
    return np.where(sure, np.inf, log_capital_of_units(unit))


def log_capital_of_units(unit: Floats) -> Floats:
    """Return the capital of `log_capital` for rows (m, n) of values in units of the greatest loss.

    Values below -1, which rounding can give, count as -1.
    """
    n_topics = unit.shape[1]
    shares, weights = stakes(n_topics)
    terms = np.zeros((len(shares), len(unit)))
    for start in range(0, n_topics, BLOCK):
        losses = np.maximum(unit[:, start : start + BLOCK], -1.0)
        terms += _log_growth(shares[:, None, None] * losses)
    top: Floats = terms.max(axis=0)
    found: Floats = top + np.log(weights @ np.exp(terms - top))
    return found


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
