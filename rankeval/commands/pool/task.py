"""Pool the documents of runs for assessors, and measure the overlap of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import combinations
from operator import itemgetter
from typing import Unpack

import numpy as np

from rankeval.base.arrays import offsets_of, sizes_of
from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.frozen import changed, frozen
from rankeval.base.wording import count as counted
from rankeval.base.wording import decoded
from rankeval.choices import FusedTieRule, PoolOrder, TextForm
from rankeval.errors import UsageError
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.reading import Reading, ReadingFields
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.shown_texts import NO_TEXTS, ShownTexts, TextsLike, TextSources
from rankeval.evaluation.text_cells import text_columns
from rankeval.fusion.candidates import Candidates, rank_biased_overlap
from rankeval.fusion.fusion_input import FusionInput
from rankeval.fusion.pooling import UNKNOWN, PoolRule, down_to, to_judge
from rankeval.fusion.side_by_side import Together
from rankeval.io.formats.format_limits import fit
from rankeval.io.formats.formats import format_named
from rankeval.io.parsers.columns import Columns
from rankeval.io.sources.parts import one_state
from rankeval.io.write import opened
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
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, RunSource, run_sources

PERSISTENCE = 0.9
"""The chance of looking one rank further, in rank-biased overlap."""

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
    rbo      mean over topics of the rank-biased overlap of the two runs: extrapolated, p .9, down
             to the pool's depth. A topic that one of the two lacks counts 0, one that both lack
             does not count. None unless it is wanted
    """

    first: str
    second: str
    shared: int
    jaccard: float
    rbo: float | None


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

    def __post_init__(self) -> None:
        seal(self)

    __repr__ = Shown.__repr__

    def __len__(self) -> int:
        return self.documents

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield topic and docno of each document, in order."""
        for part in self.lines:
            for topic, docno in _names(part):
                yield decoded(topic), decoded(docno)


def _names(part: Columns) -> Iterator[tuple[bytes, bytes]]:
    """Yield topic and docno of each line."""
    topics = np.repeat(np.arange(len(part.topics)), sizes_of(part.starts))
    for topic, docno in zip(topics.tolist(), part.docnos.tolist(), strict=True):
        yield part.topics[topic], docno


@checked
@one_state()
def pool(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    *,
    depth: int | None = None,
    order: PoolOrder = "depth",
    budget: int | None = None,
    judged: QrelsLike | None = None,
    covers: RunLike | None = None,
    overlap: bool = False,
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
    overlap   report the rank-biased overlap of each two runs
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

    def use(batches: Iterator[Together]) -> _Tally:
        tally = _Tally(PoolRule(order, depth, budget), qrels, len(every), overlap=overlap)
        for some in batches:
            tally.add(some)
        return tally

    tally = given.read(use)
    names = run_names.names([*map(decoded, tally.tags)], given.paths()[: len(every)])
    pooled = tally.pool(names, covers=covers is not None)
    docnos: dict[str, list[str]] = {}
    for topic, docno in pooled.pairs() if sources else ():
        docnos.setdefault(topic, []).append(docno)
    return changed(pooled, texts=sources.of(docnos))


class _Tally:
    """The documents of a pool, and what the runs share of them, counted batch by batch.

    Shapes: alone (runs,); shared, rbo and ranked (runs, runs); covered and retrieved (cutoffs,).
    """

    def __init__(self, rule: PoolRule, qrels: Qrels | None, n_runs: int, *, overlap: bool) -> None:
        """Count documents chosen by a rule, and without those judged."""
        self.rule, self.qrels, self.n_runs, self.overlap = rule, qrels, n_runs, overlap
        self.cutoffs = sorted({*CUTOFFS, *filter(None, [rule.depth])})
        self.tags = [b""] * n_runs
        self.lines: list[Columns] = []
        self.alone = np.zeros(n_runs, dtype=np.int64)
        self.shared, self.ranked = np.zeros((2, n_runs, n_runs), dtype=np.int64)
        self.rbo = np.zeros((n_runs, n_runs))
        self.covered, self.retrieved = np.zeros((2, len(self.cutoffs)), dtype=np.int64)

    def add(self, some: Together) -> None:
        """Choose the documents of some topics."""
        self.tags = [new or old for new, old in zip(some.tags, self.tags, strict=False)]
        batch, n_runs = some.batch(), self.n_runs
        whole = batch.candidates
        grades = np.full(len(batch.docnos), UNKNOWN)
        if self.qrels is not None:
            known = [self.qrels.code.get(topic, -1) for topic in batch.topics]
            code = np.array(known, dtype=np.int64)
            rows, judgment = batch.docnos.find_judged(self.qrels, code, whole.offsets)
            grades[rows] = self.qrels.grade[judgment] > 0
        near, places = down_to(
            replace(
                whole,
                ranks=whole.ranks[:n_runs],
                scores=whole.scores[:n_runs],
                retrieved=whole.retrieved[:n_runs],
            ),
            self.rule.depth,
        )
        docnos = batch.docnos.take(places)
        in_order = partial(docnos.order, np.arange(len(places)))
        chosen = to_judge(self.rule, near, grades[places], in_order)
        sizes = np.bincount(near.topic[chosen], minlength=len(batch.topics))
        self.lines.append(
            Columns(
                tuple(topic for topic, size in zip(batch.topics, sizes, strict=True) if size),
                offsets_of(sizes[sizes > 0]),
                docnos.take(chosen),
                np.full(len(chosen), -1.0),
                range(1, len(chosen) + 1),
            )
        )
        present = near.present[:, chosen].astype(np.int64)
        self.alone += present[:, present.sum(axis=0) == 1].sum(axis=1)
        self.shared += present @ present.T
        if self.overlap:
            self._add_overlaps(near)
        if len(whole.ranks) > n_runs:
            inside = grades != UNKNOWN
            inside[places[chosen]] = True
            rank = whole.ranks[n_runs]
            for at, cutoff in enumerate(self.cutoffs):
                near_top = (rank > 0) & (rank <= cutoff)
                self.retrieved[at] += np.count_nonzero(near_top)
                self.covered[at] += np.count_nonzero(near_top & inside)

    def _add_overlaps(self, found: Candidates) -> None:
        """Add the RBO of each two runs, and the topics that one of them has."""
        there = found.retrieved > 0
        for i, j in combinations(range(self.n_runs), 2):
            self.rbo[i, j] += rank_biased_overlap(found, i, j, PERSISTENCE).sum()
            self.ranked[i, j] += np.count_nonzero(there[i] | there[j])

    def pool(self, names: Sequence[str], *, covers: bool) -> Pool:
        """Return the pool of runs with these names."""
        documents = np.diag(self.shared)
        rbo = self.rbo / np.maximum(self.ranked, 1)
        shared = []
        for i, j in combinations(range(self.n_runs), 2):
            both = int(self.shared[i, j])
            either = int(documents[i] + documents[j]) - both
            jaccard = both / either if either else 0.0
            of_ranks = float(rbo[i, j]) if self.overlap else None
            shared.append(SharingRuns(names[i], names[j], both, jaccard, of_ranks))
        shares = self.covered / np.maximum(self.retrieved, 1)
        lines = tuple(part for part in self.lines if len(part))
        return Pool(
            sum(map(len, lines)),
            tuple(map(PooledRun, names, documents.tolist(), self.alone.tolist())),
            tuple(shared),
            dict(zip(self.cutoffs, shares.tolist(), strict=True)) if covers else None,
            lines,
        )


def write_pool(found: Pool, path: str, form: str) -> None:
    """Write a pool, whole or not at all: "trec" is qrels with the grade -1, "tsv" only names.

    InputError for a name with a blank.
    """
    pieces: list[bytes] = []
    target = format_named("trec")
    for part in found.lines:
        columns, _ = fit(part, "qrels", target, "pool")
        if form == "trec":
            pieces += target.write("qrels", iter([columns]))
        else:
            pieces += (b"%b\t%b\n" % both for both in _names(columns))
    with opened(path) as stream:
        stream.writelines(pieces)


RUNS = [name("run"), count("documents"), count("unique", "only in this run")]
PAIRS = [
    text("first", "run"),
    text("second", "other"),
    count("shared"),
    number("jaccard", "Jaccard"),
    number("rbo", "RBO"),
]
COVERED = [count("cutoff", get=itemgetter(0)), number("covered", get=itemgetter(1))]


def _overlap(pool: Pool, style: Style) -> Iterator[Block]:
    title = f"Pool of {counted(len(pool), 'document')}: documents by run"
    yield table(title, RUNS, pool.runs, style)
    if pool.shared:
        yield table("Overlap of each pair of runs", PAIRS, pool.shared, style, long=True)
        yield "RBO is extrapolated, p = 0.9, mean over topics."


def _overlap_rows(pool: Pool, _: Style) -> Iterator[Row]:
    yield ["run", "other", "documents", "unique", "shared", "jaccard", "rbo"]
    for one in pool.runs:
        yield [one.run, None, one.documents, one.unique, None, None, None]
    for pair in pool.shared:
        yield [pair.first, pair.second, None, None, pair.shared, pair.jaccard, pair.rbo]


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
