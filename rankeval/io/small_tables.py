"""Small tables: a topic or a run per line with its weight, group or cost; and rankeval.toml."""

import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from numbers import Real
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, decoded, nearest, quoted
from rankeval.errors import InputError, RankevalError, UsageError
from rankeval.io.blocks import data_lines, display_name
from rankeval.io.columns import is_number, number_or_nan
from rankeval.io.files import is_remote
from rankeval.io.python_values import as_bytes

if TYPE_CHECKING:  # slow to import, and most evaluations read no TOML
    from pathlib import Path

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


OWN_FILE = "rankeval.toml"
LARGEST = 1 << 20
"""Bytes that a file of suites or collections may have."""

SUITE, COLLECTION = "suite", "collection"

TypedKeys = Mapping[str, tuple[type | tuple[type, ...], str]]
"""The type of the value of each key, and the type in words."""

TEXT, NUMBER = (str, "a text"), ((int, float), "a number")
INTEGER, SWITCH = (int, "a whole number"), (bool, "true or false")
CONVENTIONS: TypedKeys = {
    **dict.fromkeys(("like", "topics", "ties", "order"), TEXT),
    "min-grade": NUMBER,
    **dict.fromkeys(("collection-size", "depth"), INTEGER),
    **dict.fromkeys(("judged-only", "skip-no-relevant", "require-coverage", "drop-self"), SWITCH),
    **dict.fromkeys(("qrels-format", "run-format", "columns", "on-error"), TEXT),
    **dict.fromkeys(("duplicates", "collapse"), TEXT),
}
"""The keys that are fields of `Settings`."""


def find_tables(start: "Path | None" = None) -> "Path | None":
    """Find the nearest rankeval.toml, here or above."""
    from pathlib import Path

    here = (start or Path.cwd()).resolve()
    found = (folder / OWN_FILE for folder in (here, *here.parents))
    return next((file for file in found if file.is_file()), None)


def tables_of(file: "Path") -> dict[str, Any]:
    """Return the tables of a file; InputError if it cannot be read."""
    import tomllib  # most evaluations have no such file

    try:
        with file.open("rb") as stream:
            text = stream.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise ValueError(f"it holds more than {LARGEST >> 20} MB")  # noqa: TRY301
        return tomllib.loads(text.decode())
    # Not TOML, not UTF-8, or an integer of too many digits
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"is not TOML: {error}",
            place=shown(file),
            expected="TOML in UTF-8, such as [suite.NAME] or [collection.NAME]",
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        problem = f"cannot read: {reason[:1].lower()}{reason[1:]}"
        raise InputError(problem, place=shown(file)) from error


def shown(file: "Path") -> str:
    """Return the path relative to the working directory, if it lies below it."""
    here, whole = os.path.realpath("."), os.path.realpath(file)
    below = os.path.relpath(whole, here)
    return str(file) if below.startswith("..") else below


class TableReader:
    """Checks the tables of one file; errors name the file and the table."""

    def __init__(self, file: "Path") -> None:
        self._source = shown(file)
        self._folder = type(file)(shown(file.parent))

    @contextmanager
    def _errors_placed(self, where: str) -> Iterator[None]:
        """Add the file and the table to errors that do not name them."""
        try:
            yield
        except RankevalError as error:
            named = error.place.startswith(self._source)
            raise InputError(
                error.problem,
                place=error.place if named else self._place(where),
                expected=error.expected,
                remedy=error.remedy,
            ) from error

    def _path(self, key: str, text: str, where: str) -> str:
        if not text:
            self._refuse(where, f"{key} is ''", "a path")
        if "\0" in text:
            self._refuse(where, f"{key} holds a NUL character", "a path")
        return text if text == "-" or is_remote(text) else str(self._folder / text)

    def _texts(self, key: str, value: Any, where: str) -> list[str]:
        """Return a list of texts, or one text as a list."""
        found = [value] if isinstance(value, str) else value
        self._typed(key, found, list, "a list of texts", where)
        return [self._typed(key, text, str, "a list of texts", where) for text in found]

    def _fields(self, table: Mapping[str, Any], known: TypedKeys, where: str) -> dict[str, Any]:
        """Return the values of the known keys, by the names of the fields that they set."""
        return {
            key.replace("-", "_"): self._typed(key, value, *known[key], where)
            for key, value in table.items()
            if key in known
        }

    def _typed(
        self, key: str, value: Any, kind: type | tuple[type, ...], words: str, where: str
    ) -> Any:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self._refuse(where, f"{key} is {value!r}", words)
        return value

    def _check_keys(self, table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
        for key in table:
            if key not in known:
                self._refuse(where, f"unknown key '{key}'", nearest(key, [*known], cutoff=0.5))

    def _refuse(self, where: str, problem: str, expected: str) -> NoReturn:
        raise InputError(problem, place=self._place(where), expected=expected)

    def _place(self, where: str) -> str:
        """Return the file and the table, for messages."""
        return f"{self._source}: [{where}]" if where else self._source
