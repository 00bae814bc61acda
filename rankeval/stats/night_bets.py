r"""Bets over nights: evidence that a candidate lost, valid however often one looks.

Every night brings a loss of each topic, in units of the greatest possible gain: a number x of -1 or
more. The null hypothesis is about these topics, and not about others: on every night so far the
mean of the topics' expected losses, given the nights before, was 0 or less, and what chance adds to
one topic's loss that night does not depend on what it adds to another's. A gambler stakes the same
share of the capital on each topic. As the mean of the factors' expectations is 1 at most, so is
their product (the inequality of the means), night after night: the capital is a supermartingale,
whatever the form of the losses, which may be another for each topic and each night.

A loss may begin on any night, so the gambler does not stake all on the first: half of the capital
is, and the rest follows in parts, which never run out. So a long time without a loss costs little
of what can be shown later.
"""

import math

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats
from rankeval.stats.confidence_bounds import LARGEST_STAKE, Drop, log_growths

N_STAKES = 8
"""Stakes of 0.98, 0.49, ... 0.0077 of the capital."""
FIRST = 0.5
"""Share of the capital that is staked on the first night."""
PACE = 100
"""Nights in which half of the rest is staked."""

STAKES: Floats = LARGEST_STAKE * np.exp2(-np.arange(N_STAKES, dtype=np.float64))
SHARES: Floats = np.exp2(-np.arange(1.0, N_STAKES + 1.0))
SHARES[-1] *= 2.0  # so that all add up to 1
STAKES.flags.writeable = SHARES.flags.writeable = False


def staked_on(night: int) -> float:
    r"""Return the share of the first capital that is staked on a night, from night 1.

    .. math:: w_1 = \tfrac12, \qquad w_k = \tfrac12\,\frac{100}{(k + 98)(k + 99)}, \qquad
        \sum_{k \ge 1} w_k = 1

    >>> staked_on(1), round(staked_on(2), 5), round(staked_on(100), 5)
    (0.5, 0.00495, 0.00127)
    """
    if night == 1:
        return FIRST
    return (1.0 - FIRST) * PACE / ((night - 2 + PACE) * (night - 1 + PACE))


def at_stake_after(before: Floats, units: Floats, night: int) -> Floats:
    """Return the logarithms of the capital on each stake after a night.

    `before` are those before the night, minus infinity on the first, and `units` the losses of the
    topics in units of their greatest gain, -1 or more. Shapes: (J, m) and (m, n) give (J, m).
    """
    fresh = np.log(SHARES)[:, None] + math.log(staked_on(night))
    found: Floats = np.logaddexp(before, fresh) + log_growths(units, STAKES)
    return found


def log_evidence(at_stake: Floats, night: int) -> Floats:
    """Return the logarithm of the whole capital after a night, shape (m,) from (J, m)."""
    left = math.log((1.0 - FIRST) * PACE / (PACE + night - 1))
    found: Floats = np.logaddexp(np.logaddexp.reduce(at_stake, axis=0), left)
    return found


@frozen
class NightBets:
    r"""The capital of bets on "the candidate loses", after some nights, from capital 1.

    .. math:: M_k = \sum_{i \le k} w_i \sum_j q_j \prod_{l = i}^{k} \prod_t (1 + \lambda_j x_{lt})
        + \sum_{i > k} w_i

    with the parts w of `staked_on`, stakes :math:`\lambda_j = 0.98 \cdot 2^{-j}` of which each has
    half of what the one before has, and losses x. Under the null hypothesis above, the probability
    that M ever reaches 1 / alpha is alpha at most (Ville), however many nights there are and
    whatever was decided after them.

    ======== =============================================================================
    nights   number of nights
    at_stake logarithm of the capital on each stake; empty before the first night
    ======== =============================================================================

    Source: Ville, "Etude critique de la notion de collectif", 1939; Waudby-Smith and Ramdas,
    "Estimating means of bounded random variables by betting", Journal of the Royal Statistical
    Society B 86(1), 2024; for starts on every night, Shin, Ramdas and Rinaldo, "E-detectors", New
    England Journal of Statistics in Data Science 2(2), 2024.

    >>> bets = NightBets()
    >>> for night in range(3):
    ...     bets = bets.after([0.05] * 60)
    >>> bets.nights, round(bets.log_evidence, 2), round(bets.p_value, 5)
    (3, 7.23, 0.00072)
    """

    nights: int = 0
    at_stake: tuple[float, ...] = ()

    def after(self, units: npt.ArrayLike) -> "NightBets":
        """Return the bets after a night; shape (n,), losses in units of their greatest gain."""
        found = np.asarray(units, dtype=np.float64)
        if found.ndim != 1 or not (found >= -1.0 - NOISE).all():
            raise UsageError("a loss is below -1", expected="losses in units of the greatest gain")
        before = np.full(N_STAKES, -np.inf) if not self.nights else np.array(self.at_stake)
        night = self.nights + 1
        capital = at_stake_after(before[:, None], found[None], night)
        return NightBets(night, tuple(capital[:, 0].tolist()))

    @property
    def log_evidence(self) -> float:
        """The logarithm of the capital, an e-value: 0.0 before the first night."""
        if not self.nights:
            return 0.0
        return float(log_evidence(np.array(self.at_stake)[:, None], self.nights)[0])

    @property
    def p_value(self) -> float:
        """The p-value at every look: min(1, 1 / capital)."""
        return math.exp(-max(self.log_evidence, 0.0))


def losses_beyond(drop: Drop, factor: float) -> Floats:
    """Return what each topic loses beyond a limit, in units of the greatest gain; shape (n,).

    UsageError for a measure without a range, as bets need the greatest gain.
    """
    if drop.span is None:
        raise UsageError(
            "bets over nights need a measure whose values have a least and a greatest one",
            expected="a measure with a range",
        )
    greatest = -drop.least_shortfall(factor)
    if greatest <= NOISE:
        return np.zeros_like(drop.gains)
    found: Floats = np.maximum(-drop.excess(factor) / greatest, -1.0)
    return found
