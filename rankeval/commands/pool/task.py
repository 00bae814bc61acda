"""Pool the documents of runs for assessors, and measure the overlap of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from operator import itemgetter
from typing import Any, Unpack

import numpy as np

from rankeval.base.arrays import Integers, owner
from rankeval.base.checked import checked
from rankeval.base.frozen import field, frozen, record, replace
from rankeval.base.wording import count as counted
from rankeval.base.wording import decoded
from rankeval.choices import FusedTieRule, PoolOrder
from rankeval.errors import UsageError
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.run_names import BY_TAG, RunNames, own_or
from rankeval.evaluation.settings import Reading, ReadingFields
from rankeval.evaluation.shown_texts import (
    NO_TEXTS,
    ShownTexts,
    TextsLike,
    text_columns,
    texts_of,
)
from rankeval.fusion.methods import Candidates
from rankeval.fusion.pooling import UNKNOWN, down_to, to_judge
from rankeval.fusion.side_by_side import FusionInput, Together
from rankeval.io.columns import Columns
from rankeval.io.formats import FORMATS
from rankeval.io.write import fit, opened
from rankeval.output.declared_columns import (
    Rows,
    count,
    data,
    name,
    number,
    rows_of,
    table,
    text,
)
from rankeval.output.document_form import HIDDEN
from rankeval.output.output_formats import Printer
from rankeval.output.shown import Shown
from rankeval.output.style import Style
from rankeval.output.tables import Block
from rankeval.ranking.duplicates import rows_of_topics
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, run_sources


@frozen
class PooledRun:
    """A run, the documents of the pool that it has, and those that no other run has."""

    run: str
    documents: int
    unique: int


@frozen
class SharingRuns:
    """Two runs, and the documents of the pool that both have.

    jaccard  their share of the documents that one of the two has; 0 if they have none
    """

    first: str
    second: str
    shared: int
    jaccard: float


@record
class Pool(Shown):
    """Documents to judge, and how the runs share them.

    ========= =====================================================================
    documents the number of documents
    runs      what the pool has of each run
    shared    what each two runs share
    texts     queries of the topics and texts of the documents, where these were given
    lines     the documents, topic by topic in the order in which to judge them
    ========= =====================================================================
    """

    documents: int
    runs: tuple[PooledRun, ...]
    shared: tuple[SharingRuns, ...]
    lines: tuple[Columns, ...] = field(metadata=HIDDEN)
    texts: ShownTexts = NO_TEXTS

    def __len__(self) -> int:
        return self.documents

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield topic and docno of each document, in order."""
        for part in self.lines:
            topics = owner(part.starts)
            for topic, docno in zip(topics.tolist(), part.docnos.tolist(), strict=True):
                yield decoded(part.topics[topic]), decoded(docno)


@checked
def pool(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    depth: int | None = None,
    *,
    order: PoolOrder = "depth",
    budget: int | None = None,
    judged: QrelsLike | None = None,
    ties: FusedTieRule = "docno",
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    **reading: Unpack[ReadingFields],
) -> Pool:
    """Return the documents of some runs that are to be judged.

    ========= ==============================================================================
    runs      one or more, or {name: run}
    depth     the first documents of each run are pooled; this or `budget` has to be given
    order     "depth": by docno, so that nothing shows the ranks, and with a budget, as deep as
              it allows; "max-rank": by the best rank in any run; "rrf": by reciprocal rank
              fusion, k 60; "rbp": by the weights of RBP, p 0.8; "mtf": move to front, where
              runs take turns by their success, which `judged` shows
    budget    the largest number of documents of a topic
    judged    judgments whose documents are left out
    ties      order of equal scores of a run; equal documents of the pool are by docno
    queries, docs, text    texts for assessors, as in `explain`
    reading   how files are read, such as columns="topic=qid", as in `evaluate`
    run_names, jobs           as in `evaluate`
    ========= ==============================================================================

    >>> import rankeval
    >>> a, b = {"q1": {"d1": 3, "d2": 2}}, {"q1": {"d3": 9, "d1": 5}}
    >>> list(rankeval.pool([a, b], depth=1).pairs())
    [('q1', 'd1'), ('q1', 'd3')]
    """
    how = Reading(**reading)
    every, own = run_sources(runs, how.run_form().columns)
    run_names = own_or(run_names, own)
    if not every:
        raise UsageError("no run to pool", expected="one run or more")
    if depth is None and budget is None:
        raise UsageError("the size of the pool is missing", remedy="give --depth, --budget or both")
    for limit, value in (("depth", depth), ("budget", budget)):
        if value is not None and value < 1:
            raise UsageError(f"a {limit} of {value} pools nothing", expected="1 or more")
    given = FusionInput.of(every, ties, how, jobs, judged)
    qrels = None if judged is None else judgments_of(judged, None, how)

    def chosen(batches: Iterator[Together]) -> tuple[Any, ...]:
        tags, lines = [b""] * len(every), []
        alone = np.zeros(len(every), dtype=np.int64)
        both = np.zeros((len(every), len(every)), dtype=np.int64)
        for some in batches:
            tags = [new or old for new, old in zip(some.tags, tags, strict=True)]
            found = some.matched()
            near, places = down_to(found, depth)
            first = to_judge(near, _grades(found, qrels)[places], order, budget)
            lines.append(rows_of_topics(near.lines(np.full(len(places), -1.0)), first))
            present = near.present[:, first].astype(np.int64)
            alone += present[:, present.sum(axis=0) == 1].sum(axis=1)
            both += present @ present.T
        return tags, [part for part in lines if len(part)], alone, both

    tags, lines, alone, both = given.read(chosen)
    names = run_names.names([*map(decoded, tags)], [run.path for run in given.runs])
    documents = np.diag(both).tolist()
    shared = [
        SharingRuns(names[i], names[j], n, n / max(documents[i] + documents[j] - n, 1))
        for i, j in combinations(range(len(every)), 2)
        for n in [int(both[i, j])]
    ]
    pooled = tuple(map(PooledRun, names, documents, alone.tolist()))
    found = Pool(sum(map(len, lines)), pooled, tuple(shared), tuple(lines))
    if queries is None and docs is None:
        return found
    docnos: dict[str, list[str]] = {}
    for topic, docno in found.pairs():
        docnos.setdefault(topic, []).append(docno)
    return replace(found, texts=texts_of(queries, docs, docnos))


def _grades(found: Candidates, qrels: Qrels | None) -> Integers:
    """Return 1 for each candidate that is relevant, 0 for one judged otherwise, or UNKNOWN."""
    grades = np.full(len(found.docnos), UNKNOWN)
    if qrels is not None:
        code = qrels.codes_of(found.topics)
        rows, judgment = found.docnos.find_judged(qrels, code, found.offsets)
        grades[rows] = qrels.grade[judgment] > 0
    return grades


def write_lines(found: Pool, path: str) -> None:
    """Write a pool as judgments of the grade -1, whole or not at all.

    InputError for a name with a blank.
    """
    target = FORMATS["trec"]
    parts = (fit(part, "qrels", target, "pool")[0] for part in found.lines)
    with opened(path) as stream:
        target.functions.write("trec", "qrels", parts, stream)


RUNS = [name("run"), count("documents"), count("unique", "only in this run")]
PAIRS = [text("first", "run"), text("second", "other"), count("shared"), number("jaccard")]


def _overlap(pool: Pool, style: Style) -> Iterator[Block]:
    title = f"Pool of {counted(len(pool), 'document')}: documents by run"
    yield table(title, RUNS, pool.runs, style)
    if pool.shared:
        yield table("Overlap of each pair of runs", PAIRS, pool.shared, style)


def _documents(pool: Pool, _: Style) -> Rows:
    names = [data("topic", get=itemgetter(0)), data("docno", get=itemgetter(1))]
    columns = [*names, *text_columns(pool.texts, itemgetter(0), itemgetter(1))]
    return rows_of(columns, pool.pairs())


OVERLAP = Printer[Pool](_overlap)
DOCUMENTS = Printer[Pool](rows=_documents, drawings={"json": None})
PRINTER = Printer[Pool](_overlap, _documents)
"""A pool in Python: the overlap of its runs, and its documents as rows."""
