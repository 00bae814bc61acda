"""The texts of topics and documents, in one pass over a file: TSV, JSON Lines, or TREC's topics."""

import html
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.blocks import LONGEST_LINE, display_name, pieces, whole, whole_lines
from rankeval.io.column_names import listed, plain_name
from rankeval.io.json_formats import load_line

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
    """The keys of the name, the title and the body; one of the last two may be None."""

    name: Any
    title: Any
    body: Any


def fields_among(names: Sequence[str]) -> Fields | None:
    """Return the keys that hold name, title and body; None if there are no such."""
    plain = {plain_name(name): name for name in reversed(names)}
    name, title, body = (
        next((plain[word] for word in words if word in plain), None)
        for words in (NAMES, TITLES, BODIES)
    )
    return None if name is None or (title is None and body is None) else Fields(name, title, body)


def fields_by_name(names: Sequence[str], place: str) -> Fields:
    """Return the keys that hold name, title and body; InputError if there are no such."""
    if found := fields_among(names):
        return found
    raise InputError(
        f"no column or key for the name and the text: {listed(names)}",
        place=place,
        expected="such as _id, title, text; or id, contents",
        remedy="rename them",
    )


def text_of(values: Mapping[Any, Any], fields: Fields) -> Text:
    """Return title and body of an object or a row; what is not text is empty."""
    return Text(_as_text(values.get(fields.title)), _as_text(values.get(fields.body)))


def _as_text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_as_text, value))
    return value if isinstance(value, str) else ""


Found = tuple[bytes, Text]
"""The name of a topic or document, and its text."""


def texts_in_file(path: str, wanted: Collection[bytes]) -> Iterator[Found]:
    """Yield the texts of the wanted names, each once, until all have come."""
    name, left = display_name(path), set(wanted)
    blocks = (block for block, _ in whole_lines(pieces(path), path))
    block = next(blocks, b"")
    first = block.lstrip().partition(b"\n")[0].rstrip(b"\r")
    if not first:
        raise InputError("is empty", place=name, expected="texts of topics or documents")
    every = chain((block,), blocks)
    if first.startswith(b"<"):
        found = _in_topics(whole(every, name, "topics", LONGEST_LINE), name)
    else:
        lines = chain.from_iterable(map(bytes.splitlines, every))
        found = (_in_json_lines if first[:1] == b"{" else _in_tsv)(lines, first, left, name)
    for one, text in found:
        if one in left:
            left.remove(one)
            yield one, text
        if not left:
            return


def _in_tsv(lines: Iterator[bytes], first: bytes, wanted: set[bytes], name: str) -> Iterator[Found]:
    """Yield texts of lines; without a header, the name comes first, title and text last."""
    names: list[Any] = first.decode("utf-8", "replace").split("\t")
    fields = fields_among(names)
    if fields is None:
        n = len(names)
        names, fields, first = [*range(n)], Fields(0, n - 2 if n > 2 else None, n - 1), b""
    if len(names) < 2:
        raise InputError(
            "found 1 column",
            place=f"{name}:1",
            expected="TSV with a name, a tab and a text; JSON Lines; or TREC's topics",
            remedy="write the file in one of these formats",
        )
    at = names.index(fields.name)
    for line in lines:
        columns = line.split(b"\t", at + 1)
        if len(columns) > at and columns[at] in wanted and line != first:
            row = line.decode("utf-8", "replace").split("\t")
            yield columns[at], text_of(dict(zip(names, row, strict=False)), fields)


def _in_json_lines(
    lines: Iterator[bytes], first: bytes, wanted: set[bytes], name: str
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
        values = load_line(line, f"{name}:{number}", expected)
        key = values.get(fields.name) if isinstance(values, dict) else None
        if not isinstance(key, str | int) or isinstance(key, bool):
            raise InputError(
                f"no name of a document or topic in {quoted(line)}",
                place=f"{name}:{number}",
                expected=expected,
            )
        yield str(key).encode("utf-8", "replace"), text_of(values, fields)


_TOPIC = re.compile(r"<\s*top(?:ic)?\b.*?(?=<\s*top(?:ic)?\b|\Z)", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(
    r"<\s*num\s*>\s*(?:Number\s*:)?\s*([^<\s]+)"
    r"|<\s*topic\b[^<>]*\bnumber\s*=\s*[\"']?([^\"'\s>]+)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"<\s*(?:title|query)\s*>\s*(?:Topic\s*:)?([^<]*)", re.IGNORECASE)
_BODY = re.compile(r"<\s*(?:desc|question)\s*>\s*(?:Description\s*:)?([^<]*)", re.IGNORECASE)


def _in_topics(data: bytes, name: str) -> Iterator[Found]:
    """Yield the topics of TREC: <top>, or <topic number="1">; 051 is 51, as in judgments."""
    topics = _TOPIC.findall(data.decode("utf-8", "replace"))
    if not topics:
        raise InputError("holds no topics", place=name, expected="<top> with <num> and <title>")
    for topic in topics:
        if found := _NUMBER.search(topic):
            number = found[found.lastindex or 1]
            title, body = (
                html.unescape(text[1]).strip() if (text := one.search(topic)) else ""
                for one in (_TITLE, _BODY)
            )
            number = (number.lstrip("0") or "0") if number.isdigit() else number
            yield number.encode(), Text(title, body)
