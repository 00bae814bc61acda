"""The fields of a text: which column or key holds the name, the title and the body."""

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rankeval.errors import InputError
from rankeval.io.parsers.column_names import listed, plain_name

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


def text_of_row(row: Sequence[str], fields: Fields) -> Text:
    """Return title and body of a row; fields that it lacks are empty."""
    return _text(dict(enumerate(row)), fields)


def text_of_keys(values: Mapping[str, Any], fields: Fields) -> Text:
    """Return title and body of an object; values that are no text are empty."""
    return _text(values, fields)


def _text(values: Mapping[Any, Any], fields: Fields) -> Text:
    title = "" if fields.title is None else _as_text(values.get(fields.title))
    return Text(title, " ".join(_as_text(values.get(key)) for key in fields.body))


def _as_text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_as_text, value))
    return value if isinstance(value, str) else ""


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
    tags = [*_FIELD.finditer(source)]
    for tag, following in zip(tags, [*tags[1:], None], strict=True):
        if not tag[1]:
            end = len(source) if following is None else following.start()
            parts.setdefault(tag[2].lower(), []).append(source[tag.end() : end])
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
