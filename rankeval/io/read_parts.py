"""Read a run or judgments in parts as if they were one file."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Generic, Protocol, TypeVar

import numpy as np

from rankeval.errors import InputError
from rankeval.io.column_names import VALUES
from rankeval.io.columns import Columns
from rankeval.io.form import Form
from rankeval.io.hive import Part, parts_of
from rankeval.io.line_errors import Problems
from rankeval.io.parts import PART, beir_qrels, size_of
from rankeval.io.plain_parser import PlainDocnos
from rankeval.support.frozen import frozen
from rankeval.support.threads import in_order

Result = TypeVar("Result")

SMALL_PART = 8 << 20
"""Bytes up to which a part is read by one thread beside other parts."""


class FileReader(Protocol):
    """Reads one file, as `map_blocks` does."""

    def __call__(
        self,
        path: str,
        form: Form,
        function: Callable[[Columns], Result],
        *,
        jobs: int,
        progress: Callable[[int], None] | None,
    ) -> Generator[Result, None, None]: ...


def map_parts(
    path: str,
    form: Form,
    function: Callable[[Columns], Result],
    read: FileReader,
    *,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Generator[Result, None, None]:
    """Apply a function to the columns of each block of each part, in the order of the parts.

    Small parts are read side by side, each in one of `jobs` threads; what the function makes of a
    few of them is held. A large part is read in all threads. The number of a line has the number
    of its part above PART bits. Wrong lines of all parts are gathered where the form gathers them.
    """
    _require_kind(path, form)
    if form.problems is not None:
        form.problems.clear()
    roles: list[frozenset[str]] = []
    done = 0

    def results(part: Part, number: int, wrong: Problems | None, jobs: int) -> Iterator[Result]:
        fixed = part.fixed(form.what, form.columns)
        one = replace(form, begun=None, problems=wrong, fixed=fixed)
        as_part = partial(_as_part, part, number, one, roles)
        told = None if progress is None or jobs == 1 else partial(_tell, progress, done)
        return read(part.path, one, partial(_applied, function, as_part), jobs=jobs, progress=told)

    def whole(part: Part, number: int) -> _ReadPart[Result]:
        wrong = _none_yet(form)
        found: list[Result] = []
        try:
            found.extend(results(part, number, wrong, 1))
        except InputError as error:
            return _ReadPart(part, number, found, wrong, error)
        return _ReadPart(part, number, found, wrong)

    tasks = [(part, number) for number, part in enumerate(parts_of(path))]
    for beside_others, some in groupby(tasks, partial(_is_read_beside_others, form, jobs)):
        if beside_others:
            for read_part in in_order(whole, iter(list(some)), jobs, threads_take=True):
                _gather(form, read_part.wrong, read_part.number)
                yield from read_part.results
                if read_part.error is not None:
                    raise read_part.error
                done = _told(progress, done, read_part.part)
            continue
        for part, number in some:
            wrong = _none_yet(form)
            try:
                yield from results(part, number, wrong, jobs)
            finally:
                _gather(form, wrong, number)
            done = _told(progress, done, part)


def _require_kind(path: str, form: Form) -> None:
    """InputError for a BEIR collection in the place of a run."""
    if form.what == "run" and beir_qrels(path):
        raise InputError(
            "is a BEIR collection, which holds judgments and no run",
            place=path,
            remedy="name the run",
        )


@frozen(eq=False)
class _ReadPart(Generic[Result]):
    """A part that one thread has read to its end, or to an error."""

    part: Part
    number: int
    results: list[Result]
    wrong: Problems | None
    error: InputError | None = None


def _is_read_beside_others(form: Form, jobs: int, task: tuple[Part, int]) -> bool:
    """Return True for a small part, unless something has to see the parts in their order."""
    in_turn = jobs == 1 or form.keep or form.passing is not None
    return not in_turn and size_of(task[0].path) <= SMALL_PART


def _none_yet(form: Form) -> Problems | None:
    return None if form.problems is None else Problems(form.problems.most)


def _gather(form: Form, wrong: Problems | None, number: int) -> None:
    if wrong is not None and form.problems is not None:
        form.problems.add_part(wrong, number)


def _told(progress: Callable[[int], None] | None, done: int, part: Part) -> int:
    """Tell that a part has been read, and return the bytes that have been read by now."""
    if progress is None:
        return done
    done += size_of(part.path)
    progress(done)
    return done


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
