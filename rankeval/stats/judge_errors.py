"""The grades that several judges together point to, and how each judge errs (Dawid and Skene)."""

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, as_columns
from rankeval.stats.kappa_alpha import JudgedUnits

STEPS, PRECISION = 500, 1e-8
SMOOTHING = 1.0
"""Judgments of a grade that each judge is taken to have given already, spread as all judges'
together are: those with 1,000 judgments hardly notice, those with ten are not taken for perfect."""
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
    rare, is not taken for perfect, each row of a judge's matrix has one judgment more, spread as
    those of all judges together for that grade are; and those as one of equal judges.

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
            expected="three judges or more, one column each, and values of theirs",
        )
    given = _one_hot(units)
    seen = given.any(axis=(1, 2))
    counted = given[seen]
    belief = counted.sum(axis=1) / counted.sum(axis=(1, 2))[:, None]
    for _ in range(STEPS):
        prevalence, confusion = _maximised(belief, counted)
        before, belief = belief, _expected(prevalence, confusion, counted)
        if np.abs(belief - before).max() <= PRECISION:
            break
    probabilities = np.full((len(columns), units.categories.size), np.nan)
    probabilities[seen] = belief
    return Consensus(units.categories, prevalence, confusion, probabilities)


def _one_hot(units: JudgedUnits) -> Floats:
    """Return 1 for the category that each judge gave to each unit, shape (n, m, k)."""
    found = units.places[:, :, np.newaxis] == np.arange(units.categories.size)
    return found.astype(np.float64)


def _maximised(belief: Floats, given: Floats) -> tuple[Floats, Floats]:
    """Return the prevalence, and the smoothed confusion of each judge."""
    counts = np.einsum("uk,ujl->jkl", belief, given)
    size = belief.shape[1]
    together = counts.sum(axis=0)
    usual = (together + SMOOTHING / size) / (together.sum(axis=1, keepdims=True) + SMOOTHING)
    smoothed = counts + SMOOTHING * usual
    prevalence = (belief.sum(axis=0) + SMOOTHING / size) / (len(belief) + SMOOTHING)
    return prevalence, smoothed / smoothed.sum(axis=2, keepdims=True)


def _expected(prevalence: Floats, confusion: Floats, given: Floats) -> Floats:
    """Return the probability of each category for each unit."""
    logarithm = np.log(prevalence) + np.einsum("ujl,jkl->uk", given, np.log(confusion))
    chance = np.exp(logarithm - logarithm.max(axis=1, keepdims=True))
    found: Floats = chance / chance.sum(axis=1, keepdims=True)
    return found
