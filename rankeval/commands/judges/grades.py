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
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII)
RANGE = re.compile(r"([+-]?\d+)-([+-]?\d+)", re.ASCII)
EXPECTED = "whole numbers from one to another, as in 0-3, or grades between commas, as in 0,0.5,1"


def grades_of(text: str) -> tuple[float, ...]:
    """Read a scale.

    >>> grades_of("0-3")
    (0, 1, 2, 3)
    >>> grades_of("-2,0,0.5,1")
    (-2, 0, 0.5, 1)
    """
    ends = RANGE.fullmatch(text.strip())
    if ends is not None:
        low, high = map(int, ends.groups())
        if low < high < low + MOST_GRADES:
            return tuple(range(low, high + 1))
        raise UsageError(
            f"the scale is '{text}'",
            place="--grades",
            expected=f"a lower and a higher grade, with {MOST_GRADES:,} grades at most",
        )
    found = [part.strip() for part in text.split(",")]
    if not all(map(NUMBER.fullmatch, found)):
        raise UsageError(f"the scale is '{text}'", place="--grades", expected=EXPECTED)
    return tuple(map(_number, found))


def unjudged_grade_of(text: str) -> float | None:
    """Read the grade of unjudged documents, "none" for none.

    >>> unjudged_grade_of("-1"), unjudged_grade_of("none")
    (-1, None)
    """
    if text.strip().lower() == "none":
        return None
    if not NUMBER.fullmatch(text.strip()):
        raise UsageError(
            f"the grade of unjudged documents is '{text}'",
            place="--unjudged-grade",
            expected="a number, as in -1, or 'none' if every grade is a judgment",
        )
    return _number(text)


def _number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() else number


def scale_text(grades: Sequence[float]) -> str:
    """Return the text of a scale, which `grades_of` reads.

    >>> scale_text([0, 1, 2, 3]), scale_text([0, 1, 3])
    ('0-3', '0,1,3')
    """
    low, high = grades[0], grades[-1]
    if float(low).is_integer() and list(grades) == [low + i for i in range(len(grades))]:
        return f"{low:.0f}-{high:.0f}"
    return ",".join(map(_shown, map(float, grades)))


def scale_of(grades: GradesLike | None, unjudged_grade: float | None) -> tuple[float, ...] | None:
    """Return the grades of a scale in ascending order, each once."""
    if grades is None:
        return None
    scale = tuple(sorted(set(grades_of(grades) if isinstance(grades, str) else grades)))
    if not 2 <= len(scale) <= MOST_GRADES or not all(map(math.isfinite, scale)):
        raise UsageError(
            f"the scale has {len(scale)} different grades",
            expected=f"2 to {MOST_GRADES:,} different numbers",
        )
    if unjudged_grade in scale:
        raise UsageError(
            f"the scale {scale_text(scale)} has grade {unjudged_grade:g}, which is that of "
            "unjudged documents",
            expected="a scale of the grades that judges give",
            remedy="leave it out of --grades, or give --unjudged-grade none",
        )
    return scale


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
    grade = float(judged.grade[first])
    docno = quoted(judged.docnos.names[int(judged.docno[first])])
    topic = quoted(judged.topics[int(judged.topic[first])])
    place, which = judged.path, f" of document {docno} for topic {topic}"
    line = _first_line(given, [*scale, *([] if unjudged is None else [unjudged])], reading)
    if line is not None:
        (place, grade), which = line, ""
    more = f" (and {wrong.size - 1:,} more such judgments)" if wrong.size > 1 else ""
    raise InputError(
        f"grade {_shown(grade)}{which} is not on the scale{more}",
        place=place,
        expected=f"a grade of the scale {scale_text(scale)}",
        remedy="mend the grade, or give a scale that has it with --grades",
    )


def _first_line(
    given: QrelsLike, known: Sequence[float], reading: Reading
) -> tuple[str, float] | None:
    """Return the place and the grade of the first other one in a file; None without a file."""
    if not isinstance(given, str | os.PathLike):
        return None
    path = os.fspath(given)
    if not is_rereadable(path):
        return None
    for part in read_columns(path, reading.qrels()):
        other = np.flatnonzero(~np.isin(part.values, known))
        if other.size:
            at = int(other[0])
            return f"{path}:{int(part.lines[at])}", float(part.values[at])
    return None


def _shown(grade: float) -> str:
    return f"{grade:.0f}" if grade.is_integer() else repr(grade)
