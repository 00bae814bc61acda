"""Small tables: a topic or a run per line with its weight, group or cost; and rankeval.toml."""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from rankeval.base.checked import checked
from rankeval.base.frozen import record
from rankeval.base.wording import count, decoded, nearest, quoted
from rankeval.errors import InputError, RankevalError, UsageError
from rankeval.io.blocks import data_lines, display_name, pieces, whole
from rankeval.io.columns import is_number, number_or_nan
from rankeval.io.files import is_remote
from rankeval.io.python_values import as_bytes

if TYPE_CHECKING:  # slow to import, and most evaluations read no TOML
    from pathlib import Path

T = TypeVar("T", float, str)
LARGEST = 1 << 24
"""Bytes of a file, which is in memory as a whole; tables in TOML take more of it."""

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


def values_of(given: str | os.PathLike[str] | Mapping[str, Any], what: str) -> ValuesByTopic[Any]:
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


RunCostsLike = str | os.PathLike[str] | Mapping[str, float]
"""The cost of each run: a file with a header, or {run: cost}."""


def run_costs_of(given: RunCostsLike) -> RunCosts:
    """Return the cost of each run, also from a file, whose header may name the cost."""
    found = values_of(given, "cost")
    return RunCosts(
        found.column or "cost", {decoded(run): cost for run, cost in found.by_topic.items()}
    )


OWN_FILE = "rankeval.toml"
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

    text = whole(pieces(shown(file)), shown(file), "TOML", LARGEST >> 4)
    try:
        return tomllib.loads(text.decode())
    # Not TOML, not UTF-8, or an integer of too many digits
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"is not TOML: {error}",
            place=shown(file),
            expected="TOML in UTF-8, such as [suite.NAME] or [collection.NAME]",
        ) from error


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
            place = error.place if named else self._place(where)
            raise InputError(
                error.problem, place=place, expected=error.expected, remedy=error.remedy
            ) from error

    def _path(self, key: str, text: str, where: str) -> str:
        if not text or "\0" in text:
            self._refuse(where, f"{key} is {text!r}", "a path")
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
