"""Lines brought together by topic, where blocks or the file itself have them apart."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, compress, pairwise
from typing import Self

import numpy as np

from rankeval.base.arrays import Integers, offsets_of, small
from rankeval.base.frozen import frozen
from rankeval.errors import InputError
from rankeval.io.parsers.columns import Columns, Repeating
from rankeval.io.sources.blocks import display_name

MOST_HELD = 50_000_000
"""Lines that may be in memory at once; each takes about a hundred bytes."""


def hold(held: list[Columns], part: Columns, path: str = "") -> None:
    """Add lines to those in memory; InputError if they are too many."""
    held.append(part)
    if sum(map(len, held)) > MOST_HELD:
        raise InputError(
            f"more than {MOST_HELD:,} lines of a topic, or of topics that are scattered over a "
            "file or come through a pipe, would have to be in memory at once",
            place=display_name(path),
            remedy="sort the file by topic, and name it instead of piping it in",
        )


def held_whole(parts: Iterable[Columns], path: str) -> list[Columns]:
    """Return all parts of a file; InputError if they are too many lines for memory."""
    found: list[Columns] = []
    for part in parts:
        hold(found, part, path)
    return found


def bytes_of(part: Columns) -> int:
    """Return the bytes that the docnos of a table take; 0 for those of other files."""
    return int(getattr(getattr(part.docnos, "column", None), "nbytes", 0))


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
    """Lines of topics that may be scattered over them, and how each topic's are brought together.

    ====== ================ ===============================================================
    lines  N lines          in the order of the file, not yet in stretches
    names  T bytes          the topics
    order  (N,) int32       the lines topic by topic; None where they stand so
    starts (T+1,) int64     topic t has the lines order[starts[t]] to order[starts[t+1]]
    ====== ================ ===============================================================
    """

    lines: Columns
    names: Sequence[bytes]
    order: Integers | None
    starts: Integers

    @classmethod
    def from_parts(cls, parts: Sequence[Columns], first: Sequence[bytes] = ()) -> Self:
        """Find which lines belong together.

        The topics of `first` come in that order, the others behind them in that of the file.
        """
        names, codes = _numbered([part.topics for part in parts], first)
        sizes = [np.diff(part.starts) for part in parts]
        topics = chain.from_iterable(part.topics for part in parts)
        if len(names) == sum(map(len, sizes)) and names == tuple(topics):
            starts = offsets_of(np.concatenate(sizes))
            whole = parts[0] if len(parts) == 1 else _one_after_the_other(parts, names, starts)
            return cls(whole, names, None, starts)
        # Numbers of two bytes are sorted by their digits, several times faster.
        kind = np.uint16 if len(names) <= 1 << 16 else np.int64
        code = np.concatenate(
            [np.repeat(c.astype(kind), n) for c, n in zip(codes, sizes, strict=True)]
        )
        n_lines = np.bincount(code, minlength=len(names))
        names = tuple(compress(names, n_lines.tolist()))
        starts = offsets_of(n_lines[n_lines > 0])
        order = small(np.argsort(code, kind="stable"))
        return cls(_one_after_the_other(parts, names, np.array([0])), names, order, starts)

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
        if self.order is None:
            return self.lines.part(first, last)
        start, stop = self.starts[first], self.starts[last]
        rows = self.order[start:stop].astype(np.int64)
        lines = self.lines.taken(rows, self.starts[first : last + 1] - start)
        return replace(lines, topics=self.names[first:last])


def _numbered(
    topics: Sequence[Sequence[bytes]], first: Sequence[bytes]
) -> tuple[tuple[bytes, ...], list[Integers]]:
    """Return `first`, then the other names in the order of the file, and each name's number."""
    known = {name: number for number, name in enumerate(first)}
    numbers = []
    for names in topics:
        distinct = names.distinct if isinstance(names, Repeating) else names
        found = np.array([known.setdefault(name, len(known)) for name in distinct])
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
    )
