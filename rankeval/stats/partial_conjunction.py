"""Replicability: the number of collections in which a difference exists."""

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.choices import Correction
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import as_vector, require_risk
from rankeval.stats.corrections import adjust_p_values


class Combination(StrEnum):
    """The methods that combine p-values of several collections."""

    FISHER = "fisher"  # collections with topics of their own: independent p-values
    BONFERRONI = "bonferroni"  # any dependence, such as collections that share topics


@frozen
class Replicability:
    """The number of collections in which a difference is shown.

    ============  =================================================================================
    combination   how p-values were combined
    alpha         risk of claiming more collections than there are
    p_values      for u = 1 ... K: p-value of "the difference is there in fewer than u collections",
                  which never falls with u
    at_least      least number of collections with the difference, with confidence 1 - alpha
    collections   places of those in which it is shown one by one, by Holm's procedure
    ============  =================================================================================
    """

    combination: Combination
    alpha: float
    p_values: tuple[float, ...]
    at_least: int
    collections: tuple[int, ...]


def replicability(
    p_values: npt.ArrayLike,
    *,
    combination: Combination | str = Combination.FISHER,
    alpha: float = 0.05,
) -> Replicability:
    r"""Bound from below the number of K collections in which a difference exists.

    The partial conjunction hypothesis "there in fewer than u of K collections" is tested for each u
    by combining the K - u + 1 largest of the p-values :math:`p_{(1)} \le \dots \le p_{(K)}`:

    .. math::
        \text{fisher:}\ & \Pr\Bigl(\chi^2_{2(K-u+1)} \ge -2 \sum_{i \ge u} \ln p_{(i)}\Bigr) \\
        \text{bonferroni:}\ & (K - u + 1)\, p_{(u)}

    each made to be no smaller than the one for u - 1. The largest u with a p-value of at most alpha
    is a lower confidence bound of the number of collections: with probability 1 - alpha it does not
    exceed the true one. u = 1 asks whether any collection has the difference, u = K whether all
    have it. The number of significant collections is no such bound.

    Use one-sided p-values, so that a difference that turns its sign does not count as replicated.

    Shapes: (K,), one p-value per collection, K >= 1; gives K p-values.

    Edge cases
        - One collection: its own p-value.
        - A p-value of 0 proves nothing about the other collections: for u > 1 the others are
          combined without it.
        - No p-value, a NaN, or a number outside 0 to 1: UsageError.
        - Fisher's combination of collections that share topics claims too much; use bonferroni.

    Source: Benjamini and Heller, "Screening for partial conjunction hypotheses", Biometrics 64(4),
    2008; Bogomolov and Heller, "Replicability across multiple studies", Statistical Science 38(4),
    2023; Dror, Baumer, Bogomolov and Reichart, "Replicability analysis for natural language
    processing: testing significance with multiple datasets", TACL 5, 2017.

    >>> found = replicability([0.001, 0.012, 0.03, 0.4])
    >>> [round(p, 4) for p in found.p_values], found.at_least, found.collections
    ([0.0001, 0.0071, 0.0651, 0.4], 2, (0, 1))
    """
    values = as_vector(p_values, "p-values")
    if not values.size or not np.all((values >= 0.0) & (values <= 1.0)):
        raise UsageError(
            f"found {values.tolist()} as p-values",
            expected="numbers from 0 to 1, one for each collection",
        )
    way, risk = Combination(combination), require_risk(alpha, "alpha")
    ascending = np.sort(values)
    n_combined = np.arange(values.size, 0, -1)
    if way is Combination.FISHER:
        from scipy.special import gammaincc

        with np.errstate(divide="ignore"):
            logarithms = -np.log(ascending)
        combined = gammaincc(n_combined, np.cumsum(logarithms[::-1])[::-1])
    else:
        combined = np.minimum(1.0, n_combined * ascending)
    rising = np.maximum.accumulate(combined)
    shown = adjust_p_values(values, correction=Correction.HOLM) <= risk
    return Replicability(
        combination=way,
        alpha=risk,
        p_values=tuple(rising.tolist()),
        at_least=int(np.count_nonzero(rising <= risk)),
        collections=tuple(np.flatnonzero(shown).tolist()),
    )
