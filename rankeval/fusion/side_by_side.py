"""Read several runs side by side: some topics of all runs at a time, in bounded memory."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from itertools import compress, count
from typing import TypeVar, cast

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, offsets_of, sizes_of, small
from rankeval.base.frozen import frozen
from rankeval.fusion.candidates import Candidates
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos, ranks_of
from rankeval.io.read import map_blocks
from rankeval.io.read_sizes import USUAL, ReadSizes
from rankeval.io.sources.blocks import display_name
from rankeval.io.topic_order import (
    Gathering,
    TopicComesBackError,
    can_be_read_twice,
    held_whole,
    itself,
    stream_topics,
    work_on_held,
)
from rankeval.ranking.duplicates import duplicate_error, rows_of_topics
from rankeval.ranking.full_rankings import rank_order
from rankeval.ranking.rank import Rules, apply_rules
from rankeval.ranking.run_source import RunSource

Result = TypeVar("Result")


@frozen(eq=False)
class Batch:
    """Some topics, and every document that any of the runs retrieved for them.

    topics     T bytes
    docnos     D names, topic by topic, in the order of the candidates
    candidates what the runs say of them
    """

    topics: tuple[bytes, ...]
    docnos: Docnos
    candidates: Candidates

    def of(self, wanted: Booleans) -> "Batch":
        """Return some of the topics, shape (T,)."""
        if wanted.all():
            return self
        rows = np.flatnonzero(wanted[self.candidates.topic])
        return Batch(
            tuple(compress(self.topics, wanted.tolist())),
            self.docnos.take(rows),
            self.candidates.of(wanted, rows),
        )

    def lines(self, values: Floats) -> Columns:
        """Return lines of the topics, in the order of the candidates, with these scores."""
        return Columns(
            self.topics,
            self.candidates.offsets,
            self.docnos,
            values,
            range(1, len(values) + 1),
        )


def read_side_by_side(
    runs: Sequence[RunSource],
    forms: Sequence[Form],
    rules: Rules,
    use: Callable[[Iterator["Together"]], Result],
    *,
    jobs: int = 1,
    progress: Callable[[str, int], None] | None = None,
    empty: set[bytes] | None = None,
    sizes: ReadSizes = USUAL,
) -> Result:
    """Return `use` of the topics of all runs; it is called anew if a run has scattered topics.

    Topics that a run names without any document are put into `empty`.

    Each topic comes once, when every run has passed it. Runs whose topics come in
    similar orders need little memory; a run with scattered topics is held in memory.

    Raises InputError for a run that cannot be read, or that lists a document twice.
    """
    held = {i for i, run in enumerate(runs) if run.is_file and not can_be_read_twice(run.path)}
    loaded: dict[int, Gathering | None] = {}
    at_once = max(sizes.ranked_lines // 4, 1)
    while True:
        with ExitStack() as opened:
            streams: list[Iterator[Columns]] = []
            for i, (run, form) in enumerate(zip(runs, forms, strict=True)):
                path, work = run.path, partial(_ranked, rules, run.path)
                if run.parts is not None:
                    streams.append(work_on_held([*run.parts], work, at_once=at_once))
                    continue
                report = partial(progress, path) if progress else None
                if i in held:
                    if i not in loaded:
                        others = [known.names for known in loaded.values() if known is not None]
                        every = map_blocks(path, form, itself, jobs=jobs, progress=report)
                        loaded[i] = _loaded(held_whole(every, path, sizes), *others[:1])
                    lines = loaded[i]
                    streams.append(lines.worked_on(work, at_once=at_once) if lines else iter(()))
                else:
                    # Threads work on what is read: more of them here would only hold more blocks.
                    read = partial(map_blocks, path, form, sizes=sizes, progress=report)
                    stream = stream_topics(path, read, work, sizes)
                    streams.append(opened.enter_context(closing(stream)))
            try:
                named = set[bytes]() if empty is None else empty
                numbered = [_numbered(i, stream, named) for i, stream in enumerate(streams)]
                return use(_together(numbered, sizes.ranked_lines))
            except _ScatteredError as error:
                held.add(error.run)


def _loaded(parts: Sequence[Columns], topics: Sequence[bytes] = ()) -> Gathering | None:
    """Return all lines of a run by their topics, the given ones first; None for no line."""
    return Gathering.from_parts(parts, topics) if parts else None


class _ScatteredError(Exception):
    """Raised when the lines of a topic of a streamed run are scattered."""

    def __init__(self, run: int) -> None:
        super().__init__(run)
        self.run = run


def _numbered(run: int, parts: Iterator[Columns], empty: set[bytes]) -> Iterator[Columns]:
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
    ranks = small(ranks_of(columns, rank_order(columns, rules)))
    return replace(columns, ranks=ranks, lines=range(len(columns)), kept={})


@frozen(eq=False)
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

    def batch(self) -> Batch:
        """Match the documents of the runs."""
        flat = [part for parts in self.parts for part in parts]
        docnos = one_column([lines.docnos for lines, _ in flat])
        topic = np.concatenate([np.repeat(code, sizes_of(p.starts)) for p, code in flat])
        first, which = distinct_pairs(docnos, topic)
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
        found = Candidates(offsets_of(sizes), scores, ranks, retrieved)
        return Batch(self.topics, docnos.take(first), found)


@frozen(eq=False)
class _Waiting:
    """A part of a run, and the numbers of its topics; -1 for those that have been passed on."""

    part: Columns
    codes: Integers

    def left(self) -> list["_Waiting"]:
        """Return the part, or a copy of the lines that wait if they are the smaller half of it."""
        waits = self.codes >= 0
        n_waiting = int(sizes_of(self.part.starts)[waits].sum())
        if 2 * n_waiting > len(self.part):
            return [self]
        return [_Waiting(_copied(self.part, waits), self.codes[waits])] if n_waiting else []

    def taken(self, wanted: Booleans) -> Columns:
        """Return some of the topics, shape (B,), as a view where they are adjacent."""
        first, last = int(wanted.argmax()), len(wanted) - int(wanted[::-1].argmax())
        if wanted[first:last].all():
            return self.part.part(first, last)
        return _copied(self.part, wanted)


def _copied(lines: Columns, wanted: Booleans) -> Columns:
    """Return some of the topics, shape (B,), without holding the memory of the others."""
    some = rows_of_topics(lines, np.flatnonzero(np.repeat(wanted, sizes_of(lines.starts))))
    return replace(some, docnos=some.docnos.take(np.arange(len(some))))


def _together(
    streams: Sequence[Iterator[Columns]], at_once: int
) -> Generator[Together, None, None]:
    """Yield topics once every run has them or has ended, at least `at_once` lines at a time."""
    known = _Topics(len(streams))
    waiting: list[list[_Waiting]] = [[] for _ in streams]
    live = dict(enumerate(streams))
    while live:
        run = min(live, key=known.n_seen.__getitem__)  # the one that is furthest behind
        part = next(live[run], None)
        if part is None:
            del live[run]
            known.end(run)
        else:
            waiting[run].append(_Waiting(part, known.see(run, part)))
        if known.complete_lines >= at_once or not live:
            for chosen in known.pass_on(at_once):
                yield _taken(waiting, known, chosen)


class _Topics:
    """The topics of several runs, numbered; which runs have them, and which are complete."""

    def __init__(self, runs: int) -> None:
        self.number: dict[bytes, int] = {}
        self.names: list[bytes] = []
        self.n_seen = [0] * runs
        self.complete_lines = 0
        self._seen = np.zeros((runs, 1024), dtype=bool)
        self._lines = np.zeros(1024, dtype=np.int64)
        self._done = np.zeros(1024, dtype=bool)
        self._complete: list[Integers] = []

    def see(self, run: int, lines: Columns) -> Integers:
        """Note the topics of a part of a run, and return their numbers."""
        for topic in lines.topics:
            if topic not in self.number:
                self.number[topic] = len(self.names)
                self.names.append(topic)
        self._make_room()
        codes = np.array([self.number[topic] for topic in lines.topics], dtype=np.int64)
        self.n_seen[run] += len(codes)
        self._seen[run, codes] = True
        self._lines[codes] += sizes_of(lines.starts)
        self._close(codes)
        return codes

    def end(self, run: int) -> None:
        """Note that a run has no further topics."""
        self._seen[run] = True
        self._close(np.arange(len(self.names)))

    def pass_on(self, at_once: int) -> Iterator[Integers]:
        """Yield the numbers of complete topics, each once, about `at_once` lines at a time."""
        found = np.sort(np.concatenate([*self._complete, np.zeros(0, dtype=np.int64)]))
        self._complete, self.complete_lines = [], 0
        piece = (np.cumsum(self._lines[found]) - 1) // at_once
        yield from (
            part for part in np.split(found, np.flatnonzero(np.diff(piece)) + 1) if len(part)
        )

    def _close(self, codes: Integers) -> None:
        whole = codes[self._seen[:, codes].all(axis=0) & ~self._done[codes]]
        self._done[whole] = True
        self._complete.append(whole)
        self.complete_lines += int(self._lines[whole].sum())

    def _make_room(self) -> None:
        room = self._seen.shape[1]
        while len(self.names) > room:
            # Beyond the last topic, a run that has ended is marked True.
            ended = self._seen[:, -1:]
            self._seen = np.concatenate([self._seen, np.repeat(ended, room, axis=1)], axis=1)
            self._lines = np.concatenate([self._lines, np.zeros(room, dtype=np.int64)])
            self._done = np.concatenate([self._done, np.zeros(room, dtype=bool)])
            room *= 2


def _taken(waiting: list[list[_Waiting]], known: _Topics, chosen: Integers) -> Together:
    """Take the lines of some topics from those that are waiting."""
    place = np.full(len(known.names), -1)
    place[chosen] = np.arange(len(chosen))
    taken: list[list[tuple[Columns, Integers]]] = []
    for parts in waiting:
        mine: list[tuple[Columns, Integers]] = []
        left: list[_Waiting] = []
        for held in parts:
            code = np.where(held.codes >= 0, place[held.codes], -1)
            wanted = code >= 0
            if not wanted.any():
                left.append(held)
                continue
            mine.append((held.taken(wanted), code[wanted]))
            left += _Waiting(held.part, np.where(wanted, -1, held.codes)).left()
        parts[:] = left
        taken.append(mine)
    return Together(tuple(known.names[code] for code in chosen.tolist()), taken)


def one_column(parts: Sequence[Docnos]) -> Docnos:
    """Return several columns of docnos as one; a list if all of them are."""
    if len(parts) == 1:
        return parts[0]
    plain = [isinstance(part, PlainDocnos) for part in parts]
    first, *others = parts
    if plain[0] and not all(plain):
        from rankeval.io.parsers.names import Names

        first = Names.from_names(first.tolist())
    return first.followed_by(others)


def distinct_pairs(docnos: Docnos, topic: Integers) -> tuple[Integers, Integers]:
    """Return the first row of each distinct pair, by topic, and the number of each row's pair.

    `topic` is the number of each row's topic. Pairs are numbered topic by topic.
    """
    first, which = _by_hash(docnos, topic) or _by_name(docnos, topic)
    kind = np.uint16 if topic.max(initial=0) < 1 << 16 else np.int64  # two bytes sort fastest
    order = np.argsort(topic[first].astype(kind), kind="stable")
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    return first[order], number[which]


def _by_hash(docnos: Docnos, topic: Integers) -> tuple[Integers, Integers] | None:
    """Number pairs by hashes of both; None for a list, or where different pairs have equal ones."""
    if isinstance(docnos, PlainDocnos):
        return None
    from rankeval.io.parsers.names import Names, distinct

    return distinct(docnos.texts, docnos.hashes, topic) if isinstance(docnos, Names) else None


def _by_name(docnos: Docnos, topic: Integers) -> tuple[Integers, Integers]:
    known: dict[tuple[int, bytes], int] = {}
    numbers = count()
    pairs = zip(topic.tolist(), docnos.tolist(), strict=True)
    which = np.array(
        [known[p] if p in known else known.setdefault(p, next(numbers)) for p in pairs]
    )
    first = np.empty(len(known), dtype=np.int64)
    first[which[::-1]] = np.arange(len(which) - 1, -1, -1)  # the last assignment stays
    return first, which
