"""Read a run or judgments in parts, one part after the other, as if they were one file."""

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeVar

import numpy as np

from rankeval.errors import InputError
from rankeval.io.column_names import VALUES
from rankeval.io.columns import Columns
from rankeval.io.form import Form
from rankeval.io.hive import Part, parts_of
from rankeval.io.line_errors import Problems
from rankeval.io.parts import PART, beir_qrels, size_of
from rankeval.io.plain_parser import PlainDocnos

Result = TypeVar("Result")


class FileReader(Protocol):
    """Reads one file, as `map_blocks` does."""

    def __call__(
        self,
        path: str,
        form: Form,
        function: Callable[[Columns], Result],
        *,
        progress: Callable[[int], None] | None,
    ) -> Generator[Result, None, None]: ...


def map_parts(
    path: str,
    form: Form,
    function: Callable[[Columns], Result],
    read: FileReader,
    progress: Callable[[int], None] | None = None,
) -> Generator[Result, None, None]:
    """Apply a function to the columns of each block of each part, in the order of the parts.

    The number of a line has the number of its part above PART bits. Wrong lines of all parts are
    gathered where the form gathers them.
    """
    if form.what == "run" and beir_qrels(path):
        raise InputError(
            "is a BEIR collection, which holds judgments and no run",
            place=path,
            remedy="name the run",
        )
    if form.problems is not None:
        form.problems.clear()
    roles: list[frozenset[str]] = []
    done = 0
    for number, part in enumerate(parts_of(path)):
        wrong = None if form.problems is None else Problems(form.problems.most)
        fixed = part.fixed(form.what, form.columns)
        one = replace(form, begun=None, problems=wrong, fixed=fixed)
        as_part = partial(_as_part, part, number, one, roles)
        told = None if progress is None else partial(_tell, progress, done)
        try:
            yield from read(part.path, one, partial(_applied, function, as_part), progress=told)
        finally:
            if wrong is not None and form.problems is not None:
                form.problems.add_part(wrong, number)
        done += 0 if progress is None else size_of(part.path)


def _applied(
    function: Callable[[Columns], Result], as_part: Callable[[Columns], Columns], columns: Columns
) -> Result:
    return function(as_part(columns))


def _tell(progress: Callable[[int], None], before: int, position: int) -> None:
    progress(before + position)


def _as_part(
    part: Part, number: int, form: Form, roles: list[frozenset[str]], columns: Columns
) -> Columns:
    """Return the lines of a part as lines of all parts."""
    columns = _with_fixed(columns, form)
    if form.keep:
        _require_same_roles(part, roles, columns)
    else:  # parts of several formats may keep different ones
        kept = {role: names for role, names in columns.kept.items() if role == form.label}
        columns = replace(columns, kept=kept)
    before = number << PART
    if not before:
        return columns
    lines = columns.lines
    if isinstance(lines, range):
        return replace(columns, lines=range(lines.start + before, lines.stop + before))
    return replace(columns, lines=np.asarray(lines) + before)


def _with_fixed(columns: Columns, form: Form) -> Columns:
    """Set the columns whose value the folder's name gives."""
    n_rows = len(columns)
    for role, value in form.fixed.items():
        if role == "topic":
            columns = replace(columns, topics=(value,), starts=np.array([0, n_rows]))
        elif role == VALUES[form.what]:
            columns = replace(columns, values=np.full(n_rows, float(value)))
        else:
            kept = {**columns.kept, role: PlainDocnos([value] * n_rows)}
            columns = replace(columns, kept=kept)
            if role == "tag":
                columns = replace(columns, tags=frozenset([value]), last_tag=value)
    return columns


def _require_same_roles(part: Part, roles: list[frozenset[str]], columns: Columns) -> None:
    """InputError if a part has other columns than the first one; `roles` has those of the first."""
    here = frozenset(columns.kept)
    if not roles:
        roles.append(here)
    if here == roles[0]:
        return
    more, fewer = sorted(here - roles[0]), sorted(roles[0] - here)
    raise InputError(
        f"has {'a' if more else 'no'} column of the {' and the '.join(more or fewer)}, unlike the "
        "parts before it",
        place=part.path,
        expected="the same columns in all parts",
        remedy="write all parts alike",
    )
