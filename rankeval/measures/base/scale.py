"""Scale grades to gains from 0 to 1, for measures whose gain is a share or a probability."""

from typing import Annotated, Literal

import numpy as np

from rankeval.errors import MeasureError
from rankeval.measures.base.parameters import AtLeast, Meaning, MoreThan
from rankeval.ranking import RankedJudgments
from rankeval.support.arrays import Floats, Grades

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
