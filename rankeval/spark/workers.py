"""The work on one partition of rows: whole topics are ranked as on one machine.

These functions run in Spark's Python workers, which send and take batches of Arrow. They answer
with rows of one pickled `Part` each, of whose judged documents the driver computes the values.
"""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankeval.base.arrays import Integers
from rankeval.base.frozen import record
from rankeval.base.wording import NAMED, quoted
from rankeval.errors import InputError
from rankeval.io.columns import Columns
from rankeval.io.formats import Form
from rankeval.io.lines_parser import LineError
from rankeval.io.names import as_numpy
from rankeval.io.read import read_columns
from rankeval.io.table_files import columns_in_memory
from rankeval.io.topic_order import gathered
from rankeval.ranking.align import Ranked, Rules, rank
from rankeval.ranking.duplicates import Duplicate
from rankeval.ranking.items import ExtraNeeds
from rankeval.ranking.judged_lines import DistinctDocnos
from rankeval.ranking.qrels import Qrels

AT_ONCE = 50_000
"""Rows that are ranked together, about; a topic with more is ranked by itself."""

SCHEMA = "part binary"
JUDGED = ("judged docno", "grade of it", "judgment", "code of the topic")
"""The columns of judgments in a frame that has rows of a run, too; null in those.

The numbers are those of the judgment and of its topic among all judgments."""

Batches = Iterable[Any]


@record
class Part:
    """What is known of a part of the rows; parts with different topics add up.

    ========== ===========================================================================
    ranked     its judged topics, in pieces
    n_without  number of topics without judgments
    without    the first of them, in the order of their bytes
    n_repeated number of rows that repeat a document
    repeated   the first document that is listed twice
    tags       run tags
    ========== ===========================================================================
    """

    ranked: tuple[Ranked, ...] = ()
    n_without: int = 0
    without: tuple[bytes, ...] = ()
    n_repeated: int = 0
    repeated: tuple[Duplicate, ...] = ()
    tags: frozenset[bytes] = frozenset()


def together(parts: Sequence[Part]) -> Part:
    """Return the facts of all parts."""
    return Part(
        ranked=tuple(ranked for part in parts for ranked in part.ranked),
        n_without=sum(part.n_without for part in parts),
        without=tuple(nsmallest(NAMED, (topic for part in parts for topic in part.without))),
        n_repeated=sum(part.n_repeated for part in parts),
        repeated=_first(one for part in parts for one in part.repeated),
        tags=frozenset().union(*(part.tags for part in parts)),
    )


def _first(repeated: Iterable[Duplicate]) -> tuple[Duplicate, ...]:
    return tuple(nsmallest(1, repeated, key=lambda one: (one.topic, one.docno)))


def lines_of(batches: Batches, *, form: Form) -> Iterator[Any]:
    """Yield the lines of files as rows of topic, docno, score, rank if the form has it, and tag."""
    for path in (path for batch in batches for path in batch.column("path").to_pylist()):
        for columns in read_columns(path, form):
            stretch = np.repeat(np.arange(len(columns.topics)), np.diff(columns.starts))
            rows = {
                "topic": pa.array([*columns.topics], pa.binary()).take(pa.array(stretch)),
                "docno": pa.array(columns.docnos.tolist(), pa.binary()),
                "score": pa.array(columns.values),
            }
            if form.ranks:
                nothing = pa.nulls(len(columns), pa.float64())
                ranks = columns.ranks
                rows["rank"] = nothing if ranks is None else pa.array(ranks, pa.float64())
            rows["tag"] = pa.array([max(columns.tags, default=b"")] * len(columns), pa.binary())
            yield pa.RecordBatch.from_pydict(rows)


def of_row(error: LineError, table: Any, name: str) -> InputError:
    """Return the error of a row, which has no number, with the topic and docno that it has."""
    values = (table.column(at)[error.line - 1].as_py() for at in (0, 1))
    topic, docno = (quoted(v if isinstance(v, bytes) else str(v).encode()) for v in values)
    return InputError(
        f"{error.problem}, in a row of topic {topic} and docno {docno}",
        place=name,
        expected=error.expected,
        remedy="mend the row, or leave it out",
    )


@record
class Work:
    """All that workers need to know of an evaluation besides rows and judgments.

    ======== =============================================================================
    rules    that make rankings of rows
    needs    the data of rankings that measures need besides judged documents
    form     how the rows of a run are read
    name     the run in messages
    ======== =============================================================================
    """

    rules: Rules
    needs: ExtraNeeds
    form: Form
    name: str

    def columns(self, table: Any) -> Columns:
        """Return the rows of whole topics."""
        if "rank" in table.column_names and table.column("rank").null_count == len(table):
            table = table.drop_columns(["rank"])  # the files have none
        try:
            return gathered([*columns_in_memory(table.combine_chunks(), self.form)])
        except LineError as error:
            raise of_row(error, table, self.name) from None

    def ranked(self, columns: Columns, judged: Any) -> Part:
        """Rank the topics of some rows beside their judgments, and keep the judged ones."""
        qrels, judgment, codes = judgments_of(judged)
        found = rank(qrels, self.rules, self.needs, columns)
        kept, beyond = found.code >= 0, found.beyond
        topic, of_row, place, score, first, last = found.rows
        own = found._replace(
            code=codes[found.code[kept]],
            retrieved=found.retrieved[kept],
            present=codes[found.present],
            rows=(codes[topic], judgment[of_row], place, score, first, last),
            beyond=beyond and beyond._replace(code=codes[beyond.code]),
            without=(),
            duplicates=(),
        )
        return Part(
            ranked=(own,),
            n_without=len(found.without),
            without=tuple(nsmallest(NAMED, found.without)),
            n_repeated=len(found.duplicates),
            repeated=_first(found.duplicates),
            tags=columns.tags,
        )


def judgments_of(judged: Any) -> tuple[Qrels, Integers, Integers]:
    """Return the judgments of some topics, the number of each among all, and those of topics."""
    columns = (column.combine_chunks() for column in judged.sort_by("judgment").columns)
    topics, names, grades, *numbers = columns
    docnos = names.dictionary_encode()
    judgment, code = (as_numpy(one, np.int64) for one in numbers)
    codes, starts = np.unique(code, return_index=True)
    qrels = Qrels.made(
        path="",
        topics=tuple(topics.unique().to_pylist()),
        offsets=np.append(starts, len(code)),
        docno=as_numpy(docnos.indices, np.int32),
        grade=as_numpy(grades, np.float64),
        docnos=DistinctDocnos({n: at for at, n in enumerate(docnos.dictionary.to_pylist())}),
    )
    return qrels, judgment, codes


def ranked_topics(batches: Batches, *, work: Work) -> Iterator[Any]:
    """Rank the topics of a partition that has the rows of a run, and those of judgments."""
    parts: list[Part] = []
    for table in whole_topics(batches, AT_ONCE):
        is_judged = pc.is_valid(table.column(JUDGED[0]))
        judged = table.filter(is_judged).select([table.column_names[0], *JUDGED])
        of_run = table.filter(pc.invert(is_judged)).drop_columns([*JUDGED])
        if of_run.num_rows:
            parts.append(work.ranked(work.columns(of_run), judged))
    part = pickle.dumps(together(parts))
    ends = np.array([0, len(part)], np.int32)
    # pa.array() would import pandas: 0.2 CPU s of each worker.
    row = pa.Array.from_buffers(pa.binary(), 1, [None, pa.py_buffer(ends), pa.py_buffer(part)])
    yield pa.RecordBatch.from_arrays([row], ["part"])


def whole_topics(batches: Batches, size: int) -> Iterator[Any]:
    """Yield tables of whole topics, of about `size` rows; the rows of a topic come together.

    A topic may go on in the next batch, and is carried over to it.
    """
    held: list[Any] = []
    n_rows, enough = 0, size
    for batch in batches:
        held.append(batch)
        n_rows += batch.num_rows
        if n_rows < enough:
            continue
        table = pa.Table.from_batches(held)
        topics = table.column(0)
        start = n_rows - pc.sum(pc.equal(topics, topics[-1])).as_py()
        if start:
            yield table.slice(0, start)
        # The rows of one large topic are not looked at again with each batch.
        enough = size if start else 2 * n_rows
        held, n_rows = table.slice(start).to_batches(), n_rows - start
    if held:
        yield pa.Table.from_batches(held)
