"""Files with a topic or a run per line: weights and groups of topics, costs of runs."""

import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import Any, Generic, TypeVar

from rankeval.base.checked import checked
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
    topics = [fields[0] for _, fields in _rows(path, display_name(path))]
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
    value_of: Callable[[bytes, str], T],
    key: str = "topic",
) -> ValuesByTopic[T]:
    """Read lines of a key and a value; a header of runs has any names, but no number."""
    name = display_name(path)
    rows = list(_rows(path, name))
    place, first = rows[0] if rows else (name, [b""])
    has_header = key != "topic" or first[0].lower() in HEADERS
    if not rows[has_header:]:
        raise InputError(f"has no {key}s", place=name, expected=f"lines of {key} {what}")
    at = _column(first, column, (key, what), place, has_header=has_header)
    if has_header and is_number(first[at]):
        raise InputError(
            f"found a number in the first line: {quoted(first[at])}",
            place=place,
            expected=f"a header such as {key}<TAB>{what}",
            remedy=f"add a first line that names the {what}",
        )
    values: dict[bytes, T] = {}
    for place, fields in rows[has_header:]:
        if len(fields) != len(first):
            raise InputError(
                f"found {count(len(fields), 'column')}, the first line has {len(first)}",
                place=place,
                expected=f"a {key} and its {what}",
                remedy="separate columns by one tab when a value holds blanks",
            )
        if fields[0] in values:
            before = next(where for where, row in rows[has_header:] if row[0] == fields[0])
            raise InputError(
                f"{key} {quoted(fields[0])} is listed twice, first in line "
                f"{before.rpartition(':')[2]}",
                place=place,
                remedy="drop one of the two lines",
            )
        values[fields[0]] = value_of(fields[at], place)
    return ValuesByTopic(name, decoded(first[at]) if has_header else "", values)


def _rows(path: str, name: str) -> Iterator[tuple[str, list[bytes]]]:
    """Yield the place and the fields of lines, cut at tabs where there are some, or at blanks."""
    for number, line in data_lines(path):
        fields = [f.strip() for f in line.split(b"\t")] if b"\t" in line else line.split()
        yield f"{name}:{number}", fields


def _column(
    fields: Sequence[bytes],
    column: str | None,
    of: tuple[str, str],
    place: str,
    *,
    has_header: bool,
) -> int:
    """Return the index of the column to read; InputError where there is none, or several."""
    if column is None and len(fields) == 2:
        return 1
    if column is not None and has_header and os.fsencode(column) in fields[1:]:
        return 1 + fields[1:].index(os.fsencode(column))
    shown = " ".join(quoted(field)[1:-1] for field in fields) if has_header else ""
    found = f"found {count(len(fields), 'column')}{': ' * bool(shown)}{shown}"
    key, what = of
    raise InputError(
        found if column is None else f"has no column '{column}' in a header: {found}",
        place=place,
        expected=f"a {key} and its {what}" + ", below a first line of names" * (column is not None),
        remedy="name the column to read, as in groups:COLUMN=FILE"
        if what == "group"
        else "keep two columns, with a tab between them if a name holds blanks",
    )


def _number(what: str, is_right: Callable[[float], bool], text: bytes, place: str) -> float:
    number = number_or_nan(text)
    if not is_right(number):
        raise InputError(
            f"the {what} {quoted(text)} is not possible",
            place=place,
            expected="a finite number" + ", 0 or more" * (what == "weight"),
        )
    return number


def is_weight(weight: Any) -> bool:
    """Return True for a finite number that is 0 or more."""
    return isinstance(weight, Real) and 0 <= float(weight) <= sys.float_info.max


def _group(text: bytes, place: str) -> str:
    if not text:
        raise InputError("the group is empty", place=place, remedy="name a group, or drop the line")
    return decoded(text)


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
