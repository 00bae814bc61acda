"""The texts of topics and documents in tables, rows and documents of results."""

from collections.abc import Callable, Mapping
from typing import Any

from rankeval.evaluation.shown_texts import ShownText, ShownTexts
from rankeval.output.declared_columns import Declared, prose
from rankeval.output.tables import Cell

BETWEEN = " — "
NOT_THERE = "(not in the documents)"


def text_cell(texts: ShownTexts, topic: str, docno: str) -> Cell:
    """Return the title and the text of a document, with the words of the query bold."""
    shown = texts.document(topic, docno)
    if shown is None:
        return Cell("")
    if shown.missing:
        return Cell(NOT_THERE)
    before = f"{shown.title}{BETWEEN}" if shown.title and shown.text else shown.title
    moved = tuple((start + len(before), end + len(before)) for start, end in shown.marks)
    return Cell(before + shown.text, bold=moved)


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
