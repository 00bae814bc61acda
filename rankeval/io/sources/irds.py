"""Read the judgments or scored documents of an ir_datasets data set that is on this machine."""

import logging
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np

from rankeval.errors import InputError
from rankeval.io.formats.layouts import SUBTOPIC
from rankeval.io.parsers.columns import Columns, PlainDocnos, stretches_of
from rankeval.io.texts import BODIES, Text

ROWS = 1 << 16
DOWNLOADS = ("RequestsDownload", "GoogleDriveDownload", "GoogleCloudBucketStream")
"""The classes of ir_datasets that use the network."""

REMEDY = "download it with ir_datasets first, or name a file"


class _NotHereError(Exception):
    """The data would have to be downloaded."""


def columns(name: str, what: str, place: str) -> Iterator[Columns]:
    """Read the judgments or, for a run, the scored documents; nothing is downloaded."""
    with _data_set(name, place) as dataset:
        if not (dataset.has_scoreddocs() if what == "run" else dataset.has_qrels()):
            lacking = "scored documents" if what == "run" else "judgments"
            raise _lacks(lacking, place)
        rows = iter(dataset.scoreddocs_iter() if what == "run" else dataset.qrels_iter())
        first_row = 1
        while block := list(islice(rows, ROWS)):
            yield _columns(block, what, place, first_row)
            first_row += len(block)


def _lacks(what: str, place: str) -> InputError:
    return InputError(f"has no {what}", place=place, remedy="name another data set or a file")


@contextmanager
def _data_set(name: str, place: str) -> Iterator[Any]:
    """Load a data set, without any download; InputError if it is not on this machine."""
    try:
        import ir_datasets
    except ImportError:
        raise InputError(
            "needs the package ir_datasets",
            place=place,
            remedy="pip install ir-datasets, or name a file",
        ) from None
    with _without_downloads():
        try:
            dataset = ir_datasets.load(name)
        except KeyError:
            raise InputError(
                "is not a data set that ir_datasets knows",
                place=place,
                remedy="look up its name at https://ir-datasets.com, or name a file",
            ) from None
        try:
            yield dataset
        except (_NotHereError, OSError, RuntimeError):
            raise InputError("is not on this machine", place=place, remedy=REMEDY) from None


@contextmanager
def _without_downloads() -> Iterator[None]:
    """Raise _NotHereError in place of a download, and silence ir_datasets' own messages."""
    from ir_datasets.util import download

    def refuse(*_: object) -> None:
        raise _NotHereError

    kinds = [getattr(download, name) for name in DOWNLOADS if hasattr(download, name)]
    streams = [kind.stream for kind in kinds]
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    for kind in kinds:
        kind.stream = refuse
    try:
        yield
    finally:
        logging.disable(level)
        for kind, stream in zip(kinds, streams, strict=True):
            kind.stream = stream


def _columns(rows: list[Any], what: str, place: str, first_row: int) -> Columns:
    value = "score" if what == "run" else "relevance"
    if not hasattr(rows[0], value):
        raise InputError(
            f"its rows have no {value}, but {', '.join(rows[0]._fields)}",
            place=place,
            remedy="name another data set or a file",
        )
    topics, starts = stretches_of(row.query_id.encode() for row in rows)
    # Subtopics and iterations are in the same column.
    labels = [getattr(row, "subtopic_id", getattr(row, "iteration", "0")) for row in rows]
    kept = {} if what == "run" else {SUBTOPIC: _names(map(str, labels))}
    return Columns(
        topics=topics,
        starts=starts,
        docnos=_names(row.doc_id for row in rows),
        values=np.array([getattr(row, value) for row in rows], dtype=float),
        lines=range(first_row, first_row + len(rows)),
        kept=kept,
        stated=hasattr(rows[0], "subtopic_id"),
    )


def _names(texts: Iterable[str]) -> PlainDocnos:
    return PlainDocnos([text.encode() for text in texts])


def texts(
    name: str, wanted: Collection[bytes], what: str, place: str
) -> Iterator[tuple[bytes, Text]]:
    """Yield the texts of the wanted documents, from the data set's store, or of its queries."""
    with _data_set(name, place) as dataset:
        if not (dataset.has_docs() if what == "docs" else dataset.has_queries()):
            raise _lacks("documents" if what == "docs" else "queries", place)
        if what == "docs":
            found = dataset.docs_store().get_many([one.decode() for one in wanted])
            for docno, document in found.items():
                yield docno.encode(), _text(document)
            return
        for query in dataset.queries_iter():
            if query.query_id.encode() in wanted:
                yield query.query_id.encode(), _text(query)


def _text(record: Any) -> Text:
    """Return the title and the body of a document or a query."""
    body = next((getattr(record, key) for key in BODIES if hasattr(record, key)), None)
    title = getattr(record, "title", "")
    if not isinstance(body, str):
        body = record.default_text() if hasattr(record, "default_text") else ""
    return Text(title if isinstance(title, str) else "", body)
