"""Plan another experiment from the differences of one comparison."""

from dataclasses import field
from functools import cached_property

from rankeval.stats import Correction, Planned, TestName, detectable_difference, topics_to_detect
from rankeval.support.arrays import Floats
from rankeval.support.frozen import frozen
from rankeval.tasks.compare.method import Method

UNASKED = 20
"""Most comparisons whose plans TSV, CSV and JSON have unasked; each takes some milliseconds."""


@frozen
class Planning:
    """Topics needed in another experiment, simulated when it is asked for; None where unknown.

    ================== ====================================================================
    difference         the difference to detect
    topics_needed      the number of topics that it takes
    power_of_needed    the power of that number
    smallest           the smallest difference that the present number of topics can detect
    power_of_smallest  the power of these topics to detect it
    alpha              the significance level of this comparison: its share of the family's
    ================== ====================================================================

    The figures are those of the paired t test, on topics like those observed; see
    `topics_to_detect`. With another test they are None.
    """

    difference: float | None
    alpha: float
    method: Method = field(repr=False)
    differences: Floats = field(repr=False, compare=False)

    @property
    def topics_needed(self) -> int | None:
        """Return the number of topics that the difference takes."""
        return None if self._needed is None else int(self._needed.value)

    @property
    def power_of_needed(self) -> float | None:
        """Return the power of that number of topics."""
        return None if self._needed is None else self._needed.power

    @property
    def smallest(self) -> float | None:
        """Return the smallest difference that the present number of topics can detect."""
        return None if self._smallest is None else self._smallest.value

    @property
    def power_of_smallest(self) -> float | None:
        """Return the power of the present topics to detect it."""
        return None if self._smallest is None else self._smallest.power

    @cached_property
    def _needed(self) -> Planned | None:
        if self.difference is None or not can_plan(self.method):
            return None
        return topics_to_detect(
            self.differences,
            self.difference,
            alpha=self.alpha,
            power=self.method.power,
            seed=self.method.seed,
        )

    @cached_property
    def _smallest(self) -> Planned | None:
        if not can_plan(self.method):
            return None
        return detectable_difference(
            self.differences, alpha=self.alpha, power=self.method.power, seed=self.method.seed
        )


def can_plan(method: Method) -> bool:
    """Return True for the t test; the simulation of other tests would take too long."""
    return method.test is TestName.STUDENT_T


def missing_plan(method: Method, n_comparisons: int, *, asked: bool) -> str:
    """Return why TSV, CSV and JSON have no plans, or ""."""
    if not can_plan(method):
        return f"only --test t is planned for, not {method.test}"
    if n_comparisons > UNASKED and not asked:
        return f"more than {UNASKED} comparisons are planned with --power only"
    return ""


def planned_risk(method: Method, n_pairs: int, families: int) -> float:
    """Return the significance level for planning one comparison: the smallest that remains for it.

    A test of all systems corrects over pairs by itself; its share is Bonferroni's, which is
    slightly smaller.
    """
    uncorrected = method.corrected is Correction.NONE
    over_pairs = 1 if uncorrected and not method.of_systems else n_pairs
    return method.alpha / (over_pairs * (1 if uncorrected else families))
