"""Arrays of any library as NumPy's, some rows at a time: tensors, tables, series and lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from rankeval.base.arrays import NDArray
from rankeval.base.wording import described
from rankeval.errors import UsageError
from rankeval.ranking.in_memory import is_ranx

AT_ONCE = 1 << 15
"""Numbers or names that are looked at together."""


class RowBlocks:
    """The rows of an array, a tensor, a table or a list, which `blocks` gives as NumPy's arrays."""

    def __init__(self, given: Any, name: str) -> None:
        """Take what has rows; UsageError, with the name of the argument, for anything else."""
        if is_ranx(given):
            raise UsageError(
                f"{name} are a {type(given).__name__} of ranx",
                expected="an array of numbers or names",
                remedy="give a Run of ranx to rankeval.evaluate or Evaluator as it is",
            )
        unordered = isinstance(given, AbstractSet) and not isinstance(given, KeysView)
        if isinstance(given, str | bytes | Mapping) or unordered:
            raise UsageError(
                f"{name} are {described(given)}", expected="an array, a tensor, a table or a list"
            )
        if not hasattr(given, "__array__") and not isinstance(given, list | tuple | range):
            given = list(given) if isinstance(given, Iterable) else np.asarray(given)
        self.given, self.name = given, name
        try:
            self.number = len(given)
        except TypeError:
            raise UsageError(
                f"{name} have 0 dimensions", expected="an array, a tensor, a table or a list"
            ) from None

    def blocks(self, at_once: int) -> Iterator[tuple[slice, NDArray[Any]]]:
        """Yield blocks of `at_once` rows, and their places; one block if there is no row."""
        rows = getattr(self.given, "iloc", self.given)
        for start in range(0, max(self.number, 1), at_once):
            place = slice(start, start + at_once)
            try:
                yield place, _as_numpy(rows[place])
            except (ValueError, TypeError) as error:
                raise self.no_array(error) from error

    def no_array(self, error: Exception) -> UsageError:
        """Return the error for rows of different lengths, and for what is no number."""
        lengths = [len(row) if hasattr(row, "__len__") else 0 for row in self.given]
        other = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
        problem = f"{self.name} are no array: {error}"
        if other is not None:
            problem = f"row {other} of {self.name} has {lengths[other]} values, row 0 {lengths[0]}"
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
    rows = _on_processor(rows)
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
    found = np.asarray(rows)
    # Text among other values would turn these into text: None, a masked value, -1 as padding.
    return np.array(rows, dtype=object) if found.dtype.kind in "US" else found


def _on_processor(tensor: Any) -> Any:
    """Return a tensor without its gradients, in the memory of the processor."""
    for step in ("detach", "cpu"):
        if hasattr(tensor, step):
            tensor = getattr(tensor, step)()
    return tensor
