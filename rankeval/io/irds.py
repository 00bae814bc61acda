"""Read the judgments or scored documents of a data set of ir_datasets, which may download it."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from rankeval.errors import InputError
from rankeval.io.columns import Columns
from rankeval.io.formats import SUBTOPIC
from rankeval.io.names import Names

ROWS = 1 << 16


def columns(name: str, what: str, place: str) -> Iterator[Columns]:
    """Read the judgments or, for a run, the scored documents."""
    kind, value = ("scoreddocs", "score") if what == "run" else ("qrels", "relevance")
    n_rows = 0
    try:
        import ir_datasets

        rows = iter(getattr(ir_datasets.load(name), f"{kind}_iter")())
        while block := list(islice(rows, ROWS)):
            yield _columns(block, what, value, n_rows + 1)
            n_rows += len(block)
    except Exception as error:  # noqa: BLE001  from the package, or what it asks, as they like
        problem, remedy = _reason(error, kind)
        raise InputError(
            problem,
            place=place,
            expected="a name of https://ir-datasets.com, whose data is there or can be downloaded",
            remedy=remedy,
        ) from None


def _reason(error: Exception, kind: str) -> tuple[str, str]:
    """Return what is wrong, and what to do about it."""
    match error:
        case ModuleNotFoundError(name="ir_datasets"):
            return "ir_datasets is not installed", "pip install ir-datasets, or name a file"
        case KeyError():
            return "ir_datasets has no data set of this name", "correct the name"
        case AttributeError():
            return f"the data set has no {kind}", "name a data set that has them, or a file"
    said = f"{type(error).__name__}: {str(error)[:200]}"
    return f"ir_datasets cannot read the {kind} ({said})", "mend what it says, or name a file"


def _columns(rows: list[Any], what: str, value: str, first_row: int) -> Columns:
    # Subtopics and iterations are in the same column.
    labels = [str(getattr(row, "subtopic_id", getattr(row, "iteration", "0"))) for row in rows]
    return Columns.of_rows(
        Names.from_names([row.query_id.encode() for row in rows]),
        Names.from_names([row.doc_id.encode() for row in rows]),
        np.array([getattr(row, value) for row in rows], dtype=float),
        range(first_row, first_row + len(rows)),
        kept={}
        if what == "run"
        else {SUBTOPIC: Names.from_names([label.encode() for label in labels])},
    )
