"""Which format a file is in: by what was said, by its content, and at last by its suffix."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from rankeval.io import msmarco, trec
from rankeval.io.blocks import (
    BLOCK_SIZE,
    BYTE_ORDER_MARK,
    display_name,
    first_bytes,
    pieces,
    whole_lines,
)
from rankeval.io.blocks import MAGIC as COMPRESSIONS
from rankeval.io.columns import Columns, Layout
from rankeval.io.form import LONGEST_MAGIC, Beginning, Form, with_ranks
from rankeval.io.plain_parser import is_number
from rankeval.support.frozen import frozen

IRDS = "irds:"
MAGIC = {b"PAR1": "parquet", b"ARROW1\0\0": "arrow", b"\xff\xff\xff\xff": "arrow"}

SUFFIXES = {
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
LOOKED_AT = 1 << 20
"""Bytes within which a file's first line of data ends, or it is a line of TREC's, or JSON."""

UNNEEDED = {"run": (("rank", 3), ("tag", 5)), "qrels": (("iteration", 1),)}
"""Fields of TREC's lines that an evaluation does not need, and does not wait for."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")


def begin(
    path: str, block_size: int = BLOCK_SIZE, progress: Callable[[int], None] | None = None
) -> Beginning:
    """Open a file, and read as far as its first line of data."""
    data = pieces(path, block_size, progress=progress)
    return Beginning(*_first_line(data), data)


@frozen
class FoundLines:
    """A file of lines: its format, how they are laid out, and its blocks below a header."""

    name: str
    layout: Layout
    blocks: Iterator[tuple[bytes, int]]


def find_format(
    form: Form, path: str, block_size: int, progress: Callable[[int], None] | None = None
) -> FoundLines | Iterator[Columns]:
    """Open a file, and look at its beginning to tell how it is read."""
    if path.startswith(IRDS):
        from rankeval.io import irds

        return irds.columns(path.removeprefix(IRDS), form.what, path)
    begun = form.begun or begin(path, block_size, progress)
    line, start, data = begun.line, begun.start, begun.whole
    place = display_name(path)
    name = form.name or detect(begun.first, line, path, form)
    match name:
        case "parquet" | "arrow":
            from rankeval.io import tables

            kind = "Parquet" if name == "parquet" else "Arrow"
            return tables.columns(kind, path, data, form, place)
        case "json":
            from rankeval.io import json_mapping

            return json_mapping.columns(data, form, place)
    blocks = whole_lines(data, path)
    if name in ("csv", "tsv", "beir"):
        from rankeval.io import delimited

        separator = delimited.header_of(line, form.what, form.columns)
        if separator is None:
            separator = delimited.likely_separator(line)
        if line:
            layout = delimited.layout(line, separator, form.what, form.columns, place)
            below = _below(blocks, start + len(line) + 1)
            return FoundLines(name, with_ranks(layout, form), below)
    if name == "jsonl" and line:
        from rankeval.io import json_lines

        layout = json_lines.layout(line, form.what, form.columns, place)
        return FoundLines(name, with_ranks(layout, form), blocks)
    return FoundLines(name, _layout(name, line, form), blocks)


def detect(head: bytes, line: bytes, path: str, form: Form) -> str:
    """The format of a file by its first bytes, its first line of data, and its path."""
    for magic, name in MAGIC.items():
        if head.startswith(magic) and not head[len(magic) :][:1].isspace():
            return name
    if _is_json(line.lstrip()):
        from rankeval.io import json_lines

        return "jsonl" if json_lines.is_object(line) else "json"
    fields = line.split()
    plain = trec.LAYOUTS[form.what]
    width = len(plain.fields)
    whole = len(fields) >= width if plain.more else len(fields) == width
    numbered = whole and is_number(fields[cast("int", plain.value)])
    named = None
    if form.columns or not numbered:
        named = _with_header(line, form)
    if named is None and form.columns and line and not numbered:
        return "csv"  # whose header lacks a column, which is told when it is read
    if named or whole:
        return named or "trec"
    if looks_like_msmarco(fields, form.what):
        return "msmarco"
    return SUFFIXES.get(suffix(path), "trec")


def is_packed(path: str) -> bool:
    """Whether a file may hold more than its size tells: it is compressed, or in a binary format."""
    return first_bytes(path, LONGEST_MAGIC).startswith((*MAGIC, *COMPRESSIONS))


def _with_header(line: bytes, form: Form) -> str | None:
    """The format of a file whose first line names its columns."""
    from rankeval.io import delimited

    separator = delimited.header_of(line, form.what, form.columns)
    if separator is None:
        return None
    return "csv" if separator in (b",", b";") else "tsv"


def suffix(path: str) -> str:
    """The suffix of a path without that of its compression, in lower case."""
    name = path.lower().rpartition("/")[2]
    for compressed in COMPRESSED:
        name = name.removesuffix(compressed)
    stem, dot, last = name.rpartition(".")
    return dot + last if stem else ""


def looks_like_msmarco(fields: Sequence[bytes], what: str) -> bool:
    """Whether these are the columns of MS MARCO that are not TREC's."""
    if what == "run":
        return len(fields) == 3 and fields[2].isdigit()
    return what == "qrels" and len(fields) == 2


def _is_json(line: bytes) -> bool:
    """Whether a line begins with a bracket and goes on as JSON does."""
    opening, rest = line[:1], line[1:].lstrip()
    if opening not in (b"{", b"["):
        return False
    return not rest or rest[:1] in ((b'"', b"}") if opening == b"{" else (b"{", b"]"))


def _layout(name: str, line: bytes, form: Form) -> Layout:
    width = len(line.split())
    if form.what == "run":
        found = msmarco.RUN if name == "msmarco" else trec.RUN
        if form.ranks:
            found = replace(found, rank=found.fields.index("rank"))
    elif form.what == "qrels":
        if name == "msmarco" and width == len(msmarco.QRELS.fields):
            return msmarco.QRELS
        strata = form.keep and width == len(trec.LABELLED[trec.STRATUM].fields)
        label = form.label or (trec.STRATUM if strata else None)
        found = trec.LABELLED[label] if label else trec.QRELS
    else:
        return trec.PREFS
    if form.keep and found is not msmarco.RUN:
        found = replace(found, kept=tuple(dict((*UNNEEDED[form.what], *found.kept)).items()))
    return found


def _first_line(data: Iterator[bytes]) -> tuple[list[bytes], bytes, int]:
    """Pieces of a file as far as its first line of data, that line, and where it starts.

    A line that begins with # is none, nor is a blank one. A byte order mark does not count.
    """
    head: list[bytes] = []
    text = b""
    start = 0
    for piece in data:
        text += piece if head else piece.removeprefix(BYTE_ORDER_MARK)
        head.append(piece)
        while (end := text.find(b"\n", start)) >= 0:
            if empty := _EMPTY_LINES.match(text, start):
                start = empty.end()
                continue
            if _is_data(text[start:end]):
                return head, _without_nul(text[start:end]), start
            start = end + 1
        if (b"\0" in text and len(text) >= LONGEST_MAGIC) or len(text) > LOOKED_AT:
            break
    line = text[start:]
    return head, _without_nul(line) if _is_data(line) else b"", start


_EMPTY_LINES = re.compile(rb"\s*\n")
"""There may be millions of them, so they are passed at once."""


def _is_data(line: bytes) -> bool:
    return line.strip() != b"" and not line.lstrip().startswith(b"#")


def _without_nul(line: bytes) -> bytes:
    """The line, or none: with a NUL it is no text, and its end is of no use."""
    return b"" if b"\0" in line else line


def _below(blocks: Iterator[tuple[bytes, int]], skipped: int) -> Iterator[tuple[bytes, int]]:
    """The blocks without the bytes at their beginning, which are whole lines."""
    for block, line in blocks:
        if skipped >= len(block):
            skipped -= len(block)
        elif skipped:
            yield block[skipped:], line + block.count(b"\n", 0, skipped)
            skipped = 0
        else:
            yield block, line
