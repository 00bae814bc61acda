"""Agreement of judges beyond chance: Cohen's, Gwet's and Krippendorff's coefficients."""

from enum import StrEnum
from itertools import permutations
from typing import Self

import numpy as np
import numpy.typing as npt

from rankeval.base.arrays import Integers
from rankeval.base.checked import checked
from rankeval.base.frozen import record
from rankeval.base.wording import finite
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, as_columns, as_pair


class KappaWeights(StrEnum):
    """Weights of a disagreement in Cohen's kappa."""

    PLAIN = "plain"  # all disagreements count the same
    QUADRATIC = "quadratic"  # by its square


class Level(StrEnum):
    """Levels of measurement, which say how far two values disagree in Krippendorff's alpha."""

    NOMINAL = "nominal"  # equal or not
    ORDINAL = "ordinal"  # by the values that were given from one to the other


@checked
def cohen_kappa(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    weights: KappaWeights | str = KappaWeights.PLAIN,
) -> float | None:
    r"""Return Cohen's kappa: how far two judges agree beyond chance.

    .. math:: \kappa = 1 - \frac{\sum_{ij} w_{ij}\, n_{ij}}{\sum_{ij} w_{ij}\, n_{i.} n_{.j} / n}

    with n_ij the units to which the first gave the i-th category and the second the j-th, and w_ij
    = [i != j] or (v_i - v_j)^2. The categories v_i are the values that were given;
    their distances are those of the values, so that 1 and 3 are two apart whether somebody gave a
    2 or not.

    Shapes: two arrays (n,), the same units in the same order.

    Edge cases
        - NaN on either side: the unit is left out.
        - No unit, or one category only: None, because nothing could disagree by chance.

    Source: Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20(1), 1960; weighted: "Weighted kappa", Psychological Bulletin 70(4), 1968.

    >>> round(cohen_kappa([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 0]), 3)
    0.5
    """
    units = np.stack(as_pair(first, second, "unit"), axis=1)
    found = JudgedUnits.of(units)
    return number(kappas(confusion(found), found.categories, weights))


@checked
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
    found = JudgedUnits.of(units)
    return number(alphas(coincidences(found), found.categories, level))


@checked
def gwet_ac(values: npt.ArrayLike) -> float | None:
    r"""Return Gwet's AC1: agreement beyond chance, stable for rare categories.

    .. math:: \mathrm{AC1} = \frac{p_a - p_e}{1 - p_e}, \qquad
        p_e = \frac{1}{q - 1} \sum_k \pi_k (1 - \pi_k)

    with p_a the mean over units with two values or more of the share of pairs of judges that agree,
    and pi_k the mean over all units with a value of the share of their values that are in the k-th
    of q categories. Where nearly all documents have one grade, kappa is low however often judges
    agree; AC1 is not.

    Shapes: values (n, m), units in rows, one column for each of m >= 2 judges; NaN where a judge
    gave no value.

    Edge cases
        - A unit with one value counts in pi only, one without any not at all.
        - No unit with two values, or one category only: None.
        - Fewer than two judges: UsageError.

    Source: Gwet, "Computing inter-rater reliability and its variance in the presence of high
    agreement", British Journal of Mathematical and Statistical Psychology 61(1), 2008; Handbook of
    Inter-Rater Reliability, 4th edition, 2014, chapters 4 and 5.

    >>> round(gwet_ac([[1, 1], [0, 0], [0, 0], [0, 1]]), 3)
    0.529
    """
    found = JudgedUnits.of(_of_judges(values))
    shares, given = pair_shares(found), given_shares(found)
    return number(gwets(shares, given, found.categories))


@record
class JudgedUnits:
    """Units in groups, such as documents in topics, and the category of each judge's value.

    ========== =======================================================================
    categories values in ascending order, all that were given among them, shape (k,)
    places     the category of each value, -1 where a judge gave none, shape (n, m)
    groups     the group of each unit, from 0 to n_groups - 1, shape (n,)
    ========== =======================================================================
    """

    categories: Floats
    places: Integers
    groups: Integers
    n_groups: int

    @classmethod
    def of(cls, values: Floats, groups: Integers | None = None, n_groups: int = 1) -> Self:
        """Take values of shape (n, m), NaN where a judge gave none; one group by default."""
        there = ~np.isnan(values)
        places = np.full(values.shape, -1)
        categories = np.unique(values[there])
        places[there] = categories.searchsorted(values[there])
        found = np.zeros(len(values), dtype=np.int64) if groups is None else groups
        return cls(categories, places, found, n_groups)


def confusion(units: JudgedUnits) -> Floats:
    """Count the units of each group by the categories that two judges gave, shape (g, k, k)."""
    return _table(units, 0, 1, np.ones(len(units.places)))


def coincidences(units: JudgedUnits) -> Floats:
    r"""Return Krippendorff's coincidences of categories in each group, shape (g, k, k).

    .. math:: o_{kl} = \sum_u \frac{n_{uk} (n_{ul} - [k = l])}{m_u - 1}

    over units with at least two values, so that the sum over all categories is the number of their
    values.
    """
    n_values = (units.places >= 0).sum(axis=1)
    return _of_pairs(units, 1.0 / np.maximum(n_values - 1.0, 1.0))


def pair_shares(units: JudgedUnits) -> Floats:
    """Return the shares of each unit's pairs of values, summed over units, shape (g, k, k).

    A unit with two values or more adds 1 to the table of its group, however many it has.
    """
    n_values = (units.places >= 0).sum(axis=1)
    return _of_pairs(units, 1.0 / np.maximum(n_values * (n_values - 1.0), 1.0))


def given_shares(units: JudgedUnits) -> Floats:
    """Return the shares of each unit's values in each category, summed over units, shape (g, k).

    A unit with a value or more adds 1 to the row of its group, however many it has.
    """
    there, size = units.places >= 0, units.categories.size
    share = there / np.maximum(there.sum(axis=1), 1)[:, np.newaxis]
    cells = (units.groups[:, np.newaxis] * size + units.places)[there]
    found = np.bincount(cells, share[there], minlength=units.n_groups * size)
    return found.astype(np.float64).reshape(units.n_groups, size)


def _of_pairs(units: JudgedUnits, weight: Floats) -> Floats:
    """Count the ordered pairs of values of each unit, with the unit's weight."""
    judges = range(units.places.shape[1])
    size = units.categories.size
    empty = np.zeros((units.n_groups, size, size))
    return sum((_table(units, *pair, weight) for pair in permutations(judges, 2)), start=empty)


def _table(units: JudgedUnits, first: int, second: int, weight: Floats) -> Floats:
    one, other = units.places[:, first], units.places[:, second]
    both, size = (one >= 0) & (other >= 0), units.categories.size
    cells = (units.groups[both] * size + one[both]) * size + other[both]
    found = np.bincount(cells, weight[both], minlength=units.n_groups * size * size)
    return found.astype(np.float64).reshape(units.n_groups, size, size)


def kappas(
    tables: Floats, categories: Floats, weights: KappaWeights | str = KappaWeights.PLAIN
) -> Floats:
    """Return Cohen's kappa of each table of units, shape (g, k, k) to (g,); NaN for None."""
    apart = np.abs(np.subtract.outer(categories, categories))
    power = {KappaWeights.PLAIN: 0, KappaWeights.QUADRATIC: 2}
    lost = np.where(apart > 0, apart ** power[KappaWeights(weights)], 0.0)
    by_chance = np.einsum("gk,kl,gl->g", tables.sum(axis=2), lost, tables.sum(axis=1))
    seen = tables.sum(axis=(1, 2)) * (lost * tables).sum(axis=(1, 2))
    return 1.0 - divided(seen, by_chance)


def agreed(tables: Floats) -> Floats:
    """Return the share of each table that is on its diagonal, shape (g, k, k) to (g,)."""
    return divided(np.trace(tables, axis1=1, axis2=2), tables.sum(axis=(1, 2)))


def alphas(tables: Floats, categories: Floats, level: Level | str = Level.NOMINAL) -> Floats:
    """Return Krippendorff's alpha of each table of coincidences; NaN for None."""
    totals = tables.sum(axis=2)
    apart = _disagreement(Level(level), categories, totals)
    by_chance = np.einsum("gk,gkl,gl->g", totals, apart, totals)
    seen = (totals.sum(axis=1) - 1.0) * (tables * apart).sum(axis=(1, 2))
    return 1.0 - divided(seen, by_chance)


def gwets(tables: Floats, given: Floats, categories: Floats) -> Floats:
    """Return Gwet's AC1 of each table of shares of pairs, with the shares given to categories.

    Shapes (g, k, k) and (g, k) to (g,); NaN for None.
    """
    size = categories.size
    if size < 2:
        return np.full(len(tables), np.nan)
    share = divided(given, given.sum(axis=1)[:, np.newaxis])
    by_chance = 1.0 / (size - 1) * (share * (1.0 - share)).sum(axis=1)
    return divided(agreed(tables) - by_chance, 1.0 - by_chance)


def _disagreement(level: Level, categories: Floats, totals: Floats) -> Floats:
    """Return delta for each pair of categories in each group, shape (g, k, k)."""
    if level is Level.NOMINAL:
        return np.broadcast_to(1.0 - np.eye(categories.size), (len(totals), *2 * totals.shape[1:]))
    place = np.cumsum(totals, axis=1) - totals / 2.0
    found: Floats = (place[:, :, np.newaxis] - place[:, np.newaxis, :]) ** 2
    return found


def divided(above: Floats, below: Floats) -> Floats:
    """Divide, with NaN where the divisor is 0."""
    return np.where(below != 0.0, above / np.where(below != 0.0, below, 1.0), np.nan)


def number(values: Floats) -> float | None:
    """Return the only value, None for NaN."""
    (value,) = values.tolist()
    return finite(value)


def _of_judges(values: npt.ArrayLike) -> Floats:
    units = as_columns(values, "values")
    if units.shape[1] < 2:
        problem = f"found the values of {units.shape[1]} judge"
        raise UsageError(problem, expected="two judges or more, one column each")
    return units
