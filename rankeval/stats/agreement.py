"""Agreement of judges beyond chance: Cohen's and Fleiss' kappa, and Krippendorff's alpha."""

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.stats.arrays import Floats, as_columns, as_vector


class KappaWeights(StrEnum):
    """Weights of a disagreement in Cohen's kappa."""

    PLAIN = "plain"  # all disagreements count the same
    LINEAR = "linear"  # by the number of categories between the two
    QUADRATIC = "quadratic"  # by its square


class Level(StrEnum):
    """Levels of measurement, which say how far two values disagree in Krippendorff's alpha."""

    NOMINAL = "nominal"  # equal or not
    ORDINAL = "ordinal"  # by the values that were given from one to the other
    INTERVAL = "interval"  # by the square of the difference


def cohen_kappa(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    weights: KappaWeights | str = KappaWeights.PLAIN,
) -> float | None:
    r"""Return Cohen's kappa: how far two judges agree beyond chance.

    .. math:: \kappa = 1 - \frac{\sum_{ij} w_{ij}\, n_{ij}}{\sum_{ij} w_{ij}\, n_{i.} n_{.j} / n}

    with n_ij the units to which the first gave the i-th category and the second the j-th, and w_ij
    = [i != j], |i - j|, or (i - j)^2. The categories are the values that were given, in
    ascending order; grades that nobody gave leave no gap between others.

    Shapes: two arrays (n,), the same units in the same order.

    Edge cases
        - NaN on either side: the unit is left out.
        - No unit, or one category only: None, because nothing could disagree by chance.

    Source: Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20(1), 1960; weighted: "Weighted kappa", Psychological Bulletin 70(4), 1968.

    >>> round(cohen_kappa([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 0]), 3)
    0.5
    """
    one, other = as_vector(first, "first"), as_vector(second, "second")
    if one.shape != other.shape:
        problem = f"found {one.size} values and {other.size}"
        raise UsageError(problem, expected="one value per unit on both sides")
    both = ~(np.isnan(one) | np.isnan(other))
    n_units = int(both.sum())
    categories, places = np.unique(np.concatenate((one[both], other[both])), return_inverse=True)
    size = categories.size
    table = np.bincount(places[:n_units] * size + places[n_units:], minlength=size * size)
    table = table.reshape(size, size).astype(np.float64)
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    power = {KappaWeights.PLAIN: 0, KappaWeights.LINEAR: 1, KappaWeights.QUADRATIC: 2}
    lost = np.where(apart > 0, apart ** power[KappaWeights(weights)], 0.0)
    by_chance = float((lost * np.outer(table.sum(axis=1), table.sum(axis=0))).sum())
    return 1.0 - n_units * float((lost * table).sum()) / by_chance if by_chance else None


def fleiss_kappa(values: npt.ArrayLike) -> float | None:
    r"""Return Fleiss' kappa: how far several judges agree beyond chance on categories.

    .. math:: \kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e}, \qquad
        \bar P = \frac1n \sum_u \frac{\sum_k n_{uk} (n_{uk} - 1)}{m (m - 1)}, \qquad
        \bar P_e = \sum_k \Bigl(\frac{\sum_u n_{uk}}{n m}\Bigr)^2

    with n_uk the judges who gave the k-th category to unit u. For two judges it is Scott's pi, and
    not Cohen's kappa: the judges are taken to share their habits.

    Shapes: values (n, m), units in rows, one column for each of m >= 2 judges.

    Edge cases
        - A unit with a NaN is left out: all m judges are needed.
        - No unit, or one category only: None.
        - Fewer than two judges: UsageError.

    Source: Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin
    76(5), 1971.

    >>> round(fleiss_kappa([[1, 1, 1], [0, 0, 1], [2, 2, 2], [0, 0, 0]]), 3)
    0.745
    """
    units = _of_judges(values)
    counts = _counts(units[~np.isnan(units).any(axis=1)])[1]
    n_units, judges = len(counts), units.shape[1]
    if not n_units:
        return None
    share = counts.sum(axis=0) / (n_units * judges)
    by_chance = float(share @ share)
    agreed = float((counts * (counts - 1.0)).sum()) / (n_units * judges * (judges - 1))
    return (agreed - by_chance) / (1.0 - by_chance) if counts.shape[1] > 1 else None


def krippendorff_alpha(
    values: npt.ArrayLike, *, level: Level | str = Level.NOMINAL
) -> float | None:
    r"""Return Krippendorff's alpha: how far judges agree beyond chance, values missing or not.

    .. math:: \alpha = 1 - (N - 1) \frac{\sum_u \frac{1}{m_u - 1} \sum_{k < l} n_{uk} n_{ul}
        \delta_{kl}}{\sum_{k < l} n_k n_l \delta_{kl}}

    over the units u with m_u >= 2 values, N values in all; n_uk of them are the k-th category in
    unit u, and n_k in all units. The disagreement of categories v_k < v_l is

    ========  ===================================================================
    level     delta
    ========  ===================================================================
    nominal   1
    ordinal   (n_k / 2 + n_(k+1) + ... + n_(l-1) + n_l / 2) squared
    interval  (v_k - v_l) squared
    ========  ===================================================================

    Shapes: values (n, m), units in rows, one column for each of m >= 2 judges; NaN where a judge
    gave no value.

    Edge cases
        - No unit with two values, or one category only: None.
        - Fewer than two judges: UsageError.

    Source: Krippendorff, Content Analysis, 2nd edition, 2004, chapter 11; Hayes and Krippendorff,
    "Answering the call for a standard reliability measure for coding data", Communication Methods
    and Measures 1(1), 2007.

    >>> round(krippendorff_alpha([[1, 1], [2, 3], [3, 3], [2, 2]], level="ordinal"), 3)
    0.79
    """
    units = _of_judges(values)
    categories, counts = _counts(units[(~np.isnan(units)).sum(axis=1) >= 2])
    if categories.size < 2:
        return None
    totals = counts.sum(axis=0)
    apart = _disagreement(Level(level), categories, totals)
    # Sums over all k and l are twice those over k < l.
    by_chance = float(totals @ apart @ totals)
    pairs = np.einsum("uk,kl,ul->u", counts, apart, counts, optimize=True)
    seen = float((pairs / (counts.sum(axis=1) - 1.0)).sum())
    return 1.0 - (float(totals.sum()) - 1.0) * seen / by_chance


def _of_judges(values: npt.ArrayLike) -> Floats:
    units = as_columns(values, "values")
    if units.shape[1] < 2:
        problem = f"found the values of {units.shape[1]} judge"
        raise UsageError(problem, expected="two judges or more, one column each")
    return units


def _counts(units: Floats) -> tuple[Floats, Floats]:
    """Return the categories in ascending order, and how often each unit has each, shape (n, k)."""
    rows, columns = np.nonzero(~np.isnan(units))
    categories, places = np.unique(units[rows, columns], return_inverse=True)
    counts = np.bincount(
        rows * categories.size + places, minlength=len(units) * categories.size
    ).reshape(len(units), categories.size)
    return categories, counts.astype(np.float64)


def _disagreement(level: Level, categories: Floats, totals: Floats) -> Floats:
    """Return delta for each pair of categories, shape (k, k)."""
    if level is Level.NOMINAL:
        return 1.0 - np.eye(categories.size)
    place = categories if level is Level.INTERVAL else np.cumsum(totals) - totals / 2.0
    found: Floats = np.subtract.outer(place, place) ** 2
    return found
