"""Read a run or judgments in parts as if they were one file."""

import os
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import PurePath
from typing import Generic, TypeVar
from urllib.parse import unquote, unquote_to_bytes

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order
from rankeval.errors import InputError
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers.column_names import ROLES, VALUES, plain_name
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.line_errors import Problems
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.sources.parts import PART, beir_qrels, files_of, is_remote, sizes_of

NULL = b"__HIVE_DEFAULT_PARTITION__"
"""The text that Hive writes for a missing value."""


@frozen
class Part:
    """A file of a run in parts, and the keys and values in the names of its folders."""

    path: str
    keys: Mapping[str, bytes]

    def fixed(self, what: str, given: Mapping[str, str]) -> dict[str, bytes]:
        """Return the value of each role that a folder's name gives; `given` names columns."""
        found: dict[str, bytes] = {}
        for role, known in ROLES[what].items():
            if role == "docno" or (what == "run" and role in ("score", "rank")):
                continue
            names = [given[role]] if role in given else known
            for key, value in self.keys.items():
                if (key if role in given else plain_name(key)) in names:
                    found.setdefault(role, value)
        for role, value in found.items():
            if value in (b"", NULL):
                raise InputError(
                    f"its folder gives the {role} no value",
                    place=self.path,
                    expected=f"{role}=VALUE",
                )
        if VALUES[what] in found:
            _require_number(found[VALUES[what]], VALUES[what], self.path)
        return found


def parts_of(path: str) -> list[Part]:
    """Return the files of a path, itself if it is a file; InputError for none.

    The files of folders and globs come in the order of their names.
    """
    return list(map(part_of, files_of(path)))


def part_of(file: str) -> Part:
    """Return a file with the keys and values in the names of its folders."""
    return Part(file, _keys(file))


def _keys(file: str) -> dict[str, bytes]:
    """Return the keys and values in the names of a file's folders, as in topic=7."""
    found: dict[str, bytes] = {}
    path = unquote(file) if is_remote(file) else file  # where an address has its own escapes
    for name in PurePath(path).parts[:-1]:
        key, equals, value = name.partition("=")
        if key and equals:
            found[os.fsdecode(unquote_to_bytes(key))] = unquote_to_bytes(os.fsencode(value))
    return found


def _require_number(text: bytes, role: str, place: str) -> None:
    from math import isfinite, nan

    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise InputError(f"its folder's {role} is no finite number", place=place)


Result = TypeVar("Result")

SMALL_PART = 8 << 20
"""Parts of up to this many bytes are read by one thread each, several at a time."""


def map_parts(
    path: str,
    form: Form,
    function: Callable[[Columns], Result],
    read: Callable[..., Generator[Result, None, None]],
    *,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Generator[Result, None, None]:
    """Apply a function to the columns of each block of each part, in the order of the parts.

    `read` reads one file, as `map_blocks` does. Small parts are read side by side, each in one of
    `jobs` threads; what the function makes of a few of them is held. A large part is read in all
    threads. The number of a line has the number of its part above PART bits. Wrong lines of all
    parts are gathered where the form gathers them.
    """
    require_kind(path, form)
    if form.problems is not None:
        form.problems.clear()
    sizes = dict(sizes_of(path))
    reader = _PartReader(form, function, read, sizes, jobs, progress)
    in_turn = jobs == 1 or form.keep or form.passing is not None  # something sees their order
    tasks = [(part, number) for number, part in enumerate(parts_of(path))]
    for small, some in groupby(tasks, lambda task: sizes.get(task[0].path, 0) <= SMALL_PART):
        group = list(some)
        side_by_side = small and not in_turn
        yield from reader.side_by_side(group) if side_by_side else reader.in_turn(group)


def require_kind(path: str, form: Form) -> None:
    """InputError for a BEIR collection in the place of a run."""
    if form.what == "run" and beir_qrels(path):
        raise InputError(
            "is a BEIR collection, which holds judgments and no run",
            place=path,
            remedy="name the run",
        )


@dataclass
class _PartReader(Generic[Result]):
    """Reads parts, and reports how many bytes of all parts have been read."""

    form: Form
    function: Callable[[Columns], Result]
    read: Callable[..., Generator[Result, None, None]]
    sizes: Mapping[str, int]
    jobs: int
    progress: Callable[[int], None] | None
    roles: list[frozenset[str]] = field(default_factory=list)
    done: int = 0

    def in_turn(self, tasks: list[tuple[Part, int]]) -> Iterator[Result]:
        """Yield the results of each part, which is read in all threads."""
        for part, number in tasks:
            wrong = self._none_wrong()
            try:
                yield from self._results(part, number, wrong, self.jobs, self._told)
            finally:
                self._add(wrong, number)
            self._count(part)

    def side_by_side(self, tasks: list[tuple[Part, int]]) -> Iterator[Result]:
        """Yield the results of parts, each of which is read in one of several threads."""
        read = in_order(self._whole, iter(tasks), self.jobs, threads_take=True)
        with closing(read) as found:
            for (part, number), (results, wrong, error) in zip(tasks, found, strict=True):
                self._add(wrong, number)
                yield from results
                if error is not None:
                    raise error
                self._count(part)

    def _whole(
        self, part: Part, number: int
    ) -> tuple[list[Result], Problems | None, InputError | None]:
        """Read a part in one thread, to its end or to an error."""
        wrong = self._none_wrong()
        found: list[Result] = []
        try:
            found.extend(self._results(part, number, wrong, 1, None))
        except InputError as error:
            return found, wrong, error
        return found, wrong, None

    def _results(
        self,
        part: Part,
        number: int,
        wrong: Problems | None,
        jobs: int,
        report: Callable[[int], None] | None,
    ) -> Iterator[Result]:
        fixed = part.fixed(self.form.what, self.form.columns)
        form = replace(self.form, begun=None, problems=wrong, fixed=fixed)
        as_part = partial(_as_part, part, number, form, self.roles)
        return self.read(
            part.path,
            form,
            lambda columns: self.function(as_part(columns)),
            jobs=jobs,
            progress=report,
        )

    def _none_wrong(self) -> Problems | None:
        problems = self.form.problems
        return None if problems is None else Problems(problems.most)

    def _add(self, wrong: Problems | None, number: int) -> None:
        if wrong is not None and self.form.problems is not None:
            self.form.problems.add_part(wrong, number)

    def _count(self, part: Part) -> None:
        self.done += self.sizes.get(part.path, 0)
        self._told(0)

    def _told(self, position: int) -> None:
        """Tell how far the reading has come, by the place in the part that is read."""
        if self.progress is not None:
            self.progress(self.done + position)


def _as_part(
    part: Part, number: int, form: Form, roles: list[frozenset[str]], columns: Columns
) -> Columns:
    """Return the lines of a part as lines of all parts."""
    columns = with_fixed(columns, form.what, form.fixed)
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


def with_fixed(columns: Columns, what: str, fixed: Mapping[str, bytes]) -> Columns:
    """Set the columns whose value the folder's name gives."""
    n_rows = len(columns)
    for role, value in fixed.items():
        if role == "topic":
            columns = replace(columns, topics=(value,), starts=np.array([0, n_rows]))
        elif role == VALUES[what]:
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
