"""Plan another experiment from the differences of one comparison."""

from dataclasses import field
from functools import cached_property

import numpy as np

from rankeval import stats
from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.choices import TestName
from rankeval.commands.compare.method import Method
from rankeval.stats.checked_arrays import is_constant

UNASKED = 20
"""Most comparisons whose plans TSV, CSV and JSON have unasked; each takes some milliseconds."""
FEWEST = 3
"""Fewest topics to plan from, and fewest of a plan: two hardly show how topics vary."""
NOT_OF_SEEDS = "no topics are planned for systems of several runs"
TOO_FEW = "by the formula 2 topics are enough, but so few do not show how topics vary"


@frozen
class Planning:
    """Topics needed in another experiment, computed when it is asked for; None where unknown.

    ================= =====================================================================
    difference        the difference to detect
    topics_needed     the number of topics that it takes
    power_of_needed   the power of that number
    smallest          the smallest difference that the present topics can detect
    power_of_smallest the power of these topics to detect it
    alpha             the significance level of this comparison: its share of the
                      family's
    seeded            True if a system has several runs, which are not planned for
    note              why a figure is None; "" if none is
    ================= =====================================================================

    The figures are those of the paired t test for normal differences with the standard deviation
    of those observed (noncentral t, see `topics_needed`). With another test they are None.
    """

    difference: float | None
    alpha: float
    method: Method = field(repr=False)
    differences: Floats = field(repr=False, compare=False)
    seeded: bool = False

    @cached_property
    def topics_needed(self) -> int | None:
        """Return the number of topics that the difference takes."""
        return None if self._few else self._formula

    @property
    def power_of_needed(self) -> float | None:
        """Return the power of that number of topics."""
        if self.topics_needed is None or self.difference is None or self._deviation is None:
            return None
        return stats.power_of_t(
            self.topics_needed, self.difference, self._deviation, alpha=self.alpha
        )

    @cached_property
    def smallest(self) -> float | None:
        """Return the smallest difference that the present number of topics can detect."""
        if self._deviation is None:
            return None
        return stats.smallest_difference(
            self._known.size, self._deviation, alpha=self.alpha, power=self.method.power
        )

    @property
    def power_of_smallest(self) -> float | None:
        """Return the power of the present topics to detect it."""
        return None if self.smallest is None else self.method.power

    @property
    def note(self) -> str:
        """Return why a figure is None, or ""."""
        if not can_plan(self.method):
            return _not_planned(self.method)
        if self.seeded:
            return NOT_OF_SEEDS
        if self._deviation is None:
            return f"fewer than {FEWEST} topics, or all of them differ by the same"
        return TOO_FEW if self._few else ""

    @cached_property
    def _known(self) -> Floats:
        return self.differences[~np.isnan(self.differences)]

    @cached_property
    def _deviation(self) -> float | None:
        """The standard deviation to plan with, or None."""
        known = self._known
        if (
            self.seeded
            or not can_plan(self.method)
            or known.size < FEWEST
            or is_constant(known[:, None]).all()
        ):
            return None
        return float(known.std(ddof=1))

    @cached_property
    def _formula(self) -> int | None:
        if self.difference is None or self._deviation is None:
            return None
        return stats.topics_needed(
            self.difference, self._deviation, alpha=self.alpha, power=self.method.power
        )

    @property
    def _few(self) -> bool:
        return self._formula is not None and self._formula < FEWEST


def can_plan(method: Method) -> bool:
    """Return True for the t test, the only one with a formula."""
    return method.test is TestName.STUDENT_T


def _not_planned(method: Method) -> str:
    return f"only --test t is planned for, not {method.test}"


def missing_plan(method: Method, n_comparisons: int, *, asked: bool) -> str:
    """Return why TSV, CSV and JSON have no plans, or ""."""
    if not can_plan(method):
        return _not_planned(method)
    if n_comparisons > UNASKED and not asked:
        return f"more than {UNASKED} comparisons are planned with --power only"
    return ""


def planned_risk(method: Method, n_pairs: int) -> float:
    """Return the significance level for planning one comparison: the smallest that remains for it.

    A test of all systems corrects over pairs by itself; its share is Bonferroni's, which is
    slightly smaller.
    """
    return method.alpha / (n_pairs if method.adjusts else 1)
