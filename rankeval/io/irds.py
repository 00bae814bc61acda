"""Read the judgments or scored documents of an ir_datasets data set that is on this machine."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

import numpy as np

from rankeval.errors import InputError
from rankeval.io.formats import SUBTOPIC
from rankeval.io.parsers.columns import Columns, PlainDocnos, stretches_of

ROWS = 1 << 16
DOWNLOADS = ("RequestsDownload", "GoogleDriveDownload", "GoogleCloudBucketStream")
"""The classes of ir_datasets that use the network."""


def columns(name: str, what: str, place: str) -> Iterator[Columns]:
    """Read the judgments or, for a run, the scored documents; nothing is downloaded."""
    kind, value = ("scoreddocs", "score") if what == "run" else ("qrels", "relevance")
    try:
        import ir_datasets
    except ImportError:
        raise InputError(
            "needs the package ir_datasets",
            place=place,
            remedy="pip install ir-datasets, or name a file",
        ) from None
    with _no_downloads():
        try:
            dataset = ir_datasets.load(name)
            if not getattr(dataset, f"has_{kind}")():
                raise InputError(f"has no {kind}", place=place)
            rows, n_rows = iter(getattr(dataset, f"{kind}_iter")()), 0
            while block := list(islice(rows, ROWS)):
                if not hasattr(block[0], value):
                    raise InputError(f"its rows have no {value}", place=place)
                yield _columns(block, what, value, n_rows + 1)
                n_rows += len(block)
        except KeyError:
            raise InputError(
                "is not a data set that ir_datasets knows",
                place=place,
                remedy="look up its name at https://ir-datasets.com, or name a file",
            ) from None
        except (OSError, RuntimeError):
            raise InputError(
                "is not on this machine",
                place=place,
                remedy="download it with ir_datasets first, or name a file",
            ) from None


def _no_downloads() -> ExitStack:
    """Let ir_datasets fail in silence instead of downloading, until the stack is closed."""
    from ir_datasets.util import download

    def refuse(*_: object) -> None:
        raise ConnectionError

    stack = ExitStack()
    stack.callback(logging.disable, logging.root.manager.disable)
    logging.disable(logging.CRITICAL)
    for kind in [getattr(download, name) for name in DOWNLOADS if hasattr(download, name)]:
        stack.callback(setattr, kind, "stream", kind.stream)
        kind.stream = refuse
    return stack


def _columns(rows: list[Any], what: str, value: str, first_row: int) -> Columns:
    topics, starts = stretches_of(row.query_id.encode() for row in rows)
    # Subtopics and iterations are in the same column.
    labels = [str(getattr(row, "subtopic_id", getattr(row, "iteration", "0"))) for row in rows]
    return Columns(
        topics=topics,
        starts=starts,
        docnos=PlainDocnos([row.doc_id.encode() for row in rows]),
        values=np.array([getattr(row, value) for row in rows], dtype=float),
        lines=range(first_row, first_row + len(rows)),
        kept={} if what == "run" else {SUBTOPIC: PlainDocnos([label.encode() for label in labels])},
    )
