"""The texts of the topics and documents that a result shows."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, listed
from rankeval.errors import InputError, UsageError
from rankeval.io.files import StrPath
from rankeval.io.texts import Text, fields_by_name, text_of, texts_in_file
from rankeval.output.declared_columns import Declared, prose
from rankeval.output.tables import Cell
from rankeval.ranking.in_memory import DataTable, as_table, listed_values, names_of_columns

TextsLike = Mapping[Any, Any] | DataTable | StrPath | Callable[[str], "str | Text | None"]
"""Texts by name: a mapping, a table, the path of a file, or a function."""

LONGEST_QUERY, LONGEST_TITLE, WINDOW = 500, 200, 160
"""Characters that are shown of a query, of a title, and of the text of a document."""

SEARCHED, MOST_HITS = 1 << 18, 500
"""Characters of a text, and words of the query in it, among which a window is looked for."""

CUT = "…"

_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯]|[^\W぀-ヿ㐀-鿿가-힯]+")
"""A word; in Chinese, Japanese and Korean a character, for they have no spaces between words."""


@frozen
class ShownTexts:
    """The texts that are shown; the strings are as in the file, but for white space.

    ========= =========================================================================
    queries   query by topic, of the topics that have one; None if no queries were given
    documents title and window of the text by topic and docno; None likewise
    missing   docnos that the documents lack, in the order of the topics
    ========= =========================================================================
    """

    queries: Mapping[str, str] | None = None
    documents: Mapping[tuple[str, str], Text] | None = None
    missing: tuple[str, ...] = ()

    def _in_document(self) -> dict[str, Any] | None:
        """Return the queries by topic, and title and text by topic and docno; None without any."""
        found: dict[str, Any] = {} if self.queries is None else {"queries": self.queries}
        for (topic, docno), text in (self.documents or {}).items():
            of_topic = found.setdefault("documents", {}).setdefault(topic, {})
            of_topic[docno] = {"title": text.title, "text": text.body}
        return found or None

    def notices(self) -> list[str]:
        """Return a sentence about documents that are missing, if there are any."""
        n, names = len(self.missing), [name.encode("utf-8", "replace") for name in self.missing]
        return [f"texts: {count(n, 'document')} not in the documents: {listed(names)}"] if n else []


NO_TEXTS = ShownTexts()


def texts_of(
    queries: TextsLike | None, docs: TextsLike | None, shown: Mapping[str, Iterable[str]]
) -> ShownTexts:
    """Return the texts of topics and of the documents that each shows, in one pass over each.

    >>> found = texts_of({"q1": "eggs"}, {"d1": ("Menu", "spam and eggs")}, {"q1": ["d1"]})
    >>> found.documents["q1", "d1"]
    Text(title='Menu', body='spam and eggs')
    """
    asked = None
    if queries is not None:
        asked = {
            topic: one_line(text.title or text.body, LONGEST_QUERY)
            for topic, text in texts_named(queries, shown, "queries")
        }
    if docs is None:
        return ShownTexts(asked)
    words = {topic: words_of(query) for topic, query in (asked or {}).items()}
    topics_of: dict[str, list[str]] = {}
    for topic, docnos in shown.items():
        for docno in docnos:
            topics_of.setdefault(docno, []).append(topic)
    documents: dict[tuple[str, str], Text] = {}
    for docno, text in texts_named(docs, [*topics_of], "docs"):
        title, body = one_line(text.title, LONGEST_TITLE), one_line(text.body, SEARCHED)
        for topic in topics_of.pop(docno):
            documents[topic, docno] = Text(title, window(body, words.get(topic, frozenset())))
    return ShownTexts(asked, documents, tuple(topics_of))


def texts_named(given: TextsLike, names: Iterable[str], what: str) -> Iterator[tuple[str, Text]]:
    """Yield the texts of the wanted names, each once, of `queries` or `docs`."""
    wanted = {name.encode("utf-8", "replace"): name for name in names}
    if isinstance(given, str | os.PathLike):
        found: Iterable[tuple[bytes, Any]] = texts_in_file(os.fspath(given), wanted)
    elif callable(given):
        found = [(name, given(wanted[name])) for name in wanted]
    elif isinstance(given, Mapping):
        numbers = {name: int(name) for name in wanted.values() if name.isdecimal()}
        found = [(n, given.get(text, given.get(numbers.get(text)))) for n, text in wanted.items()]
    else:
        found = _of_table(given, what)
    for name, text in found:
        if name in wanted and text is not None:
            yield wanted.pop(name), _as_text(text, what, name)


def _of_table(given: Any, what: str) -> Iterator[tuple[bytes, Mapping[Any, Any]]]:
    table: Any = as_table(given)
    if table is None:
        raise UsageError(
            f"{what} cannot be of the type {type(given).__name__}",
            expected="a mapping, a table, a path, or a function of a name",
        )
    fields = fields_by_name(names_of_columns(table), what)
    columns = {key: listed_values(table[key]) for key in fields if key is not None}
    for row in zip(*columns.values(), strict=True):
        yield str(row[0]).encode("utf-8", "replace"), dict(zip(columns, row, strict=True))


def _as_text(text: Any, what: str, name: bytes) -> Text:
    """Return a text, a pair of title and body, or {title: ..., text: ...} as title and body."""
    if isinstance(text, str):
        return Text("", text)
    if isinstance(text, tuple | list) and len(text) == 2 and all(isinstance(t, str) for t in text):
        return Text(*text)
    if isinstance(text, Mapping):
        return text_of(text, fields_by_name(["docno", *map(str, text)], what))
    raise InputError(
        f"the text of {listed([name])} is of the type {type(text).__name__}",
        place=what,
        expected="a text, a pair of title and text, or {'title': ..., 'text': ...}",
    )


def one_line(text: str, longest: int) -> str:
    """Return a text with single spaces between its words, cut to so many characters.

    >>> one_line("  two\\n\\nlines ", 20), one_line("longer", 4)
    ('two lines', 'lon…')
    """
    line = unicodedata.normalize("NFC", " ".join(text[: 8 * longest].split()))
    return line if len(line) <= longest else line[: longest - len(CUT)].rstrip() + CUT


def words_of(query: str) -> frozenset[str]:
    """Return the words of a query, folded by case.

    >>> sorted(words_of("Crème brûlée, CRÈME"))
    ['brûlée', 'crème']
    """
    return frozenset(found[0].casefold() for found in _WORD.finditer(query))


def window(text: str, words: Collection[str], size: int = WINDOW) -> str:
    """Return the part of a text, of one line, that holds most of the words.

    A text without any of the words is shown from its beginning.

    >>> window("The spam is in the pan. Eggs follow.", {"eggs"}, 20)
    '…pan. Eggs…'
    """
    if len(text) <= size:
        return text
    room = size - 2 * len(CUT)
    found = ((hit[0].casefold(), *hit.span()) for hit in (_WORD.finditer(text) if words else ()))
    hits = [hit for hit in found if hit[0] in words and hit[2] - hit[1] <= room][:MOST_HITS]
    windows = (
        [hit for hit in hits[at : at + room] if hit[2] <= begin + room]
        for at, (_, begin, _) in enumerate(hits)
    )
    best = max(windows, key=lambda hits: len({word for word, *_ in hits}), default=[("", 0, 0)])
    first, last = best[0][1], best[-1][2]
    start = max(0, min(first - (room - (last - first)) // 2, len(text) - room))
    end = start + room
    # Between words, where there is a space.
    start = text.find(" ", start - 1, first) + 1 or start if start else 0
    if text[end : end + 1].strip():
        space = text.rfind(" ", last, end)
        end = space if space >= 0 else end
    return (CUT if start else "") + text[start:end] + (CUT if end < len(text) else "")


def text_columns(
    texts: ShownTexts, topic: Callable[[Any], str], docno: Callable[[Any], str]
) -> list[Declared]:
    """Return the columns of texts, as far as they were given.

    People read the text of a document, programs the query, and title and text of the document.
    """
    queries, documents = texts.queries, texts.documents
    found = []
    if queries is not None:
        found = [prose("query", get=lambda one: queries.get(topic(one)), shown=False)]
    if documents is None:
        return found

    def text(record: Any) -> Text | None:
        return documents.get((topic(record), docno(record)))

    return [
        *found,
        prose("text", get=text, words=_in_cell, data=False),
        prose("title", get=lambda one: getattr(text(one), "title", None), shown=False),
        prose("text", get=lambda one: getattr(text(one), "body", None), shown=False),
    ]


def _in_cell(text: Text | None, _style: object) -> Cell:
    shown = ("(not in the documents)",) if text is None else filter(None, text)
    return Cell(" — ".join(shown), prose=text is not None)


def topic_title(topic: str, queries: Mapping[str, str] | None) -> str:
    """Return a topic with its query, as in: 322 "how to bind a function"."""
    query = (queries or {}).get(topic)
    return f'{topic} "{query}"' if query else topic
