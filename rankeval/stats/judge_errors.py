"""The grades that several judges together point to, and how each judge errs (Dawid and Skene)."""

import numpy as np
import numpy.typing as npt

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, as_columns
from rankeval.stats.kappa_alpha import JudgedUnits

STEPS, PRECISION = 500, 1e-8
FEW = 100
"""Judgments up to which each row of a judge's matrix has one judgment more; of n, it has FEW / n:
those with 1,000 judgments hardly notice, those with ten are not taken for perfect."""
LEAST_JUDGES = 3


@frozen(eq=False)
class Consensus:
    """The most probable grade of each unit, and the judges' confusion matrices.

    ============= =====================================================================
    categories    grades that were given, in ascending order, shape (k,)
    prevalence    share of each grade, shape (k,)
    confusion     by judge, the probability of the grade given (last) where the true one is
                  another (before), shape (m, k, k)
    probabilities of each grade for each unit, shape (n, k); NaN for a unit without a value
    ============= =====================================================================
    """

    categories: Floats
    prevalence: Floats
    confusion: Floats
    probabilities: Floats

    @property
    def grades(self) -> Floats:
        """The most probable grade of each unit, the lower one of equals; NaN without a value."""
        whole = ~np.isnan(self.probabilities[:, 0])
        found = np.full(len(whole), np.nan)
        found[whole] = self.categories[self.probabilities[whole].argmax(axis=1)]
        return found


def dawid_skene(values: npt.ArrayLike) -> Consensus:
    r"""Estimate the true grades of units from several judges, and how each of them errs.

    .. math:: \Pr(g_u = k \mid v) \propto p_k \prod_j \pi^{(j)}_{k, v_{uj}}

    with p_k the prevalence of grade k and pi^(j)_kl the probability that judge j gives l where k is
    true. Expectation-maximisation starts with the share of judges for each grade and goes on until
    no probability changes by more than 1e-8. So that a judge with few judgments, or a grade that is
    rare, is not taken for perfect, each row of a judge's matrix has one judgment more (of a judge
    with n judgments, min(1, 100 / n)), spread as those of all judges together for that grade are;
    and those as one of equal judges.

    Shapes: values (n, m), units in rows, one column for each of m >= 3 judges; NaN where a judge
    gave no value.

    Edge cases
        - A unit without a value: probabilities NaN.
        - One category only: it is the grade of all.
        - Fewer than three judges, or no value: UsageError; with two, nothing says which one errs.

    Source: Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM
    algorithm", Applied Statistics 28(1), 1979.

    >>> found = dawid_skene([[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0], [0, 0, 0]])
    >>> found.grades.tolist()
    [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]
    """
    columns = as_columns(values, "values")
    units = JudgedUnits.of(columns)
    if columns.shape[1] < LEAST_JUDGES or not units.categories.size:
        raise UsageError(
            f"found the values of {columns.shape[1]} judges"
            if units.categories.size
            else "found no value",
            expected="three judges or more, with judgments: of two, nothing says which one errs",
            remedy="name another judge, or ask for no consensus",
        )
    # Units with the same values have the same probabilities: each pattern is counted once.
    patterns, pattern, numbers = np.unique(
        units.places, axis=0, return_inverse=True, return_counts=True
    )
    given = _one_hot(patterns, units.categories.size)
    seen = given.any(axis=1)
    counted, weights = given[seen], numbers[seen].astype(np.float64)
    belief = counted.reshape(len(counted), -1, units.categories.size).sum(axis=1)
    belief /= belief.sum(axis=1, keepdims=True)
    for _ in range(STEPS):
        prevalence, confusion = _maximised(belief, counted, weights)
        before, belief = belief, _expected(prevalence, confusion, counted)
        if np.abs(belief - before).max() <= PRECISION:
            break
    probabilities = np.full((len(patterns), units.categories.size), np.nan)
    probabilities[seen] = belief
    return Consensus(
        units.categories, prevalence, confusion, probabilities[pattern.reshape(len(columns))]
    )


def _one_hot(places: Integers, size: int) -> Floats:
    """Return 1 for the category that each judge gave to each unit, shape (n, m * k)."""
    found = places[:, :, np.newaxis] == np.arange(size)
    return found.reshape(len(places), -1).astype(np.float64)


def _maximised(belief: Floats, given: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the prevalence, and the smoothed confusion of each judge."""
    size = belief.shape[1]
    weighted = belief * weights[:, np.newaxis]
    counts = (weighted.T @ given).reshape(size, -1, size).transpose(1, 0, 2)
    together = counts.sum(axis=0)
    usual = (together + 1.0 / size) / (together.sum(axis=1, keepdims=True) + 1.0)
    extra = np.minimum(1.0, FEW / counts.sum(axis=(1, 2), keepdims=True).clip(1.0))
    smoothed = counts + extra * usual
    more = min(1.0, FEW / weights.sum())
    prevalence = (weighted.sum(axis=0) + more / size) / (weights.sum() + more)
    return prevalence, smoothed / smoothed.sum(axis=2, keepdims=True)


def _expected(prevalence: Floats, confusion: Floats, given: Floats) -> Floats:
    """Return the probability of each category for each unit."""
    logarithm = np.log(prevalence) + given @ np.log(confusion).transpose(0, 2, 1).reshape(
        given.shape[1], -1
    )
    chance = np.exp(logarithm - logarithm.max(axis=1, keepdims=True))
    found: Floats = chance / chance.sum(axis=1, keepdims=True)
    return found
