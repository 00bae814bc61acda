"""Logarithms as the C library takes them, and grades on a scale from 0 to 1."""

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import Floats, Grades, NDArray
from rankeval.errors import MeasureError
from rankeval.measures.declare.measure_parameters import AtLeast, Meaning, MoreThan
from rankeval.ranking import RankedJudgments

MinRel = Annotated[int | float, AtLeast(0), Meaning("grade of gain 0, and so are those below")]
MaxRel = Annotated[
    int | float | Literal["qrels"],
    MoreThan(0),
    Meaning("grade of gain 1, and so are those above; 'qrels' takes the largest in the qrels file"),
]


def scaled_gain(
    grade: Grades, judged: RankedJudgments, *, min_rel: float = 0, max_rel: float | str
) -> Floats:
    """Return (clip(g, min_rel, max_rel) - min_rel) / (max_rel - min_rel), from 0 to 1."""
    largest = judged.highest_grade if isinstance(max_rel, str) else max_rel
    if largest > min_rel:
        clipped: Floats = np.clip(grade, min_rel, largest).astype(float)
        return (clipped - min_rel) / (largest - min_rel)
    if isinstance(max_rel, str):
        return np.zeros(len(grade))
    raise MeasureError(
        f"max_rel={max_rel:g} is not above min_rel={min_rel:g}",
        expected="the lowest and the highest grade of the scale",
    )


def scale_is_exceeded(
    judged: RankedJudgments, *, max_rel: float | str | None, **_: object
) -> str | None:
    """Return a warning if grades are above the stated scale."""
    if max_rel is None or isinstance(max_rel, str) or judged.highest_grade <= max_rel:
        return None
    return (
        f"the largest grade in the qrels is {judged.highest_grade:g}: "
        f"grades above max_rel={max_rel:g} count as {max_rel:g}"
    )


LOW = 1 << 16
"""Logarithms of smaller integers, such as ranks, are taken once and kept in a table."""

OfNumber = Callable[[float], float]


def log(values: NDArray[Any]) -> Floats:
    """Return natural logarithms; minus infinity for 0 and NaN below."""
    return _each(math.log, values)


def log2(values: NDArray[Any]) -> Floats:
    """Return logarithms to base 2; minus infinity for 0 and NaN below."""
    return _each(math.log2, values)


def _each(function: OfNumber, values: NDArray[Any]) -> Floats:
    if values.dtype == np.int64:
        # As unsigned integers, negative ones are large.
        greatest = int(values.view(np.uint64).max(initial=0))
        if greatest < LOW:
            return _table(function, greatest.bit_length())[values]
    distinct, which = np.unique(values, return_inverse=True)
    return _logarithms(function, distinct.tolist())[which].reshape(np.shape(values))


@lru_cache(maxsize=64)
def _table(function: OfNumber, bits: int) -> Floats:
    """Return the logarithms of all integers that have so many bits."""
    return _logarithms(function, range(1 << bits))


def _logarithms(function: OfNumber, values: Iterable[float]) -> Floats:
    return np.array(
        [function(v) if v > 0 else -math.inf if v == 0 else math.nan for v in values], dtype=float
    )
