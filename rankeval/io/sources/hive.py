"""The parts of a run or of judgments, with the columns that names of folders give, as topic=7."""

import os
from collections.abc import Mapping
from pathlib import PurePath
from urllib.parse import unquote, unquote_to_bytes

from rankeval.base.frozen import frozen
from rankeval.errors import InputError
from rankeval.io.parsers.column_names import ROLES, VALUES, plain_name
from rankeval.io.sources.parts import files_of, is_remote

NULL = b"__HIVE_DEFAULT_PARTITION__"
"""The value that Hive writes where there is none."""


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
    """Return the files that a path stands for, itself if it is a file; InputError for none.

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
