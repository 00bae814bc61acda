"""The work on one partition of rows: whole topics are ranked and measured as on one machine.

These functions run in Spark's Python workers, which send and take batches of Arrow.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import wraps
from itertools import chain
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.base.frozen import frozen
from rankeval.base.wording import NAMED, quoted
from rankeval.errors import InputError, RankevalError
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.score import measure_topics
from rankeval.io.formats import trec
from rankeval.io.formats.file_format import Form
from rankeval.io.formats.table_files import columns_in_memory
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.line_errors import Problems
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.topic_order import gathered
from rankeval.ranking.align import Alignment, align_whole_topics
from rankeval.ranking.judged_lines import DistinctDocnos, JudgedTwiceError
from rankeval.ranking.qrels import Qrels, from_columns, judgments_or_subtopics
from rankeval.spark.frames import IS_JUDGMENT, LEFT_OUT, NUMBERS
from rankeval.spark.measured_rows import PartFacts, Repeated, batch_of_facts, batches_of, facts_of

AT_ONCE = 50_000
"""Rows that are ranked together, about; a topic with more is ranked by itself."""

Batches = Iterable[Any]


class Shared(Protocol):
    """Holds a value that all workers have, as Spark's broadcast variables do."""

    @property
    def value(self) -> Qrels:
        """The judgments."""


@frozen(eq=False)
class Work:
    """All that workers need to know of an evaluation besides rows and judgments.

    ======== =============================================================================
    prepared measures and conventions, without judgments
    run      the name of the run in messages
    qrels    the name of the judgments
    highest  the highest grade of all judgments
    ======== =============================================================================
    """

    prepared: Prepared
    run: str
    qrels: str
    highest: float = 0.0

    @property
    def ranks(self) -> bool:
        """True if the settings need the column of ranks."""
        return self.prepared.form().ranks

    def align(self, qrels: Qrels, pieces: Iterable[Columns]) -> Alignment:
        """Align pieces of whole topics with their judgments."""
        prepared = self.prepared
        return align_whole_topics(qrels, pieces, prepared.rules, self.run, needs=prepared.needs)


def _errors_as_rows(measured: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """Make an error a row, so that the driver can raise it."""

    @wraps(measured)
    def rows(batches: Batches, **given: Any) -> Iterator[Any]:
        try:
            yield from measured(batches, **given)
        except RankevalError as error:
            yield batch_of_facts(PartFacts(error=error))

    return rows


@_errors_as_rows
def by_shared_judgments(batches: Batches, *, work: Work, judgments: Shared) -> Iterator[Any]:
    """Measure the topics of a partition of a run against judgments that every worker has."""
    wrong = WrongRows("run", work.run, work.prepared.reading)
    every = (wrong.columns(table, ranks=work.ranks) for table in whole_topics(batches, AT_ONCE))
    pieces = (gathered(parts) for parts in every if parts)
    first = next(pieces, None)
    if first is None:
        yield batch_of_facts(PartFacts(dropped=wrong.counts))
        return
    alignment = work.align(judgments.value, chain([first], pieces))
    # The driver adds the topics that no partition has.
    yield from _measured(alignment, alignment.present, work, wrong.counts)


@_errors_as_rows
def by_own_judgments(batches: Batches, *, work: Work) -> Iterator[Any]:
    """Measure the topics of a partition that has the rows of a run, and those of judgments."""
    of_run = WrongRows("run", work.run, work.prepared.reading)
    of_qrels = WrongRows("qrels", work.qrels, work.prepared.reading)
    for table in whole_topics(batches, AT_ONCE):
        judged = table.column(IS_JUDGMENT)
        qrels = judgments_of_rows(table.filter(judged), of_qrels)
        parts = of_run.columns(table.filter(pc.invert(judged)), ranks=work.ranks)
        alignment = work.align(
            NO_JUDGMENTS if qrels is None else qrels, [gathered(parts) if parts else NO_ROWS]
        )
        ranked = replace(alignment.judged, highest_grade=work.highest)
        everything = np.ones(len(ranked), dtype=bool)
        yield from _measured(replace(alignment, judged=ranked), everything, work, {})
    yield batch_of_facts(PartFacts(dropped=of_run.counts))


def _measured(
    alignment: Alignment, mine: Any, work: Work, dropped: Mapping[str, int]
) -> Iterator[Any]:
    """Yield the rows of some topics of an alignment, and the facts about all of its rows."""
    first = min((Repeated(line.topic, line.docno) for line in alignment.duplicates), default=None)
    facts = PartFacts(
        n_without=len(alignment.without),
        without=alignment.without[:NAMED],
        n_repeated=len(alignment.duplicates),
        repeated=first,
        dropped=dict(dropped),
    )
    if mine.any():
        judged, present = alignment.judged.select(mine), alignment.present[mine]
        measured = measure_topics(work.prepared, judged, present)
        yield from batches_of(measured)
        facts = facts.plus(facts_of(measured))
    yield batch_of_facts(facts)


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
        topics = table.column("topic")
        start = n_rows - pc.sum(pc.equal(topics, topics[-1])).as_py()
        if start:
            yield table.slice(0, start)
        # The rows of one large topic are not looked at again with each batch.
        enough = size if start else 2 * n_rows
        held, n_rows = table.slice(start).to_batches(), n_rows - start
    if held:
        yield pa.Table.from_batches(held)


class WrongRows:
    """Take rows as columns; count the wrong ones, or refuse the first of them."""

    def __init__(self, what: str, name: str, reading: Reading) -> None:
        self.what, self.name, self.reading = what, name, reading
        self.counts: dict[str, int] = {}

    def columns(self, table: Any, *, ranks: bool = False) -> list[Columns]:
        """Return the right rows, in blocks."""
        if LEFT_OUT in table.column_names:
            table = self._right_lines(table)
        problems = Problems()
        parts = list(
            columns_of_rows(table, replace(Form(self.what), ranks=ranks, problems=problems))
        )
        if problems.first and self.reading.on_error != "skip":
            first = problems.first[0]
            topic, docno = (
                quoted(table.column(role)[first.line - 1].as_py()) for role in ("topic", "docno")
            )
            raise InputError(
                f"{first.problem}, in a row of topic {topic} and docno {docno}",
                place=self.name,
                expected=first.expected,
                remedy="mend the row, or leave out wrong ones with Reading(on_error='skip')",
            )
        self._count(problems.counts)
        return parts

    def _right_lines(self, table: Any) -> Any:
        """Return the rows of lines, and count the lines that the parser has left out."""
        left_out = table.column(LEFT_OUT)
        for counts in left_out.drop_null().to_pylist():
            self._count(json.loads(counts))
        return table.filter(pc.is_null(left_out)).drop_columns([LEFT_OUT])

    def _count(self, counts: Mapping[str, int]) -> None:
        for kind, number in counts.items():
            self.counts[kind] = self.counts.get(kind, 0) + number


def columns_of_rows(table: Any, form: Form) -> Iterator[Columns]:
    """Yield the rows of a table by blocks, as a file in Arrow's format is read."""
    names = {*table.column_names}
    wanted = [name for name in table.column_names if name != IS_JUDGMENT]
    value = "grade" if form.what == "qrels" else "score" if "score" in names else "rank"
    others = {*NUMBERS} - {value} - ({"rank"} if form.ranks else set())
    table = table.select([name for name in wanted if name not in others])
    return columns_in_memory(table.combine_chunks(), form)


def judgments_of_rows(table: Any, wrong: WrongRows, label: str | None = None) -> Qrels | None:
    """Return the judgments of whole topics; None without any. InputError for one that is repeated.

    As in a file, documents with a row for each subtopic have the largest of their grades.
    """
    parts = wrong.columns(table)
    if not parts:
        return None

    def read(label: str | None) -> Qrels:
        return from_columns(parts, wrong.name, trec.QRELS, label, wrong.reading.duplicates)

    try:
        return judgments_or_subtopics(read, label)
    except JudgedTwiceError as error:
        raise JudgedTwiceError(error.topic, error.docno, error.times, place=wrong.name) from None


_NONE = np.zeros(0, dtype=np.int64)
NO_ROWS = Columns((), np.zeros(1, dtype=np.int64), PlainDocnos([]), np.zeros(0), range(0))
NO_JUDGMENTS = Qrels.made("", (), np.zeros(1, dtype=np.int64), _NONE, _NONE, DistinctDocnos({}))
