"""Pool the documents of runs for assessors, and measure the overlap of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple, Unpack

import numpy as np

from rankeval.base.arrays import Integers, sizes_of
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.wording import count as counted
from rankeval.base.wording import decoded
from rankeval.choices import Format, FusedTieRule, PoolOrder, TextForm
from rankeval.errors import UsageError
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.reading import Reading, ReadingFields
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.shown_texts import (
    NO_TEXTS,
    ShownTexts,
    TextsLike,
    TextSources,
    text_columns,
)
from rankeval.fusion.methods import Candidates
from rankeval.fusion.pooling import UNKNOWN, down_to, to_judge
from rankeval.fusion.side_by_side import FusionInput, Together
from rankeval.io.formats.formats import format_named
from rankeval.io.parsers.columns import Columns
from rankeval.io.write import fit, opened
from rankeval.output.declared_columns import (
    Row,
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
from rankeval.ranking.run_source import RunLike, RunSource, run_sources

CUTOFFS = (5, 10, 20, 50, 100)
"""Cutoffs, in addition to the pool's depth, at which the share of a run in the pool is reported."""


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


@frozen(eq=False)
class Pool(Shown):
    """Documents to judge, and how the runs share them.

    ========= =====================================================================
    documents the number of documents
    runs      what the pool has of each run
    shared    what each two runs share
    covered   for a run that is no part of the pool, {cutoff: share of its documents
              down to there that are in the pool or judged}; None without such a run
    texts     queries of the topics and texts of the documents, where these were given
    lines     the documents, topic by topic in the order in which to judge them
    ========= =====================================================================
    """

    documents: int
    runs: tuple[PooledRun, ...]
    shared: tuple[SharingRuns, ...]
    covered: Mapping[int, float] | None
    lines: tuple[Columns, ...] = field(metadata=HIDDEN)
    texts: ShownTexts = NO_TEXTS

    __repr__ = Shown.__repr__

    def __len__(self) -> int:
        return self.documents

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield topic and docno of each document, in order."""
        for part in self.lines:
            for topic, docno in _names(part):
                yield decoded(topic), decoded(docno)


def _names(part: Columns) -> Iterator[tuple[bytes, bytes]]:
    topics = np.repeat(np.arange(len(part.topics)), sizes_of(part.starts))
    for topic, docno in zip(topics.tolist(), part.docnos.tolist(), strict=True):
        yield part.topics[topic], docno


@checked
def pool(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    depth: int | None = None,
    *,
    order: PoolOrder = "depth",
    budget: int | None = None,
    judged: QrelsLike | None = None,
    covers: RunLike | None = None,
    ties: FusedTieRule = "docno",
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    text: TextForm = "window",
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
    covers    another run: how much of it the pool covers is reported
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
    sources = TextSources(queries, docs, text)
    how = Reading(**reading)
    every, given_names = run_sources(runs, how.run_form().columns)
    if given_names is not None:
        run_names = replace(run_names, given=given_names)
    if not every:
        raise UsageError("no run to pool", expected="one run or more")
    if depth is None and budget is None:
        raise UsageError("the size of the pool is missing", remedy="give --depth, --budget or both")
    for limit, value in (("depth", depth), ("budget", budget)):
        if value is not None and value < 1:
            raise UsageError(f"a {limit} of {value} pools nothing", expected="1 or more")
    asked = every if covers is None else [*every, RunSource.of(covers)]
    given = FusionInput.of(asked, ties, how, jobs, judged)
    qrels = None if judged is None else judgments_of(judged, None, how)
    found = given.read(partial(_counted, len(every), qrels, order, depth, budget))
    names = run_names.names(
        [*map(decoded, found.tags)], [run.path for run in given.runs[: len(every)]]
    )
    documents = np.diag(found.shared).tolist()
    shared = []
    for i, j in combinations(range(len(every)), 2):
        both = int(found.shared[i, j])
        either = documents[i] + documents[j] - both
        shared.append(SharingRuns(names[i], names[j], both, both / either if either else 0.0))
    shares = (found.covered / np.maximum(found.retrieved, 1)).tolist()
    pooled = Pool(
        sum(map(len, found.lines)),
        tuple(map(PooledRun, names, documents, found.alone.tolist())),
        tuple(shared),
        None if covers is None else dict(zip(_cutoffs(depth), shares, strict=True)),
        tuple(part for part in found.lines if len(part)),
    )
    docnos: dict[str, list[str]] = {}
    for topic, docno in pooled.pairs() if sources else ():
        docnos.setdefault(topic, []).append(docno)
    return replace(pooled, texts=sources.of(docnos))


class _Counts(NamedTuple):
    """The tags of R runs, the lines of their pool, and counts of documents.

    `alone`, shape (R,), are of one run only, `shared`, shape (R, R), of two; `retrieved`, shape
    (C,), are the first ones of another run, and `covered` those of them that are in the pool or
    judged.
    """

    tags: list[bytes]
    lines: list[Columns]
    alone: Integers
    shared: Integers
    retrieved: Integers
    covered: Integers


def _cutoffs(depth: int | None) -> list[int]:
    return sorted({*CUTOFFS, *filter(None, [depth])})


def _counted(
    n_runs: int,
    qrels: Qrels | None,
    order: PoolOrder,
    depth: int | None,
    budget: int | None,
    batches: Iterator[Together],
) -> _Counts:
    """Choose the documents of all topics; a run behind the first ones is one to be covered."""
    tags, lines = [b""] * n_runs, []
    cutoffs = _cutoffs(depth)
    alone = np.zeros(n_runs, dtype=np.int64)
    shared = np.zeros((n_runs, n_runs), dtype=np.int64)
    retrieved, covered = np.zeros((2, len(cutoffs)), dtype=np.int64)
    for some in batches:
        tags = [new or old for new, old in zip(some.tags, tags, strict=False)]
        found = some.matched()
        grades = _grades(found, qrels)
        near, places = down_to(found, depth, n_runs)
        chosen = to_judge(near, grades[places], order, budget)
        lines.append(rows_of_topics(near.lines(np.full(len(places), -1.0)), chosen))
        present = near.present[:, chosen].astype(np.int64)
        alone += present[:, present.sum(axis=0) == 1].sum(axis=1)
        shared += present @ present.T
        for rank in found.ranks[n_runs:]:
            inside = grades != UNKNOWN
            inside[places[chosen]] = True
            for at, cutoff in enumerate(cutoffs):
                first = (rank > 0) & (rank <= cutoff)
                retrieved[at] += np.count_nonzero(first)
                covered[at] += np.count_nonzero(first & inside)
    return _Counts(tags, lines, alone, shared, retrieved, covered)


def _grades(found: Candidates, qrels: Qrels | None) -> Integers:
    """Return 1 for each candidate that is relevant, 0 for one judged otherwise, or UNKNOWN."""
    grades = np.full(len(found.docnos), UNKNOWN)
    if qrels is not None:
        code = qrels.codes_of(found.topics)
        rows, judgment = found.docnos.find_judged(qrels, code, found.offsets)
        grades[rows] = qrels.grade[judgment] > 0
    return grades


def write_pool(found: Pool, path: str, form: str) -> None:
    """Write a pool, whole or not at all: "trec" is judgments of the grade -1, "tsv" only names.

    InputError for a name with a blank.
    """
    target = format_named("trec")
    parts = [fit(part, "qrels", target, "pool")[0] for part in found.lines]
    pieces: Iterator[bytes] = target.write("qrels", iter(parts))
    if form == Format.TSV:
        pieces = (b"%b\t%b\n" % both for part in parts for both in _names(part))
    with opened(path) as stream:
        stream.writelines(pieces)


RUNS = [name("run"), count("documents"), count("unique", "only in this run")]
PAIRS = [
    text("first", "run"),
    text("second", "other"),
    count("shared"),
    number("jaccard", "Jaccard"),
]
COVERED = [count("cutoff", get=itemgetter(0)), number("covered", get=itemgetter(1))]


def _overlap(pool: Pool, style: Style) -> Iterator[Block]:
    title = f"Pool of {counted(len(pool), 'document')}: documents by run"
    yield table(title, RUNS, pool.runs, style)
    if pool.shared:
        yield table("Overlap of each pair of runs", PAIRS, pool.shared, style, long=True)


def _overlap_rows(pool: Pool, _: Style) -> Iterator[Row]:
    yield ["run", "other", "documents", "unique", "shared", "jaccard"]
    for one in pool.runs:
        yield [one.run, None, one.documents, one.unique, None, None]
    for pair in pool.shared:
        yield [pair.first, pair.second, None, None, pair.shared, pair.jaccard]


def _coverage(pool: Pool, style: Style) -> Iterator[Block]:
    title = "Share of the run's first documents that are in the pool or judged"
    yield table(title, COVERED, (pool.covered or {}).items(), style)


def _coverage_rows(pool: Pool, _: Style) -> Rows:
    return rows_of(COVERED, (pool.covered or {}).items())


def _documents(pool: Pool, _: Style) -> Rows:
    names = [data("topic", get=itemgetter(0)), data("docno", get=itemgetter(1))]
    columns = [*names, *text_columns(pool.texts, itemgetter(0), itemgetter(1))]
    return rows_of(columns, pool.pairs())


OVERLAP = Printer[Pool](_overlap, _overlap_rows)
COVERAGE = Printer[Pool](_coverage, _coverage_rows)
PRINTER = Printer[Pool](_overlap, _documents)
"""A pool in Python: the overlap of its runs, and its documents as rows."""
