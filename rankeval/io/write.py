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
from itertools import chain
from operator import ne
from typing import Any, BinaryIO

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.frozen import replace
from rankeval.base.wording import quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.atomic import atomic_bytes, write_errors
from rankeval.io.blocks import suffix
from rankeval.io.columns import Columns, ranks_of, stretches
from rankeval.io.files import STDIN
from rankeval.io.formats import FORMATS, PLACEHOLDERS, UNICODE, WORDS, FileFormat, check_name
from rankeval.io.names import Names

AT_ONCE = 1 << 16
"""Lines that are text in memory at once."""

STDOUT = STDIN


def format_for(path: str, given: str | None) -> str:
    """Return the name of the format to write: the given one, else that of the suffix."""
    check_name(given)
    found = given or next((n for n, one in FORMATS.items() if suffix(path) in one.suffixes), None)
    if found is None:
        raise UsageError(
            "no suffix names the format to write",
            place="standard output" if path == STDOUT else path,
            expected=f"one of {', '.join(FORMATS)}",
            remedy="name the format with --to",
        )
    return found


def write(path: str, form: str, what: str, parts: Iterator[Columns]) -> None:
    """Write columns that a format can hold to a file, whole or not at all, or to stdout."""
    first = next(parts, None)  # before a file is opened
    if first is None:
        raise InputError("no line is left to write", place=path)
    pieces = (piece for part in chain([first], parts) for piece in part.pieces(AT_ONCE))
    with opened(path) as stream:
        FORMATS[form].functions.write(form, what, pieces, stream)


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

NOTES = {
    "tag": "{} has no run tags",
    "rank": "{} has no ranks other than those of the scores",
    "score": "{} has ranks instead of scores",
    "iteration": "{} has no iterations or subtopics",
    "stratum": "{} has no strata",
    "fraction": "trec_eval reads whole numbers in {}, and there are fractions of grades",
}
"""Warnings for losses and changes in a format."""

DEFAULTS = {"tag": b"run", "iteration": b"0"}
"""What is written in columns that a format needs."""


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
    kept = dict(columns.kept)
    role = "tag" if what == "run" else "iteration"
    names = kept.pop(role, None)
    given = [b""] * len(columns) if names is None else names.tolist()
    nothing = {b"", *(PLACEHOLDERS if what == "qrels" else ())}
    if role in target.required:
        kept[role] = Names.from_names([name or DEFAULTS[role] for name in given])
    elif role not in target.roles:
        lost[role] = sum(name not in nothing for name in given)
        if what == "qrels" and lost[role]:
            _refuse_repeated(columns, target, place)
    elif names is not None and (what == "run" or not {*given} <= {DEFAULTS[role]}):
        kept[role] = names
    if "stratum" in kept and "stratum" not in target.roles:
        del kept["stratum"]
        lost["stratum"] = len(columns)
    if what == "qrels" and target.names == WORDS:
        lost["fraction"] = int(np.count_nonzero(columns.values != np.floor(columns.values)))
    columns = replace(columns, kept=kept)
    columns = _with_ranks(columns, target, lost) if what == "run" else columns
    _refuse_names(columns, target, place)
    return columns, +lost


def _with_ranks(columns: Columns, target: FileFormat, lost: Counter[str]) -> Columns:
    """Return a run with the ranks that a format needs or can hold."""
    kept = dict(columns.kept)
    ranks = kept.pop("rank", None)
    if "score" not in target.roles:  # lines in the order of their ranks
        natural = ranks_by_score(columns)
        lost["score"] = int(np.count_nonzero(columns.values != -natural))
        order = np.lexsort((natural, stretches(columns)))
        ranked = replace(columns, kept={"rank": _as_names(natural)})
        return ranked.taken(order, columns.starts)
    if ranks is not None or "rank" in target.required:
        if ranks is None or "rank" not in target.roles or not _are_whole(ranks):
            computed = _as_names(ranks_by_score(columns))
            if ranks is not None:
                lost["rank"] = sum(map(ne, ranks.tolist(), computed.tolist()))
            ranks = computed
        if "rank" in target.roles:
            kept["rank"] = ranks
    return replace(columns, kept=kept)


def _are_whole(ranks: Names) -> bool:
    """Return True for whole numbers of at most 18 digits, which every format holds."""
    return all(name.isdigit() and len(name) <= 18 for name in ranks.tolist())


def _as_names(numbers: Integers) -> Names:
    return Names.from_names([b"%d" % number for number in numbers.tolist()])


def _refuse_repeated(columns: Columns, target: FileFormat, place: str) -> None:
    """Raise InputError for a document of several judgments."""
    for _, row in columns.docnos.duplicates(columns.starts)[:1]:
        raise InputError(
            f"document {quoted(columns.docnos[row])} is judged for several subtopics, and the "
            f"format {target.name} holds one judgment of a document",
            place=f"{place}:{columns.lines[row]}",
            remedy="convert to trec, csv, tsv, jsonl, parquet or arrow",
        )


def _refuse_names(columns: Columns, target: FileFormat, place: str) -> None:
    """Raise InputError for a name that could not be read again."""
    rule, docnos = target.names, {"docno": columns.docnos, **columns.kept}
    rows: Any = range(len(columns))
    for role, names, lines in (
        ("topic", columns.topics, columns.starts),
        *((role, names.tolist(), rows) for role, names in docnos.items()),
    ):
        # A line that begins with # is a comment.
        hidden = {n for n in names if n[:1] == b"#"} if (role, rule) == ("topic", WORDS) else ()
        if not hidden and _holds(rule, names):
            continue
        at = next(i for i, n in enumerate(names) if n in hidden or not _holds(rule, [n]))
        others = "trec, csv or tsv" if rule == UNICODE else "jsonl, parquet or arrow"
        raise InputError(
            f"the {role} {quoted(names[at])} cannot be written in the format {target.name}",
            place=f"{place}:{columns.lines[lines[at]]}",
            expected=rule,
            remedy=f"convert to {others}, or rename it",
        )


def _holds(rule: str, names: Sequence[bytes]) -> bool:
    """Return True if a format with this rule can hold all of some names."""
    if rule == UNICODE:
        try:
            b"\n".join(names).decode()
        except UnicodeDecodeError:
            return False
        return True
    if rule == WORDS:
        return b"" not in names and re.search(rb"[\s\0]", b"".join(names)) is None
    return re.search(rb"[\n\0]", b"".join(names)) is None
