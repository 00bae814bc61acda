"""Bring the lines of each topic together while a file is read, or hold all of its lines."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain, pairwise
from typing import Any, TypeVar

import numpy as np

from rankeval.base.arrays import Integers, offsets_of, owner, sizes_of
from rankeval.base.frozen import replace
from rankeval.base.threads import in_order
from rankeval.base.wording import listed
from rankeval.errors import InputError
from rankeval.io import kernel
from rankeval.io.blocks import USUAL, ReadSizes, display_name, is_rereadable
from rankeval.io.columns import Columns
from rankeval.io.formats import IRDS
from rankeval.io.names import Names, NumberedTopics, Texts, compiled

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


def gathered(parts: Sequence[Columns], *, anew: bool = False) -> Columns:
    """Return the lines of each topic together, topics and lines in the order of the file.

    With `anew`, lines that the compiled reader found are in memory of their own.
    """
    starts, topics = _together(parts, anew=anew)
    return topics(0, len(starts) - 1)


def _together(
    parts: Sequence[Columns], *, anew: bool = False
) -> tuple[Integers, Callable[[int, int], Columns]]:
    """Find the lines of T topics, which may be scattered; topics are in the order of the file.

    Returns where topics begin and end, shape (T+1,), and a function that gives those from one to
    before another.
    """
    names, numbers = _numbered([part.topics for part in parts])
    every, sizes = np.concatenate(numbers), np.concatenate([sizes_of(p.starts) for p in parts])
    starts = offsets_of(np.bincount(every, sizes, len(names)).astype(np.int64))
    scattered = not (every[1:] >= every[:-1]).all()
    table = kernel.table_of(parts) if (scattered or anew) and compiled() else None
    last_tag, empty = parts[-1].last_tag, empty_topics(parts)
    tags = frozenset[bytes]().union(*(part.tags for part in parts))
    whole = _one_after_the_other(parts) if table is None and len(parts) > 1 else parts[0]
    whole = replace(whole, topics=names, starts=starts, tags=tags, last_tag=last_tag, empty=empty)
    if not scattered and table is None:
        return starts, whole.part
    # Numbers of two bytes are sorted by their digits, several times faster.
    order = every.astype(np.uint16 if len(names) <= 1 << 16 else np.int64).argsort(kind="stable")
    which = owner(offsets_of(np.array([*map(len, numbers)])))[order]
    begin, sizes = np.concatenate([part.starts[:-1] for part in parts])[order], sizes[order]
    if table is None:
        begin += offsets_of(np.array([*map(len, parts)]))[which]
    bounds = offsets_of(np.bincount(every, minlength=len(names)))

    def topics(first: int, last: int) -> Columns:
        chosen, own = slice(bounds[first], bounds[last]), starts[first : last + 1] - starts[first]
        if table is None:
            rows = (begin[chosen] - offsets_of(sizes[chosen])[:-1]).repeat(sizes[chosen])
            rows += np.arange(len(rows))
            return whole.taken(rows, own, names[first:last])
        found = kernel.gathered(table, which[chosen], begin[chosen], sizes[chosen])
        text, lengths, lines, marks, values = found
        docnos = Names(Texts.from_sizes(text, lengths), marks)
        own_lines = replace(whole, docnos=docnos, values=values, lines=lines)
        return replace(own_lines, topics=names[first:last], starts=own)

    return starts, topics


def _numbered(topics: Sequence[Sequence[bytes]]) -> tuple[tuple[bytes, ...], list[Integers]]:
    """Return the names in the order of the file, and each name's number."""
    known: dict[bytes, int] = {}
    numbers = []
    for names in topics:
        used: Any = slice(None)
        every = names.names if isinstance(names, NumberedTopics) else names
        found = np.empty(len(every), dtype=np.int64)
        if isinstance(names, NumberedTopics):  # of a part of a block, which has more names
            used = np.flatnonzero(np.bincount(names.numbers))
            every = [every[at] for at in used.tolist()]
        found[used] = [known.setdefault(name, len(known)) for name in every]
        numbers.append(found[names.numbers] if isinstance(names, NumberedTopics) else found)
    return tuple(known), numbers


def _line_numbers(lines: Sequence[int] | Integers) -> Integers:
    return np.arange(lines.start, lines.stop) if isinstance(lines, range) else np.asarray(lines)


def _one_after_the_other(parts: Sequence[Columns]) -> Columns:
    """Return the lines of all parts, for topics to be added."""
    first, *others = parts
    ranks = [part.ranks for part in parts if part.ranks is not None]
    unranked = any(part.ranks is None and len(part) for part in parts)  # of parts in other formats
    return replace(
        first,
        docnos=first.docnos.followed_by([part.docnos for part in others]),
        values=np.concatenate([part.values for part in parts]),
        lines=np.concatenate([_line_numbers(part.lines) for part in parts]),
        kept={
            role: names.followed_by([part.kept[role] for part in others])
            for role, names in first.kept.items()
        },
        ranks=None if unranked or not ranks else np.concatenate(ranks),
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
    blocks = read(lambda columns: gathered([columns], anew=True))
    return use(work_on_held(held_whole(blocks, path, sizes), work, at_once=at_once, jobs=jobs))


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
    del parts  # which may be in memory once more
    # Without a line there may still be topics, of which nothing is known but the names.
    window = starts[:-1] // (at_once or starts[-1] + 1)
    firsts = np.flatnonzero(np.diff(window, prepend=-1)).tolist() or [0]
    pieces = [*pairwise((*firsts, len(window)))]
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
