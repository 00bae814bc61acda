"""ir_datasets: the judgments or the scored documents of a data set that is here already."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import numpy as np

from rankeval.errors import InputError
from rankeval.io.columns import Columns
from rankeval.io.plain import PlainDocnos
from rankeval.io.trec import SUBTOPIC

REMEDY = "download it with ir_datasets first, or name a file"


class _NotHereError(Exception):
    """The data would have to be downloaded."""


def columns(name: str, what: str, place: str) -> Iterator[Columns]:
    """Read the judgments or, for a run, the scored documents; nothing is downloaded."""
    try:
        import ir_datasets
    except ImportError:
        raise InputError(
            "needs the package ir_datasets", place=place, remedy="install it, or name a file"
        ) from None
    try:
        with _without_downloads():
            dataset = ir_datasets.load(name)
            has = dataset.has_qrels() if what == "qrels" else dataset.has_scoreddocs()
            if not has:
                lacking = "judgments" if what == "qrels" else "scored documents"
                raise InputError(f"has no {lacking}", place=place)
            rows = list(dataset.qrels_iter() if what == "qrels" else dataset.scoreddocs_iter())
    except KeyError:
        raise InputError("is no data set that ir_datasets knows", place=place) from None
    except (_NotHereError, OSError, RuntimeError):
        raise InputError("is not on this machine", place=place, remedy=REMEDY) from None
    yield _columns(rows, what)


@contextmanager
def _without_downloads() -> Iterator[None]:
    from ir_datasets.util import download

    def refuse(*_: object) -> None:
        raise _NotHereError

    stream = download.RequestsDownload.stream
    download.RequestsDownload.stream = refuse
    try:
        yield
    finally:
        download.RequestsDownload.stream = stream


def _columns(rows: list[Any], what: str) -> Columns:
    stretches = [(topic, len(list(same))) for topic, same in groupby(row.query_id for row in rows)]
    values = [row.relevance if what == "qrels" else row.score for row in rows]
    return Columns(
        topics=tuple(topic.encode() for topic, _ in stretches),
        starts=np.cumsum([0, *(size for _, size in stretches)]),
        docnos=PlainDocnos([row.doc_id.encode() for row in rows]),
        values=np.array(values, dtype=float),
        lines=range(1, len(rows) + 1),
        kept={SUBTOPIC: PlainDocnos([_subtopic(row).encode() for row in rows])},
    )


def _subtopic(row: Any) -> str:
    """The subtopic of a judgment, or the iteration, which is the same column."""
    return str(getattr(row, "subtopic_id", getattr(row, "iteration", "0")))
