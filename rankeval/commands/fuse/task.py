"""Fuse runs: read them side by side, fuse their scores topic by topic, and write one run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, Unpack

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of, owner, position
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order
from rankeval.base.wording import count, listed, natural
from rankeval.choices import FusedTieRule
from rankeval.commands.fuse.plan import FusionKeywords, fusion_plan, reading_and_settings
from rankeval.errors import UsageError
from rankeval.evaluation.qrels_notices import dropped_notices
from rankeval.fusion.fusion_input import FusionInput
from rankeval.fusion.side_by_side import Batch, Together
from rankeval.io.formats import layouts
from rankeval.io.formats.format_limits import NOTES, fit
from rankeval.io.formats.formats import format_named
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos
from rankeval.io.python_values import columns_of
from rankeval.io.sources.parts import one_state
from rankeval.io.write import STDOUT, format_for, write
from rankeval.ranking.full_rankings import rank_order
from rankeval.ranking.run_source import Run, RunLike, RunSource, run_sources

Result = TypeVar("Result")


@checked
@one_state()
def fuse(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    method: str = "rrf",
    *,
    ties: FusedTieRule = "docno",
    depth: int | None = None,
    tag: str | None = None,
    jobs: int | None = None,
    **settings: Unpack[FusionKeywords],
) -> Run:
    """Fuse runs into one, which `evaluate` takes as a run.

    =========== ============================================================================
    runs        two or more, as in `evaluate`, or {name: run}
    method      "rrf" (reciprocal rank fusion), "combsum" or another one of docs/fusion.md
    ties        order of equal scores before ranks are taken, as in `evaluate`
    depth       first documents to keep of each topic
    tag         tag of the lines; by default the method
    jobs        threads; all processors by default
    settings    norm, weights, k, gamma, phi, sigma: those that the method uses; and how files are
                read, such as columns="topic=qid", as in `evaluate`
    =========== ============================================================================

    Documents are ordered by fused score, ties by docno descending. A topic that a run lacks is an
    empty ranking.

    Raises UsageError for options that the method does not use, InputError for an unusable run.

    >>> import rankeval
    >>> bm25 = {"q1": {"d1": 7.1, "d2": 6.5}}
    >>> dense = {"q1": {"d2": 0.9, "d3": 0.4}}
    >>> fused = rankeval.fuse([bm25, dense])
    >>> list(fused["q1"])
    ['d2', 'd1', 'd3']
    >>> rankeval.Evaluator({"q1": {"d2": 1}}, "RR").means(fused)
    {'RR': 1.0}
    """
    reading, of_method = reading_and_settings(settings)
    every, _ = run_sources(runs, reading.run_form().columns)
    plan = fusion_plan(method, len(every), **of_method)
    given = FusionInput.of(every, ties, reading, jobs)
    how = FusedLines(plan.fuse, plan.method.name if tag is None else tag, depth)
    parts, _ = fused_lines(given, how, tuple)
    return Run(RunSource(parts=parts))


@frozen(eq=False)
class FusedLines:
    """The way to make lines of a fused run.

    ======== =========================================================================
    fuse     returns the fused score of each candidate of some topics
    tag      the tag of the lines
    depth    documents of a topic that are kept; None is all
    progress is called with a path and how many of its bytes were read
    ======== =========================================================================
    """

    fuse: Callable[[Batch], Floats]
    tag: str
    depth: int | None = None
    progress: Callable[[str, int], None] | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise UsageError(f"a depth of {self.depth} keeps nothing", expected="1 or more")

    def of(self, batch: Batch) -> Columns:
        """Return the lines of some topics in their order, with the rank and the tag of each."""
        return _ordered(batch.lines(self.fuse(batch)), self.depth, os.fsencode(self.tag))


def fused_lines(
    given: FusionInput, how: FusedLines, use: Callable[[Iterator[Columns]], Result]
) -> tuple[Result, list[str]]:
    """Pass the lines of the fused run on to `use`; return its result, and warnings."""
    forms = given.forms()
    topics: set[bytes] = set()
    lacking: list[list[bytes]] = []
    empty: set[bytes] = set()

    def work(some: Together, _: int) -> tuple[Columns, list[list[bytes]]]:
        batch = some.batch()
        lacks = [
            [batch.topics[t] for t in np.flatnonzero(retrieved == 0).tolist()]
            for retrieved in batch.candidates.retrieved
        ]
        return how.of(batch), lacks

    def parts(every: Iterator[Together]) -> Iterator[Columns]:
        topics.clear()  # it may begin anew, with a run held
        lacking[:] = [[] for _ in given.runs]
        last = _ordered(columns_of({}, layouts.RUN), None, os.fsencode(how.tag))
        for columns, lacks in in_order(work, ((one, 0) for one in every), given.jobs):
            for known, more in zip(lacking, lacks, strict=True):
                known.extend(more)
            if topics:
                yield last
            topics.update(columns.topics)
            last = columns
        yield replace(last, empty=tuple(sorted(empty - topics)))  # known at the end

    result = given.read(lambda every: use(parts(every)), forms, progress=how.progress, empty=empty)
    warnings = []
    for run, form, known in zip(given.names(), forms, lacking, strict=True):
        if known:
            of_all = count(len(topics), "topic")
            warnings.append(
                f"{run} lacks {len(known):,} of {of_all}: {listed(sorted(known, key=natural))}"
            )
        if form.problems:
            warnings += map(str, dropped_notices(run, dict(form.problems.counts)))
    return result, warnings


def write_fused(path: str, to: str | None, given: FusionInput, how: FusedLines) -> list[str]:
    """Write the fused run to a file, or to standard output for `-`; return warnings."""
    target = format_named(format_for(path, to or ("trec" if path == STDOUT else None)))
    lost: Counter[str] = Counter()

    def fitted(parts: Iterator[Columns]) -> Iterator[Columns]:
        lost.clear()
        for part in parts:
            columns, dropped = fit(part, "run", target, "fused run")
            lost.update(dropped)
            yield columns

    def use(parts: Iterator[Columns]) -> list[str]:
        # Nothing may have gone to a pipe when a run turns out to be wrong.
        ready = iter(list(parts)) if path == STDOUT else parts
        return write(path, target.name, "run", fitted(ready))

    notes, warnings = fused_lines(given, how, use)
    for made in ("tag", "rank"):  # by the fusion, and so not lost
        lost.pop(made, None)
    losses = [f"{NOTES[role].format(target.name)}: {count(n, 'line')}" for role, n in lost.items()]
    return [*warnings, *losses, *notes]


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
    numbers = [b"%d" % number for number in range(int(rank.max(initial=0)) + 1)]
    return replace(
        taken,
        lines=range(1, len(order) + 1),
        tags=frozenset({tag}),
        last_tag=tag,
        kept={
            "rank": _names_like(taken.docnos, numbers, rank),
            "tag": _names_like(taken.docnos, [tag], np.zeros_like(order)),
        },
    )


def _names_like(docnos: Docnos, names: list[bytes], at: Integers) -> Docnos:
    """Return the names at some places, in a column of the kind of another."""
    if isinstance(docnos, PlainDocnos):
        return PlainDocnos([names[place] for place in at.tolist()])
    from rankeval.io.parsers.names import Names

    return Names.from_names(names).take(at)
