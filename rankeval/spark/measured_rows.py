"""Measured topics as rows of a Spark DataFrame: written by workers, read by the driver."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from heapq import nsmallest
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import NAMED, decoded
from rankeval.errors import RankevalError, placed
from rankeval.evaluation.measured import Measured, OfMeasure
from rankeval.measures.bounds import Bounds

SCHEMA = "topic binary, name string, numbers array<double>, facts binary"
"""The columns of workers' rows, in Spark's words: a row for each topic, and some with facts."""

ARROW = pa.schema(
    [
        ("topic", pa.binary()),
        ("name", pa.string()),
        ("numbers", pa.list_(pa.float64())),
        ("facts", pa.binary()),
    ]
)
FACTS = ("present", "chosen", "relevant", "tied", "retrieved", "judged", "unjudged", "negative")
"""The first numbers of a row; then come values, and all else in the order of PER_MEASURE."""

CHOSEN = FACTS.index("chosen")
PER_MEASURE = ("value", "beside", "low", "high", "least", "greatest")
ROWS = 1 << 13
"""Rows of a batch."""


class Repeated(NamedTuple):
    """A document that is repeated: topic and docno."""

    topic: bytes
    docno: bytes


@frozen(eq=False)
class PartFacts:
    """Facts about a part of the rows that are no values of topics; parts add up.

    ========== ===========================================================================
    n_without  number of topics of the run without judgments
    without    the first of them, in the order of their bytes
    n_repeated number of rows of the run that repeat a document
    repeated   the first such document
    dropped    wrong rows that were left out, counted by kind
    error      the error that ended the work
    measures   the marks and the caution of each measure; empty where nothing was measured
    beside     True for each measure whose rule over topics needs more than values
    exact      True for each measure whose bounds are exact, None where they are not known
    ========== ===========================================================================
    """

    n_without: int = 0
    without: tuple[bytes, ...] = ()
    n_repeated: int = 0
    repeated: Repeated | None = None
    dropped: dict[str, int] = field(default_factory=dict)
    error: RankevalError | None = None
    measures: tuple[tuple[tuple[str, ...], str | None], ...] = ()
    beside: tuple[bool, ...] = ()
    exact: tuple[bool | None, ...] = ()

    def plus(self, other: "PartFacts") -> "PartFacts":
        """Return the facts of two parts together."""
        kinds = {**self.dropped, **other.dropped}
        exact = zip(self.exact, other.exact, strict=False)
        return PartFacts(
            n_without=self.n_without + other.n_without,
            without=tuple(nsmallest(NAMED, (*self.without, *other.without))),
            n_repeated=self.n_repeated + other.n_repeated,
            repeated=min(
                (r for r in (self.repeated, other.repeated) if r is not None), default=None
            ),
            dropped={k: self.dropped.get(k, 0) + other.dropped.get(k, 0) for k in sorted(kinds)},
            error=min(
                (e for e in (self.error, other.error) if e is not None), key=str, default=None
            ),
            measures=self.measures or other.measures,
            beside=self.beside or other.beside,
            exact=tuple(None if a is None else a and b for a, b in exact)
            or self.exact
            or other.exact,
        )


def width(n_measures: int) -> int:
    """Return the number of numbers in a row."""
    return len(FACTS) + n_measures * len(PER_MEASURE)


def matrix_of(measured: Measured) -> Floats:
    """Return the numbers of T topics, shape (T, width); NaN for missing ones."""
    found = np.full((len(measured.names), width(len(measured.measures))), np.nan)
    for column, name in enumerate(FACTS):
        found[:, column] = getattr(measured, name)
    counted = np.flatnonzero(measured.chosen)
    tied = np.flatnonzero(measured.chosen & measured.tied)
    columns = iter(found[:, len(FACTS) :].T)
    for one in measured.measures:
        low, high = (one.bounds.low, one.bounds.high) if one.bounds else (None, None)
        for numbers in (one.values, one.beside, low, high):
            column = next(columns)
            if numbers is not None:
                column[counted] = numbers
        least, greatest = next(columns), next(columns)
        if one.ends is not None:
            least[tied], greatest[tied] = one.ends
    return found


def facts_of(measured: Measured) -> PartFacts:
    """Return the facts about measures that hold for all topics."""
    return PartFacts(
        measures=tuple((one.marks, one.caution) for one in measured.measures),
        beside=tuple(one.beside is not None for one in measured.measures),
        exact=tuple(one.bounds.exact if one.bounds else None for one in measured.measures),
    )


def measured_of(names: Sequence[bytes], numbers: Floats, facts: PartFacts) -> Measured:
    """Return the values written by `matrix_of`; rows are in the order of the names."""
    flags = numbers[:, :4].astype(bool).T
    counts = numbers[:, 4 : len(FACTS)].astype(np.int64).T
    topics = Measured(tuple(names), *flags, *counts)
    rest = np.ascontiguousarray(numbers[topics.chosen][:, len(FACTS) :].T)
    ties = topics.tied[topics.chosen]
    every = []
    each = zip(facts.beside, facts.exact, facts.measures, strict=True)
    for number, (beside, exact, (marks, caution)) in enumerate(each):
        value, weight, low, high, *ends = rest[number * len(PER_MEASURE) :][: len(PER_MEASURE)]
        every.append(
            OfMeasure(
                values=value,
                beside=weight if beside else None,
                bounds=None if exact is None else Bounds(low, high, exact),
                ends=np.array(ends)[:, ties] if ties.any() else None,
                of_run=None,
                marks=marks,
                caution=caution,
            )
        )
    return replace(topics, measures=tuple(every))


def batches_of(measured: Measured) -> Iterator[Any]:
    """Yield the rows of topics."""
    numbers = matrix_of(measured)
    names = measured.names
    for start in range(0, len(names), ROWS):
        part, some = numbers[start : start + ROWS], names[start : start + ROWS]
        offsets = np.arange(len(part) + 1, dtype=np.int32) * part.shape[1]
        yield pa.RecordBatch.from_arrays(
            [
                pa.array(some, pa.binary()),
                pa.array([decoded(name) for name in some], pa.string()),
                pa.ListArray.from_arrays(offsets, pa.array(part.ravel())),
                pa.nulls(len(some), pa.binary()),
            ],
            schema=ARROW,
        )


def batch_of_facts(facts: PartFacts) -> Any:
    """Return the row that has the facts of a part."""
    error = facts.error and placed(facts.error, facts.error.place)
    row = pickle.dumps(replace(facts, error=error))
    nothing = [pa.nulls(1, ARROW.field(name).type) for name in ("topic", "name", "numbers")]
    return pa.RecordBatch.from_arrays([*nothing, pa.array([row], pa.binary())], schema=ARROW)


def read(table: Any, n_measures: int) -> tuple[list[bytes], Floats, PartFacts]:
    """Return the topics in the order of their bytes, their numbers, and the facts of all parts.

    An error that ended the work of a part is raised.
    """
    import pyarrow.compute as pc

    facts = PartFacts()
    for row in table.column("facts").drop_null().to_pylist():
        facts = facts.plus(pickle.loads(row))  # noqa: S301  written by `batch_of_facts`
    if facts.error is not None:
        raise facts.error
    rows = table.filter(pc.is_valid(table.column("topic"))).combine_chunks()
    order = pc.sort_indices(rows.column("topic"))
    rows = rows.take(order)
    numbers = rows.column("numbers").combine_chunks()
    flat = pc.list_flatten(numbers).to_numpy(zero_copy_only=False)
    return rows.column("topic").to_pylist(), flat.reshape(-1, width(n_measures)), facts
