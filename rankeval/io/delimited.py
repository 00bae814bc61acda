"""Lines with a header that names their columns: TSV (BEIR's, too), CSV, or words."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from rankeval.io.column_names import KEPT, find_roles, roles_of, value_role
from rankeval.io.columns import Layout
from rankeval.io.plain_parser import decimal_number

SEPARATORS = (b"\t", b",", b";")


def split_at(separator: bytes, line: bytes) -> list[bytes]:
    """Cut a line at separators outside quotes; blanks around a field are dropped.

    A field in double quotes may hold the separator, blanks at its ends, and doubled quotes.
    """
    if b'"' not in line:
        return [field.strip() for field in line.split(separator)]
    pattern = _FIELD[separator]
    fields, at, line = [], 0, line.strip(b"\r\n")
    while True:
        match = pattern.match(line, at)
        if match is None:
            raise ValueError("a quote is not closed, or not at both ends of its field")
        quoted, bare, end = match.groups()
        fields.append(bare.strip() if quoted is None else quoted.replace(b'""', b'"'))
        if not end:
            return fields
        at = match.end()


def _field(separator: bytes) -> re.Pattern[bytes]:
    sep = re.escape(separator)
    blank = rb" *+" if separator == b"\t" else rb"[ \t]*+"
    return re.compile(
        blank
        + rb'(?:"((?:[^"]++|"")*+)"'
        + blank
        + rb'|((?:[^"'
        + sep
        + rb"][^"
        + sep
        + rb"]*+)?))("
        + sep
        + rb"|\Z)"
    )


_FIELD = {separator: _field(separator) for separator in SEPARATORS}


def header_of(line: bytes, what: str, given: Mapping[str, str]) -> bytes | None:
    """The separator of a line that names columns; b"" for white space, None for other lines."""
    for separator in (*SEPARATORS, b""):
        if not separator or separator in line:
            names = names_in(line, separator)
            if names is not None and find_roles(names, what, given) is not None:
                return separator
    return None


def names_in(line: bytes, separator: bytes) -> list[str] | None:
    """The fields of a header; None if it cannot be cut."""
    try:
        fields = split_at(separator, line) if separator else line.split()
    except ValueError:
        return None
    return [field.decode("utf-8", "backslashreplace") for field in fields]


def likely_separator(line: bytes) -> bytes:
    """What a line seems to be separated by, b"" for white space."""
    return next((separator for separator in SEPARATORS if separator in line), b"")


def layout(
    line: bytes, separator: bytes, what: str, given: Mapping[str, str], place: str
) -> Layout:
    """How the lines below a header are laid out; InputError when it lacks a column."""
    names = names_in(line, separator) or [line.decode("utf-8", "backslashreplace")]
    roles = roles_of(names, what, given, place)
    value_name = value_role(what, roles)
    split: Callable[[bytes], list[bytes]] | None = None
    if separator:
        split = partial(split_at, separator)
    return Layout(
        what=what,
        fields=tuple(names),
        value=roles[value_name],
        value_name=value_name,
        tag=roles.get("tag"),
        more=False,
        comments=True,
        number=decimal_number,
        topic=roles["topic"],
        docno=roles["docno"],
        ranked=value_name == "rank",
        split=split,
        separator=separator,
        kept=tuple((role, roles[role]) for role in KEPT[what] if role in roles),
    )
