"""Checks of arrays and numbers that all modules of statistics share."""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rankeval.base.wording import described
from rankeval.errors import UsageError

Floats = npt.NDArray[np.float64]

Ends = tuple[float | None, float | None]
"""Both ends of an interval; None where it has none."""

# Measure values are sums of at most some thousand doubles of order 1: what two ways of adding
# them up can differ by. Without it the test statistics of topics that moved by the same 0.2
# differ in the last bit, and ties are miscounted.
NOISE = 1e-12

LEAST_RISK = 1e-15
"""The least risk that can be asked for: 1 minus less than a tenth of it is 1 as a float."""


def as_floats(values: npt.ArrayLike, name: str) -> Floats:
    """Return `values` as an array of float64; UsageError for what are no numbers."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(
            f"{name} are {described(values)}", expected="an array of numbers"
        ) from None


def as_vector(values: npt.ArrayLike, name: str) -> Floats:
    """Return `values` as float64 of shape (n,); NaN means "no value", infinity is refused."""
    vector = as_floats(values, name)
    if vector.ndim != 1:
        problem = f"{name}: found an array of shape {vector.shape}"
        raise UsageError(problem, expected="one value per topic, shape (n,)")
    return _without_infinity(vector, name)


def as_columns(values: npt.ArrayLike, name: str) -> Floats:
    """Return `values` as float64 of shape (n, m); a vector is one column."""
    columns = as_floats(values, name)
    if columns.ndim == 1:
        columns = columns[:, np.newaxis]
    if columns.ndim != 2:
        problem = f"{name}: found an array of shape {columns.shape}"
        raise UsageError(problem, expected="topics in rows, one column for each comparison")
    return _without_infinity(columns, name)


def as_pair(first: npt.ArrayLike, second: npt.ArrayLike, of: str) -> tuple[Floats, Floats]:
    """Return two values of the same things without those that have a NaN; `of` names one thing."""
    one, other = as_vector(first, "first"), as_vector(second, "second")
    if one.shape != other.shape:
        problem = f"found {one.size} values and {other.size}"
        raise UsageError(problem, expected=f"one value per {of} on both sides")
    both = ~(np.isnan(one) | np.isnan(other))
    return one[both], other[both]


def complete_groups(columns: Floats) -> Iterator[tuple[list[int], Floats]]:
    """Yield (column numbers, rows without NaN) for each set of columns that lack the same rows.

    Pairs are excluded column by column, while the arithmetic below it is free to assume complete,
    rectangular data. Nearly always there is one group.
    """
    groups: dict[bytes, list[int]] = {}
    missing = np.isnan(columns)
    for column in range(columns.shape[1]):
        groups.setdefault(missing[:, column].tobytes(), []).append(column)
    for members in groups.values():
        yield members, columns[~missing[:, members[0]]][:, members]


def is_constant(columns: Floats) -> npt.NDArray[np.bool_]:
    """Return True for each column without variance other than rounding noise; needs a row."""
    spread: npt.NDArray[np.bool_] = np.ptp(columns, axis=0) <= NOISE * np.abs(columns).max(axis=0)
    return spread


def require_fraction(value: float, name: str) -> float:
    """Return `value` if it lies strictly between 0 and 1."""
    if not 0.0 < value < 1.0:
        problem = f"{name} is {value}"
        raise UsageError(problem, expected="a number between 0 and 1, both excluded")
    return float(value)


def require_risk(value: float, name: str) -> float:
    """Return `value` if floats distinguish the risk from 0: from `LEAST_RISK` to below 1."""
    if not LEAST_RISK <= value < 1.0:
        problem = f"{name} is {value}"
        raise UsageError(problem, expected=f"a risk from {LEAST_RISK:g} to below 1, usually 0.05")
    return float(value)


def require_count(value: object, name: str) -> int:
    """Return `value` if it is a whole number, and at least 1; True and 1.5 are none."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        problem = f"{name} is {value}"
        raise UsageError(problem, expected="a whole number of at least 1")
    return int(value)


def _without_infinity(values: Floats, name: str) -> Floats:
    if np.isinf(values).any():
        problem = f"{name}: found an infinite value"
        raise UsageError(problem, expected="finite values, NaN where a topic has none")
    return values


def random_numbers(seed: int, *place: int) -> np.random.Generator:
    """Return random numbers of a seed, others for each place; UsageError for one below 0."""
    if seed < 0:
        raise UsageError(f"the seed is {seed}", expected="a whole number of at least 0")
    return np.random.default_rng((seed, *place) if place else seed)


def require_power(alpha: float, power: float) -> None:
    """Raise UsageError unless 0 < alpha < power < 1."""
    require_fraction(alpha, "alpha")
    require_fraction(power, "power")
    if power <= alpha:
        problem = f"power {power} is not above alpha {alpha}"
        raise UsageError(problem, expected="a power above alpha")


def require_margin(margin: float) -> None:
    """Raise UsageError for a margin of equivalence that is not above 0."""
    if not (math.isfinite(margin) and margin > 0.0):
        raise UsageError(
            f"the margin of equivalence is {margin}",
            expected="a number above 0, in the measure's own units",
        )
