"""Small tables: a topic or a run per line with its weight, group or cost."""

import math
import os
from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real
from typing import Any, Generic, TypeVar

from rankeval.base.checked import checked
from rankeval.base.frozen import record
from rankeval.base.wording import count, decoded, quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.blocks import data_lines, display_name
from rankeval.io.columns import is_number, number_or_nan
from rankeval.io.files import StrPath
from rankeval.io.python_values import as_bytes

T = TypeVar("T", float, str)
LARGEST = 1 << 24
"""Bytes of a file, which is in memory as a whole."""

HEADERS = frozenset({b"topic", b"query", b"qid", b"query-id", b"query_id"})
"""First words of a header, in lower case."""


@record
class ValuesByTopic(Generic[T]):
    """A value for each topic, in the order of the file; `column` is its name in the header."""

    path: str
    column: str
    by_topic: Mapping[bytes, T]


@checked
def read_weights(path: str) -> ValuesByTopic[float]:
    r"""Read lines of topic and weight, below a header or without; InputError names a wrong line.

    >>> from pathlib import Path
    >>> from rankeval.options import read_weights
    >>> _ = Path("weights.tsv").write_text("q1\t2\nq2\t0.5\n")
    >>> read_weights("weights.tsv").by_topic
    {b'q1': 2.0, b'q2': 0.5}
    """
    return values_of(path, "weight")


@checked
def read_groups(path: str) -> ValuesByTopic[str]:
    r"""Read lines of topic and group, below a header or without; InputError names a wrong line.

    >>> from pathlib import Path
    >>> from rankeval.options import read_groups
    >>> _ = Path("groups.tsv").write_text("q1\thard\nq2\teasy\n")
    >>> read_groups("groups.tsv").by_topic
    {b'q1': 'hard', b'q2': 'easy'}
    """
    return values_of(path, "group")


def read_topics(path: str) -> frozenset[bytes]:
    """Read topics, the first field of each line; InputError for a file without topics."""
    topics = [fields[0] for _, fields in _rows(path)]
    if topics and topics[0].lower() in HEADERS:
        topics.pop(0)
    if not topics:
        raise InputError("has no topics", place=display_name(path), expected="a topic per line")
    return frozenset(topics)


def values_of(given: StrPath | Mapping[str, Any], what: str) -> ValuesByTopic[Any]:
    """Return weights or groups by topic, or costs by run, of {name: value} or of lines of both.

    There may be a header, that of runs with any names.
    """
    key, value_of, is_right, expected = KINDS[what]
    if isinstance(given, Mapping):
        for name, value in given.items():
            if not is_right(value):
                problem = f"the {what} {value!r} of {key} '{name}' is not possible"
                raise UsageError(problem, expected=expected)
        kind = str if what == "group" else float
        return ValuesByTopic("", "", {as_bytes(n, key): kind(v) for n, v in given.items()})
    path, rows, header = display_name(os.fspath(given)), _rows(os.fspath(given)), ""
    if rows and (
        rows[0][1][0].lower() in HEADERS or (key == "run" and not is_number(rows[0][1][-1]))
    ):
        header = decoded(rows.pop(0)[1][-1])
    if not rows:
        raise InputError(f"has no {key}s", place=path, expected=f"lines of {key} {what}")
    values: dict[bytes, Any] = {}
    for place, fields in rows:
        if len(fields) != 2:
            raise InputError(
                f"found {count(len(fields), 'column')}",
                place=place,
                expected=f"a {key} and its {what}",
                remedy="separate the two by one tab when a value holds blanks",
            )
        if fields[0] in values:
            problem = f"{key} {quoted(fields[0])} is listed twice"
            raise InputError(problem, place=place, remedy="drop one of the two lines")
        value = values[fields[0]] = value_of(fields[1])
        if not is_right(value):
            problem = f"the {what} {quoted(fields[1])} is not possible"
            raise InputError(problem, place=place, expected=expected)
    return ValuesByTopic(path, header, values)


def _rows(path: str) -> list[tuple[str, list[bytes]]]:
    """Return the place and the fields of lines, cut at tabs where there are some, or at blanks."""
    name = display_name(path)
    return [
        (f"{name}:{number}", [f.strip() for f in line.split(b"\t" if b"\t" in line else None)])
        for number, line in data_lines(path, LARGEST)
    ]


def _is_finite(value: Any, least: float = -math.inf) -> bool:
    return isinstance(value, Real) and math.isfinite(float(value)) and float(value) >= least


KINDS: Mapping[str, tuple[str, Callable[[bytes], Any], Callable[[Any], bool], str]] = {
    "weight": ("topic", number_or_nan, partial(_is_finite, least=0), "a finite number, 0 or more"),
    "group": ("topic", decoded, bool, "a name"),
    "cost": ("run", number_or_nan, _is_finite, "a finite number"),
}
"""By the value of a line: what has it, how it is read, whether it is possible, and in words."""


@record
class RunCosts:
    """The cost of each run, by name, and the name of the cost in the header."""

    name: str
    by_run: dict[str, float]


RunCostsLike = StrPath | Mapping[str, float]
"""The cost of each run: a file with a header, or {run: cost}."""


def run_costs_of(given: RunCostsLike) -> RunCosts:
    """Return the cost of each run, also from a file, whose header may name the cost."""
    found = values_of(given, "cost")
    return RunCosts(
        found.column or "cost", {decoded(run): cost for run, cost in found.by_topic.items()}
    )
