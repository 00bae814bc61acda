"""Fuse runs: read them side by side, fuse the scores, write one run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from rankeval.alignment.full_ranks import rank_order
from rankeval.alignment.inputs import (
    LoadedRun,
    QrelsLike,
    RunLike,
    named_runs,
    readable_again,
    refuse_stdin_twice,
    run_list,
)
from rankeval.alignment.qrels import Qrels
from rankeval.alignment.rules import Rules, Ties
from rankeval.alignment.side_by_side import Together, read_side_by_side
from rankeval.errors import UsageError
from rankeval.evaluation.notices import dropped_notices
from rankeval.evaluation.prepare import judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.io.blocks import display_name
from rankeval.io.columns import Columns
from rankeval.io.constants import repeated_name, whole_numbers
from rankeval.io.format_limits import NOTES, fit
from rankeval.io.formats import format_named
from rankeval.io.write import STDOUT, format_for, write
from rankeval.support.arrays import offsets_of, owner, position
from rankeval.support.frozen import frozen
from rankeval.support.threads import in_order, usable_threads
from rankeval.support.wording import count, listed
from rankeval.tasks.fuse.plan import FusionPlan, fusion_plan
from rankeval.tasks.fuse.training import hits_of_runs

TIES = ("docno", "input", "rank")
"""The orders of equal scores in the runs; those by grade need judgments."""

Progress = Callable[[str, int], None]
Result = TypeVar("Result")


@frozen(eq=False)
class Fusion:
    """The report of a fusion.

    ======== ====================================================================
    plan     the method, and its settings
    learned  the weight of each run, or None if none was learned
    lines    number of lines of the fused run
    topics   number of its topics
    warnings topics that some run lacks, lines that were left out, data lost
    ======== ====================================================================
    """

    plan: FusionPlan
    lines: int
    topics: int
    learned: Sequence[float] | None = None
    warnings: tuple[str, ...] = ()


@frozen(eq=False)
class FusionInput:
    """Runs to fuse, and the rules by which they are read."""

    runs: Sequence[str | LoadedRun]
    ties: Ties
    reading: Reading
    jobs: int

    @classmethod
    def of(
        cls, runs: Sequence[RunLike], ties: str, reading: Reading, jobs: int | None, *others: object
    ) -> FusionInput:
        """Check the rule for ties, and make runs that can be read more than once."""
        if ties not in TIES:
            raise UsageError(
                f"runs cannot be fused with ties '{ties}'", expected=f"one of {' '.join(TIES)}"
            )
        refuse_stdin_twice(*runs, *others)
        threads = usable_threads(jobs)
        form = replace(reading.run(), ranks=ties == "rank")
        read = [readable_again(run, form, jobs=threads) for run in runs]
        return cls(read, ties, reading, threads)  # type: ignore[arg-type]  # one of TIES

    @property
    def rules(self) -> Rules:
        """The rules by which lines become rankings."""
        return Rules(ties=self.ties, repeated=self.reading.duplicates, chunks=self.reading.chunks)

    def names(self) -> list[str]:
        """Return the runs as messages name them."""
        return [
            display_name(path) if path else f"run {number}"
            for number, run in enumerate(self.runs, 1)
            for path in [run.path if isinstance(run, LoadedRun) else run]
        ]


class _FusedCount:
    """Counts of what was fused, and the topics that each run lacks."""

    def __init__(self, n_runs: int) -> None:
        self.lines = self.topics = 0
        self.lacking: list[list[bytes]] = [[] for _ in range(n_runs)]

    def add(self, columns: Columns, lacking: Sequence[Sequence[bytes]]) -> None:
        """Count some topics."""
        self.lines += len(columns)
        self.topics += len(columns.topics)
        for known, more in zip(self.lacking, lacking, strict=True):
            known.extend(more)


def fuse(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    method: str = "rrf",
    *,
    norm: str | None = None,
    weights: Sequence[float] | None = None,
    k: float | None = None,
    gamma: float | None = None,
    phi: float | None = None,
    sigma: float | None = None,
    segments: int | None = None,
    window: int | None = None,
    train_qrels: QrelsLike | None = None,
    ties: str = "docno",
    depth: int | None = None,
    tag: str | None = None,
    reading: Reading = AS_FOUND,
    jobs: int | None = None,
) -> LoadedRun:
    """Fuse runs into one, which `evaluate` takes as a run.

    `runs` are two or more of what `evaluate` takes as a run. `method` is one of METHOD_NAMES, by
    default reciprocal rank fusion; `norm` normalises the scores of methods that use them (default:
    min-max), and the other options are parameters of some methods. `train_qrels` teaches the
    trained methods and weights. `ties` orders equal scores before ranks are taken; `depth` keeps
    the first documents of each topic; `tag` is the tag of the lines, by default the method.

    Documents are ordered by fused score, ties by docno descending. A topic that a run lacks is an
    empty ranking.

    Raises UsageError for options that the method does not use, InputError for an unusable run.

    >>> import rankeval
    >>> bm25 = {"q1": {"d1": 7.1, "d2": 6.5}}
    >>> dense = {"q1": {"d2": 0.9, "d3": 0.4}}
    >>> fused = rankeval.fuse([bm25, dense])
    >>> rankeval.Evaluator({"q1": {"d2": 1}}, "RR").means(fused)
    {'RR': 1.0}
    """
    named = named_runs(runs)
    every = run_list(runs) if named is None else list(named.values())
    numbers = {"k": k, "gamma": gamma, "phi": phi, "sigma": sigma}
    plan = fusion_plan(
        method,
        len(every),
        norm=norm,
        weights=weights,
        **numbers,
        segments=segments,
        window=window,
    )
    given = FusionInput.of(every, ties, reading, jobs, train_qrels)
    parts, _ = fused_parts(given, plan, train_qrels, depth=depth, tag=tag)
    return LoadedRun("", tuple(parts), {})


def fused_parts(
    given: FusionInput,
    plan: FusionPlan,
    train_qrels: QrelsLike | None = None,
    *,
    depth: int | None = None,
    tag: str | None = None,
) -> tuple[list[Columns], Fusion]:
    """Return the lines of the fused run, and the report."""
    return _fused(given, plan, _judgments(plan, train_qrels, given), depth, tag, list)


def fuse_to(
    path: str,
    given: FusionInput,
    plan: FusionPlan,
    train_qrels: QrelsLike | None = None,
    *,
    to: str | None = None,
    depth: int | None = None,
    tag: str | None = None,
    progress: Progress | None = None,
) -> Fusion:
    """Write the fused run to a file, whole or not at all, or to standard output for `-`."""
    target = format_named(format_for(path, to or ("trec" if path == STDOUT else None)))
    lost: dict[str, int] = {}

    def fitted(parts: Iterator[Columns]) -> Iterator[Columns]:
        lost.clear()
        for part in parts:
            columns, dropped = fit(part, "run", target, "fused run")
            for role, times in dropped.items():
                lost[role] = lost.get(role, 0) + times
            yield columns

    def use(parts: Iterator[Columns]) -> list[str]:
        # Nothing may have gone to a pipe when a run turns out to be wrong.
        ready = iter(list(parts)) if path == STDOUT else parts
        return write(path, target.name, "run", fitted(ready))

    qrels = _judgments(plan, train_qrels, given)
    notes, done = _fused(given, plan, qrels, depth, tag, use, progress)
    kept = ("tag", "rank")  # made by the fusion, and so not lost
    warnings = [
        f"{NOTES[role].format(target.name)}: {count(times, 'line')}"
        for role, times in lost.items()
        if role not in kept
    ]
    return replace(done, warnings=(*done.warnings, *warnings, *notes))


def _judgments(plan: FusionPlan, train_qrels: QrelsLike | None, given: FusionInput) -> Qrels | None:
    """Return the judgments of training; UsageError if they are missing, or not needed."""
    name = plan.method.name
    if plan.learns and train_qrels is None:
        what = "has to be trained" if plan.method.train else "needs weights"
        remedy = "name judgments with --train-qrels"
        raise UsageError(
            f"the method {name} {what}",
            remedy=remedy if plan.method.train else f"give --weights, or {remedy}",
        )
    if train_qrels is not None and not plan.learns:
        raise UsageError(
            f"the method {name} "
            + ("has its weights" if plan.method.weighted else "learns nothing from judgments"),
            place="--train-qrels",
            remedy="drop --train-qrels",
        )
    return None if train_qrels is None else judgments_of(train_qrels, None, given.reading)


def _fused(
    given: FusionInput,
    plan: FusionPlan,
    qrels: Qrels | None,
    depth: int | None,
    tag: str | None,
    use: Callable[[Iterator[Columns]], Result],
    progress: Progress | None = None,
) -> tuple[Result, Fusion]:
    """Pass the lines of the fused run on to `use`; return its result, and the report."""
    if depth is not None and depth < 1:
        raise UsageError(f"a depth of {depth} keeps nothing", expected="1 or more")
    learned = None
    if qrels is not None:
        learned = plan.learn(hits_of_runs(qrels, given.runs, given.ties, given.reading, given.jobs))
    name = os.fsencode(tag) if tag is not None else plan.method.name.encode()
    forms = [replace(given.reading.run(), ranks=given.ties == "rank") for _ in given.runs]
    tallies = [_FusedCount(len(given.runs))]

    def work(some: Together, _: int) -> tuple[Columns, list[list[bytes]]]:
        batch = some.batch()
        fused = plan.fuse(batch.candidates, learned)
        lacking = [
            [batch.topics[t] for t in np.flatnonzero(retrieved == 0).tolist()]
            for retrieved in batch.candidates.retrieved
        ]
        lines = Columns(
            batch.topics, batch.candidates.offsets, batch.docnos, fused, range(1, len(fused) + 1)
        )
        return _ordered(lines, depth, name), lacking

    def parts(every: Iterator[Together]) -> Iterator[Columns]:
        tallies.append(_FusedCount(len(given.runs)))  # it may begin anew, with a run held
        for columns, lacking in in_order(work, ((one, 0) for one in every), given.jobs):
            tallies[-1].add(columns, lacking)
            yield columns

    result = read_side_by_side(
        given.runs,
        forms,
        given.rules,
        lambda every: use(parts(every)),
        jobs=given.jobs,
        progress=progress,
    )
    tally, warnings = tallies[-1], []
    for run, form, known in zip(given.names(), forms, tally.lacking, strict=True):
        if known:
            topics = count(tally.topics, "topic")
            warnings.append(f"{run} lacks {len(known):,} of {topics}: {listed(known)}")
        if form.problems:
            warnings += map(str, dropped_notices(run, dict(form.problems.counts)))
    weights = learned if plan.method.weighted else None
    return result, Fusion(plan, tally.lines, tally.topics, weights, tuple(warnings))


def _ordered(lines: Columns, depth: int | None, tag: bytes) -> Columns:
    """Return the lines by rank, with the rank and the tag of each."""
    order = rank_order(lines)
    starts = lines.starts
    rank = position(starts) + 1
    if depth is not None:
        kept = rank <= depth
        starts = offsets_of(np.bincount(owner(starts)[kept], minlength=len(lines.topics)))
        order, rank = order[kept], rank[kept]
    taken = lines.taken(order, starts)
    return replace(
        taken,
        lines=range(1, len(order) + 1),
        tags=frozenset({tag}),
        last_tag=tag,
        kept={"rank": whole_numbers(rank, lines.docnos), "tag": repeated_name(tag, taken.docnos)},
    )
