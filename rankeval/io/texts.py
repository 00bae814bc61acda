"""Find the texts of some topics or documents in files of any format or in tables, in one pass."""

import csv
import html
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, NamedTuple

from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.formats.json_formats import load_line
from rankeval.io.parsers.column_names import listed, plain_name
from rankeval.io.sources.blocks import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    display_name,
    long_line,
    pieces,
    suffix,
)
from rankeval.io.sources.parts import files_of

HEAD = 1 << 16
"""Bytes at the beginning of a file in which the first tag of TREC's SGML is."""

ROWS = 1 << 12
"""Rows of a table whose texts are in memory at once."""

NAMES = (
    *("_id", "id", "docno", "docid", "doc_id", "pid", "passage_id", "document_id"),
    *("qid", "query_id", "topic", "topic_id", "number", "num"),
)
"""Columns and keys that hold the name of a topic or a document, the likeliest first."""

TITLES = ("title", "headline", "heading")
BODIES = (
    *("text", "contents", "content", "body", "query", "question", "passage", "abstract"),
    *("segment", "description", "document"),
)


class Text(NamedTuple):
    """The title and the body of a document or a topic; either may be empty."""

    title: str
    body: str


class Fields(NamedTuple):
    """The places, or keys, of the name, the title and the body; the body may be in several."""

    name: Any
    title: Any
    body: tuple[Any, ...]


def fields_by_name(names: Sequence[str], place: str) -> Fields:
    """Return the keys that hold name, title and body; InputError if there are no such."""
    found = _roles(names)
    if found is None:
        raise InputError(
            f"no column or key for the name and the text: {listed(names)}",
            place=place,
            expected="such as _id, title, text; or id, contents",
            remedy="rename them",
        )
    return found


def fields_of_columns(first: Sequence[str], place: str) -> tuple[Fields, bool]:
    """Return the places of the fields in rows, and True if the first row is a header.

    Without a header, two columns are name and text, three name, title and text, and four name,
    address, title and text, as in the documents of MS MARCO.
    """
    found = _roles(first)
    if found is not None:
        at = {name: place for place, name in reversed([*enumerate(first)])}
        title = None if found.title is None else at[found.title]
        return Fields(at[found.name], title, tuple(at[name] for name in found.body)), True
    match len(first):
        case 0 | 1:
            raise InputError(
                f"found 1 column: {listed(first)}",
                place=place,
                expected="a name, a tab or a comma, and a text; or JSON Lines, Parquet, or TREC's",
                remedy="write the file in one of these formats",
            )
        case 2:
            return Fields(0, None, (1,)), False
        case 3:
            return Fields(0, 1, (2,)), False
        case _:
            return Fields(0, 2, (3,)), False


def _roles(names: Sequence[str]) -> Fields | None:
    plain = {plain_name(name): name for name in reversed(names)}
    name = next((plain[word] for word in NAMES if word in plain), None)
    title = next((plain[word] for word in TITLES if word in plain), None)
    body = next(((plain[word],) for word in BODIES if word in plain), ())
    if name is None or (title is None and not body):
        return None
    return Fields(name, title, body)


def text_of(values: Mapping[Any, Any], fields: Fields) -> Text:
    """Return title and body of an object, or of a row by places; what is not text is empty."""
    title = "" if fields.title is None else _as_text(values.get(fields.title))
    return Text(title, " ".join(_as_text(values.get(key)) for key in fields.body))


def _as_text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_as_text, value))
    return value if isinstance(value, str) else ""


Found = tuple[bytes, Text]
"""The name of a topic or document, and its text."""


def texts_in_files(path: str, wanted: Collection[bytes]) -> Iterator[Found]:
    """Yield the texts of the wanted names, each once, in one pass over the files of a path."""
    left = set(wanted)
    for file in files_of(path):
        if not left:
            return
        for name, text in _in_file(file, left):
            if name in left:
                left.remove(name)
                yield name, text
            if not left:
                break


def _in_file(path: str, wanted: AbstractSet[bytes]) -> Iterator[Found]:
    name = display_name(path)
    data = pieces(path)
    head = next(data, b"").removeprefix(BYTE_ORDER_MARK)
    if head.startswith(b"PAR1"):
        return _in_parquet(path, wanted)
    text = head.lstrip()
    if not text:
        raise InputError("is empty", place=name, expected="texts of topics or documents")
    whole = chain((head,), data)
    marked = re.search(rb"<\s*(doc|top|topic)\b[^<>]*>", text[:HEAD], re.IGNORECASE)
    if marked is not None and text.startswith(b"<"):
        return _in_marked(whole, marked[1], wanted, name)
    first = text.partition(b"\n")[0].rstrip(b"\r")
    lines = _lines(whole, name)
    if first.startswith(b"{"):
        return _in_json_lines(lines, first, wanted, name)
    if b"\t" in first and suffix(path) != ".csv":
        return _in_tsv(lines, first, wanted, name)
    return _in_csv(lines, wanted, name)


def _lines(data: Iterable[bytes], name: str) -> Iterator[bytes]:
    rest = b""
    for piece in data:
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        yield from lines
        if len(rest) > LONGEST_LINE:
            raise long_line(name)
    if rest:
        yield rest


def _in_tsv(
    lines: Iterator[bytes], first: bytes, wanted: AbstractSet[bytes], name: str
) -> Iterator[Found]:
    fields, has_header = fields_of_columns(
        first.decode("utf-8", "replace").split("\t"), f"{name}:1"
    )
    header = first if has_header else None
    at = fields.name
    for line in lines:
        columns = line.split(b"\t", at + 1)
        if len(columns) > at and columns[at] in wanted and line.rstrip(b"\r") != header:
            row = line.rstrip(b"\r").decode("utf-8", "replace").split("\t")
            yield columns[at], text_of(dict(enumerate(row)), fields)


def _in_json_lines(
    lines: Iterator[bytes], first: bytes, wanted: AbstractSet[bytes], name: str
) -> Iterator[Found]:
    keys = load_line(first, f"{name}:1", "an object with name and text")
    fields = fields_by_name([*keys], f"{name}:1")
    expected = f'an object with "{fields.name}"'
    # Most lines begin with a name that is not wanted, and need not be read further.
    at_start = re.compile(
        rb'\s*\{\s*"%s"\s*:\s*(?:"([^"\\]*)"|(-?\d+))\s*[,}]' % re.escape(fields.name.encode())
    )
    for number, line in enumerate(lines, 1):
        found = at_start.match(line)
        if not line.strip() if found is None else found[found.lastindex or 1] not in wanted:
            continue
        place = f"{name}:{number}"
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            values = load_line(line, place, expected)
        key = values.get(fields.name) if isinstance(values, dict) else None
        if not isinstance(key, str | int) or isinstance(key, bool):
            raise InputError(
                f"no name of a document or topic in {quoted(line)}", place=place, expected=expected
            )
        if (encoded := str(key).encode("utf-8", "replace")) in wanted:
            yield encoded, text_of(values, fields)


def _in_csv(lines: Iterator[bytes], wanted: AbstractSet[bytes], name: str) -> Iterator[Found]:
    """Yield the texts of a file of CSV, whose fields may hold newlines."""
    before = csv.field_size_limit(LONGEST_LINE)
    try:
        rows = csv.reader(f"{line.decode('utf-8', 'replace')}\n" for line in lines)
        first = next(rows)
        fields, has_header = fields_of_columns(first, f"{name}:1")
        for row in rows if has_header else chain((first,), rows):
            if len(row) > fields.name and (key := row[fields.name].encode()) in wanted:
                yield key, text_of(dict(enumerate(row)), fields)
    except csv.Error as error:
        raise InputError(f"is not readable as CSV: {error}", place=name) from None
    finally:
        csv.field_size_limit(before)


def _in_marked(
    data: Iterable[bytes], tag: bytes, wanted: AbstractSet[bytes], name: str
) -> Iterator[Found]:
    """Yield the texts of documents or topics in SGML: <DOC>...</DOC>, <top>...</top>."""
    whole = re.compile(rb"<\s*%s\b.*?</\s*%s\s*>" % (tag, tag), re.IGNORECASE | re.DOTALL)
    unended = re.compile(rb"<\s*%s\b.*" % tag, re.IGNORECASE | re.DOTALL)
    rest = b""
    for piece in chain(data, (None,)):
        at, rest = 0, rest if piece is None else rest + piece
        for record in (unended if piece is None else whole).finditer(rest):
            at = record.end()
            if (docno := marked_name(record[0])) in wanted:
                yield docno, text_of_marked(record[0])
        rest = rest[at:]
        if len(rest) > LONGEST_LINE:
            raise long_line(name)


def _in_parquet(path: str, wanted: Collection[bytes]) -> Iterator[Found]:
    """Yield the texts of the wanted names from a Parquet file.

    Of a group of rows without a wanted name, only the names are read; a file that is compressed
    from outside is read whole.
    """
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    from rankeval.io.formats.table_files import table_source

    name = display_name(path)
    try:
        with ParquetFile(table_source(path, pieces(path), name)) as file:
            fields = fields_by_name(file.schema_arrow.names, name)
            chosen = _as_strings(wanted)
            for group in range(file.num_row_groups):
                names = file.iter_batches(ROWS, row_groups=[group], columns=[fields.name])
                if any(_places(batch, fields, chosen) for batch in names):
                    columns = [key for key in (fields.name, fields.title, *fields.body) if key]
                    for batch in file.iter_batches(ROWS, row_groups=[group], columns=columns):
                        yield from _rows(batch, fields, chosen)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"is not a readable Parquet file: {str(error).splitlines()[0]}",
            place=name,
            remedy="check that the file is complete, and write it again",
        ) from None


def in_table(table: Any, wanted: Collection[bytes], place: str) -> Iterator[Found]:
    """Yield the texts of the wanted names from a table: pandas, Polars, pyarrow."""
    import pyarrow as pa

    try:
        whole = pa.table(table)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InputError(
            f"is not a table of texts: {str(error).splitlines()[0]}",
            place=place,
            expected="columns such as docno, title and text",
        ) from None
    fields = fields_by_name(whole.column_names, place)
    chosen = _as_strings(wanted)
    columns = [key for key in (fields.name, fields.title, *fields.body) if key]
    for batch in whole.select(columns).to_batches(ROWS):
        yield from _rows(batch, fields, chosen)


def _as_strings(names: Collection[bytes]) -> Any:
    import pyarrow as pa

    return pa.array([name.decode("utf-8", "replace") for name in names], pa.string())


def _rows(batch: Any, fields: Fields, chosen: Any) -> Iterator[Found]:
    places = _places(batch, fields, chosen)
    for row in _written_out(batch).take(places).to_pylist() if places else ():
        yield str(row[fields.name]).encode(), text_of(row, fields)


def _written_out(batch: Any) -> Any:
    """Return a batch whose texts are no views, of which Arrow takes no rows."""
    import pyarrow as pa

    columns = [
        column.cast(pa.large_string()) if column.type == pa.string_view() else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _places(batch: Any, fields: Fields, chosen: Any) -> list[int]:
    """Return the rows of a batch whose name is among those that are chosen."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = batch.column(batch.schema.get_field_index(fields.name)).cast(pa.string())
    found: list[int] = pc.indices_nonzero(pc.is_in(names, value_set=chosen)).to_pylist()
    return found


_TAG = re.compile(r"<[^<>]*>")
_FIELD = re.compile(r"<\s*(/?)\s*([A-Za-z][\w-]*)[^<>]*>")
_OF_TITLES = ("title", "headline", "hl", "head", "ti", "h3")
_OF_TOPICS = ("title", "query")
_LABEL = re.compile(r"\A(?:Topic|Description)\s*:\s*")


def marked_name(record: bytes) -> bytes:
    """Return the name in a document or a topic in SGML; empty if it has none.

    A topic 051 is 51, as in the judgments of the first TRECs.
    """
    found = _MARKED_NAME.search(record)
    if found is None:
        return b""
    docno, *numbers = found.groups(b"")
    number = b"".join(numbers)
    return docno.strip() or (number.lstrip(b"0") if number.isdigit() else number)


_MARKED_NAME = re.compile(
    rb"<\s*docno\s*>([^<]*)<|<\s*num\s*>\s*(?:Number\s*:)?\s*([^<\s]+)"
    rb"|<\s*topic\b[^<>]*\bnumber\s*=\s*[\"']?([^\"'\s>]+)",
    re.IGNORECASE,
)


def text_of_marked(record: bytes) -> Text:
    """Return the title and the body of a document or a topic in SGML, without its tags."""
    source = record.decode("utf-8", "replace")
    parts: dict[str, list[str]] = {}
    pieces = _FIELD.split(source)
    for ends, tag, text in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        if not ends:
            parts.setdefault(tag.lower(), []).append(text)
    is_topic = "num" in parts or "topic" in parts
    titles = _OF_TOPICS if is_topic else _OF_TITLES
    title = next(
        (" ".join(parts[tag]) for tag in titles if "".join(parts.get(tag, ())).strip()), ""
    )
    title, body = _plain(title), _plain(_body(source, parts))
    return Text(_LABEL.sub("", title), _LABEL.sub("", body)) if is_topic else Text(title, body)


_BODY = re.compile(r"<\s*text\b[^<>]*>(.*?)(?:<\s*/\s*text\s*>|\Z)", re.IGNORECASE | re.DOTALL)


def _body(source: str, parts: Mapping[str, Sequence[str]]) -> str:
    """Return the content of TEXT, or a topic's description; else text outside of named fields."""
    whole = " ".join(_BODY.findall(source))
    if whole.strip():
        return whole
    for tag in ("desc", "question"):
        if tag in parts:
            return " ".join(parts[tag])
    without = {"docno", "docid", "num", *_OF_TITLES}
    return " ".join(" ".join(texts) for tag, texts in parts.items() if tag not in without)


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub(" ", text)).strip()
