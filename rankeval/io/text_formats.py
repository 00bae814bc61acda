"""Formats of lines: TREC's and MS MARCO's, and CSV, TSV and words below a header of names."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain, repeat
from typing import BinaryIO

from rankeval.base.frozen import replace
from rankeval.base.wording import quoted
from rankeval.errors import InputError, RankevalError
from rankeval.io.blocks import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    display_name,
    long_line,
    opened,
    whole_lines,
)
from rankeval.io.column_names import (
    VALUES,
    ContentGuess,
    find_roles,
    guess_by_names,
    is_integer,
    name_columns,
    roles_of,
    value_role,
)
from rankeval.io.columns import Columns, Layout, is_number
from rankeval.io.formats import (
    CONSTANTS,
    LABELLED,
    LAYOUTS,
    QRELS,
    RANKED,
    RUN,
    STRATUM,
    UNGRADED,
    UNNEEDED,
    Beginning,
    Form,
)

SEPARATORS = (b"\t", b",", b";")
OF_CSV = (b",", b";")
MOST_NAMES = 1 << 16
BEIR_NAMES = {"topic": "query-id", "docno": "corpus-id", "score": "score", "grade": "score"}


def read(
    name: str, path: str, begun: Beginning, form: Form
) -> tuple[Layout, Iterator[tuple[bytes, int]]]:
    """Return the layout of the lines of a file, and the lines in blocks."""
    line = begun.line
    if _FEATURES.match(line):
        raise InputError(
            f"is a file of features in the format of LETOR and SVMlight: {quoted(line.strip())}",
            place=display_name(path),
            expected="judgments as topic 0 docno grade, or a run as topic Q0 docno rank score tag",
            remedy="write each document's name with its topic and its grade, or its score",
        )
    if name in ("trec", "msmarco") or not line:
        return _without_header(name, line, form), whole_lines(begun.whole, path)
    place, separator = display_name(path), header_of(line, form)
    if separator is None:
        separator = likely_separator(line)
    _refuse_data(line, names_in(line, separator) or (), form, place)
    found = layout_below(line, separator, form.what, form.columns, place, form.fixed)
    text = b"".join(begun.head).removeprefix(BYTE_ORDER_MARK)
    cut = begun.start + len(line) + 1
    if len(line) > LONGEST_LINE:
        raise long_line(f"{place}:1")
    above = text.count(b"\n", 0, cut)
    below = whole_lines(chain((text[cut:],), begun.data), path)
    return found, ((block, number + above) for block, number in below)


_FEATURES = re.compile(rb"\s*[-+.\d]+\s+qid:\S+\s+\d+:")
"""A line of a grade, a topic and features, for learning to rank."""


def _without_header(name: str, line: bytes, form: Form) -> Layout:
    """Return the layout of lines of TREC's or MS MARCO's whose first one is given."""
    n_fields = len(line.split())
    found = RUN
    if name == "msmarco" and form.what == "run":
        return RANKED
    if name == "msmarco" and n_fields == len(UNGRADED.fields):
        return UNGRADED
    if form.what == "qrels":
        strata = (
            form.keep and n_fields == 5 and is_integer(line.split()[3].decode(errors="replace"))
        )
        label = form.label or (STRATUM if strata else None)
        found = LABELLED[label] if label else QRELS
    if form.keep:
        found = replace(found, kept=tuple(dict((*UNNEEDED[form.what], *found.kept)).items()))
    return found


def recognised(line: bytes, form: Form) -> str:
    """Return the format that a first line can be of only; "" if it does not show one.

    Where columns are named, the first line is a header if it is no line of TREC's: a column that
    it lacks is an error when the file is read.
    """
    fields = line.split()
    is_whole = len(fields) == len(LAYOUTS[form.what].fields)
    is_data = is_whole and is_number(fields[LAYOUTS[form.what].value or 0])
    if not is_data or form.columns:
        separator = header_of(line, form)
        if separator in OF_CSV or (separator is None and form.columns and line and not is_data):
            return "csv"
        if separator is not None:
            return "tsv"
    if _is_of_msmarco(form.what, fields):
        return "msmarco"
    return "trec" if is_whole else ""


def _is_of_msmarco(what: str, fields: Sequence[bytes]) -> bool:
    if what == "run":
        return len(fields) == len(RANKED.fields) and fields[2].isdigit()
    return len(fields) == len(UNGRADED.fields)


def guess(begun: Beginning, _: str, given: Mapping[str, str]) -> ContentGuess:
    """Guess the content from the names in a header, else from the number of columns."""
    line = begun.line.lstrip()
    for separator in (*SEPARATORS, b""):
        names = names_in(line, separator)
        if names and name_columns(names, given):
            below = b"".join(begun.head).partition(begun.line)[2].lstrip().partition(b"\n")[0]
            return guess_by_names(names, names_in(below, separator) or (), given)
    fields = line.split()
    n_fields = len(fields)
    if n_fields == 5 and fields[1].lower() == b"q0":  # without a tag
        return ContentGuess("run", certain=False)
    if n_fields in (4, 5):  # 5 with strata, or a blank in a docno
        return ContentGuess("qrels", certain=n_fields < 5 or not is_number(fields[2]))
    if _is_of_msmarco("qrels", fields):
        return ContentGuess("qrels", certain=True)
    return ContentGuess("run", certain=n_fields == 6 or _is_of_msmarco("run", fields))


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


def layout_below(
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


def _refuse_data(line: bytes, names: Sequence[str], form: Form, place: str) -> None:
    """Raise InputError for a number instead of the value's name, or of any unknown name."""
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


def write(name: str, what: str, parts: Iterator[Columns], stream: BinaryIO) -> None:
    """Write lines of a run or judgments, below a header unless they are TREC's or MS MARCO's."""
    separator = {"trec": b" ", "csv": b","}.get(name, b"\t")
    names: list[str] = []
    for rows in map(rows_of, repeat(what), parts):
        if name in ("trec", "msmarco"):
            fields = LABELLED[STRATUM].fields if "stratum" in rows else LAYOUTS[what].fields
            if name == "msmarco" and what == "run":
                fields = RANKED.fields
            elif "iteration" in rows:
                fields = tuple("iteration" if name == "0" else name for name in fields)
            columns = [rows[name] if name in rows else repeat(CONSTANTS[name]) for name in fields]
        else:
            if not names:
                names = [role for role in FIELDS[what] if role in rows]
                shown = BEIR_NAMES if name == "beir" else {}
                header = separator.join(shown.get(role, role).encode() for role in names)
                stream.write(header + b"\n")
            columns = [_quoted_where_needed(rows[role], separator) for role in names]
        stream.write(b"\n".join([*map(separator.join, zip(*columns, strict=False)), b""]))


def _quoted_where_needed(fields: list[bytes], separator: bytes) -> list[bytes]:
    """Quote the fields of a column if one would be cut, trimmed or taken for a comment."""
    if re.search(rb'["\s%b]|(?:\A|\0)#' % separator, b"\0".join(fields)) is None:
        return fields
    return [b'"%b"' % field.replace(b'"', b'""') for field in fields]


def first_tag(path: str) -> str:
    """Return the tag in the first line of a run in TREC's format; "" if there is none."""
    with suppress(RankevalError), opened(path) as (_, lines):
        fields = lines.readline().split()
        if len(fields) == 6 and fields[3].isdigit():
            return fields[5].decode(errors="replace")
    return ""


FIELDS = {
    "run": ("topic", "docno", "rank", "score", "tag"),
    "qrels": ("topic", "iteration", "docno", "stratum", "grade"),
}
"""The order of columns in formats that name them."""

Rows = dict[str, list[bytes]]
"""Columns by their roles, with one item per line."""


def rows_of(what: str, columns: Columns) -> Rows:
    """Return every column as text, one item per line."""
    sizes = (columns.starts[1:] - columns.starts[:-1]).tolist()
    topics = chain.from_iterable(map(repeat, columns.topics, sizes))
    return {
        "topic": list(topics),
        "docno": columns.docnos.tolist(),
        VALUES[what]: numbers_of(what, columns),
        **{role: names.tolist() for role, names in columns.kept.items()},
    }


def numbers_of(what: str, columns: Columns) -> list[bytes]:
    """Return scores or grades as the shortest exact text; whole grades without a point."""
    values = columns.values.tolist()
    if what == "run":
        return [b"%a" % value for value in values]
    return [b"%d" % value if value.is_integer() else b"%a" % value for value in values]
