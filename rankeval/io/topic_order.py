"""Bring the lines of each topic together while a file is read, or hold all of its lines."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain, pairwise
from typing import Any, TypeVar

import numpy as np

from rankeval.base.arrays import Integers, NDArray, offsets_of, sizes_of
from rankeval.base.frozen import replace
from rankeval.base.threads import in_order
from rankeval.base.wording import listed
from rankeval.errors import InputError
from rankeval.io.blocks import USUAL, ReadSizes, display_name, is_rereadable
from rankeval.io.columns import Columns
from rankeval.io.formats import IRDS
from rankeval.io.names import NumberedTopics

Part = TypeVar("Part")
Result = TypeVar("Result")


def require_room(n_lines: int, path: str, sizes: ReadSizes) -> None:
    """InputError for more lines than may be in memory at once."""
    if n_lines > sizes.held_lines:
        raise InputError(
            f"more than {sizes.held_lines:,} lines of a topic, or of topics that are "
            "scattered over a file or come through a pipe, would have to be in memory at once",
            place=display_name(path),
            remedy="sort the file by topic, and name it instead of piping it in",
        )


def held_whole(parts: Iterable[Columns], path: str, sizes: ReadSizes = USUAL) -> list[Columns]:
    """Return all parts of a file; InputError if they are too many lines for memory."""
    held: list[Columns] = []
    n_lines = 0
    for part in parts:
        held.append(part)
        n_lines += len(part)
        require_room(n_lines, path, sizes)
    return held


def gathered(parts: Sequence[Columns]) -> Columns:
    """Return the lines of each topic together, topics and lines in the order of the file."""
    starts, topics = _together(parts)
    return topics(0, len(starts) - 1)


def _together(parts: Sequence[Columns]) -> tuple[Integers, Callable[[int, int], Columns]]:
    """Find the lines of T topics, which may be scattered; topics are in the order of the file.

    Returns where topics begin and end, shape (T+1,), and a function that gives those from one to
    before another.
    """
    names, numbers = _numbered([part.topics for part in parts])
    sizes = [sizes_of(part.starts) for part in parts]
    every = np.concatenate(numbers)
    n_lines = np.bincount(every, np.concatenate(sizes), len(names))
    starts = offsets_of(n_lines.astype(np.int64))
    if (every[1:] >= every[:-1]).all():  # no topic is scattered
        if len(parts) > 1:
            return starts, _one_after_the_other(parts, names, starts).part
        return starts, replace(parts[0], topics=names, starts=starts).part
    # Numbers of two bytes are sorted by their digits, several times faster.
    kind = np.uint16 if len(names) <= 1 << 16 else np.int64
    codes: list[NDArray[Any]] = [
        of.astype(kind).repeat(n) for of, n in zip(numbers, sizes, strict=True)
    ]
    orders = [np.argsort(of, kind="stable").astype("i4") for of in codes]
    codes = [of[order] for of, order in zip(codes, orders, strict=True)]

    def topics(first: int, last: int) -> Columns:
        own = starts[first : last + 1] - starts[first]
        found, of_rows = [], []
        for part, order, code in zip(parts, orders, codes, strict=True):
            start, stop = code.searchsorted((first, last))
            if start < stop:
                found.append(part.taken(order[start:stop].astype(np.int64), own))
                of_rows.append(code[start:stop])
        lines = found[0]
        if len(found) > 1:
            by_topic = np.argsort(np.concatenate(of_rows), kind="stable")
            lines = _one_after_the_other(found, names[first:last], own).taken(by_topic, own)
        last_tag, empty = parts[-1].last_tag, empty_topics(parts)
        return replace(lines, topics=names[first:last], last_tag=last_tag, empty=empty)

    return starts, topics


def _numbered(topics: Sequence[Sequence[bytes]]) -> tuple[tuple[bytes, ...], list[Integers]]:
    """Return the names in the order of the file, and each name's number."""
    known: dict[bytes, int] = {}
    numbers = []
    for names in topics:
        distinct = names.names if isinstance(names, NumberedTopics) else names
        found = np.array([known.setdefault(name, len(known)) for name in distinct], dtype=np.int64)
        numbers.append(found[names.numbers] if isinstance(names, NumberedTopics) else found)
    return tuple(known), numbers


def _line_numbers(parts: Sequence[Columns]) -> Sequence[int] | Integers:
    found: list[range] = [part.lines for part in parts if isinstance(part.lines, range)]
    if len(found) == len(parts) and all(a.stop == b.start for a, b in pairwise(found)):
        return range(found[0].start, found[-1].stop)
    return np.concatenate([np.asarray(part.lines) for part in parts])


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


BlockReader = Callable[[Callable[[Columns], Any]], Generator[Any, None, None]]
"""Reads a file from its beginning and applies a function to each block, as `map_blocks`."""


class TopicComesBackError(InputError):
    """Raised when a topic has lines apart from its other lines."""

    def __init__(self, topic: bytes) -> None:
        super().__init__(
            f"topic {listed([topic])} comes back after others, whose lines are written already",
            remedy="sort it by topic, or write to a file",
        )


def stream_or_hold(
    path: str,
    read: BlockReader,
    work: Callable[[Columns], Part],
    use: Callable[[Iterator[Part]], Result],
    *,
    at_once: int | None = None,
    jobs: int = 1,
    sizes: ReadSizes = USUAL,
) -> Result:
    """Return `use` of the parts of a file; it begins anew if topics come back.

    A part is `work` of all lines of one or more topics. Topics are worked on while the file is
    read, so that memory does not grow with it; all lines are held of what cannot be read twice,
    and where topics come back. What is held comes as one part, or as parts of about `at_once`
    lines, on which `jobs` threads work.
    """
    if can_be_read_twice(path):
        with (
            suppress(TopicComesBackError),
            closing(stream_topics(path, read, work, sizes)) as parts,
        ):
            return use(parts)
    held = held_whole(read(itself), path, sizes)
    return use(work_on_held(held, work, at_once=at_once, jobs=jobs))


def can_be_read_twice(path: str) -> bool:
    """Return True unless a run comes through a pipe."""
    return is_rereadable(path) or path.startswith(IRDS)


def stream_topics(
    path: str, read: BlockReader, work: Callable[[Columns], Part], sizes: ReadSizes = USUAL
) -> Generator[Part, None, None]:
    """Yield the parts of a file while it is read, in its order; the last one has the last line.

    TopicComesBackError where the lines of a topic are apart, but not within a file of one block,
    which is one part. Whoever stops early closes the generator.
    """
    seen: set[bytes] = set()
    pending: list[Columns] = []

    def close() -> Part:
        lines = gathered(pending)
        pending.clear()
        return work(lines)

    with closing(read(partial(_cut, work))) as cuts:
        for topics, first, inner, last in cuts:
            goes_on = bool(pending and topics) and topics[0] == pending[0].topics[0]
            if pending and not goes_on:
                yield close()
            _require_new(topics[goes_on:], seen)
            seen.update(topics)
            if first is not None:
                pending.append(first)
                require_room(sum(map(len, pending)), path, sizes)
            if last is not None:
                yield close()
                pending.append(last)
            if inner is not None:
                yield inner
    if pending:
        yield close()


def work_on_held(
    parts: Sequence[Columns],
    work: Callable[[Columns], Part],
    *,
    at_once: int | None = None,
    jobs: int = 1,
) -> Iterator[Part]:
    """Work on lines in any order of topics, on whole topics of about `at_once` lines at a time."""
    if not parts:
        return
    starts, topics = _together(parts)
    # Without a line there may still be topics, of which nothing is known but the names.
    pieces: list[tuple[int, int]] = []
    first, n_topics = 0, len(starts) - 1
    while first < n_topics or not pieces:
        enough = int(starts.searchsorted(starts[first] + (at_once or starts[-1])))
        pieces.append((first, min(max(enough, first + 1), n_topics)))
        first = pieces[-1][1]
    jobs = min(jobs, len(pieces))  # one piece needs no threads, nor the time to import them
    yield from in_order(lambda first, last: work(topics(first, last)), iter(pieces), jobs)


def itself(columns: Columns) -> Columns:
    """Return the columns, where nothing is to be done with them."""
    return columns


Cut = tuple[Sequence[bytes], Columns | None, Part | None, Columns | None]


def _cut(work: Callable[[Columns], Part], columns: Columns) -> Cut[Part]:
    """Work on the inner topics of a block; return its topics, and the lines of the outer two.

    These are open: the blocks before and after may have more lines of them.
    """
    if columns.alone:
        return (), None, work(gathered([columns])), None
    topics, last = columns.topics, len(columns.topics) - 1
    _require_new(topics, set())
    if last < 1:
        return topics, columns, None, None
    inner = work(columns.part(1, last)) if last > 1 else None
    return topics, columns.part(0, 1), inner, columns.part(last, last + 1)


def _require_new(topics: Sequence[bytes], seen: set[bytes]) -> None:
    """Raise TopicComesBackError if a topic was seen, or is there twice."""
    new = set(topics)
    if len(new) < len(topics) or not seen.isdisjoint(new):
        counts = Counter([*seen.intersection(new), *topics])
        raise TopicComesBackError(next(topic for topic in topics if counts[topic] > 1))
