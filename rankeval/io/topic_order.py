"""Pass a file on topic by topic while it is read, or hold all of its lines."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Generic, Protocol, TypeVar

from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order
from rankeval.base.wording import listed
from rankeval.errors import InputError
from rankeval.io.formats.detect_format import IRDS, is_packed
from rankeval.io.parsers.columns import Columns
from rankeval.io.sources.blocks import BLOCK_SIZE, display_name, is_rereadable
from rankeval.io.sources.parts import sizes_of
from rankeval.io.topic_stretches import Gathering, bytes_of, held_whole, hold, joined

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
    again: BlockReader | None = None,
    at_once: int | None = None,
    jobs: int = 1,
    block_size: int = BLOCK_SIZE,
) -> Result:
    """Return `use` of the parts of a file; a part is `work` of all lines of one or more topics.

    ======== ==============================================================================
    read     reads the file; `work` is applied in its threads
    look     reads it before, if `use` cannot begin anew
    again    reads it a second time; by default `read`
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
    if not _is_held(path, look, block_size):
        try:
            with closing(stream_topics(path, read, work, at_once=at_once)) as parts:
                return use(parts)
        except TopicComesBackError as error:
            if look is not None:
                raise _comes_back(error.topic, path) from None
            read = again or read
    held = held_whole(read(itself), path)
    return use(work_on_held(held, work, at_once=at_once, jobs=jobs))


def stream_topics(
    path: str, read: BlockReader, work: Callable[[Columns], Part], *, at_once: int | None = None
) -> Generator[Part, None, None]:
    """Yield the parts of a file while it is read; TopicComesBackError where topics are scattered.

    They come in the order of the file, unless `at_once` says how many lines of topics at the
    borders of blocks may be worked on together, later. Whoever stops early closes the generator.
    """
    with closing(read(partial(_cut, work))) as cuts:
        yield from _whole_topics(cuts, work, path, at_once)


def is_streamed(path: str) -> bool:
    """Return True for a file of several blocks, which can be read anew from its beginning."""
    return is_rereadable(path) and not _is_held(path, None, BLOCK_SIZE)


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
        pieces = list(found.pieces(at_once or len(found.lines)))
        jobs = min(jobs, len(pieces))  # one piece needs no threads, nor the time to import them
        yield from in_order(lambda first, last: work(found.topics(first, last)), iter(pieces), jobs)


def itself(columns: Columns) -> Columns:
    """Return the columns, where nothing is to be done with them."""
    return columns


def _is_held(path: str, look: BlockReader | None, block_size: int) -> bool:
    """Return True if all lines are to be held from the start."""
    if is_rereadable(path):
        sizes = sizes_of(path)
        small = sum(size for _, size in sizes) <= block_size
        if small and not any(is_packed(file) for file, _ in sizes):
            return True
    elif not path.startswith(IRDS):
        return look is None
    return look is not None and not _stand_together(look(lambda columns: columns.topics))


def _stand_together(blocks: Iterable[Sequence[bytes]]) -> bool:
    """Return True if the lines of each topic stand together; `blocks` has topics of stretches."""
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
    if not last:
        return _Cut(topics, columns)
    inner = work(columns.part(1, last)) if last > 1 else None
    return _Cut(topics, columns.part(0, 1), inner, columns.part(last, last + 1))


def _whole_topics(
    cuts: Iterable[_Cut[Part]], work: Callable[[Columns], Part], path: str, at_once: int | None
) -> Iterator[Part]:
    """Yield the parts of a file, those of open topics once all their lines are there.

    The last part has the last line. TopicComesBackError where the lines of a topic do not stand
    together.
    """
    seen: set[bytes] = set()
    pending: list[Columns] = []
    waiting: list[Columns] = []

    def closed() -> Columns:
        _add_new(pending[0].topics, seen)
        columns = joined(pending)
        pending.clear()
        return columns

    def close() -> Iterator[Part]:
        if at_once is None or len(pending) == 1:  # whose lines are a view of their whole block
            yield work(closed())
            return
        waiting.append(closed())
        if sum(map(len, waiting)) > at_once or sum(map(bytes_of, waiting)) > LONG_NAMES:
            yield from work_on_held(waiting, work)
            waiting.clear()

    for cut in cuts:
        if pending and pending[0].topics != cut.first.topics:
            yield from close()
        hold(pending, cut.first, path)
        if cut.last is not None:
            yield from close()
            if cut.inner is not None:
                _add_new(cut.topics[1:-1], seen)
                yield cut.inner
            pending.append(cut.last)
    yield from work_on_held(waiting, work)
    if pending:
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
