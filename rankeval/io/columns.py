"""Columns: the parsed lines of a run or of judgments, and how a format lays them out."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

import numpy as np

from rankeval.base.arrays import Floats, Integers, NDArray, owner, position
from rankeval.base.frozen import field, frozen, record, replace
from rankeval.io.column_names import KEPT, value_role
from rankeval.io.names import Names, Rows, topics_of


@record
class Columns:
    """Parsed lines, in the order of the file.

    ======= ================ ==============================================================
    topics  B bytes          the topic of each stretch of adjacent lines with the same topic
    starts  (B+1,) int64     stretch b has the rows starts[b] to starts[b+1]
    docnos  N names
    values  (N,) float64     scores, or grades
    lines   N integers       1-based line numbers in the file
    tags    some bytes       the run tags that occur; empty for judgments
    last_tag bytes           the tag of the last line
    kept    N names each     further fields that the layout wants kept, by role
    ranks   (N,)             the rank column; None where the layout does not ask for it
    empty   some bytes       topics that are named without any line, in the whole of the file
    alone   true or false    True if these are all lines of the file
    ======= ================ ==============================================================
    """

    topics: Sequence[bytes]
    starts: Integers
    docnos: Names
    values: Floats
    lines: Sequence[int] | Integers
    tags: frozenset[bytes] = frozenset()
    last_tag: bytes = b""
    kept: Mapping[str, Names] = field(default_factory=dict)
    ranks: NDArray[Any] | None = None
    empty: tuple[bytes, ...] = ()
    alone: bool = False

    @classmethod
    def of_rows(
        cls,
        topic: Names,
        docnos: Names,
        values: Floats,
        lines: Sequence[int] | Integers,
        tag: Names | None = None,
        **others: Any,
    ) -> Self:
        """Put rows together, of each of which the topic and the tag are given."""
        topics, starts = topic.stretches()
        tags = [] if tag is None else tag.stretches()[0].tolist()
        return cls(
            topics=topics_of(topics),
            starts=np.append(starts, len(values)),
            docnos=docnos,
            values=values,
            lines=lines,
            tags=frozenset(tags),
            last_tag=b"".join(tags[-1:]),
            **others,
        )

    def __len__(self) -> int:
        return len(self.values)

    def part(self, first: int, last: int) -> "Columns":
        """Return the stretches from `first` to before `last`."""
        rows = slice(int(self.starts[first]), int(self.starts[last]))
        starts = self.starts[first : last + 1] - rows.start
        return self.taken(rows, starts, self.topics[first:last])

    def pieces(self, size: int) -> "Iterator[Columns]":
        """Yield adjacent lines, at most `size` at once, whatever their topics."""
        for start in range(0, len(self), size):
            stop = min(start + size, len(self))
            first = int(np.searchsorted(self.starts, start, "right")) - 1
            last = int(np.searchsorted(self.starts, stop, "left"))
            starts = np.clip(self.starts[first : last + 1], start, stop) - start
            yield self.taken(slice(start, stop), starts, self.topics[first:last])

    def taken(
        self, rows: Rows, starts: Integers, topics: Sequence[bytes] | None = None
    ) -> "Columns":
        """Some rows, in any order, in as many stretches of the same topics, or of these."""
        lines: Any = self.lines
        if not isinstance(rows, slice):
            lines = rows + lines.start if isinstance(lines, range) else np.asarray(lines)[rows]
        return replace(
            self,
            topics=self.topics if topics is None else topics,
            starts=starts,
            docnos=self.docnos.view(rows),
            values=self.values[rows],
            lines=lines[rows] if isinstance(rows, slice) else lines,
            kept={role: names.view(rows) for role, names in self.kept.items()},
            ranks=None if self.ranks is None else self.ranks[rows],
        )


def stretches(columns: Columns) -> Integers:
    """Return the index of the stretch of each row."""
    return owner(columns.starts)


def ranks_of(columns: Columns, order: Integers) -> Integers:
    """Return the rank of each row in its topic, from 1; `order` has the rows topic by topic."""
    ranks = np.empty(len(columns), dtype=np.int64)
    ranks[order] = position(columns.starts) + 1
    return ranks


def as_single(values: Floats) -> Floats:
    """Round to 32-bit floats, as trec_eval 9 does; too large values become infinite."""
    with np.errstate(over="ignore"):
        return values.astype(np.float32).astype(np.float64)


def decimal_number(text: bytes) -> float:
    """Read a decimal number; ValueError also for underscores, which Python allows."""
    if b"_" in text:
        raise ValueError
    return float(text)


def is_number(text: bytes) -> bool:
    """Return True if a field is a decimal number, infinite or not."""
    with suppress(ValueError):
        float(text)
        return b"_" not in text
    return False


def number_or_nan(text: bytes) -> float:
    """Read a decimal number; NaN for any other text."""
    return float(text) if is_number(text) else math.nan


@frozen
class Layout:
    """The layout of the lines of a format.

    ========== ===========================================================================
    what       "run" or "qrels"
    fields     the names of the fields of a line
    value      which field holds the number, None if a line without a number means 1, and
    value_name what it is called
    tag        which field holds the run tag; None for judgments
    rank       which field holds the rank, if ranks are to be read; None if not
    more       further fields at the end of a line are ignored
    integers   which fields are integers, whatever they are for
    comments   lines that begin with # are skipped
    number     reads the number; ValueError when it is none
    decimal    `number` gives what float() gives wherever that takes a text without underscores
    finite     infinite numbers and NaN are refused
    topic      which field holds the topic, and
    docno      which the docno
    ranked     the number is a rank, and the score is the rank below zero
    split      cuts a line into its fields, or raises ValueError; None: at white space
    separator  the one byte at which the fast parser may cut lines without a quote
    objects    each line is a JSON object, and the fields are the values under these names
    kept       roles and fields that are kept as they are
    ========== ===========================================================================
    """

    what: str
    fields: tuple[str, ...]
    value: int | None
    value_name: str
    tag: int | None = None
    more: bool = False
    integers: tuple[int, ...] = ()
    comments: bool = True
    number: Callable[[bytes], float] = decimal_number
    decimal: bool = True
    finite: bool = True
    topic: int = 0
    docno: int = 2
    ranked: bool = False
    split: Callable[[bytes], list[bytes]] | None = None
    separator: bytes = b""
    objects: bool = False
    kept: tuple[tuple[str, int], ...] = ()
    rank: int | None = None

    @classmethod
    def by_roles(
        cls,
        what: str,
        names: Sequence[str],
        roles: Mapping[str, int],
        split: Callable[[bytes], list[bytes]] | None = None,
        separator: bytes = b"",
        *,
        objects: bool = False,
    ) -> Self:
        """Lay out lines with named fields; `roles` has the place of each role's field."""
        value_name = value_role(what, roles)
        return cls(
            what=what,
            fields=tuple(names),
            value=roles.get(value_name),  # none where the folder's name says it
            value_name=value_name,
            tag=roles.get("tag"),
            comments=not objects,
            topic=roles["topic"],
            docno=roles["docno"],
            ranked=value_name == "rank",
            split=split,
            separator=separator,
            objects=objects,
            kept=tuple((role, roles[role]) for role in KEPT[what] if role in roles),
        )

    def with_ranks(self, rank: int | None, *, alone: bool) -> Self:
        """Return the layout with a rank column to be read, as the only number if `alone`."""
        if rank is None or not alone:
            return replace(self, rank=rank)
        return replace(self, rank=rank, value=rank, value_name="rank", ranked=True)
