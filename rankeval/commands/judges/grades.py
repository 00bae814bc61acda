"""The scale of judgments: the grades that there are, and the refusal of all others."""

import math
import os
import re
from collections.abc import Sequence

import numpy as np

from rankeval.base.wording import quoted
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.reading import Reading
from rankeval.io.read import read_columns
from rankeval.io.sources.blocks import is_rereadable
from rankeval.ranking.qrels import Qrels, QrelsLike

GradesLike = str | Sequence[float]
MOST_GRADES = 1_000
"""Grades of a scale, which the table of grades shows all."""


def scale_of(grades: GradesLike | None, unjudged_grade: float | None) -> tuple[float, ...] | None:
    """Return the grades of a scale in ascending order, each once.

    >>> scale_of("0-3", None), scale_of("1,0.5,0", None)
    ((0, 1, 2, 3), (0.0, 0.5, 1.0))
    """
    if grades is None:
        return None
    scale = tuple(sorted({*(_read(grades) if isinstance(grades, str) else grades)}))
    if not 2 <= len(scale) <= MOST_GRADES or not all(map(math.isfinite, scale)):
        raise UsageError(
            f"the scale has {len(scale)} different grades",
            expected=f"2 to {MOST_GRADES:,} different numbers",
        )
    if unjudged_grade in scale:
        raise UsageError(
            f"the scale has grade {unjudged_grade:g}, which is that of unjudged documents",
            expected="a scale of the grades that judges give",
            remedy="leave it out of --grades, or give --unjudged-grade none",
        )
    return scale


def _read(text: str) -> Sequence[float]:
    ends = re.fullmatch(r"([+-]?\d{1,9})-([+-]?\d{1,9})", text.strip(), re.ASCII)
    if ends:
        low, high = map(int, ends.groups())
        return range(low, min(high, low + MOST_GRADES) + 1)
    try:
        return [*map(float, text.split(","))]
    except ValueError:
        raise UsageError(
            f"the scale is '{text}'",
            place="--grades",
            expected="whole numbers from one to another, as in 0-3, or grades between commas, as "
            "in 0,0.5,1",
        ) from None


def refuse_other_grades(
    judged: Qrels,
    scale: Sequence[float],
    unjudged: float | None,
    given: QrelsLike,
    reading: Reading,
) -> None:
    """Raise InputError at the first judgment whose grade is not on the scale.

    `given` is the source of the judgments; there, grade `unjudged` is no judgment.
    """
    wrong = np.flatnonzero(~np.isin(judged.grade, scale))
    if not wrong.size:
        return
    first = int(wrong[0])
    grade = judged.grade[first]
    docno = quoted(judged.docnos.names[int(judged.docno[first])])
    topic = quoted(judged.topics[int(judged.topic[first])])
    place, which = judged.path, f" of document {docno} for topic {topic}"
    if isinstance(given, str | os.PathLike) and is_rereadable(os.fspath(given)):
        known = [*scale, *([] if unjudged is None else [unjudged])]
        part, at = next(
            (part, at)
            for part in read_columns(os.fspath(given), reading.qrels())
            for at in np.flatnonzero(~np.isin(part.values, known)).tolist()
        )
        place, which, grade = f"{given}:{part.lines[at]}", "", part.values[at]
    more = f" (and {wrong.size - 1:,} more such judgments)" if wrong.size > 1 else ""
    raise InputError(
        f"grade {grade:g}{which} is not on the scale{more}",
        place=place,
        expected=f"one of the {len(scale)} grades of the scale, from {scale[0]:g} to {scale[-1]:g}",
        remedy="mend the grade, or give a scale that has it with --grades",
    )
