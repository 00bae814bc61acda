"""Writing runs and judgments: whole files, in the format and compression of their suffix."""

import bz2
import gzip
import io
import json
import lzma
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, repeat
from typing import Any, BinaryIO

from rankeval.errors import InputError, UsageError
from rankeval.io import msmarco, trec
from rankeval.io.atomic import atomic_bytes, write_errors
from rankeval.io.blocks import BYTE_ORDER_MARK, STDIN
from rankeval.io.blocks import MAGIC as COMPRESSED
from rankeval.io.column_names import VALUES
from rankeval.io.columns import Columns
from rankeval.io.detect_format import SUFFIXES, detect, suffix
from rankeval.io.form import Form
from rankeval.io.format_names import NAMES

FIELDS = {
    "run": ("topic", "docno", "rank", "score", "tag"),
    "qrels": ("topic", "iteration", "docno", "stratum", "grade"),
    "prefs": ("topic", "group", "subgroup", "docno", "level"),
}
"""The order of columns, where a header names them."""

BEIR = {"topic": b"query-id", "docno": b"corpus-id", "score": b"score", "grade": b"score"}
WRITTEN = {
    **SUFFIXES,
    ".tsv": "tsv",
    **dict.fromkeys((".run", ".trec", ".txt", ".res", ".qrels", ".qrel", ".prefs"), "trec"),
}
"""The format that a suffix asks for."""

AT_ONCE = 1 << 16
"""Lines that are text in memory at once."""

STDOUT = STDIN
Rows = dict[str, list[bytes]]


def format_for(path: str, given: str | None) -> str:
    """The format to write: the one that is given, else that of the suffix."""
    found = given or WRITTEN.get(suffix(path))
    if found is None:
        raise UsageError(
            "the suffix does not tell which format to write",
            place="standard output" if path == STDOUT else path,
            expected=f"one of {', '.join(NAMES)}",
            remedy="name the format with --to",
        )
    if found not in NAMES:
        raise UsageError(f"there is no format '{found}'", expected=f"one of {', '.join(NAMES)}")
    return found


def write(path: str, form: str, what: str, parts: Iterator[Columns]) -> list[str]:
    """Write what `held` gives of each part to a file, whole or not at all, or to stdout.

    Gives what to tell of a file whose beginning will be taken for another format.
    """
    first = next(parts, None)
    if first is None:
        raise InputError("no line is left to write", place=path)
    parts = chain([first], parts)
    parts = (piece for part in parts for piece in part.pieces(AT_ONCE))
    if form in ("parquet", "arrow"):
        from rankeval.io import table_writing

        with opened(path) as stream:
            every = map(rows_of, repeat(what), parts)
            table_writing.write(stream, form, what, FIELDS[what], every)
        return []
    texts = _text(form, what, parts)
    beginning = next(texts)
    notes = _look_at(beginning, form, what)
    with opened(path) as stream:
        stream.write(beginning)
        stream.writelines(texts)
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


def rows_of(what: str, columns: Columns) -> Rows:
    """Every column as text, one item per line."""
    sizes = (columns.starts[1:] - columns.starts[:-1]).tolist()
    topics = chain.from_iterable(map(repeat, columns.topics, sizes))
    return {
        "topic": list(topics),
        "docno": columns.docnos.tolist(),
        VALUES[what]: _numbers(columns, what),
        **{role: names.tolist() for role, names in columns.kept.items()},
    }


def _numbers(columns: Columns, what: str) -> list[bytes]:
    """Numbers in as many digits as tell them apart; whole grades without a point."""
    if what == "run":
        return [b"%a" % value for value in columns.values.tolist()]
    return [
        b"%d" % value if value.is_integer() else b"%a" % value for value in columns.values.tolist()
    ]


def _text(form: str, what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """The text of a file, a piece for each part."""
    if form == "json":
        return _json(what, parts)
    every = map(rows_of, repeat(what), parts)
    if form in ("trec", "msmarco"):
        return (_words(form, what, rows) for rows in every)
    if form == "jsonl":
        return (_json_lines(what, rows) for rows in every)
    return _separated(form, what, every)


def _words(form: str, what: str, rows: Rows) -> bytes:
    """Lines of TREC's or MS MARCO's columns."""
    if form == "msmarco" and what == "run":
        fields, separator = msmarco.RUN.fields, b"\t"
    elif what == "qrels" and "stratum" in rows:
        fields, separator = trec.LABELLED[trec.STRATUM].fields, b" "
    else:
        fields = trec.LAYOUTS[what].fields
        separator = b"\t" if form == "msmarco" else b" "
    constant = {"Q0": repeat(b"Q0"), "0": rows.get("iteration", repeat(b"0"))}
    columns = [constant[name] if name in constant else rows[name] for name in fields]
    return b"\n".join([*map(separator.join, zip(*columns, strict=False)), b""])


def _separated(form: str, what: str, every: Iterator[Rows]) -> Iterator[bytes]:
    """Records below a header."""
    separator = b"," if form == "csv" else b"\t"
    names: list[str] = []
    for rows in every:
        header = b""
        if not names:
            names = [name for name in FIELDS[what] if name in rows]
            shown = [BEIR[n] if form == "beir" else n.encode() for n in names]
            header = separator.join(shown) + b"\n"
        columns = [_quoted_where_needed(rows[name], separator) for name in names]
        lines = map(separator.join, zip(*columns, strict=True))
        yield header + b"\n".join([*lines, b""])


def _quoted_where_needed(fields: list[bytes], separator: bytes) -> list[bytes]:
    """Quote fields that would be cut, trimmed or taken for a comment."""
    if _PERHAPS_SPECIAL.search(b"".join(fields)) is None:
        return fields
    special = _SPECIAL[separator]
    return [
        b'"%b"' % field.replace(b'"', b'""') if special.search(field) else field for field in fields
    ]


_SPECIAL = {separator: re.compile(rb'["\s%b]|\A#' % separator) for separator in (b",", b"\t")}
_PERHAPS_SPECIAL = re.compile(rb'["\s#,]')


def _json_lines(what: str, rows: Rows) -> bytes:
    names = [name for name in FIELDS[what] if name in rows]
    columns = [_json_values(name, rows[name], VALUES[what]) for name in names]
    keys = [f'"{name}": ' for name in names]
    lines = (
        "{" + ", ".join(map(str.__add__, keys, values)) + "}\n"
        for values in zip(*columns, strict=True)
    )
    return "".join(lines).encode()


def _json_values(name: str, column: Sequence[bytes], value: str) -> list[str]:
    """A column as JSON: numbers and ranks as they are, all else as strings."""
    if name == value:
        return [text.decode() for text in column]
    if name == "rank":
        return [
            text.decode() if _WHOLE.fullmatch(text) else json.dumps(text.decode())
            for text in column
        ]
    return list(map(_json_string, (text.decode() for text in column)))


_WHOLE = re.compile(rb"0|[1-9][0-9]*")
_json_string = json.encoder.encode_basestring_ascii


def _json(what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """{topic: {docno: value}}, a topic per line; parts may go on with the topic before."""
    last = None
    for columns in parts:
        numbers = [text.decode() for text in _numbers(columns, what)]
        docnos = [_json_string(docno.decode()) for docno in columns.docnos.tolist()]
        pairs = [f"{docno}: {number}" for docno, number in zip(docnos, numbers, strict=True)]
        text = []
        bounds = columns.starts.tolist()
        for topic, start, stop in zip(columns.topics, bounds[:-1], bounds[1:], strict=True):
            if topic == last:
                text.append(", ")
            else:
                text.append("{\n" if last is None else "},\n")
                text.append(f"{_json_string(topic.decode())}: {{")
            text.append(", ".join(pairs[start:stop]))
            last = topic
        yield "".join(text).encode()
    yield b"}\n}\n"


def _look_at(beginning: bytes, form: str, what: str) -> list[str]:
    """Tell of a first line that will not be known for what it is."""
    if beginning.startswith((BYTE_ORDER_MARK, b"\xff\xfe", b"\xfe\xff", *COMPRESSED)):
        raise InputError(
            "the first line would begin as a compressed or marked file does",
            expected="another format",
            remedy="convert to csv, tsv, jsonl, parquet or arrow",
        )
    line = beginning.partition(b"\n")[0]
    found = detect(beginning[:9], line, "", Form(what))
    alike = {"beir": "tsv", "msmarco": "msmarco" if what == "run" else "trec"}
    if form != "json" and found != alike.get(form, form):
        option = "run" if what == "run" else "qrels"
        return [f"the first line looks like {found}: read the file with --{option}-format {form}"]
    return []
