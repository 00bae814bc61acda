"""The work on one partition of rows: whole topics are ranked and measured as on one machine.

These functions run in Spark's Python workers, which send and take batches of Arrow.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from itertools import chain
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.alignment.align import Alignment, align_whole_topics
from rankeval.alignment.duplicates import Duplicates
from rankeval.alignment.qrels import (
    DistinctDocnos,
    JudgedTwiceError,
    Qrels,
    from_columns,
    judgments_or_subtopics,
)
from rankeval.alignment.rules import ExtraNeeds, Rules
from rankeval.errors import InputError, RankevalError
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.measured import measure_topics
from rankeval.evaluation.settings import Settings
from rankeval.io import trec
from rankeval.io.columns import Columns
from rankeval.io.form import Form
from rankeval.io.line_errors import Problems
from rankeval.io.plain_parser import PlainDocnos
from rankeval.io.tables import columns_in_memory
from rankeval.io.topic_stretches import gathered
from rankeval.measures import Measure
from rankeval.spark.frames import IS_JUDGMENT, LEFT_OUT, NUMBERS
from rankeval.spark.rows import (
    PartFacts,
    Repeated,
    batch_of_facts,
    batches_of,
    facts_of,
)
from rankeval.support.frozen import frozen
from rankeval.support.wording import NAMED, quoted

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

    ============ =========================================================================
    measures     the measures
    settings     the conventions
    rules        rules that make rankings
    run, qrels   names of both in messages
    needs        data of rankings that measures need besides judged documents
    duplicates   which row counts of a document judged twice
    skip         True if wrong rows are left out
    bounds       True if bounds are asked for
    ranks        True if the settings read the column of ranks
    highest      the highest grade of all judgments
    ============ =========================================================================
    """

    measures: tuple[Measure, ...]
    settings: Settings
    rules: Rules
    run: str
    qrels: str
    needs: ExtraNeeds
    duplicates: Duplicates = "refuse"
    skip: bool = False
    bounds: bool = False
    ranks: bool = False
    highest: float = 0.0
    over_topics: Aggregation = field(default_factory=Aggregation)


def by_shared_judgments(batches: Batches, *, work: Work, judgments: Shared) -> Iterator[Any]:
    """Measure the topics of a partition of a run against judgments that every worker has."""
    yield from _told(_by_shared_judgments, batches, work, judgments)


def by_own_judgments(batches: Batches, *, work: Work) -> Iterator[Any]:
    """Measure the topics of a partition that has the rows of a run, and those of judgments."""
    yield from _told(_by_own_judgments, batches, work)


def _told(measured: Callable[..., Iterator[Any]], batches: Batches, *more: Any) -> Iterator[Any]:
    """Yield rows; an error becomes a row, so that the driver can tell it like any other."""
    try:
        yield from measured(batches, *more)
    except RankevalError as error:
        yield batch_of_facts(PartFacts(error=error))


def _by_shared_judgments(batches: Batches, work: Work, judgments: Shared) -> Iterator[Any]:
    qrels, wrong = judgments.value, WrongRows("run", work.run, skip=work.skip)
    every = (wrong.columns(table, ranks=work.ranks) for table in whole_topics(batches, AT_ONCE))
    pieces = (gathered(parts) for parts in every if parts)
    first = next(pieces, None)
    if first is None:
        yield batch_of_facts(PartFacts(dropped=wrong.counts))
        return
    alignment = align_whole_topics(
        qrels, chain([first], pieces), work.rules, work.run, needs=work.needs
    )
    # The driver adds the topics that no partition has.
    yield from _measured(alignment, alignment.present, work, wrong.counts)


def _by_own_judgments(batches: Batches, work: Work) -> Iterator[Any]:
    of_run = WrongRows("run", work.run, skip=work.skip)
    of_qrels = WrongRows("qrels", work.qrels, skip=work.skip)
    for table in whole_topics(batches, AT_ONCE):
        judged = table.column(IS_JUDGMENT)
        qrels = judgments_of_rows(table.filter(judged), of_qrels, work.duplicates)
        parts = of_run.columns(table.filter(pc.invert(judged)), ranks=work.ranks)
        alignment = align_whole_topics(
            NO_JUDGMENTS if qrels is None else qrels,
            [gathered(parts) if parts else NO_ROWS],
            work.rules,
            work.run,
            needs=work.needs,
        )
        ranked = replace(alignment.judged, highest_grade=work.highest)
        everything = np.ones(len(ranked), dtype=bool)
        yield from _measured(replace(alignment, judged=ranked), everything, work, {})
    yield batch_of_facts(PartFacts(dropped=of_run.counts))


def _measured(
    alignment: Alignment, mine: Any, work: Work, dropped: Mapping[str, int]
) -> Iterator[Any]:
    """Yield the rows of some topics of an alignment, and the facts about all of its rows."""
    first = min((Repeated(one.topic, one.docno) for one in alignment.duplicates), default=None)
    facts = PartFacts(
        n_without=len(alignment.without),
        without=alignment.without[:NAMED],
        n_repeated=len(alignment.duplicates),
        repeated=first,
        dropped=dict(dropped),
    )
    if mine.any():
        measured = measure_topics(
            alignment.judged.select(mine),
            alignment.present[mine],
            work.measures,
            work.settings,
            work.over_topics,
            bounds=work.bounds,
        )
        yield from batches_of(measured)
        facts = facts.plus(facts_of(measured))
    yield batch_of_facts(facts)


def whole_topics(batches: Batches, size: int) -> Iterator[Any]:
    """Yield tables of whole topics, of about `size` rows; the rows of a topic stand together.

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

    def __init__(self, what: str, name: str, *, skip: bool) -> None:
        self.what, self.name, self.skip = what, name, skip
        self.counts: dict[str, int] = {}

    def columns(self, table: Any, *, ranks: bool = False) -> list[Columns]:
        """Return the right rows, in blocks."""
        if LEFT_OUT in table.column_names:
            table = self._right_lines(table)
        problems = Problems()
        parts = list(
            columns_of_rows(table, replace(Form(self.what), ranks=ranks, problems=problems))
        )
        if problems.first and not self.skip:
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


def judgments_of_rows(
    table: Any, wrong: WrongRows, duplicates: Duplicates, label: str | None = None
) -> Qrels | None:
    """Return the judgments of whole topics; None without any. InputError for one that is repeated.

    As in a file, documents with a row for each subtopic have the largest of their grades.
    """
    parts = wrong.columns(table)
    if not parts:
        return None

    def read(label: str | None) -> Qrels:
        return from_columns(parts, wrong.name, trec.QRELS, label, duplicates)

    try:
        return judgments_or_subtopics(read, label)
    except JudgedTwiceError as error:
        raise JudgedTwiceError(error.topic, error.docno, error.times, place=wrong.name) from None


_NONE = np.zeros(0, dtype=np.int64)
NO_ROWS = Columns((), np.zeros(1, dtype=np.int64), PlainDocnos([]), np.zeros(0), range(0))
NO_JUDGMENTS = Qrels("", (), np.zeros(1, dtype=np.int64), _NONE, _NONE, DistinctDocnos({}))
