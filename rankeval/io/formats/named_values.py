"""Files with a topic or a run per line: weights and groups of topics, costs of runs."""

import math
import os
import sys
from collections.abc import Callable, Mapping
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
def read_weights(path: str) -> ValuesByTopic[float]:
    r"""Read lines of topic and weight, below a header or without; InputError names a wrong line.

    >>> from pathlib import Path
    >>> from rankeval.options import read_weights
    >>> _ = Path("weights.tsv").write_text("q1\t2\nq2\t0.5\n")
    >>> read_weights("weights.tsv").by_topic
    {b'q1': 2.0, b'q2': 0.5}
    """
    return _read(path, "topic", "weight", number_or_nan, is_weight)


@checked
def read_groups(path: str) -> ValuesByTopic[str]:
    r"""Read lines of topic and group, below a header or without; InputError names a wrong line.

    >>> from pathlib import Path
    >>> from rankeval.options import read_groups
    >>> _ = Path("groups.tsv").write_text("q1\thard\nq2\teasy\n")
    >>> read_groups("groups.tsv").by_topic
    {b'q1': 'hard', b'q2': 'easy'}
    """
    return _read(path, "topic", "group", decoded, bool)


def read_topics(path: str) -> frozenset[bytes]:
    """Read topics, the first field of each line; InputError for a file without topics."""
    topics = [fields[0] for _, fields in _rows(path)]
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
    return ValuesByTopic("", "", {as_bytes(t, "topic"): float(w) for t, w in mapping.items()})


def groups_of(mapping: Mapping[str, str]) -> ValuesByTopic[str]:
    """Take groups as {topic: group}."""
    return ValuesByTopic("", "", {as_bytes(t, "topic"): str(g) for t, g in mapping.items()})


def _read(
    path: str, key: str, what: str, value_of: Callable[[bytes], T], is_right: Callable[[T], bool]
) -> ValuesByTopic[T]:
    """Read lines of a key and a value; a header of runs has any names, but no number."""
    name, rows, header = display_name(path), _rows(path), ""
    if rows and (key != "topic" or rows[0][1][0].lower() in HEADERS):
        place, fields = rows.pop(0)
        header = decoded(fields[-1])
        if is_number(fields[-1]):
            raise InputError(
                f"found a number in the first line: {quoted(fields[-1])}",
                place=place,
                expected=f"a header such as {key}<TAB>{what}",
            )
    if not rows:
        raise InputError(f"has no {key}s", place=name, expected=f"lines of {key} {what}")
    values: dict[bytes, T] = {}
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
            expected = {"group": "a name", "weight": "a finite number, 0 or more"}
            raise InputError(
                f"the {what} {quoted(fields[1])} is not possible",
                place=place,
                expected=expected.get(what, "a finite number"),
            )
    return ValuesByTopic(name, header, values)


def _rows(path: str) -> list[tuple[str, list[bytes]]]:
    """Return the place and the fields of lines, cut at tabs where there are some, or at blanks."""
    return [
        (
            f"{display_name(path)}:{number}",
            [f.strip() for f in line.split(b"\t")] if b"\t" in line else line.split(),
        )
        for number, line in data_lines(path)
    ]


def is_weight(weight: Any) -> bool:
    """Return True for a finite number that is 0 or more."""
    return isinstance(weight, Real) and 0 <= float(weight) <= sys.float_info.max


@frozen
class RunCosts:
    """The cost of each run, by name, and the name of the cost in the header."""

    name: str
    by_run: dict[str, float]


RunCostsLike = str | os.PathLike[str] | Mapping[str, float]
"""The cost of each run: a file with a header, or {run: cost}."""


def run_costs_of(given: RunCostsLike) -> RunCosts:
    """Return the cost of each run, also from a file; UsageError for a cost that is no number.

    The header has two names, such as `run` and `ms per query`.
    """
    if not isinstance(given, Mapping):
        found = _read(os.fspath(given), "run", "cost", number_or_nan, math.isfinite)
        return RunCosts(found.column, {decoded(run): cost for run, cost in found.by_topic.items()})
    for run, cost in given.items():
        value: object = cost  # of whatever type a caller has
        if not isinstance(value, Real) or not math.isfinite(float(value)):
            raise UsageError(f"the cost {cost!r} of run '{run}' is not a number")
    return RunCosts("cost", {str(run): float(cost) for run, cost in given.items()})
