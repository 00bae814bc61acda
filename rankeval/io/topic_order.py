"""Bring the lines of each topic together while a file is read, or hold all of its lines."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain, compress, pairwise
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np

from rankeval.base.arrays import Integers, NDArray, offsets_of, small
from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order
from rankeval.base.wording import listed
from rankeval.errors import InputError
from rankeval.io.formats.formats import IRDS, is_packed
from rankeval.io.parsers.columns import Columns, Repeating
from rankeval.io.read_sizes import USUAL, ReadSizes
from rankeval.io.sources.blocks import display_name, is_rereadable
from rankeval.io.sources.parts import sizes_of

LONG_DOCNOS = (1 << 30, 1 << 8), (1 << 26, 1 << 12)
"""Bytes of docnos that are not held if each of them takes more bytes, on average, than a name."""


class Held:
    """Lines in memory, which InputError ends where they, or their docnos, are too many."""

    def __init__(self, path: str = "", sizes: ReadSizes = USUAL) -> None:
        self.path, self.sizes = path, sizes
        self.clear()

    def clear(self) -> None:
        """Forget all lines."""
        self.parts: list[Columns] = []
        self.n_lines = self.n_bytes = 0

    def add(self, part: Columns) -> None:
        """Add lines to those in memory."""
        self.parts.append(part)
        self.n_lines += len(part)
        self.n_bytes += bytes_of(part)
        if self.n_lines > self.sizes.held_lines:
            raise InputError(
                f"more than {self.sizes.held_lines:,} lines of a topic, or of topics that are "
                "scattered over a file or come through a pipe, would have to be in memory at once",
                place=display_name(self.path),
                remedy="sort the file by topic, and name it instead of piping it in",
            )
        if any(self.n_bytes > max(most, size * self.n_lines) for most, size in LONG_DOCNOS):
            raise InputError(
                f"the docnos take {self.n_bytes >> 20} MB and more, "
                f"{self.n_bytes // self.n_lines:,} bytes each",
                place=display_name(self.path),
                remedy="check that the right column is read; a docno is a short name",
            )


def held_whole(parts: Iterable[Columns], path: str, sizes: ReadSizes = USUAL) -> list[Columns]:
    """Return all parts of a file; InputError if they are too many lines for memory."""
    held = Held(path, sizes)
    for part in parts:
        held.add(part)
    return held.parts


def bytes_of(part: Columns) -> int:
    """Return the bytes that docnos take in memory."""
    names: Any = part.docnos
    return (
        int(names.texts.lengths.sum()) if hasattr(names, "texts") else sum(map(len, names.tolist()))
    )


def joined(parts: Sequence[Columns]) -> Columns:
    """Return the lines of one topic from adjacent blocks as one part."""
    if len(parts) == 1:
        return parts[0]
    n_lines = sum(map(len, parts))
    return _one_after_the_other(parts, parts[0].topics, np.array([0, n_lines]))


def gathered(parts: Sequence[Columns]) -> Columns:
    """Return the lines of each topic together, topics and lines in the order of the file."""
    found = Gathering.from_parts(parts)
    return found.topics(0, len(found.names))


@frozen(eq=False)
class Gathering:
    """Lines of T topics that may be scattered over P parts of n lines each, to be brought together.

    ====== =============== ================================================================
    parts  P of them       in the order of the file; one if no topic is scattered
    names  T bytes         the topics
    orders P times (n,)    the rows of a part, topic by topic; none if no topic is scattered
    codes  P times (n,)    the index of the topic of each of these rows, ascending
    starts (T+1,) int64    topic t has starts[t+1] - starts[t] lines
    ====== =============== ================================================================
    """

    parts: Sequence[Columns]
    names: Sequence[bytes]
    orders: Sequence[Integers]
    codes: Sequence[NDArray[np.integer[Any]]]
    starts: Integers

    @classmethod
    def from_parts(cls, parts: Sequence[Columns], first: Sequence[bytes] = ()) -> Self:
        """Find which lines belong together.

        The topics of `first` come in that order, the others behind them in that of the file.
        """
        names, numbers = _numbered([part.topics for part in parts], first)
        sizes = [np.diff(part.starts) for part in parts]
        topics = chain.from_iterable(part.topics for part in parts)
        if len(names) == sum(map(len, sizes)) and names == tuple(topics):
            starts = offsets_of(np.concatenate(sizes))
            whole = parts[0] if len(parts) == 1 else _one_after_the_other(parts, names, starts)
            return cls([whole], names, [], [], starts)
        n_lines = np.bincount(np.concatenate(numbers), np.concatenate(sizes), len(names))
        has_lines = n_lines > 0
        names = tuple(compress(names, has_lines.tolist()))
        # Numbers of two bytes are sorted by their digits, several times faster.
        kind = np.uint16 if len(names) <= 1 << 16 else np.int64
        code: NDArray[np.integer[Any]] = (np.cumsum(has_lines) - 1).astype(kind)
        codes = [code[of].repeat(n) for of, n in zip(numbers, sizes, strict=True)]
        orders = [small(np.argsort(of, kind="stable")) for of in codes]
        in_order = [of[order] for of, order in zip(codes, orders, strict=True)]
        return cls(parts, names, orders, in_order, offsets_of(n_lines[has_lines].astype(np.int64)))

    @property
    def n_lines(self) -> int:
        """The number of lines."""
        return int(self.starts[-1])

    def pieces(self, size: int) -> Iterator[tuple[int, int]]:
        """Yield the first topic and the one behind the last, for pieces of about `size` lines."""
        first = 0
        while first < len(self.names):
            enough = np.searchsorted(self.starts, self.starts[first] + size)
            last = min(max(int(enough), first + 1), len(self.names))
            yield first, last
            first = last

    def topics(self, first: int, last: int) -> Columns:
        """Return the lines of some topics."""
        if not self.orders:
            return self.parts[0].part(first, last)
        names, starts = self.names[first:last], self.starts[first : last + 1] - self.starts[first]
        found, codes = [], []
        for part, order, code in zip(self.parts, self.orders, self.codes, strict=True):
            start, stop = code.searchsorted((first, last))
            if start < stop:
                found.append(part.taken(order[start:stop].astype(np.int64), starts))
                codes.append(code[start:stop])
        lines = found[0]
        if len(found) > 1:
            by_topic = np.argsort(np.concatenate(codes), kind="stable")
            lines = _one_after_the_other(found, names, starts).taken(by_topic, starts)
        last_tag, empty = self.parts[-1].last_tag, empty_topics(self.parts)
        return replace(lines, topics=names, last_tag=last_tag, empty=empty)


def _numbered(
    topics: Sequence[Sequence[bytes]], first: Sequence[bytes]
) -> tuple[tuple[bytes, ...], list[Integers]]:
    """Return `first`, then the other names in the order of the file, and each name's number."""
    known = {name: number for number, name in enumerate(first)}
    numbers = []
    for names in topics:
        distinct = names.distinct if isinstance(names, Repeating) else names
        found = np.array([known.setdefault(name, len(known)) for name in distinct], dtype=np.int64)
        numbers.append(found[names.which] if isinstance(names, Repeating) else found)
    return tuple(known), numbers


def _line_numbers(parts: Sequence[Columns]) -> Sequence[int] | Integers:
    found: list[range] = [part.lines for part in parts if isinstance(part.lines, range)]
    if len(found) == len(parts) and all(a.stop == b.start for a, b in pairwise(found)):
        return range(found[0].start, found[-1].stop)
    # numpy would go through a range number by number
    return np.concatenate(
        [
            np.arange(n.start, n.stop) if isinstance(n, range) else np.asarray(n)
            for n in (part.lines for part in parts)
        ]
    )


def _one_after_the_other(
    parts: Sequence[Columns], topics: Sequence[bytes], starts: Integers
) -> Columns:
    """Return the lines of all parts, under the given topics."""
    first, *others = parts
    ranks = [part.ranks for part in parts if part.ranks is not None]
    unranked = any(part.ranks is None and len(part) for part in parts)  # of parts in other formats
    return Columns(
        topics=topics,
        starts=starts,
        docnos=first.docnos.followed_by([part.docnos for part in others]),
        values=np.concatenate([part.values for part in parts]),
        lines=_line_numbers(parts),
        tags=frozenset().union(*(part.tags for part in parts)),
        last_tag=parts[-1].last_tag,
        kept={
            role: names.followed_by([part.kept[role] for part in others])
            for role, names in first.kept.items()
        },
        ranks=None if unranked or not ranks else np.concatenate(ranks),
        empty=empty_topics(parts),
    )


def empty_topics(parts: Iterable[Columns]) -> tuple[bytes, ...]:
    """Return the topics that are named without any line, in the order of the file."""
    return tuple(dict.fromkeys(chain.from_iterable(part.empty for part in parts)))


Part = TypeVar("Part")
Result = TypeVar("Result")


LONG_NAMES = 16 << 20
"""Bytes of docnos that are not held together, as one topic of long ones may take."""


class BlockReader(Protocol):
    """Reads a file from its beginning and applies a function to each block, as `map_blocks`."""

    def __call__(self, function: Callable[[Columns], Part], /) -> Generator[Part, None, None]: ...


class TopicComesBackError(Exception):
    """Raised when a topic has lines apart from its other lines."""

    def __init__(self, topic: bytes) -> None:
        super().__init__(topic)
        self.topic = topic


def stream_or_hold(
    path: str,
    read: BlockReader,
    work: Callable[[Columns], Part],
    use: Callable[[Iterator[Part]], Result],
    *,
    look: BlockReader | None = None,
    at_once: int | None = None,
    jobs: int = 1,
    sizes: ReadSizes = USUAL,
) -> Result:
    """Return `use` of the parts of a file; a part is `work` of all lines of one or more topics.

    ======== ==============================================================================
    read     reads the file; `work` is applied in its threads
    look     reads it before, if `use` cannot begin anew
    at_once  lines that are worked on together if their topics need not come in the order of the
             file: all if they are held, else those of topics at the borders of blocks; None
             keeps the order, and makes one part of lines that are held
    jobs     threads that work on lines that are held
    ======== ==============================================================================

    Topics are worked on while the file is read, so that memory does not grow with the file. All
    lines are held if the file has one block, or cannot be read twice, or has topics that come
    back after others. If only reading shows that, `use` begins anew with the lines held. A `use`
    that cannot begin anew gives `look`: it holds the lines of files in which topics come back, and
    streams what cannot be read twice.

    Raises InputError if more lines than memory takes would be held, or if a topic comes back in
    what cannot be read twice and is streamed.
    """
    if not _is_held(path, look, sizes):
        try:
            with closing(stream_topics(path, read, work, at_once=at_once, sizes=sizes)) as parts:
                return use(parts)
        except TopicComesBackError as error:
            if look is not None:
                raise _comes_back(error.topic, path) from None
    held = held_whole(read(itself), path, sizes)
    return use(work_on_held(held, work, at_once=at_once, jobs=jobs))


def stream_topics(
    path: str,
    read: BlockReader,
    work: Callable[[Columns], Part],
    *,
    at_once: int | None = None,
    sizes: ReadSizes = USUAL,
) -> Generator[Part, None, None]:
    """Yield the parts of a file while it is read; TopicComesBackError where topics are scattered.

    They come in the order of the file, unless `at_once` says how many lines of topics at the
    borders of blocks may be worked on together, later. Whoever stops early closes the generator.
    """
    with closing(read(partial(_cut, work))) as cuts:
        yield from _whole_topics(cuts, work, path, at_once, sizes)


def is_streamed(path: str, sizes: ReadSizes = USUAL) -> bool:
    """Return True for a file of several blocks, which can be read anew from its beginning."""
    return is_rereadable(path) and not _is_held(path, None, sizes)


def work_on_held(
    parts: Sequence[Columns],
    work: Callable[[Columns], Part],
    *,
    at_once: int | None = None,
    jobs: int = 1,
) -> Iterator[Part]:
    """Work on lines in any order of topics, on whole topics of about `at_once` lines at a time."""
    if parts:
        yield from work_on_gathered(Gathering.from_parts(parts), work, at_once=at_once, jobs=jobs)


def work_on_gathered(
    found: Gathering | None,
    work: Callable[[Columns], Part],
    *,
    at_once: int | None = None,
    jobs: int = 1,
) -> Iterator[Part]:
    """Work on lines whose topics are known, as `work_on_held`; None is no line."""
    if found is not None:
        # Without a line there may still be topics, of which nothing is known but the names.
        pieces = list(found.pieces(at_once or found.n_lines)) or [(0, 0)]
        jobs = min(jobs, len(pieces))  # one piece needs no threads, nor the time to import them
        yield from in_order(lambda first, last: work(found.topics(first, last)), iter(pieces), jobs)


def itself(columns: Columns) -> Columns:
    """Return the columns, where nothing is to be done with them."""
    return columns


def _is_held(path: str, look: BlockReader | None, sizes: ReadSizes) -> bool:
    """Return True if all lines are to be held from the start."""
    if is_rereadable(path):
        files = sizes_of(path)
        small = sum(size for _, size in files) <= sizes.block_bytes
        if small and not any(is_packed(file) for file, _ in files):
            return True
    elif not path.startswith(IRDS):
        return look is None
    return look is not None and not _are_together(look(lambda columns: columns.topics))


def _are_together(blocks: Iterable[Sequence[bytes]]) -> bool:
    """Return True if the lines of each topic are together; `blocks` has topics of stretches."""
    seen: set[bytes] = set()
    last = None
    for topics in blocks:
        for topic in topics:
            if topic != last and topic in seen:
                return False
            seen.add(topic)
            last = topic
    return True


@frozen(eq=False)
class _Cut(Generic[Part]):
    """A block of a file: its inner topics worked on, its first and last topic still open."""

    topics: Sequence[bytes]
    first: Columns
    inner: Part | None = None
    last: Columns | None = None


def _cut(work: Callable[[Columns], Part], columns: Columns) -> _Cut[Part]:
    topics = columns.topics
    last = len(topics) - 1
    _add_new(topics, set())
    if last < 1:
        return _Cut(topics, columns)
    inner = work(columns.part(1, last)) if last > 1 else None
    return _Cut(topics, columns.part(0, 1), inner, columns.part(last, last + 1))


def _whole_topics(
    cuts: Iterable[_Cut[Part]],
    work: Callable[[Columns], Part],
    path: str,
    at_once: int | None,
    sizes: ReadSizes,
) -> Iterator[Part]:
    """Yield the parts of a file, those of open topics once all their lines are there.

    The last part has the last line. TopicComesBackError if the lines of a topic are not
    together.
    """
    seen: set[bytes] = set()
    pending = Held(path, sizes)
    waiting: list[Columns] = []

    def closed() -> Columns:
        _add_new(pending.parts[0].topics, seen)
        columns = joined(pending.parts)
        pending.clear()
        return columns

    def close() -> Iterator[Part]:
        # The lines of one part are a view of their whole block.
        if at_once is None or len(pending.parts) == 1:
            yield work(closed())
            return
        waiting.append(closed())
        if sum(map(len, waiting)) > at_once or sum(map(bytes_of, waiting)) > LONG_NAMES:
            yield from work_on_held(waiting, work)
            waiting.clear()

    for cut in cuts:
        if pending.parts and pending.parts[0].topics != cut.first.topics:
            yield from close()
        pending.add(cut.first)
        if cut.last is not None:
            yield from close()
            if cut.inner is not None:
                _add_new(cut.topics[1:-1], seen)
                yield cut.inner
            pending.add(cut.last)
    yield from work_on_held(waiting, work)
    if pending.parts:
        yield work(closed())


def _add_new(topics: Sequence[bytes], seen: set[bytes]) -> None:
    """Add topics to those that were seen; TopicComesBackError if one of them was."""
    new = set(topics)
    if len(new) == len(topics) and seen.isdisjoint(new):
        seen |= new
        return
    for topic in topics:
        if topic in seen:
            raise TopicComesBackError(topic)
        seen.add(topic)


def _comes_back(topic: bytes, path: str) -> InputError:
    return InputError(
        f"topic {listed([topic])} comes back after others, and this input cannot be "
        "read twice to bring its lines together",
        place=display_name(path),
        remedy="write it to a file first, or sort it by topic",
    )
