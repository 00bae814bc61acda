r"""Bets over nights: evidence that a candidate lost, valid however often one looks.

Every night brings a loss of each topic, in units of the greatest possible gain: a number x of -1 or
more. The null hypothesis is about these topics, and not about others: on every night so far the
mean of the topics' expected losses, given the nights before, was 0 or less, and what chance adds to
one topic's loss that night does not depend on what it adds to another's. A gambler stakes the same
share of the capital on each topic. As the mean of the factors' expectations is 1 at most, so is
their product (the inequality of the means), night after night: the capital is a supermartingale,
whatever the form of the losses, which may be another for each topic and each night.

A loss may begin on any night, so the gambler keeps most of the capital. Every night a part of what
is kept goes on the stakes, and a tenth of what is on them comes back: on nights without a loss
hardly anything is lost, and the night on which one begins finds enough on the stakes.
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
"""Part of the capital that is staked on the first night."""
MOST, PACE = 4, 80
"""Of the capital that is kept, 4 / (k + 80) is staked on night k."""
BACK = 0.1
"""Part of the stakes that comes back before each night."""

STAKES: Floats = LARGEST_STAKE * np.exp2(-np.arange(N_STAKES, dtype=np.float64))
SHARES: Floats = np.exp2(-np.arange(1.0, N_STAKES + 1.0))
SHARES[-1] *= 2.0  # so that all add up to 1
STAKES.flags.writeable = SHARES.flags.writeable = False


def staked_on(night: int) -> float:
    r"""Return the part of the kept capital that is staked on a night, from night 1.

    .. math:: a_1 = \tfrac12, \qquad a_k = \frac{4}{k + 80}

    The part falls, so that a long time without a loss costs a power of its length at most.

    >>> staked_on(1), round(staked_on(2), 5), round(staked_on(320), 5)
    (0.5, 0.04878, 0.01)
    """
    return FIRST if night == 1 else MOST / (night + PACE)


@frozen
class Capital:
    """Logarithms of the capital of several gamblers.

    ======== ============================================================
    kept     of what is not staked, shape (m,)
    at_stake of what is on each stake, shape (J, m)
    ======== ============================================================
    """

    kept: Floats
    at_stake: Floats

    @classmethod
    def first(cls, gamblers: int = 1) -> "Capital":
        """Return the capital 1 of each gambler before the first night, all of it kept."""
        return cls(np.zeros(gamblers), np.full((N_STAKES, gamblers), -np.inf))

    def after(self, units: Floats, night: int) -> "Capital":
        """Return the capital after a night, from night 1.

        `units` are the losses of the topics in units of their greatest gain, shape (m, n).
        """
        part = staked_on(night)
        back = math.log(BACK) + np.logaddexp.reduce(self.at_stake, axis=0)
        fresh = np.log(SHARES)[:, None] + math.log(part) + self.kept
        staked = np.logaddexp(math.log1p(-BACK) + self.at_stake, fresh)
        return Capital(
            kept=np.logaddexp(math.log1p(-part) + self.kept, back),
            at_stake=staked + log_growths(units, STAKES),
        )

    @property
    def whole(self) -> Floats:
        """Logarithm of all that each gambler has, shape (m,)."""
        found: Floats = np.logaddexp(np.logaddexp.reduce(self.at_stake, axis=0), self.kept)
        return found


@frozen
class NightBets:
    r"""The capital of bets on "the candidate loses", after some nights, from capital 1.

    .. math:: M_k = C_k + \sum_j S_{jk}, \qquad
        S_{jk} = \bigl((1 - b) S_{j,k-1} + a_k q_j C_{k-1}\bigr) \prod_t (1 + \lambda_j x_{kt}),
        \qquad C_k = (1 - a_k) C_{k-1} + b \sum_j S_{j,k-1}

    with :math:`C_0 = 1`, :math:`S_{j0} = 0`, the parts a of `staked_on`, b = 0.1, stakes
    :math:`\lambda_j = 0.98 \cdot 2^{-j}` of which each is given half of what the one before is
    given (q), and losses x. Under the null hypothesis above, the probability that M ever reaches
    1 / alpha is alpha at most (Ville), however many nights there are and whatever was decided
    after them.

    ======== =============================================================================
    nights   number of nights
    kept     logarithm of the capital that is not staked
    at_stake logarithm of the capital on each stake; empty before the first night
    ======== =============================================================================

    Source: Ville, "Etude critique de la notion de collectif", 1939; Waudby-Smith and Ramdas,
    "Estimating means of bounded random variables by betting", Journal of the Royal Statistical
    Society B 86(1), 2024; for capital that moves between stakes, Herbster and Warmuth, "Tracking
    the best expert", Machine Learning 32(2), 1998; for starts on every night, Shin, Ramdas and
    Rinaldo, "E-detectors", New England Journal of Statistics in Data Science 2(2), 2024.

    >>> bets = NightBets()
    >>> for night in range(3):
    ...     bets = bets.after([0.05] * 60)
    >>> bets.nights, round(bets.log_evidence, 2), round(bets.p_value, 5)
    (3, 7.03, 0.00088)
    """

    nights: int = 0
    kept: float = 0.0
    at_stake: tuple[float, ...] = ()

    def after(self, units: npt.ArrayLike) -> "NightBets":
        """Return the bets after a night; shape (n,), losses in units of their greatest gain."""
        found = np.asarray(units, dtype=np.float64)
        if found.ndim != 1 or not (found >= -1.0 - NOISE).all():
            raise UsageError("a loss is below -1", expected="losses in units of the greatest gain")
        night = self.nights + 1
        capital = self._capital.after(found[None], night)
        return NightBets(night, float(capital.kept[0]), tuple(capital.at_stake[:, 0].tolist()))

    @property
    def _capital(self) -> Capital:
        if not self.nights:
            return Capital.first()
        return Capital(np.array([self.kept]), np.array(self.at_stake)[:, None])

    @property
    def log_evidence(self) -> float:
        """The logarithm of the capital, an e-value: 0.0 before the first night."""
        return float(self._capital.whole[0])

    @property
    def p_value(self) -> float:
        """The p-value at every look: min(1, 1 / capital)."""
        return math.exp(-max(self.log_evidence, 0.0))


def losses_beyond(drop: Drop, factor: float) -> Floats:
    """Return the loss of each topic beyond a limit, in units of the greatest gain; shape (n,).

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
