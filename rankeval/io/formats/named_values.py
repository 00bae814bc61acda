"""Files with a topic or a run per line: weights and groups of topics, costs of runs."""

import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from numbers import Real
from typing import Any, Generic, NamedTuple, TypeVar

from rankeval.base.checked import checked, is_real
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, decoded, quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.parsers.columns import is_number, number_or_nan
from rankeval.io.python_values import as_bytes
from rankeval.io.sources.blocks import data_lines, display_name

T = TypeVar("T", float, str)
HEADERS = frozenset({b"topic", b"query", b"qid", b"query-id", b"query_id"})
"""First words of a header, in lower case."""


@frozen
class ValuesByTopic(Generic[T]):
    """A value for each topic, in the order of the file; `column` is its name in the header."""

    path: str
    column: str
    by_topic: Mapping[bytes, T]


class _Row(NamedTuple):
    place: str
    line: int
    fields: Sequence[bytes]


@checked
def read_weights(path: str, column: str | None = None) -> ValuesByTopic[float]:
    r"""Read topics and their weights; InputError names the line that is wrong.

    ====== =================================================================================
    path   lines of topic and weight, with or without a header; "-" for standard input
    column name of the column, where there are several
    ====== =================================================================================

    >>> from pathlib import Path
    >>> from rankeval.options import read_weights
    >>> _ = Path("weights.tsv").write_text("q1\t2\nq2\t0.5\n")
    >>> read_weights("weights.tsv").by_topic
    {b'q1': 2.0, b'q2': 0.5}
    """
    return _read(path, column, "weight", partial(_number, "weight", is_weight))


@checked
def read_groups(path: str, column: str | None = None) -> ValuesByTopic[str]:
    r"""Read topics and the groups they belong to; InputError names the line that is wrong.

    ====== =================================================================================
    path   lines of topic and group, with or without a header; "-" for standard input
    column name of the column, where there are several
    ====== =================================================================================

    >>> from pathlib import Path
    >>> from rankeval.options import read_groups
    >>> _ = Path("groups.tsv").write_text("q1\thard\nq2\teasy\n")
    >>> read_groups("groups.tsv").by_topic
    {b'q1': 'hard', b'q2': 'easy'}
    """
    return _read(path, column, "group", _group)


def read_topics(path: str) -> frozenset[bytes]:
    """Read topics, the first field of each line; InputError for a file without topics."""
    topics = [row.fields[0] for row in _rows(path, display_name(path))]
    if topics and topics[0].lower() in HEADERS:
        topics.pop(0)
    if not topics:
        raise InputError("has no topics", place=display_name(path), expected="a topic per line")
    return frozenset(topics)


def weights_of(mapping: Mapping[str, float]) -> ValuesByTopic[float]:
    """Take weights as {topic: weight}."""
    for topic, weight in mapping.items():
        if not is_weight(weight):
            raise UsageError(
                f"the weight {weight!r} of topic '{topic}' is not possible",
                expected="a finite number, 0 or more",
            )
    return ValuesByTopic(
        "", "", {as_bytes(topic, "topic"): float(w) for topic, w in mapping.items()}
    )


def groups_of(mapping: Mapping[str, str]) -> ValuesByTopic[str]:
    """Take groups as {topic: group}."""
    return ValuesByTopic(
        "", "", {as_bytes(topic, "topic"): str(group) for topic, group in mapping.items()}
    )


def _read(
    path: str,
    column: str | None,
    what: str,
    value_of: Callable[[_Row, bytes], T],
    key: str = "topic",
) -> ValuesByTopic[T]:
    """Read lines of a key and a value; a header of runs has any names, but no number."""
    name = display_name(path)
    rows = _rows(path, name)
    first = next(rows, None)
    if first is None:
        raise InputError(f"has no {key}s", place=name, expected=f"lines of {key} {what}")
    header = first.fields if key != "topic" or first.fields[0].lower() in HEADERS else None
    at = _column(header or first.fields, column, (key, what), first, named=header is not None)
    if header and is_number(header[at]):
        raise InputError(
            f"found a number in the first line: {quoted(header[at])}",
            place=first.place,
            expected=f"a header such as {key}<TAB>{what}",
            remedy=f"add a first line that names the {what}",
        )
    width = len(first.fields)
    values: dict[bytes, T] = {}
    lines: dict[bytes, int] = {}
    for row in chain([] if header else [first], rows):
        if len(row.fields) != width:
            raise InputError(
                f"found {count(len(row.fields), 'column')}, the first line has {width}",
                place=row.place,
                expected=f"a {key} and its {what}",
                remedy="separate columns by one tab when a value holds blanks",
            )
        named = row.fields[0]
        if named in values:
            raise InputError(
                f"{key} {quoted(named)} is listed twice, first in line {lines[named]}",
                place=row.place,
                expected=f"each {key} once",
                remedy="drop one of the two lines",
            )
        values[named] = value_of(row, row.fields[at])
        lines[named] = row.line
    if not values:
        raise InputError(
            f"holds a header and no {key}",
            place=name,
            expected=f"lines of {key} {what} below it",
        )
    return ValuesByTopic(name, decoded(header[at]) if header else "", values)


def _rows(path: str, name: str) -> Iterator[_Row]:
    """Split lines at tabs where they have some, otherwise at white space."""
    for number, line in data_lines(path):
        fields = [f.strip() for f in line.split(b"\t")] if b"\t" in line else line.split()
        yield _Row(f"{name}:{number}", number, fields)


def _column(
    fields: Sequence[bytes],
    column: str | None,
    of: tuple[str, str],
    first: _Row,
    *,
    named: bool,
) -> int:
    """The index of the column to read."""
    key, what = of
    if len(fields) < 2:
        raise InputError("found 1 column", place=first.place, expected=f"a {key} and its {what}")
    if column is None:
        if len(fields) == 2:
            return 1
        raise InputError(
            f"found {len(fields)} columns" + (f": {_listed(fields)}" if named else ""),
            place=first.place,
            expected=f"a {key} and its {what}",
            remedy="name the column to read, as in groups:COLUMN=FILE"
            if what == "group"
            else "keep two columns, with a tab between them if a name holds blanks",
        )
    if not named:
        raise InputError(
            f"has no header to look up the column '{column}' in",
            place=first.place,
            expected="a first line such as topic<TAB>type",
        )
    wanted = os.fsencode(column)
    if wanted not in fields[1:]:
        raise InputError(
            f"has no column '{column}'", place=first.place, expected=f"one of {_listed(fields[1:])}"
        )
    return 1 + list(fields[1:]).index(wanted)


def _number(what: str, is_right: Callable[[float], bool], row: _Row, text: bytes) -> float:
    number = number_or_nan(text)
    if not is_right(number):
        raise InputError(
            f"the {what} {quoted(text)} is not possible",
            place=row.place,
            expected="a finite number" + ", 0 or more" * (what == "weight"),
        )
    return number


def is_weight(weight: Any) -> bool:
    """Return True for a finite number that is 0 or more."""
    return is_real(weight) and bool(0 <= weight <= sys.float_info.max)


def _group(row: _Row, text: bytes) -> str:
    if not text:
        raise InputError(
            f"the group of topic {quoted(row.fields[0])} is empty",
            place=row.place,
            remedy="name a group, or drop the line",
        )
    return decoded(text)


def _listed(fields: Sequence[bytes]) -> str:
    return " ".join(quoted(field)[1:-1] for field in fields)


@frozen
class RunCosts:
    """The cost of each run, by name, and the name of the cost in the header."""

    name: str
    by_run: dict[str, float]


RunCostsLike = str | os.PathLike[str] | Mapping[str, float]
"""The cost of each run: a file with a header, or {run: cost}."""


def run_costs_of(given: RunCostsLike) -> RunCosts:
    """Return the cost of each run; UsageError for a cost that is not a number."""
    if not isinstance(given, Mapping):
        return read_run_costs(os.fspath(given))
    for run, cost in given.items():
        value: object = cost  # of whatever type a caller has
        if not isinstance(value, Real) or not math.isfinite(float(value)):
            raise UsageError(f"the cost {cost!r} of run '{run}' is not a number")
    return RunCosts("cost", {str(run): float(cost) for run, cost in given.items()})


def read_run_costs(path: str) -> RunCosts:
    """Read the cost of each run; InputError names the line that is wrong.

    The header has two names, such as `run` and `ms per query`; columns are separated by a tab, or
    else by white space. Lines that begin with # are left out.
    """
    found = _read(path, None, "cost", partial(_number, "cost", math.isfinite), key="run")
    return RunCosts(found.column, {decoded(run): cost for run, cost in found.by_topic.items()})
