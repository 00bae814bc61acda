"""Arrays of any library as NumPy's: tensors, tables, series and lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, KeysView, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from rankeval.base.arrays import NDArray
from rankeval.base.wording import count, described
from rankeval.errors import UsageError
from rankeval.ranking.in_memory import is_ranx

ROWS = "an array, a tensor, a table or a list"


def rows_of(given: Any, name: str) -> NDArray[Any]:
    """Return an array (n, k); UsageError, with the name of the argument, for anything else."""
    found = array_of(given, name)
    if not len(found):
        return found.reshape(0, 0) if found.ndim == 1 else found
    if found.ndim == 1 and isinstance(found[0], list | tuple | np.ndarray):
        raise _no_array(found, name, ValueError("the rows have different lengths"))
    if found.ndim != 2:
        raise UsageError(
            f"{name} have {count(found.ndim, 'dimension')}",
            expected="an array (n, k)",
            remedy=f"write [{name}] for one topic",
        )
    return found


def array_of(given: Any, name: str) -> NDArray[Any]:
    """Return what has rows as an array; UsageError for anything else."""
    if is_ranx(given):
        raise UsageError(
            f"{name} are a {type(given).__name__} of ranx",
            expected="an array of numbers or names",
            remedy="give a Run of ranx to rankeval.evaluate or Evaluator as it is",
        )
    unordered = isinstance(given, AbstractSet) and not isinstance(given, KeysView)
    if isinstance(given, str | bytes | Mapping) or unordered:
        raise UsageError(f"{name} are {described(given)}", expected=ROWS)
    if not hasattr(given, "__array__") and isinstance(given, Iterable):
        given = list(given)
    try:
        found = _as_numpy(given)
    except (ValueError, TypeError) as error:
        raise _no_array(given, name, error) from error
    if not found.ndim:
        raise UsageError(f"{name} have 0 dimensions", expected=ROWS)
    return found


def _no_array(rows: Any, name: str, error: Exception) -> UsageError:
    """Return the error for rows of different lengths, and for what is not a number."""
    lengths = [len(row) if hasattr(row, "__len__") else 0 for row in rows]
    other = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
    problem = f"{name} cannot be read as an array: {error}"
    if other is not None:
        problem = f"row {other} of {name} has {lengths[other]} values, row 0 {lengths[0]}"
    return UsageError(
        problem,
        expected="rows of one length",
        remedy="fill short rows of ids with pad, and of scores with 0",
    )


def is_missing(value: object) -> bool:
    """Return True for None, NaN and the missing value of pandas."""
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _as_numpy(rows: Any) -> NDArray[Any]:
    if isinstance(rows, list | tuple):
        return _from_list(rows)
    for step in ("detach", "cpu"):  # a tensor, from its gradients and into the memory of here
        if hasattr(rows, step):
            rows = getattr(rows, step)()
    try:
        found = np.asanyarray(rows)
    except TypeError:  # such as a tensor of bfloat16, which NumPy does not know
        if not hasattr(rows, "float"):
            raise
        return np.asarray(rows.float())
    is_column = found.ndim == 1 and found.dtype.kind == "O" and len(found) > 0
    if is_column and isinstance(found[0], list | tuple | np.ndarray):
        return _from_list([[*row] for row in found.tolist()])  # a column of lists
    return found


def _from_list(rows: Sequence[Any]) -> NDArray[Any]:
    if rows and (hasattr(rows[0], "detach") or isinstance(rows[0], np.ma.MaskedArray)):
        masked = any(isinstance(row, np.ma.MaskedArray) for row in rows)
        stacked: NDArray[Any] = (np.ma if masked else np).stack([_as_numpy(row) for row in rows])
        return stacked
    # Text among other values would turn these into text: None, a masked value, -1 as padding.
    if rows and np.asarray(rows[0]).dtype.kind in "US":
        return np.array(rows, dtype=object)
    found = np.asarray(rows)
    return np.array(rows, dtype=object) if found.dtype.kind in "US" else found
