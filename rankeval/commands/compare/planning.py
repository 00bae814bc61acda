"""Plan another experiment from the differences of one comparison."""

import numpy as np

from rankeval import stats
from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.commands.compare.method import Method
from rankeval.stats.checked_arrays import is_constant

FEWEST = 3
"""Fewest topics to plan from, and fewest of a plan: two hardly show how topics vary."""
NOT_OF_SEEDS = "no topics are planned for systems of several runs"
TOO_FEW = "by the formula 2 topics are enough, but so few do not show how topics vary"


@frozen
class Planning:
    """Topics needed in another experiment; None where unknown.

    ============= =========================================================================
    difference    the difference to detect
    topics_needed the number of topics that it takes
    smallest      the smallest difference that the present topics can detect
    alpha         the significance level of this comparison: its share of the family's
    note          why a figure is None; "" if none is
    ============= =========================================================================

    The figures are those of the paired t test for normal differences with the standard deviation
    of those observed (noncentral t, see `topics_needed`).
    """

    difference: float | None
    topics_needed: int | None
    smallest: float | None
    alpha: float
    note: str


def planned(
    differences: Floats, mean: float | None, alpha: float, method: Method, *, seeded: bool
) -> Planning | None:
    """Return the plan for the method's difference, which may be a share of the baseline's mean.

    None if the method has none.
    """
    if method.difference is None:
        return None
    wanted = method.difference * (abs(mean or 0.0) if method.relative else 1.0) or None
    known = differences[~np.isnan(differences)]
    note = ""
    if seeded:
        note = NOT_OF_SEEDS
    elif known.size < FEWEST or is_constant(known[:, None]).all():
        note = f"fewer than {FEWEST} topics, or all of them differ by the same"
    if note:
        return Planning(wanted, None, None, alpha, note)
    power, deviation = method.power, float(known.std(ddof=1))
    smallest = stats.smallest_difference(known.size, deviation, alpha=alpha, power=power)
    needed = wanted and stats.topics_needed(wanted, deviation, alpha=alpha, power=power)
    if needed is not None and needed < FEWEST:
        return Planning(wanted, None, smallest, alpha, TOO_FEW)
    return Planning(wanted, needed, smallest, alpha, "")


def planned_risk(method: Method, n_pairs: int) -> float:
    """Return the significance level to plan one comparison at: the smallest that it may get."""
    return method.alpha / (n_pairs if method.adjusts else 1)
