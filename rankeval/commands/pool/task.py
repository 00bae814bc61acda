"""Pool the documents of runs for assessors, and measure the overlap of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of
from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.base.wording import decoded
from rankeval.choices import POOL_ORDERS, FusedTieRule, TextForm
from rankeval.commands.fuse.fused_inputs import FusionInput
from rankeval.errors import UsageError
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.shown_texts import NO_TEXTS, ShownTexts, TextsLike, TextSources
from rankeval.fusion.candidates import Candidates, rank_biased_overlap
from rankeval.fusion.pooling import UNKNOWN, PoolRule, down_to, to_judge
from rankeval.fusion.side_by_side import Together, read_side_by_side
from rankeval.io.formats.format_limits import fit
from rankeval.io.formats.text_rows import lines_of_fields, rows_of
from rankeval.io.formats.trec import TREC
from rankeval.io.parsers.columns import Columns, PlainDocnos
from rankeval.io.sources.parts import one_state
from rankeval.io.write import opened
from rankeval.output.shown import Shown
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
    """Two runs, and what they share of the pool; `rbo` is None unless it is wanted."""

    first: str
    second: str
    shared: int
    jaccard: float
    rbo: float | None


@frozen(eq=False)
class Pool(Shown):
    """Documents to judge, and how the runs share them.

    ========= =====================================================================
    lines     the documents, topic by topic in the order in which to judge them
    runs      names of the runs
    documents for each run, the documents of the pool that it has, (R,)
    unique    those that no other run has, (R,)
    shared    those that two runs have in common, (R, R)
    rbo       mean over topics of the rank-biased overlap of two runs, (R, R): extrapolated, p
              .9, down to the pool's depth. A topic that one of the two lacks counts 0, one that
              both lack does not count. None unless it is wanted
    texts     queries of the topics and texts of the documents, where these were given
    covered   for a run that is no part of the pool, {cutoff: share of its documents
              down to there that are in the pool or judged}; None without such a run
    ========= =====================================================================
    """

    lines: tuple[Columns, ...]
    runs: tuple[str, ...]
    documents: Integers
    unique: Integers
    shared: Integers
    rbo: Floats | None = None
    covered: Mapping[int, float] | None = None
    texts: ShownTexts = NO_TEXTS

    def __post_init__(self) -> None:
        seal(self)

    __repr__ = Shown.__repr__

    def __len__(self) -> int:
        return sum(map(len, self.lines))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield topic and docno of each document, in order."""
        for part in self.lines:
            names = part.docnos.tolist()
            for topic, start, stop in zip(
                part.topics, part.starts.tolist(), part.starts[1:].tolist(), strict=False
            ):
                for name in names[start:stop]:
                    yield (
                        topic.decode(errors="backslashreplace"),
                        name.decode(errors="backslashreplace"),
                    )

    def by_run(self) -> list[PooledRun]:
        """Return what the pool has of each run."""
        counts = self.runs, self.documents.tolist(), self.unique.tolist()
        return list(map(PooledRun, *counts))

    def by_two_runs(self) -> list[SharingRuns]:
        """Return what each two runs share."""
        return [
            SharingRuns(
                self.runs[i],
                self.runs[j],
                int(self.shared[i, j]),
                self.jaccard(i, j),
                None if self.rbo is None else float(self.rbo[i, j]),
            )
            for i, j in combinations(range(len(self.runs)), 2)
        ]

    def _in_document(self) -> dict[str, Any]:
        """Return the shares of runs; the documents are the pool's lines."""
        facts = {"documents": len(self), "runs": self.by_run(), "pairs": self.by_two_runs()}
        return facts if self.covered is None else {**facts, "covered": self.covered}

    def jaccard(self, one: int, other: int) -> float:
        """Return the share of the documents of two runs that both have; 0 if they have none."""
        either = self.documents[one] + self.documents[other] - self.shared[one, other]
        return float(self.shared[one, other] / either) if either else 0.0


@checked
@one_state()
def pool(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    *,
    depth: int | None = None,
    order: str = "depth",
    budget: int | None = None,
    judged: QrelsLike | None = None,
    covers: RunLike | None = None,
    overlap: bool = False,
    ties: FusedTieRule = "docno",
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    text: TextForm = "window",
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
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
    reading, run_names, jobs           as in `evaluate`
    ========= ==============================================================================

    >>> import rankeval
    >>> a, b = {"q1": {"d1": 3, "d2": 2}}, {"q1": {"d3": 9, "d1": 5}}
    >>> list(rankeval.pool([a, b], depth=1).pairs())
    [('q1', 'd1'), ('q1', 'd3')]
    """
    sources = TextSources(queries, docs, text)
    every, given_names = run_sources(runs, reading.run().columns)
    if given_names is not None:
        run_names = replace(run_names, given=given_names)
    _check(every, depth, order, budget)
    rule = PoolRule(order, depth, budget)
    p = PERSISTENCE if overlap else None
    asked = every if covers is None else [*every, RunSource.of(covers)]
    given = FusionInput.of(asked, ties, reading, jobs, judged)
    qrels = None if judged is None else judgments_of(judged, None, reading)

    def use(batches: Iterator[Together]) -> list[_Pooled]:
        return [_pooled(some, rule, qrels, len(every), p) for some in batches]

    found = read_side_by_side(given.runs, given.forms(), given.rules, use, jobs=given.jobs)
    found = found or [_nothing(len(every), depth)]
    pooled = Pool(
        lines=tuple(one.lines for one in found if len(one.lines)),
        runs=tuple(run_names.names(_tags(found, len(every)), given.paths()[: len(every)])),
        documents=_sum(found, "documents"),
        unique=_sum(found, "unique"),
        shared=_sum(found, "shared"),
        rbo=_sum(found, "rbo") / np.maximum(_sum(found, "ranked"), 1) if overlap else None,
        covered=None if covers is None else _shares(found, depth),
    )
    docnos: dict[str, list[str]] = {}
    for topic, docno in pooled.pairs() if sources else ():
        docnos.setdefault(topic, []).append(docno)
    return replace(pooled, texts=sources.of(docnos))


def _check(runs: Sequence[RunSource], depth: int | None, order: str, budget: int | None) -> None:
    if not runs:
        raise UsageError("no run to pool", expected="one run or more")
    if order not in POOL_ORDERS:
        raise UsageError(
            f"a pool cannot be ordered by '{order}'", expected=f"one of {', '.join(POOL_ORDERS)}"
        )
    if depth is None and budget is None:
        raise UsageError(
            "nothing says how many documents to pool", remedy="give --depth, --budget or both"
        )
    for name, value in (("depth", depth), ("budget", budget)):
        if value is not None and value < 1:
            raise UsageError(f"a {name} of {value} pools nothing", expected="1 or more")


@frozen(eq=False)
class _Pooled:
    """Some topics of a pool, and the overlap of the runs in them."""

    lines: Columns
    documents: Integers
    unique: Integers
    shared: Integers
    covered: Integers
    retrieved: Integers
    rbo: Floats
    ranked: Integers
    tags: Sequence[bytes] = ()


def _pooled(
    some: Together, rule: PoolRule, qrels: Qrels | None, n_runs: int, p: float | None
) -> _Pooled:
    batch = some.batch()
    whole = batch.candidates
    grades = np.full(len(batch.docnos), UNKNOWN)
    if qrels is not None:
        code = np.array([qrels.code.get(topic, -1) for topic in batch.topics], dtype=np.int64)
        rows, judgment = batch.docnos.find_judged(qrels, code, whole.offsets)
        grades[rows] = qrels.grade[judgment] > 0
    pooled = replace(whole, ranks=whole.ranks[:n_runs], scores=whole.scores[:n_runs])
    pooled = replace(pooled, retrieved=whole.retrieved[:n_runs])
    near, places = down_to(pooled, rule.depth)
    docnos = batch.docnos.take(places)
    chosen = to_judge(rule, near, grades[places], lambda: docnos.order(np.arange(len(places))))
    sizes = np.bincount(near.topic[chosen], minlength=len(batch.topics))
    left = sizes > 0
    lines = Columns(
        tuple(topic for topic, any_left in zip(batch.topics, left, strict=True) if any_left),
        offsets_of(sizes[left]),
        docnos.take(chosen),
        np.full(len(chosen), -1.0),
        range(1, len(chosen) + 1),
    )
    present = near.present[:, chosen].astype(np.int64)
    alone = present[:, present.sum(axis=0) == 1]
    covered = retrieved = np.zeros(0, dtype=np.int64)
    if len(whole.ranks) > n_runs:
        inside = grades != UNKNOWN
        inside[places[chosen]] = True
        cutoffs = _cutoffs(rule.depth)
        rank = whole.ranks[n_runs]
        down = [(rank > 0) & (rank <= cutoff) for cutoff in cutoffs]
        retrieved = np.array([np.count_nonzero(one) for one in down])
        covered = np.array([np.count_nonzero(one & inside) for one in down])
    rbo, ranked = np.eye(n_runs), np.eye(n_runs, dtype=np.int64)
    if p is not None:
        rbo, ranked = _overlaps(near, p)
    return _Pooled(
        lines,
        present.sum(axis=1),
        alone.sum(axis=1),
        present @ present.T,
        covered,
        retrieved,
        rbo,
        ranked,
        some.tags,
    )


def _tags(found: Sequence[_Pooled], n_runs: int) -> list[str]:
    """Return the tag of each run; empty for a run without one."""
    tags = [b""] * n_runs
    for part in found:
        tags = [new or old for new, old in zip(part.tags, tags, strict=False)] or tags
    return list(map(decoded, tags))


def _overlaps(found: Candidates, p: float) -> tuple[Floats, Integers]:
    """Return the sum over topics of the RBO of each two runs, and the number of their topics."""
    there = found.retrieved > 0
    ranked = np.array([[np.count_nonzero(one | other) for other in there] for one in there])
    total = np.diag(there.sum(axis=1).astype(np.float64))
    for i in range(len(there)):
        for j in range(i + 1, len(there)):
            total[i, j] = total[j, i] = rank_biased_overlap(found, i, j, p).sum()
    return total, ranked


def _cutoffs(depth: int | None) -> list[int]:
    return sorted({*CUTOFFS, depth} if depth is not None else CUTOFFS)


def _sum(found: Sequence[_Pooled], name: str) -> Any:
    total: Any = np.sum([getattr(one, name) for one in found], axis=0)
    return total


def _nothing(n_runs: int, depth: int | None) -> _Pooled:
    """Return the pool of runs without any document."""
    none = np.zeros(n_runs, dtype=np.int64)
    lines = Columns((), np.zeros(1, dtype=np.int64), PlainDocnos([]), np.zeros(0), range(0))
    at_cutoffs = np.zeros(len(_cutoffs(depth)), dtype=np.int64)
    pairs = np.zeros((n_runs, n_runs))
    shared = pairs.astype(np.int64)
    return _Pooled(lines, none, none, shared, at_cutoffs, at_cutoffs, pairs, shared)


def _shares(found: Sequence[_Pooled], depth: int | None) -> dict[int, float]:
    covered, retrieved = _sum(found, "covered"), _sum(found, "retrieved")
    shares = covered / np.maximum(retrieved, 1)
    return dict(zip(_cutoffs(depth), shares.tolist(), strict=True))


def write_pool(found: Pool, path: str, form: str) -> None:
    """Write a pool, whole or not at all: "trec" is qrels with the grade -1, or "tsv" or "jsonl".

    InputError for a name with a blank, which only "jsonl" holds.
    """
    pieces = list(_pieces(found, form))
    with opened(path) as stream:
        stream.writelines(pieces)


def _pieces(found: Pool, form: str) -> Iterator[bytes]:
    if form == "jsonl":
        import json

        for topic, docno in found.pairs():
            line = json.dumps({"topic": topic, "docno": docno}, ensure_ascii=False)
            yield f"{line}\n".encode()
        return
    for part in found.lines:
        columns, _ = fit(part, "qrels", TREC, "pool")
        if form == "trec":
            yield from TREC.write("qrels", iter([columns]))
        else:
            rows = rows_of("qrels", columns)
            yield lines_of_fields(("topic", "docno"), b"\t", rows, {})
