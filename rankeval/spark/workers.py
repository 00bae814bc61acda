"""The work on one partition of rows: whole topics are ranked and measured as on one machine.

These functions run in Spark's Python workers, which send and take batches of Arrow. They answer
with rows of one pickled `Part` each, which the driver puts together.
"""

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, fields, replace
from functools import wraps
from heapq import nsmallest
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.base.frozen import frozen
from rankeval.base.wording import NAMED, quoted
from rankeval.errors import InputError, RankevalError, placed
from rankeval.evaluation.measured import Measured, OfMeasure
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.score import measure_topics
from rankeval.io.formats import trec
from rankeval.io.formats.file_format import Form
from rankeval.io.formats.table_files import columns_in_memory
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.line_errors import LineError, Problems
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.read import read_columns
from rankeval.io.topic_order import gathered
from rankeval.measures.bounds import Bounds
from rankeval.ranking.align import align_whole_topics
from rankeval.ranking.judged_lines import DistinctDocnos
from rankeval.ranking.qrels import Qrels, from_columns

_NONE = np.zeros(0, dtype=np.int64)
NO_ROWS = Columns((), np.zeros(1, dtype=np.int64), PlainDocnos([]), np.zeros(0), range(0))
NO_JUDGMENTS = Qrels.made("", (), np.zeros(1, dtype=np.int64), _NONE, _NONE, DistinctDocnos({}))

NO_COLUMNS = ("names", "measures")
"""The fields of Measured that have no number for each topic."""

AT_ONCE = 50_000
"""Rows that are ranked together, about; a topic with more is ranked by itself."""

SCHEMA = "part binary"
JUDGED = ("judged docno", "grade of it")
"""The columns of judgments in a frame that has rows of a run, too; null in those."""

Batches = Iterable[Any]


@frozen(eq=False)
class Part:
    """What is known of a part of the rows; parts with different topics add up.

    ========== ===========================================================================
    measured   the values of its topics, in pieces
    n_without  number of topics without judgments
    without    the first of them, in the order of their bytes
    n_repeated number of rows that repeat a document
    repeated   the first topic and document that is listed twice
    dropped    wrong rows that were left out, counted by kind
    tags       run tags
    error      the error that ended the work
    ========== ===========================================================================
    """

    measured: tuple[Measured, ...] = ()
    n_without: int = 0
    without: tuple[bytes, ...] = ()
    n_repeated: int = 0
    repeated: tuple[tuple[bytes, bytes], ...] = ()
    dropped: Counter[str] = field(default_factory=Counter)
    tags: frozenset[bytes] = frozenset()
    error: RankevalError | None = None


def together(parts: Sequence[Part]) -> Part:
    """Return the facts of all parts."""
    return Part(
        measured=tuple(measured for part in parts for measured in part.measured),
        n_without=sum(part.n_without for part in parts),
        without=tuple(nsmallest(NAMED, (topic for part in parts for topic in part.without))),
        n_repeated=sum(part.n_repeated for part in parts),
        repeated=tuple(nsmallest(1, (line for part in parts for line in part.repeated))),
        dropped=sum((part.dropped for part in parts), Counter()),
        tags=frozenset().union(*(part.tags for part in parts)),
        error=min((part.error for part in parts if part.error), key=str, default=None),
    )


def lines_of(batches: Batches, *, form: Form, skip: bool) -> Iterator[Any]:
    """Yield the lines of files as rows of topic, docno, score, and rank if the form has it.

    A row without a topic has in its docno a Part: the tags of a file, the wrong lines that were
    left out, or the error of the first of them.
    """
    names = ["topic", "docno", "score", *["rank"] * form.ranks]
    for path in (path for batch in batches for path in batch.column("path").to_pylist()):
        problems = Problems() if skip else None
        tags: set[bytes] = set()
        error = None
        try:
            for columns in read_columns(path, replace(form, problems=problems)):
                tags |= columns.tags
                yield pa.RecordBatch.from_arrays(_arrays(columns)[: len(names)], names=names)
        except RankevalError as found:
            error = placed(found, found.place)
        dropped = Counter(problems.counts if problems else {})
        part = pickle.dumps(Part(dropped=dropped, tags=frozenset(tags), error=error))
        row = [pa.nulls(1, pa.binary()), pa.array([part]), *[pa.array([np.nan])] * 2]
        yield pa.RecordBatch.from_arrays(row[: len(names)], names=names)


def _arrays(columns: Columns) -> list[Any]:
    """Return the topic, docno, score and rank of each line."""
    stretch = np.repeat(np.arange(len(columns.topics)), np.diff(columns.starts))
    nothing = pa.nulls(len(columns), pa.float64())
    return [
        pa.array([*columns.topics], pa.binary()).take(pa.array(stretch)),
        pa.array(columns.docnos.tolist(), pa.binary()),
        pa.array(columns.values),
        nothing if columns.ranks is None else pa.array(columns.ranks, pa.float64()),
    ]


def _as_rows(work: Callable[..., Iterator[Part]]) -> Callable[..., Iterator[Any]]:
    """Make each part a row, and an error, too, so that the driver can raise it."""

    @wraps(work)
    def rows(batches: Batches, **given: Any) -> Iterator[Any]:
        parts = work(batches, **given)
        while True:
            try:
                part = next(parts, None)
            except RankevalError as error:
                part, parts = Part(error=placed(error, error.place)), iter(())
            if part is None:
                return
            yield pa.RecordBatch.from_pydict({"part": pa.array([pickle.dumps(part)], pa.binary())})

    return rows


def of_row(error: LineError, table: Any, name: str) -> InputError:
    """Return the error of a row, which has no number, with the topic and docno that it has."""
    topic, docno = (table.column(at)[error.line - 1].as_py() for at in (0, 1))
    return InputError(
        f"{error.problem}, in a row of topic {shown(topic)} and docno {shown(docno)}",
        place=name,
        expected=error.expected,
        remedy="mend the row, or leave out wrong ones with Reading(on_error='skip')",
    )


def shown(name: Any) -> str:
    return quoted(name if isinstance(name, bytes) else str(name).encode())


@frozen(eq=False)
class Work:
    """All that workers need to know of an evaluation besides rows and judgments.

    ======== =============================================================================
    prepared measures and conventions, without judgments
    form     how the rows of a run are read
    name     the run in messages
    highest  the highest grade of all judgments
    of_files True for rows that `lines_of` has read
    ======== =============================================================================
    """

    prepared: Prepared
    form: Form
    name: str
    highest: float
    of_files: bool

    def columns(self, table: Any, parts: list[Part]) -> list[Columns]:
        """Return the rows of whole topics; counts of wrong ones, and tags, are added to `parts`."""
        if self.of_files:
            facts = pc.is_null(table.column(0))
            parts += map(pickle.loads, table.column(1).filter(facts).to_pylist())
            table = table.filter(pc.invert(facts))
            if self.form.ranks and table.column("rank").null_count == len(table):
                table = table.drop_columns(["rank"])  # the files have none
        problems = Problems() if self.prepared.reading.on_error == "skip" else None
        form = replace(self.form, problems=problems)
        try:
            found = list(columns_in_memory(table.combine_chunks(), form))
        except LineError as error:
            raise of_row(error, table, self.name) from None
        tags = frozenset().union(*(columns.tags for columns in found))
        parts.append(Part(dropped=Counter(problems.counts if problems else {}), tags=tags))
        wrong = [part.error for part in parts if part.error is not None]
        if wrong:
            raise wrong[0]
        return [gathered(found)] if found else []

    def measured(self, qrels: Qrels, pieces: Iterable[Columns]) -> Part:
        """Measure the topics of some rows; the driver adds those that no row has."""
        prepared = self.prepared
        aligned = align_whole_topics(qrels, pieces, prepared.rules, self.name, needs=prepared.needs)
        present = aligned.present
        judged = replace(aligned.judged.select(present), highest_grade=self.highest)
        return Part(
            measured=(measure_topics(prepared, judged, present[present]),) if present.any() else (),
            n_without=len(aligned.without),
            without=aligned.without[:NAMED],
            n_repeated=len(aligned.duplicates),
            repeated=tuple(nsmallest(1, ((one.topic, one.docno) for one in aligned.duplicates))),
        )


@_as_rows
def by_shared_judgments(batches: Batches, *, work: Work, judgments: Any) -> Iterator[Part]:
    """Measure the topics of a partition of a run against judgments that every worker has."""
    parts: list[Part] = []
    pieces = (
        piece for table in whole_topics(batches, AT_ONCE) for piece in work.columns(table, parts)
    )
    first = next(pieces, None)
    if first is not None:
        yield work.measured(judgments.value, chain([first], pieces))
    yield together(parts)


@_as_rows
def by_own_judgments(batches: Batches, *, work: Work) -> Iterator[Part]:
    """Measure the topics of a partition that has the rows of a run, and those of judgments."""
    parts: list[Part] = []
    for table in whole_topics(batches, AT_ONCE):
        is_judged = pc.is_valid(table.column(JUDGED[0]))
        judged = table.filter(is_judged).select([table.column_names[0], *JUDGED])
        qrels = judged.rename_columns(["topic", "docno", "grade"]).combine_chunks()
        pieces = work.columns(table.filter(pc.invert(is_judged)).drop_columns([*JUDGED]), parts)
        found = list(columns_in_memory(qrels, Form("qrels"))) if pieces else []
        if pieces:
            judgments = from_columns(found, "qrels", trec.QRELS) if found else NO_JUDGMENTS
            yield work.measured(judgments, pieces)
    yield together(parts)


def whole_topics(batches: Batches, size: int) -> Iterator[Any]:
    """Yield tables of whole topics, of about `size` rows; the rows of a topic come together.

    A topic may go on in the next batch, and is carried over to it.
    """
    held: list[Any] = []
    n_rows, enough = 0, size
    for batch in batches:
        if not batch.num_rows:
            continue
        held.append(batch)
        n_rows += batch.num_rows
        if n_rows < enough:
            continue
        table = pa.Table.from_batches(held)
        topics = table.column(0)
        same = pc.fill_null(pc.equal(topics, topics[-1]), fill_value=False)
        start = n_rows - (pc.sum(same).as_py() or 0)
        if start:
            yield table.slice(0, start)
        # The rows of one large topic are not looked at again with each batch.
        enough = size if start else 2 * n_rows
        held, n_rows = table.slice(start).to_batches(), n_rows - start
    if held:
        yield pa.Table.from_batches(held)


def put_together(found: Sequence[Measured]) -> Measured:
    """Return the values of topics that were measured in parts, in the order of their names."""
    names = [name for one in found for name in one.names]
    order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
    of_topics = [column.name for column in fields(Measured) if column.name not in NO_COLUMNS]
    columns = {name: np.concatenate([getattr(one, name) for one in found]) for name in of_topics}

    def places(marked: Any) -> Any:
        """Return the order of values that only the marked topics have."""
        return (np.cumsum(marked) - 1)[order][marked[order]]

    counted, tied = places(columns["chosen"]), places(columns["chosen"] & columns["tied"])
    measures = []
    for each in zip(*(one.measures for one in found), strict=True):
        bounds = [part.bounds for part in each if part.bounds is not None]
        ends = [part.ends for part in each if part.ends is not None]
        beside = [part.beside for part in each if part.beside is not None]
        sides = ([getattr(one, side) for one in bounds] for side in ("low", "high"))
        low, high = (np.concatenate(side)[counted] if bounds else counted for side in sides)
        measures.append(
            OfMeasure(
                values=np.concatenate([part.values for part in each])[counted],
                beside=np.concatenate(beside)[counted] if beside else None,
                bounds=Bounds(low, high, all(one.exact for one in bounds)) if bounds else None,
                ends=np.concatenate(ends, axis=1)[:, tied] if ends else None,
                of_run=None,
                marks=each[0].marks,
                caution=next((part.caution for part in each if part.caution), None),
            )
        )
    in_order = {name: column[order] for name, column in columns.items()}
    return Measured(tuple(names[i] for i in order.tolist()), **in_order, measures=tuple(measures))
