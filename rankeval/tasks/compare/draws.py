"""Numbers of draws of a comparison: so many that what is corrected can still pass alpha."""

import math

from rankeval.choices import Correction, IntervalMethod, SystemsTest
from rankeval.errors import UsageError
from rankeval.stats.arrays import LEAST_RISK
from rankeval.stats.intervals import SAMPLES
from rankeval.stats.randomization import PERMUTATIONS
from rankeval.stats.resolution import DRAWING, smallest_p_value
from rankeval.stats.tukey import PERMUTATIONS as SHUFFLES
from rankeval.support.wording import count
from rankeval.tasks.compare.method import Method

PASSING = 5
"""So many times the smallest p-value of the draws is at most alpha over the comparisons."""
IN_TAIL = 10
"""Fewest bootstrap samples beyond each end of an interval."""
MOST = 1_000_000
"""Most draws of a test or an interval, which take some seconds."""


def draws_of_test(method: Method, n_pairs: int, families: int) -> int:
    """Return the draws of each test; UsageError where no difference could be significant.

    `n_pairs` is the number of pairs of a measure and a group of topics, and `families` that of
    measures times groups. A test of all systems is corrected over the latter only.
    """
    shuffles = method.test is SystemsTest.RANDOMIZED_TUKEY
    usual = SHUFFLES if shuffles else PERMUTATIONS
    if not shuffles and method.test not in DRAWING:
        return usual
    comparisons = families if shuffles else n_pairs * families
    family = 1 if method.corrected is Correction.NONE else comparisons
    draws = min(max(usual, math.ceil(PASSING * family / method.alpha)), max(MOST, usual))
    least = smallest_p_value(
        "randomization", family=family, correction=method.corrected, resamples=draws
    )
    if least < method.alpha:
        return draws
    what = count(comparisons, "table" if shuffles else "comparison")
    raise UsageError(
        f"{draws:,} draws give no corrected p-value below {least:.2g} for {what}, and alpha is "
        f"{method.alpha:g}: no difference could be significant",
        place=f"test='{method.test}'",
        expected="a test that can reach alpha",
        remedy=f"take test='{'tukey' if shuffles else 't'}', or compare fewer measures or runs",
    )


def interval_risk(method: Method, n_pairs: int, families: int) -> float:
    """Return 1 - the level of each interval: Bonferroni's share of alpha if they hold together."""
    if not method.together:
        return method.alpha
    over_measures = not (method.of_systems and method.corrected is Correction.NONE)
    comparisons = n_pairs * (families if over_measures else 1)
    risk = method.alpha / comparisons
    if risk >= LEAST_RISK / 10:  # what 1 - risk tells from none
        return risk
    raise UsageError(
        f"leaves a risk of {risk:.2g} for each interval of {count(comparisons, 'comparison')}, "
        "which floats do not tell from none",
        place=f"alpha={method.alpha:g}",
        expected=f"{comparisons * LEAST_RISK:.2g} or more for so many",
        remedy="raise alpha=, or take interval_level='each'",
    )


def samples_of_interval(method: Method, risk: float) -> int:
    """Return the bootstrap samples of each interval; UsageError where they would be too many."""
    needed = max(SAMPLES, math.ceil(2 * IN_TAIL / risk))
    if method.interval is IntervalMethod.STUDENT_T or needed <= MOST:
        return min(needed, MOST)
    raise UsageError(
        f"an interval with a risk of {risk:.2g} takes {needed:,} samples",
        place=f"interval='{method.interval}'",
        expected=f"at most {MOST:,}",
        remedy="take interval='t' or interval_level='each', or compare fewer measures or runs",
    )
