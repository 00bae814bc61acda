"""Writing runs and judgments: whole files, in the format and compression of their suffix."""

import bz2
import gzip
import lzma
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from operator import ne
from typing import Any, BinaryIO

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.wording import quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.atomic import atomic_bytes, write_errors
from rankeval.io.files import STDIN
from rankeval.io.formats import FORMATS, PLACEHOLDERS, FileFormat, NameRule, format_named
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos, ranks_of, stretches
from rankeval.io.sources.blocks import suffix

AT_ONCE = 1 << 16
"""Lines that are text in memory at once."""

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
            "no suffix names the format to write",
            place="standard output" if path == STDOUT else path,
            expected=f"one of {', '.join(FORMATS)}",
            remedy="name the format with --to",
        )
    return found.name


def write(path: str, form: str, what: str, parts: Iterator[Columns]) -> None:
    """Write columns that a format can hold to a file, whole or not at all, or to stdout."""
    first = next(parts, None)
    if first is None:
        raise InputError("no line is left to write", place=path)
    pieces = (piece for part in chain([first], parts) for piece in part.pieces(AT_ONCE))
    data = format_named(form).functions.write(form, what, pieces)
    beginning = next(data)  # before a file is opened
    with opened(path) as stream:
        stream.write(beginning)
        stream.writelines(data)


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


def _by_arrow(kind: str, raw: BinaryIO) -> Any:
    import pyarrow as pa

    # Arrow closes its file, where ours is renamed only after all is written.
    return pa.CompressedOutputStream(os.fdopen(os.dup(raw.fileno()), "wb"), kind)


COMPRESSORS: dict[str, Callable[[BinaryIO], Any]] = {
    # Without a name and a time, so that equal files are equal when compressed, too.
    "gz": lambda raw: gzip.GzipFile("", "wb", fileobj=raw, mtime=0),
    "bz2": lambda raw: bz2.BZ2File(raw, "wb"),
    "xz": lambda raw: lzma.LZMAFile(raw, "wb"),  # noqa: SIM115  `opened` closes it
    "zst": lambda raw: _by_arrow("zstd", raw),
    "lz4": lambda raw: _by_arrow("lz4", raw),
}

DEFAULT_TAG, NO_ITERATION = b"run", b"0"

NOTES = {
    "tag": "{} has no run tags",
    "rank": "{} has no ranks other than those of the scores",
    "score": "{} has ranks instead of scores",
    "iteration": "{} has no iterations or subtopics",
    "stratum": "{} has no strata",
    "fraction": "trec_eval reads whole numbers in {}, and there are fractions of grades",
}
"""Warnings for losses and changes in a format."""

_WHITE, _LINE_END = re.compile(rb"[\s\0]"), re.compile(rb"[\n\0]")


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
    return columns, +lost


def _fit_run(columns: Columns, target: FileFormat, lost: Counter[str]) -> Columns:
    kept = dict(columns.kept)
    tags, ranks = kept.pop("tag", None), kept.pop("rank", None)
    given = [b""] * len(columns) if tags is None else tags.tolist()
    if "tag" in target.required:
        kept["tag"] = PlainDocnos([tag or DEFAULT_TAG for tag in given])
    elif "tag" not in target.roles:
        lost["tag"] = len(columns) - given.count(b"")
    elif tags is not None:
        kept["tag"] = tags
    if not target.scores:  # lines in the order of their ranks
        natural = ranks_by_score(columns)
        lost["score"] = int(np.count_nonzero(columns.values != -natural))
        order = np.lexsort((natural, stretches(columns)))
        kept = {"rank": _as_names(natural)}
        return replace(columns, kept=kept).taken(order, columns.starts)
    if ranks is not None or "rank" in target.required:
        if ranks is None or "rank" not in target.roles or not _are_whole(ranks):
            natural_names = _as_names(ranks_by_score(columns))
            if ranks is not None:
                lost["rank"] = sum(map(ne, ranks.tolist(), natural_names.names))
            ranks = natural_names
        if "rank" in target.roles:
            kept["rank"] = ranks
    return replace(columns, kept=kept)


def _are_whole(ranks: Docnos) -> bool:
    """Return True for whole numbers of at most 18 digits, which every format holds."""
    names = ranks.tolist()
    sizes = [*map(len, names)]
    return b"".join(names).isdigit() and 0 < min(sizes) <= max(sizes) <= 18


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
                remedy="convert to trec, csv, tsv, jsonl, parquet or arrow",
            )
        lost["iteration"] = len(columns)
    if "stratum" in kept and "stratum" not in target.roles:
        lost["stratum"] = len(columns)
        del kept["stratum"]
    if target.names is NameRule.WORDS:
        lost["fraction"] = int(np.count_nonzero(columns.values != np.floor(columns.values)))
    return replace(columns, kept=kept)


def _refuse_names(columns: Columns, target: FileFormat, place: str) -> None:
    """Raise InputError for a name that could not be read again."""
    rows: Any = range(len(columns))
    others = "jsonl, parquet or arrow"
    if target.names is NameRule.UNICODE:
        others = "trec, csv or tsv"
    topics = [
        # A line that begins with # is a comment.
        b"" if topic.startswith(b"#") and target.names is NameRule.WORDS else topic
        for topic in columns.topics
    ]
    for role, names, places in (
        ("topic", topics, columns.starts),
        ("docno", columns.docnos.tolist(), rows),
        *((role, names.tolist(), rows) for role, names in columns.kept.items()),
    ):
        if not _holds(target.names, names):
            at = next(i for i, name in enumerate(names) if not _holds(target.names, [name]))
            name = columns.topics[at] if role == "topic" else names[at]
            raise InputError(
                f"the {role} {quoted(name)} cannot be written in the format {target.name}",
                place=f"{place}:{columns.lines[places[at]]}",
                expected=target.names.value,
                remedy=f"convert to {others}, or rename it",
            )


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
