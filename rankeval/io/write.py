"""Writing runs and judgments: whole files, in the format and compression of their suffix."""

import bz2
import gzip
import io
import lzma
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import ne
from typing import Any, BinaryIO

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.wording import quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.formats.formats import (
    ALL_ROLES,
    FORMATS,
    FileFormat,
    NameRule,
    detect,
    format_named,
)
from rankeval.io.formats.layouts import LONGEST_MAGIC, PLACEHOLDERS, Form
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos, ranks_of, stretches
from rankeval.io.sources.atomic import atomic_bytes, write_errors
from rankeval.io.sources.blocks import BYTE_ORDER_MARK, suffix
from rankeval.io.sources.blocks import MAGIC as COMPRESSED
from rankeval.io.sources.parts import STDIN

AT_ONCE = 1 << 16
"""Lines that are text in memory at once, and names that are separate objects."""

STDOUT = STDIN


def format_for(path: str, given: str | None) -> str:
    """Return the name of the format to write: the given one, else that of the suffix."""
    if given is not None:
        return format_named(given).name
    ending = suffix(path)
    every = FORMATS.values()
    found = next((one for one in every if ending in (*one.suffixes, *one.written)), None)
    if found is None:
        raise UsageError(
            "has no suffix that names the format to write"
            if path == STDOUT
            else "the suffix does not name the format to write",
            place="standard output" if path == STDOUT else path,
            expected=f"one of {', '.join(FORMATS)}",
            remedy="name the format with --to",
        )
    return found.name


def write(
    path: str, form: str, what: str, parts: Iterator[Columns], *, comments: bytes = b""
) -> list[str]:
    """Write columns that a format can hold to a file, whole or not at all, or to stdout.

    `comments` are lines to put before them, which the format has to allow. Return warnings if the
    beginning of the file will be taken for another format.
    """
    first = next(parts, None)
    if first is None:
        raise InputError("no line is left to write", place=path)
    parts = (piece for part in chain([first], parts) for piece in part.pieces(AT_ONCE))
    target = format_named(form)
    data = target.write(what, parts)
    beginning = next(data)
    notes = _look_at(beginning, target, what)
    with opened(path) as stream:
        stream.write(comments)
        stream.write(beginning)
        stream.writelines(data)
    return notes


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file for writing, compressed as its suffix says; `-` is standard output."""
    if path == STDOUT:
        if sys.stdout is None:
            raise InputError("it is closed", place="standard output", remedy="name a file")
        with write_errors("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with atomic_bytes(path) as raw:
        ending = path.lower().rpartition(".")[2]
        if ending not in COMPRESSORS:
            yield raw
            return
        with COMPRESSORS[ending](raw) as stream:
            yield stream


class _LeftOpen(io.RawIOBase):
    """A stream that Arrow may close, when the one below is renamed only after all is written."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        return self._raw.write(data)


def _by_arrow(kind: str, raw: BinaryIO) -> Any:
    import pyarrow as pa

    return pa.CompressedOutputStream(pa.PythonFile(_LeftOpen(raw), mode="w"), kind)


COMPRESSORS: dict[str, Callable[[BinaryIO], Any]] = {
    # Without a name and a time, so that equal files are equal when compressed, too.
    "gz": lambda raw: gzip.GzipFile("", "wb", fileobj=raw, mtime=0),
    "bz2": lambda raw: bz2.BZ2File(raw, "wb"),
    "xz": lambda raw: lzma.LZMAFile(raw, "wb"),  # noqa: SIM115  `opened` closes it
    "zst": partial(_by_arrow, "zstd"),
    "lz4": partial(_by_arrow, "lz4"),
}


def _look_at(beginning: bytes, target: FileFormat, what: str) -> list[str]:
    """Return a warning if the first line will be taken for another format."""
    if beginning.startswith((BYTE_ORDER_MARK, b"\xff\xfe", b"\xfe\xff", *COMPRESSED)):
        raise InputError(
            "the first line would look like the start of a compressed file",
            expected="another format",
            remedy="convert to csv, tsv, jsonl, parquet or arrow",
        )
    line = beginning.partition(b"\n")[0]
    found = detect(beginning[:LONGEST_MAGIC], line, "", Form(what))
    if found in (target.name, target.found_as):
        return []
    option = "run" if what == "run" else "qrels"
    return [
        f"the first line looks like {found}: read the file with --{option}-format {target.name}"
    ]


DEFAULT_TAG, NO_ITERATION = b"run", b"0"

NOTES = {
    "tag": "{} has no run tags",
    "rank": "{} has no ranks other than those of the scores",
    "score": "{} has ranks instead of scores",
    "iteration": "{} has no iterations or subtopics",
    "stratum": "{} has no strata",
    "fraction": "trec_eval reads whole numbers in {}, and there are fractions of grades",
    "formula": "a spreadsheet would take names in {} for formulas",
}
"""Warnings for losses and changes in a format."""

_FORMULA = re.compile(rb"^(?:[=@]|[+-](?![0-9.]+$))", re.MULTILINE)
"""The beginning of a formula; a signed number is none."""

_WHITE, _LINE_END = re.compile(rb"[\s\0]"), re.compile(rb"[\n\0]")
_WHOLE = re.compile(rb"-?(?:0|[1-9][0-9]{0,17})")


def ranks_by_score(columns: Columns) -> Integers:
    """Return the rank of each row in its topic: scores descending, ties by docno descending."""
    stretch = stretches(columns)
    order = np.lexsort((-columns.values, stretch))
    ordered, topic = columns.values[order], stretch[order]
    if ((ordered[1:] == ordered[:-1]) & (topic[1:] == topic[:-1])).any():
        name = columns.docnos.order(np.arange(len(columns)))
        order = np.lexsort((-name, -columns.values, stretch))
    return ranks_of(columns, order)


def fit(
    columns: Columns, what: str, target: FileFormat, place: str
) -> tuple[Columns, Counter[str]]:
    """Return whole topics as a format can hold them, and the number of lines for each of NOTES.

    InputError names the first line that the format cannot hold at all.
    """
    lost: Counter[str] = Counter()
    if what == "run":
        columns = _fit_run(columns, target, lost)
    else:
        columns = _fit_judgments(columns, target, place, lost)
    _refuse_names(columns, target, place)
    if target.names is NameRule.RECORDS:
        lost["formula"] = _formulas(columns)
    return columns, +lost


def _fit_run(columns: Columns, target: FileFormat, lost: Counter[str]) -> Columns:
    kept = dict(columns.kept)
    tags, ranks = kept.pop("tag", None), kept.pop("rank", None)
    if tags is not None and "tag" not in target.roles:
        lost["tag"] = len(columns) - tags.tolist().count(b"")
    elif "tag" in target.required and (tags is None or not _is_plain(tags)):
        given = tags.tolist() if tags is not None else [b""] * len(columns)
        kept["tag"] = PlainDocnos([tag or DEFAULT_TAG for tag in given])
    elif tags is not None:
        kept["tag"] = tags
    if not target.scores:  # lines in the order of their ranks
        natural = ranks_by_score(columns)
        lost["score"] = int(np.count_nonzero(columns.values != -natural))
        order = np.lexsort((natural, stretches(columns)))
        kept = {"rank": _as_names(natural)}
        return replace(columns, kept=kept).taken(order, columns.starts)
    if ranks is not None or "rank" in target.required:
        if ranks is None or not _holds_ranks(target, ranks):
            natural_names = _as_names(ranks_by_score(columns))
            if ranks is not None:
                lost["rank"] = sum(map(ne, ranks.tolist(), natural_names.names))
            ranks = natural_names
        if "rank" in target.roles:
            kept["rank"] = ranks
    return replace(columns, kept=kept)


def _holds_ranks(target: FileFormat, ranks: Docnos) -> bool:
    """Return True if a format holds the ranks as they are: any text, a word, or an integer."""
    if "rank" not in target.roles:
        return False
    if target.names is NameRule.WORDS:
        return _is_plain(ranks) or all(_holds(target.names, some) for _, some in _in_pieces(ranks))
    return not target.integer_ranks or all(
        all(map(_WHOLE.fullmatch, some)) for _, some in _in_pieces(ranks)
    )


def _fit_judgments(columns: Columns, target: FileFormat, place: str, lost: Counter[str]) -> Columns:
    kept = dict(columns.kept)
    iterations = kept.pop("iteration", None)
    given = [b""] * len(columns) if iterations is None else iterations.tolist()
    distinct = set(given)
    if "iteration" in target.required:
        kept["iteration"] = PlainDocnos([name or NO_ITERATION for name in given])
    elif "iteration" in target.roles:
        if iterations is not None and not distinct <= {NO_ITERATION}:
            kept["iteration"] = iterations
    elif not distinct <= {*PLACEHOLDERS, b""}:
        for _, row in columns.docnos.duplicates(columns.starts)[:1]:
            raise InputError(
                f"document {quoted(columns.docnos[row])} is judged for several subtopics, and the "
                f"format {target.name} holds one judgment of a document",
                place=f"{place}:{columns.lines[row]}",
                expected=f"one of {', '.join(_holding([]))}",
            )
        lost["iteration"] = len(columns)
    if "stratum" in kept and "stratum" not in target.roles:
        lost["stratum"] = len(columns)
        del kept["stratum"]
    if target.whole_grades:
        lost["fraction"] = int(np.count_nonzero(columns.values != np.floor(columns.values)))
    return replace(columns, kept=kept)


def _formulas(columns: Columns) -> int:
    """Return the number of lines with a name that begins as a formula does."""
    sizes = np.diff(columns.starts).tolist()
    pairs = zip(columns.topics, sizes, strict=True)
    n_lines = sum(size for topic, size in pairs if _FORMULA.match(topic))
    for names in (columns.docnos, *(columns.kept[role] for role in columns.kept if role != "rank")):
        for _, some in _in_pieces(names):
            if _FORMULA.search(b"\n".join(some)):
                n_lines += sum(_FORMULA.match(name) is not None for name in some)
    return min(n_lines, len(columns))


def _refuse_names(columns: Columns, target: FileFormat, place: str) -> None:
    """Raise InputError for a name that could not be read again."""
    rows = columns.starts.tolist()
    for i, topic in enumerate(columns.topics):
        if not _holds(target.names, [topic]) or (
            target.names is NameRule.WORDS and topic.startswith(b"#")
        ):
            raise _refused("topic", topic, target, f"{place}:{columns.lines[rows[i]]}")
    for role, names in [("docno", columns.docnos), *columns.kept.items()]:
        for start, some in _in_pieces(names) if not _is_plain(names) else ():
            if not _holds(target.names, some):
                at = next(i for i, name in enumerate(some) if not _holds(target.names, [name]))
                raise _refused(role, some[at], target, f"{place}:{columns.lines[start + at]}")


def _refused(role: str, name: bytes, target: FileFormat, place: str) -> InputError:
    others = _holding([name])
    return InputError(
        f"the {role} {quoted(name)} cannot be written in the format {target.name}",
        place=place,
        expected=target.names.value,
        remedy=f"convert to one of {', '.join(others)}, which hold it" if others else "rename it",
    )


def _holding(names: Sequence[bytes]) -> list[str]:
    """Return the formats that hold all columns, and these names."""
    every = FORMATS.values()
    return [one.name for one in every if one.roles >= ALL_ROLES and _holds(one.names, names)]


def _is_plain(names: Docnos) -> bool:
    """Return True for a column of a fast parser whose names are all words of printable ASCII.

    Every format holds these, and to look at bytes takes a tenth of the time.
    """
    if isinstance(names, PlainDocnos):
        return False
    from rankeval.io.parsers.names import Names

    return isinstance(names, Names) and names.texts.words_of_ascii


def _in_pieces(names: Docnos) -> Iterator[tuple[int, list[bytes]]]:
    """Yield some names at once, with the row of the first."""
    for start in range(0, len(names), AT_ONCE):
        yield start, names.slice(start, min(start + AT_ONCE, len(names))).tolist()


def _holds(rule: NameRule, names: Sequence[bytes]) -> bool:
    """Return True if a format with this rule can hold all of some names."""
    if rule is NameRule.UNICODE:
        try:
            b"\n".join(names).decode()
        except UnicodeDecodeError:
            return False
        return True
    if rule is NameRule.WORDS:
        return b"" not in names and _WHITE.search(b"".join(names)) is None
    return _LINE_END.search(b"".join(names)) is None


def _as_names(numbers: Integers) -> PlainDocnos:
    return PlainDocnos([b"%d" % number for number in numbers.tolist()])
