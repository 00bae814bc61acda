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
from rankeval.io.texts import Text
from rankeval.output.declared_columns import Declared, prose
from rankeval.output.tables import Cell
from rankeval.ranking.in_memory import DataTable

TextsLike = (
    Mapping[Any, Any] | DataTable | str | os.PathLike[str] | Callable[[str], "str | Text | None"]
)
"""Texts by name: a mapping, a table, the path of a file, or a function."""

LONGEST_QUERY, LONGEST_TITLE = 500, 200
"""Characters that are shown of a query, and of a title."""

WINDOW = 160
"""Characters of a window, with the signs that stand for what is left out."""

SEARCHED = 1 << 18
"""Characters of a text in which its words are looked for."""

MOST_HITS = 500
"""Words of the query in a text among which a window is looked for."""

CUT = "…"

BETWEEN = " — "
NOT_THERE = "(not in the documents)"

_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯]|[^\W぀-ヿ㐀-鿿가-힯]+")
"""A word; in Chinese, Japanese and Korean a character, for they have no spaces between words."""

Marks = tuple[tuple[int, int], ...]
"""The places of words of the query in a text."""


@frozen
class ShownText:
    """The title and the part of the text that are shown of a document.

    The strings are as in the file, but for white space: whoever prints them escapes them.

    ======= ===============================================================
    title   its title; "" if it has none
    text    the first excerpt that has most words of the query; perhaps ""
    missing True if the documents lack it
    ======= ===============================================================
    """

    title: str
    text: str
    missing: bool = False


MISSING = ShownText("", "", missing=True)


@frozen
class ShownTexts:
    """The queries of topics, and what is shown of documents.

    =========== ==================================================================
    queries     query by topic, of the topics that have one
    documents   text by topic and docno
    missing     docnos that the documents lack, in the order of the topics
    has_queries True if queries were given
    has_docs    True if documents were given
    =========== ==================================================================
    """

    queries: Mapping[str, str]
    documents: Mapping[tuple[str, str], ShownText]
    missing: tuple[str, ...] = ()
    has_queries: bool = False
    has_docs: bool = False

    def __bool__(self) -> bool:
        return self.has_queries or self.has_docs

    def _in_document(self) -> dict[str, Any] | None:
        """Return the queries by topic, and title and text by topic and docno; None without any."""
        found: dict[str, Any] = {"queries": self.queries} if self.has_queries else {}
        for (topic, docno), shown in self.documents.items():
            of_topic = found.setdefault("documents", {}).setdefault(topic, {})
            of_topic[docno] = {"title": shown.title, "text": shown.text}
        return found or None

    def query(self, topic: str) -> str:
        """Return the query of a topic; "" if it has none."""
        return self.queries.get(topic, "")

    def document(self, topic: str, docno: str) -> ShownText | None:
        """Return what is shown of a document; None without documents."""
        return self.documents.get((topic, docno), MISSING) if self.has_docs else None

    def notices(self) -> list[str]:
        """Return a sentence about documents that are missing, if there are any."""
        if not self.missing:
            return []
        names = listed([name.encode("utf-8", "replace") for name in self.missing])
        return [f"texts: {count(len(self.missing), 'document')} not in the documents: {names}"]


NO_TEXTS = ShownTexts({}, {})


@frozen
class TextSources:
    """The sources of texts of topics and documents; a window of a document is shown.

    ======= =====================================================================================
    queries queries by topic: {topic: text}, a table, a path, or a function
    docs    documents by docno, likewise; a text may be a pair of title and body
    ======= =====================================================================================

    >>> sources = TextSources({"q1": "eggs"}, {"d1": "spam and eggs"})
    >>> shown = sources.of({"q1": ["d1"]}).document("q1", "d1")
    >>> shown.title, shown.text
    ('', 'spam and eggs')
    """

    queries: TextsLike | None = None
    docs: TextsLike | None = None

    def __bool__(self) -> bool:
        return self.queries is not None or self.docs is not None

    def of(self, shown: Mapping[str, Iterable[str]]) -> ShownTexts:
        """Return the texts of topics and of the documents that each shows, in one pass."""
        topics_of: dict[str, list[str]] = {}
        for topic, docnos in shown.items():
            for docno in docnos if self.docs is not None else ():
                topics_of.setdefault(docno, []).append(topic)
        queries = {
            topic: one_line(text.title or text.body, LONGEST_QUERY)
            for topic, text in texts_named(self.queries, [*shown], "queries")
        }
        words = {topic: words_of(query) for topic, query in queries.items()}
        documents: dict[tuple[str, str], ShownText] = {}
        found = set()
        for docno, text in texts_named(self.docs, [*topics_of], "docs"):
            found.add(docno)
            title, body = one_line(text.title, LONGEST_TITLE), one_line(text.body, SEARCHED)
            for topic in topics_of[docno]:
                window, _ = best_window(body, words.get(topic, frozenset()))
                documents[topic, docno] = ShownText(title, window)
        return ShownTexts(
            queries,
            documents,
            tuple(docno for docno in topics_of if docno not in found),
            has_queries=self.queries is not None,
            has_docs=self.docs is not None,
        )


def texts_named(
    given: TextsLike | None, names: Iterable[str], what: str
) -> Iterator[tuple[str, Text]]:
    """Yield the texts of the wanted names, each once, of `queries` or `docs`."""
    if given is None:
        return
    wanted = {name.encode("utf-8", "replace"): name for name in names}
    if isinstance(given, Mapping):
        found: Iterable[tuple[bytes, Any]] = _of_mapping(given, [*wanted])
    elif isinstance(given, str | os.PathLike):
        from rankeval.io.texts import texts_in_file

        found = texts_in_file(os.fspath(given), wanted)
    elif callable(given):
        found = ((name, given(wanted[name])) for name in [*wanted])
    else:
        found = _of_table(given, what)
    for name, text in found:
        if name in wanted and text is not None:
            yield wanted.pop(name), _as_text(text, what, name)


def _of_mapping(given: Mapping[Any, Any], wanted: Iterable[bytes]) -> Iterator[tuple[bytes, Any]]:
    for name in wanted:
        key = name.decode("utf-8", "replace")
        if key in given:
            yield name, given[key]
        elif key.isdecimal() and int(key) in given:
            yield name, given[int(key)]


def _of_table(given: Any, what: str) -> Iterator[tuple[bytes, Text]]:
    from rankeval.io.texts import fields_by_name, text_of
    from rankeval.ranking.in_memory import as_table, listed_values, names_of_columns

    table: Any = as_table(given)
    if table is None:
        raise UsageError(
            f"{what} cannot be of the type {type(given).__name__}",
            expected="a mapping, a table, a path, or a function of a name",
        )
    fields = fields_by_name(names_of_columns(table), what)
    columns = {key: listed_values(table[key]) for key in fields if key is not None}
    for row in zip(*columns.values(), strict=True):
        yield (
            str(row[0]).encode("utf-8", "replace"),
            text_of(dict(zip(columns, row, strict=True)), fields),
        )


def _as_text(text: Any, what: str, name: bytes) -> Text:
    """Return a text, a pair of title and body, or {title: ..., text: ...} as title and body."""
    from rankeval.io.texts import fields_by_name, text_of

    if isinstance(text, str):
        return Text("", text)
    if isinstance(text, tuple | list) and len(text) == 2 and all(isinstance(t, str) for t in text):
        return Text(*text)
    if isinstance(text, Mapping):
        named = {"docno": name, **{str(key): value for key, value in text.items()}}
        return text_of(named, fields_by_name([*named], what))
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
    line = unicodedata.normalize("NFC", query[:SEARCHED])
    return frozenset(found[0].casefold() for found in _WORD.finditer(line))


def marks_of(text: str, words: Collection[str]) -> Marks:
    """Return the places of the words in a text."""
    return tuple((start, end) for _, start, end in _hits(text, words))


def _hits(text: str, words: Collection[str]) -> list[tuple[str, int, int]]:
    """Return the words that a text has, with their places."""
    found = _WORD.finditer(text, 0, SEARCHED) if words else ()
    hits = ((one[0].casefold(), *one.span()) for one in found)
    return [hit for hit in hits if hit[0] in words]


def best_window(text: str, words: Collection[str], size: int = WINDOW) -> tuple[str, Marks]:
    """Return the part of a text, of one line, that holds most of the words, and their places.

    A text without any of the words is shown from its beginning.

    >>> best_window("The spam is in the pan. Eggs follow.", {"eggs"}, 20)
    ('…pan. Eggs…', ((6, 10),))
    """
    if len(text) <= size:
        return text, marks_of(text, words)
    room = size - 2 * len(CUT)
    hits = [hit for hit in _hits(text, words) if hit[2] - hit[1] <= room][:MOST_HITS]
    best = [("", 0, 0)]
    for at, (_, begin, _) in enumerate(hits):
        inside = [hit for hit in hits[at : at + room] if hit[2] <= begin + room]
        if len({word for word, *_ in inside}) > len({word for word, *_ in best if word}):
            best = inside
    first, last = best[0][1], best[-1][2]
    start = max(0, min(first - (room - (last - first)) // 2, len(text) - room))
    end = start + room
    # Between words, where there is a space.
    start = text.find(" ", start - 1, first) + 1 or start if start else 0
    if text[end : end + 1].strip():
        space = text.rfind(" ", last, end)
        end = space if space >= 0 else end
    shown = (CUT if start else "") + text[start:end] + (CUT if end < len(text) else "")
    return shown, marks_of(shown, words)


def text_cell(texts: ShownTexts, topic: str, docno: str) -> Cell:
    """Return the title and the text of a document."""
    shown = texts.document(topic, docno)
    if shown is None:
        return Cell("")
    if shown.missing:
        return Cell(NOT_THERE)
    before = f"{shown.title}{BETWEEN}" if shown.title and shown.text else shown.title
    return Cell(before + shown.text, prose=True)


def text_columns(
    texts: ShownTexts, topic: Callable[[Any], str], docno: Callable[[Any], str]
) -> list[Declared]:
    """Return the columns of texts, as far as they were given.

    People read the text of a document, programs the query, and title and text of the document.
    """
    found = [prose("query", get=lambda one: texts.queries.get(topic(one)), shown=False)]
    found = found if texts.has_queries else []
    if texts.has_docs:

        def document(record: Any) -> ShownText | None:
            shown = texts.document(topic(record), docno(record))
            return None if shown is None or shown.missing else shown

        def cell(record: Any) -> Cell:
            return text_cell(texts, topic(record), docno(record))

        found += [
            prose("text", get=cell, words=lambda value, _: value, data=False),
            prose("title", get=lambda one: getattr(document(one), "title", None), shown=False),
            prose("text", get=lambda one: getattr(document(one), "text", None), shown=False),
        ]
    return found


def topic_title(topic: str, queries: Mapping[str, str]) -> str:
    """Return a topic with its query, as in: 322 "how to bind a function"."""
    query = queries.get(topic)
    return f'{topic} "{query}"' if query else topic
