"""Which format a file is in: by what was said, by its content, and at last by its suffix."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from rankeval.errors import UsageError
from rankeval.io import msmarco, trec
from rankeval.io.columns import Columns, Layout
from rankeval.io.names import NAMES
from rankeval.io.problems import Problems
from rankeval.io.source import (
    BYTE_ORDER_MARK,
    display_name,
    pieces,
    whole_lines,
)

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

KEPT = {
    ("run", trec.RUN.docno): (("rank", 3), ("tag", 5)),
    ("qrels", trec.QRELS.docno): (("iteration", 1),),
}
"""Fields that an evaluation does not need, and does not wait for."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")


@dataclass(frozen=True)
class Form:
    """How a file is to be read.

    ======== ==============================================================================
    what     "run" or "qrels"
    name     its format, one of NAMES; None finds it by the content
    columns  the names of columns by their roles, where there is no convention for them
    problems where lines that are wrong go; None refuses them
    keep     keep the rank and the tag of each line, or the iteration
    label    the role of a column that names a subtopic or a stratum, if it is to be read
    ranks    the rank column of a run is read, too, in formats that have one
    ======== ==============================================================================
    """

    what: str
    name: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    problems: Problems | None = None
    keep: bool = False
    label: str | None = None
    ranks: bool = False

    def __post_init__(self) -> None:
        if self.name is not None and self.name not in NAMES:
            raise UsageError(
                f"there is no format '{self.name}'", expected=f"one of {', '.join(NAMES)}"
            )


@dataclass(frozen=True)
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
    data = pieces(path, block_size, progress=progress)
    head, line, start = _first_line(data)
    data = chain(head, data)
    place = display_name(path)
    name = form.name or detect(b"".join(part[:9] for part in head[:3]), line, path, form)
    match name:
        case "parquet" | "arrow":
            from rankeval.io import tables

            kind = "Parquet" if name == "parquet" else "Arrow"
            return tables.columns(kind, path, data, form.what, form.columns, place)
        case "json":
            from rankeval.io import json_mapping

            return json_mapping.columns(data, form.what, form.columns, place)
    blocks = whole_lines(data, path)
    if name in ("csv", "tsv", "beir"):
        from rankeval.io import delimited

        separator = delimited.header_of(line, form.what, form.columns)
        if separator is None:
            separator = delimited.likely_separator(line)
        if line:
            layout = delimited.layout(line, separator, form.what, form.columns, place)
            return FoundLines(name, layout, _below(blocks, start + len(line) + 1))
    if name == "jsonl" and line:
        from rankeval.io import json_lines

        return FoundLines(name, json_lines.layout(line, form.what, form.columns, place), blocks)
    layout = _layout(name, line, form)
    if form.keep and (layout.what, layout.docno) in KEPT and name in ("trec", "msmarco"):
        layout = replace(layout, kept=KEPT[layout.what, layout.docno])
    return FoundLines(name, layout, blocks)


def detect(head: bytes, line: bytes, path: str, form: Form) -> str:
    """The format of a file by its first bytes, its first line of data, and its path."""
    for magic, name in MAGIC.items():
        if head.startswith(magic) and not head[len(magic) :][:1].isspace():
            return name
    if line[:1] in (b"{", b"[") and _is_json(line):
        from rankeval.io import json_lines

        return "jsonl" if line[:1] == b"{" and json_lines.is_object(line) else "json"
    fields = line.split()
    whole = len(fields) >= 6 if form.what == "run" else len(fields) == 4
    named = None
    if form.columns or not (whole and _is_number(fields[4 if form.what == "run" else 3])):
        named = _with_header(line, form)
    if named or whole:
        return named or "trec"
    if len(fields) == 3 and fields[2].isdigit() if form.what == "run" else len(fields) == 2:
        return "msmarco"
    return SUFFIXES.get(suffix(path), "trec")


def _with_header(line: bytes, form: Form) -> str | None:
    """The format of a file whose first line names its columns."""
    from rankeval.io import delimited

    separator = delimited.header_of(line, form.what, form.columns)
    if separator is not None:
        return "csv" if separator in (b",", b";") else "tsv"
    return "csv" if form.columns and line else None


def suffix(path: str) -> str:
    """The suffix of a path without that of its compression, in lower case."""
    name = path.lower().rpartition("/")[2]
    for compressed in COMPRESSED:
        name = name.removesuffix(compressed)
    stem, dot, last = name.rpartition(".")
    return dot + last if stem else ""


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_json(line: bytes) -> bool:
    """Whether a line that begins with a bracket goes on as JSON does."""
    rest = line[1:].lstrip()
    return not rest or rest[:1] in ((b'"', b"}") if line[:1] == b"{" else (b"{", b"]"))


def _layout(name: str, line: bytes, form: Form) -> Layout:
    if form.what == "run":
        found = msmarco.RUN if name == "msmarco" else trec.RUN
        return replace(found, rank=found.fields.index("rank")) if form.ranks else found
    if name == "msmarco" and len(line.split()) == 2:
        return msmarco.QRELS
    return trec.QRELS if form.label is None else trec.LABELLED[form.label]


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
            line = text[start:end].strip()
            if line and not line.startswith(b"#"):
                return head, text[start:end], start
            start = end + 1
        if b"\0" in piece or len(text) > LOOKED_AT:
            break
    line = text[start:]
    return head, b"" if line.lstrip().startswith(b"#") or not line.strip() else line, start


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
