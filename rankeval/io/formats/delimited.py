"""Lines with a header that names their columns: TSV (BEIR's, too), CSV, or words."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial

from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.formats import trec
from rankeval.io.formats.file_format import (
    Beginning,
    FileFormat,
    Form,
    LaidOutLines,
    Limits,
    NameRule,
)
from rankeval.io.parsers.column_names import (
    VALUES,
    ContentGuess,
    find_roles,
    guess_by_names,
    name_columns,
    roles_of,
    unread_columns,
    value_role,
)
from rankeval.io.parsers.columns import Columns, Layout, is_number
from rankeval.io.sources.blocks import display_name, whole_lines

SEPARATORS = (b"\t", b",", b";")
OF_CSV = (b",", b";")
MOST_NAMES = 1 << 16
BEIR_NAMES = {"topic": "query-id", "docno": "corpus-id", "score": "score", "grade": "score"}


def split_at(separator: bytes, line: bytes) -> list[bytes]:
    """Cut a line at separators outside quotes; blanks around a field are dropped.

    A field in double quotes may hold the separator, blanks at its ends, and doubled quotes.
    """
    if b'"' not in line:
        return [field.strip() for field in line.split(separator)]
    pattern = _field(separator)
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


@cache
def _field(separator: bytes) -> re.Pattern[bytes]:
    sep = re.escape(separator)
    blank = rb" *+" if separator == b"\t" else rb"[ \t]*+"
    return re.compile(
        rb'%b(?:"((?:[^"]++|"")*+)"%b|((?:[^"%b][^%b]*+)?))(%b|\Z)' % (blank, blank, sep, sep, sep)
    )


def header_of(line: bytes, form: Form) -> bytes | None:
    """Return the separator of a header, b"" for white space; None if the line is no header."""
    for separator in (*SEPARATORS, b""):
        if not separator or separator in line:
            names = names_in(line, separator)
            if names and find_roles(names, form.what, form.columns, form.fixed) is not None:
                return separator
    return None


def names_in(line: bytes, separator: bytes) -> list[str] | None:
    """Return the fields of a header; None if it cannot be cut, or into more than anybody names."""
    if sum(map(line.count, (separator,) if separator else (b" ", b"\t"))) > MOST_NAMES:
        return None
    try:
        fields = split_at(separator, line) if separator else line.split()
    except ValueError:
        return None
    return [field.decode("utf-8", "backslashreplace") for field in fields]


def likely_separator(line: bytes) -> bytes:
    """Return the separator that a line holds; b"" for white space."""
    return next((separator for separator in SEPARATORS if separator in line), b"")


def layout(
    line: bytes,
    separator: bytes,
    what: str,
    given: Mapping[str, str],
    place: str,
    fixed: Collection[str] = (),
) -> Layout:
    """Return the layout of the lines below a header; InputError if it lacks a column."""
    names = names_in(line, separator) or [line.decode("utf-8", "backslashreplace")]
    roles = roles_of(names, what, given, place, fixed)
    split = partial(split_at, separator) if separator else None
    return Layout.by_roles(what, names, roles, split, separator)


def read(path: str, begun: Beginning, form: Form) -> LaidOutLines:
    """Lay out the lines below the header of a file."""
    line = begun.line
    if not line:
        return trec.read(path, begun, form)
    separator = header_of(line, form)
    if separator is None:
        separator = likely_separator(line)
    place = display_name(path)
    names = names_in(line, separator) or ()
    _refuse_data(line, names, form, place)
    found = layout(line, separator, form.what, form.columns, place, form.fixed)
    below = _below(whole_lines(begun.whole, path), begun.start + len(line) + 1)
    laid_out = form.with_ranks(found)
    return LaidOutLines(laid_out, below, line)


def _refuse_data(line: bytes, names: Sequence[str], form: Form, place: str) -> None:
    """Raise InputError for a number in the place of the value's name, or of any unknown name."""
    roles = find_roles(names, form.what, form.columns, form.fixed)
    if roles is not None:
        value = value_role(form.what, roles)
        names = [names[roles[value]]] if value in roles else []
    if any(is_number(name.encode()) for name in names):
        raise InputError(
            f"the first line is data, and not the names of columns: {quoted(line.strip())}",
            place=place,
            expected=f"a first line of names, such as topic,docno,{VALUES[form.what]}",
            remedy="write the names of the columns above the data",
        )


def _below(blocks: Iterator[tuple[bytes, int]], skipped: int) -> Iterator[tuple[bytes, int]]:
    """Yield the blocks without their first bytes, which are whole lines."""
    for block, line in blocks:
        if skipped >= len(block):
            skipped -= len(block)
        elif skipped:
            yield block[skipped:], line + block.count(b"\n", 0, skipped)
            skipped = 0
        else:
            yield block, line


def is_csv(line: bytes, form: Form) -> bool:
    """Return True for a header with commas or semicolons.

    Where columns are named, the first line is a header if it is no line of TREC's: a column that
    it lacks is an error when the file is read.
    """
    if not form.columns and trec.has_number(line, form.what):
        return False
    separator = header_of(line, form)
    if separator is None:
        return bool(form.columns and line) and not trec.has_number(line, form.what)
    return separator in OF_CSV


def is_tsv(line: bytes, form: Form) -> bool:
    """Return True for a header with tabs or other white space."""
    if not form.columns and trec.has_number(line, form.what):
        return False
    return header_of(line, form) in (b"\t", b"")


def guess(begun: Beginning, _path: str, given: Mapping[str, str]) -> ContentGuess | None:
    """Guess the content of the lines below a header from the names in it."""
    line = begun.line.lstrip()
    for separator in (*SEPARATORS, b""):
        names = names_in(line, separator)
        if names and name_columns(names, given):
            below = b"".join(begun.head).partition(begun.line)[2].lstrip().partition(b"\n")[0]
            return guess_by_names(names, names_in(below, separator) or (), given)
    return None


def unread(_path: str, begun: Beginning, form: Form) -> Sequence[str]:
    """Describe the columns of no known meaning."""
    separator = header_of(begun.line, form)
    names = () if separator is None else names_in(begun.line, separator) or ()
    return unread_columns(names, form.what, form.columns, form.fixed)


def _write(
    separator: bytes, shown: Mapping[str, str], what: str, parts: Iterator[Columns]
) -> Iterator[bytes]:
    """Yield a header and records; `shown` has names of columns that are not those of roles."""
    from rankeval.io.formats.text_rows import FIELDS, every_rows

    names: list[str] = []
    for rows in every_rows(what, parts):
        header = b""
        if not names:
            names = [name for name in FIELDS[what] if name in rows]
            header = separator.join(shown.get(name, name).encode() for name in names) + b"\n"
        columns = [_quoted_where_needed(rows[name], separator) for name in names]
        lines = map(separator.join, zip(*columns, strict=True))
        yield header + b"\n".join([*lines, b""])


def _quoted_where_needed(fields: list[bytes], separator: bytes) -> list[bytes]:
    """Quote fields that would be cut, trimmed or taken for a comment."""
    if _PERHAPS_SPECIAL.search(b"".join(fields)) is None:
        return fields
    special = _special(separator)
    return [
        b'"%b"' % field.replace(b'"', b'""') if special.search(field) else field for field in fields
    ]


@cache
def _special(separator: bytes) -> re.Pattern[bytes]:
    return re.compile(rb'["\s%b]|\A#' % separator)


_PERHAPS_SPECIAL = re.compile(rb'["\s#,]')

CSV = FileFormat(
    "csv",
    Limits(NameRule.RECORDS),
    read,
    partial(_write, b",", {}),
    suffixes=(".csv",),
    recognises=is_csv,
    guess=guess,
    unread=unread,
)
TSV = FileFormat(
    "tsv",
    Limits(NameRule.RECORDS),
    read,
    partial(_write, b"\t", {}),
    output_suffixes=(".tsv",),
    recognises=is_tsv,
    guess=guess,
    unread=unread,
)
BEIR = FileFormat(
    "beir",
    Limits(NameRule.RECORDS, kinds=("run", "qrels"), roles=frozenset()),
    read,
    partial(_write, b"\t", BEIR_NAMES),
    unread=unread,
    read_as={"run": "tsv", "qrels": "tsv"},
)
