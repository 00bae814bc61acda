"""The tables of rankeval.toml: suites of gates, and collections."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from rankeval.base.wording import nearest
from rankeval.errors import InputError, RankevalError
from rankeval.io.blocks import pieces, whole
from rankeval.io.files import is_remote

LARGEST = 1 << 20
"""Bytes of a file, which is in memory as a whole, and takes more of it as tables."""

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


def find_tables(start: Path | None = None) -> Path | None:
    """Find the nearest rankeval.toml, here or above."""
    here = (start or Path.cwd()).resolve()
    found = (folder / OWN_FILE for folder in (here, *here.parents))
    return next((file for file in found if file.is_file()), None)


def tables_of(file: Path) -> dict[str, Any]:
    """Return the tables of a file; InputError if it cannot be read."""
    import tomllib  # most evaluations have no such file

    text = whole(pieces(shown(file)), shown(file), "TOML", LARGEST)
    try:
        return tomllib.loads(text.decode())
    # Not TOML, not UTF-8, or an integer of too many digits
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"is not TOML: {error}",
            place=shown(file),
            expected="TOML in UTF-8, such as [suite.NAME] or [collection.NAME]",
        ) from error


def shown(file: Path) -> str:
    """Return the path relative to the working directory, if it lies below it."""
    here, whole = os.path.realpath("."), os.path.realpath(file)
    below = os.path.relpath(whole, here)
    return str(file) if below.startswith("..") else below


class TableReader:
    """Checks the tables of one file; errors name the file and the table."""

    def __init__(self, file: Path) -> None:
        self._source = shown(file)
        self._folder = Path(shown(file.parent))

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

    def _tables(self, table: Mapping[str, Any], of: str) -> dict[str, Any]:
        """Return the tables of suites, or of collections."""
        tables = table.get(of, {})
        if not isinstance(tables, dict) or not all(isinstance(t, dict) for t in tables.values()):
            self._refuse("", f"{of} is not a table of {of}s", f"[{of}.NAME]")
        return tables

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
