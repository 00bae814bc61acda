"""Read the runs, fuse their scores topic by topic, and pass on or write the lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of, owner, position
from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order
from rankeval.base.wording import count, listed
from rankeval.commands.fuse.fused_inputs import FusionInput
from rankeval.errors import UsageError
from rankeval.evaluation.qrels_notices import dropped_notices
from rankeval.fusion.side_by_side import Batch, Together, read_side_by_side
from rankeval.io.formats import trec
from rankeval.io.formats.format_limits import NOTES, fit
from rankeval.io.formats.formats import format_named
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos
from rankeval.io.python_values import columns_of
from rankeval.io.write import STDOUT, format_for, write
from rankeval.ranking.full_rankings import rank_order

Progress = Callable[[str, int], None]
Result = TypeVar("Result")


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
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise UsageError(f"a depth of {self.depth} keeps nothing", expected="1 or more")

    def of(self, batch: Batch) -> Columns:
        """Return the lines of some topics in their order, with the rank and the tag of each."""
        return _ordered(batch.lines(self.fuse(batch)), self.depth, os.fsencode(self.tag))


@frozen
class FusedFacts:
    """Numbers of lines and topics of a fused run, and warnings."""

    lines: int
    topics: int
    warnings: tuple[str, ...] = ()


class _FusedCount:
    """Counts of fused topics and documents, and the topics that each run lacks."""

    def __init__(self, n_runs: int) -> None:
        self.lines = self.topics = 0
        self.lacking: list[list[bytes]] = [[] for _ in range(n_runs)]

    def add(self, columns: Columns, lacking: Sequence[Sequence[bytes]]) -> None:
        """Count some topics."""
        self.lines += len(columns)
        self.topics += len(columns.topics)
        for known, more in zip(self.lacking, lacking, strict=True):
            known.extend(more)


def fused_lines(
    given: FusionInput, how: FusedLines, use: Callable[[Iterator[Columns]], Result]
) -> tuple[Result, FusedFacts]:
    """Pass the lines of the fused run on to `use`; return its result, and the facts."""
    forms = given.forms()
    tallies = [_FusedCount(len(given.runs))]
    empty: set[bytes] = set()

    def work(some: Together, _: int) -> tuple[Columns, list[list[bytes]]]:
        batch = some.batch()
        lacking = [
            [batch.topics[t] for t in np.flatnonzero(retrieved == 0).tolist()]
            for retrieved in batch.candidates.retrieved
        ]
        return how.of(batch), lacking

    def parts(every: Iterator[Together]) -> Iterator[Columns]:
        tallies.append(_FusedCount(len(given.runs)))  # it may begin anew, with a run held
        fused: set[bytes] = set()
        last = _ordered(columns_of({}, trec.RUN), None, os.fsencode(how.tag))
        for columns, lacking in in_order(work, ((one, 0) for one in every), given.jobs):
            tallies[-1].add(columns, lacking)
            if fused:
                yield last
            fused.update(columns.topics)
            last = columns
        yield replace(last, empty=tuple(sorted(empty - fused)))  # known at the end

    result = read_side_by_side(
        given.runs,
        forms,
        given.rules,
        lambda every: use(parts(every)),
        jobs=given.jobs,
        progress=how.progress,
        empty=empty,
    )
    tally, warnings = tallies[-1], []
    for run, form, known in zip(given.names(), forms, tally.lacking, strict=True):
        if known:
            topics = count(tally.topics, "topic")
            warnings.append(f"{run} lacks {len(known):,} of {topics}: {listed(known)}")
        if form.problems:
            warnings += map(str, dropped_notices(run, dict(form.problems.counts)))
    return result, FusedFacts(tally.lines, tally.topics, tuple(warnings))


def write_fused(path: str, to: str | None, given: FusionInput, how: FusedLines) -> FusedFacts:
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

    notes, done = fused_lines(given, how, use)
    kept = ("tag", "rank")  # made by the fusion, and so not lost
    warnings = [
        f"{NOTES[role].format(target.name)}: {count(times, 'line')}"
        for role, times in lost.items()
        if role not in kept
    ]
    return replace(done, warnings=(*done.warnings, *warnings, *notes))


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
