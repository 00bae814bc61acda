"""Runs to fuse or to pool, read side by side: some topics of all at a time, in bounded memory."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import Any, Self, TypeVar, cast

import numpy as np

from rankeval.base.arrays import Booleans, Integers, offsets_of, sizes_of
from rankeval.base.frozen import record, replace
from rankeval.base.threads import usable_threads
from rankeval.choices import FusedTieRule
from rankeval.evaluation.settings import Reading
from rankeval.fusion.methods import Candidates
from rankeval.io.blocks import USUAL, ReadSizes, display_name
from rankeval.io.columns import Columns, ranks_of
from rankeval.io.formats import Form
from rankeval.io.read import map_blocks
from rankeval.io.topic_order import (
    TopicComesBackError,
    held_whole,
    itself,
    stream_topics,
    work_on_held,
)
from rankeval.ranking.align import Rules, apply_rules, rank_order
from rankeval.ranking.duplicates import duplicate_error, rows_of_topics
from rankeval.ranking.run_source import RunLike, RunSource, refuse_stdin_twice

Result = TypeVar("Result")

_Waiting = list[tuple[Columns, Integers]]
"""Parts of a run, and the numbers of their topics."""


@record
class FusionInput:
    """Runs to fuse or to pool, and the rules by which they are read."""

    runs: Sequence[RunSource]
    ties: FusedTieRule
    reading: Reading
    jobs: int

    @classmethod
    def of(
        cls,
        runs: Sequence[RunLike],
        ties: FusedTieRule,
        reading: Reading,
        jobs: int | None,
        *others: object,
    ) -> Self:
        """Make runs that can be read more than once; `others` are inputs besides them."""
        refuse_stdin_twice(*runs, *others)
        threads = usable_threads(jobs)
        form = replace(reading.run_form(), ranks=ties == "rank")
        sources = [RunSource.of(run).again(form, jobs=threads) for run in runs]
        return cls(sources, ties, reading, threads)

    @property
    def names(self) -> list[str]:
        """The runs as messages name them."""
        return [
            display_name(run.path) if run.path else f"run {number}"
            for number, run in enumerate(self.runs, 1)
        ]

    def forms(self) -> list[Form]:
        """Return the forms by which the runs are read, with a tally of wrong lines each."""
        return [replace(self.reading.run_form(), ranks=self.ties == "rank") for _ in self.runs]

    def read(
        self,
        use: Callable[[Iterator["Together"]], Result],
        forms: Sequence[Form] = (),
        *,
        progress: Callable[[str, int], None] | None = None,
        empty: set[bytes] | None = None,
        sizes: ReadSizes = USUAL,
    ) -> Result:
        """Return `use` of the topics of all runs; it begins anew if a run has scattered topics.

        Each topic comes once, when every run has passed it. Runs whose topics come in similar
        orders need little memory; a run with scattered topics is held in memory. Topics that a run
        names without any document are put into `empty`.

        Raises InputError for a run that cannot be read, or that lists a document twice.
        """
        rules = Rules(ties=self.ties, repeated=self.reading.duplicates, chunks=self.reading.chunks)
        named = set[bytes]() if empty is None else empty
        forms = forms or self.forms()
        held = {i: [*run.parts] for i, run in enumerate(self.runs) if run.parts is not None}

        def stream(i: int, opened: ExitStack) -> Iterator[Columns]:
            run = self.runs[i]
            work = partial(_ranked, rules, run.path)
            if i in held:
                return work_on_held(held[i], work, at_once=max(sizes.ranked_lines // 4, 1))
            # Threads work on what is read: more of them here would only hold more blocks.
            read = partial(blocks, i)
            return opened.enter_context(closing(stream_topics(run.path, read, work, sizes)))

        def blocks(i: int, work: Callable[[Columns], Any] = itself, jobs: int = 1) -> Any:
            report = partial(progress, self.runs[i].path) if progress else None
            how: Any = {"sizes": sizes, "jobs": jobs, "progress": report}
            return map_blocks(self.runs[i].path, forms[i], work, **how)

        while True:
            with ExitStack() as opened:
                parts = [_with_lines(i, stream(i, opened), named) for i in range(len(self.runs))]
                try:
                    return use(_together(parts, sizes.ranked_lines))
                except _ScatteredError as error:
                    i = error.args[0]
                    held[i] = held_whole(blocks(i, jobs=self.jobs), self.runs[i].path, sizes)


class _ScatteredError(Exception):
    """Raised with the number of a streamed run in which the lines of a topic are scattered."""


def _with_lines(run: int, parts: Iterator[Columns], empty: set[bytes]) -> Iterator[Columns]:
    """Yield parts that have lines; put the topics that are named without any into `empty`."""
    try:
        for part in parts:
            empty.update(part.empty)
            if len(part):
                yield part
    except TopicComesBackError:
        raise _ScatteredError(run) from None


def _ranked(rules: Rules, path: str, columns: Columns) -> Columns:
    """Apply the rules to whole topics of a run, and return their lines with ranks from 1."""
    columns, duplicates = apply_rules(columns, rules)
    if duplicates and rules.repeated == "refuse":
        first, *more = sorted(duplicates, key=lambda again: again.line)
        name = display_name(path) if path else "run"
        raise duplicate_error(first, len(more), name)
    ranks = ranks_of(columns, rank_order(columns, rules)).astype("i4")
    return replace(columns, ranks=ranks, lines=range(len(columns)), kept={})


@record
class Together:
    """The lines of some topics in every run, not yet matched.

    topics  T bytes
    parts   for each run, its lines, and the numbers of their topics
    """

    topics: tuple[bytes, ...]
    parts: Sequence[Sequence[tuple[Columns, Integers]]]

    @property
    def tags(self) -> list[bytes]:
        """Return the tag of each run; empty where it lacks all of these topics, or has none."""
        return [next((part.last_tag for part, _ in parts), b"") for parts in self.parts]

    def matched(self) -> Candidates:
        """Match the documents of the runs."""
        flat = [part for parts in self.parts for part in parts]
        docnos = flat[0][0].docnos.followed_by([lines.docnos for lines, _ in flat[1:]])
        topic = np.concatenate([np.repeat(code, sizes_of(p.starts)) for p, code in flat])
        first, number = docnos.numbered(topic)
        order = np.argsort(topic[first], kind="stable")  # candidates are numbered topic by topic
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        first, which = first[order], place[number]
        sizes = np.bincount(topic[first], minlength=len(self.topics))
        ranks = np.zeros((len(self.parts), len(first)), dtype=np.int32)
        scores = np.full(ranks.shape, np.nan)
        retrieved = np.zeros((len(self.parts), len(self.topics)), dtype=np.int64)
        start = 0
        for run, parts in enumerate(self.parts):
            for lines, code in parts:
                mine = which[start : start + len(lines)]
                ranks[run, mine] = cast("Integers", lines.ranks)  # that `_ranked` gives
                scores[run, mine] = lines.values
                retrieved[run, code] = sizes_of(lines.starts)
                start += len(lines)
        docnos = docnos.take(first)
        return Candidates(self.topics, offsets_of(sizes), docnos, scores, ranks, retrieved)


def _together(
    streams: Sequence[Iterator[Columns]], at_once: int
) -> Generator[Together, None, None]:
    """Yield topics once every run has them or has ended, about `at_once` lines at a time."""
    number: dict[bytes, int] = {}
    lacking: dict[int, set[int]] = {}  # topics, and the runs that may still have them
    lines: dict[int, int] = {}
    complete: list[int] = []
    n_complete = 0  # their lines
    waiting: list[_Waiting] = [[] for _ in streams]
    live, n_seen = dict(enumerate(streams)), [0] * len(streams)
    while live:
        run = min(live, key=n_seen.__getitem__)  # the one that is furthest behind
        part = next(live[run], None)
        if part is None:
            del live[run]
            topics = [*lacking]
        else:
            topics = [number.setdefault(topic, len(number)) for topic in part.topics]
            waiting[run].append((part, np.array(topics)))
            n_seen[run] += len(topics)
            for topic, size in zip(topics, sizes_of(part.starts).tolist(), strict=True):
                lacking.setdefault(topic, set(live))
                lines[topic] = lines.get(topic, 0) + size
        for topic in topics:
            lacking[topic].discard(run)
            if not lacking[topic]:
                del lacking[topic]
                complete.append(topic)
                n_complete += lines.pop(topic)
                if n_complete >= at_once:
                    yield _taken(waiting, [*number], np.sort(complete))
                    complete, n_complete = [], 0
    if complete:
        yield _taken(waiting, [*number], np.sort(complete))


def _taken(waiting: list[_Waiting], names: Sequence[bytes], chosen: Integers) -> Together:
    """Take the lines of some topics from those that are waiting."""
    place = np.full(len(names), -1)
    place[chosen] = np.arange(len(chosen))
    taken: list[_Waiting] = []
    for parts in waiting:
        mine: _Waiting = []
        left: _Waiting = []
        for part, codes in parts:
            wanted = place[codes] >= 0
            if wanted.any():
                mine.append((_some(part, wanted), place[codes[wanted]]))
            if not wanted.all():
                left.append((_some(part, ~wanted) if wanted.any() else part, codes[~wanted]))
        parts[:] = left
        taken.append(mine)
    return Together(tuple(names[code] for code in chosen.tolist()), taken)


def _some(lines: Columns, wanted: Booleans) -> Columns:
    """Return some of the topics, shape (B,), without holding the memory of the others."""
    some = rows_of_topics(lines, np.flatnonzero(np.repeat(wanted, sizes_of(lines.starts))))
    return replace(some, docnos=some.docnos.take(np.arange(len(some))))
