"""Columns: the parsed lines of a run or of judgments, and how a format lays them out."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, count, groupby, islice, pairwise, repeat
from typing import Any, Self, overload

import numpy as np

from rankeval.base.arrays import Floats, Integers, NDArray, owner, sizes_of, stretch_of
from rankeval.base.frozen import frozen
from rankeval.errors import InputError
from rankeval.io.parsers.column_names import (
    KEPT,
    value_role,
)

Rows = Integers | slice

MOST_REPEATED = 2_000_000
"""More repeated documents than this are an error, instead of being listed or dropped."""


def first_of(which: Integers) -> Integers:
    """Return the first row of each number from 0; all of them occur."""
    first = np.empty(which.max(initial=-1) + 1, dtype=np.int64)
    first[which[::-1]] = np.arange(len(which) - 1, -1, -1)  # the last assignment stays
    return first


class Docnos:
    """A column of document names, compared as bytes.

    An index holds distinct docnos, numbered from 0, as a dictionary (`plain`), in a table of hashes
    (`hashed`) and as integers (`integers`); one of judgments holds these as `docnos`, and finds
    pairs of topic and docno (`find`; `placed` for the compiled reader, `table` for the other).
    """

    def __len__(self) -> int:
        raise NotImplementedError

    def __getitem__(self, row: int) -> bytes:
        return self.view(slice(row, row + 1)).tolist()[0]

    def tolist(self) -> list[bytes]:
        """All docnos."""
        raise NotImplementedError

    def find(self, index: Any) -> tuple[Integers, Integers]:
        """The rows whose docnos an index holds, ascending, and their numbers there."""
        numbers = np.fromiter(map(index.plain.get, self.tolist(), repeat(-1)), np.int64, len(self))
        rows = np.flatnonzero(numbers >= 0)
        return rows, numbers[rows]

    def find_judged(
        self, index: Any, topic: Integers, starts: Integers
    ) -> tuple[Integers, Integers]:
        """The rows that are judged for the topics of their stretches, and their judgments."""
        rows, docno = self.find(index.docnos)
        judgment = index.find(topic[stretch_of(rows, starts)], docno)
        judged = judgment >= 0
        return rows[judged], judgment[judged]

    def number(self, known: dict[bytes, int]) -> Integers:
        """The number of each docno; new ones are numbered on and put into `known`."""
        return PlainDocnos(self.tolist()).number(known)

    def order(self, rows: Integers) -> Integers:
        """A number for each of the rows that sorts as the bytes of its docno do."""
        names = self.view(rows).tolist()
        place = {name: i for i, name in enumerate(sorted(set(names)))}
        return np.fromiter(map(place.__getitem__, names), np.int64, len(names))

    def numbered(self, topic: Integers | None = None) -> tuple[Integers, Integers]:
        """The first row of each distinct docno, or pair of topic and docno, and each row's number.

        They are numbered as they come; `topic` has the number of each row's topic.
        """
        which = self.number({})
        if topic is not None:
            which = np.unique(topic * len(self) + which, return_inverse=True)[1]
        first = first_of(which)
        order = first.argsort()
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return first[order], place[which]

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        """Rows that repeat the docno of an earlier row of their stretch, as (earlier, later)."""
        first, which = self.numbered(owner(starts))
        if len(first) == len(which):
            return []
        earlier = first[which]
        later = np.flatnonzero(earlier != np.arange(len(which)))
        if len(later) > MOST_REPEATED:
            raise InputError(
                f"more than {MOST_REPEATED:,} lines repeat a document",
                expected="each document once per topic",
                remedy="check that this is the right file",
            )
        return list(zip(earlier[later].tolist(), later.tolist(), strict=True))

    def view(self, rows: Rows) -> Self:
        """The docnos of some rows, which may share the memory of all."""
        raise NotImplementedError

    def take(self, rows: Integers) -> Self:
        """The docnos of some rows, without the others."""
        return self.view(rows)

    def followed_by(self, others: Sequence["Docnos"]) -> "Docnos":
        """These docnos and then the others."""
        return PlainDocnos([*chain.from_iterable(one.tolist() for one in (self, *others))])


@frozen
class PlainDocnos(Docnos):
    """Docnos as a list of bytes."""

    names: list[bytes]

    def __len__(self) -> int:
        return len(self.names)

    def tolist(self) -> list[bytes]:
        return self.names

    def number(self, known: dict[bytes, int]) -> Integers:
        n_known, n_names = len(known), len(self.names)
        # Each new name is numbered by its first row, so repeated names leave gaps.
        places = map(known.setdefault, self.names, count(n_known))
        numbers = np.fromiter(places, np.int64, n_names)
        new = numbers == np.arange(n_known, n_known + n_names)
        if new.all():
            return numbers
        known.update(zip(islice(known, n_known, None), count(n_known), strict=False))
        dense = n_known - 1 + np.cumsum(new)
        late = numbers >= n_known
        numbers[late] = dense[numbers[late] - n_known]
        return numbers

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        bounds = pairwise(starts.tolist())
        if all(len(set(self.names[start:stop])) == stop - start for start, stop in bounds):
            return []
        return super().duplicates(starts)

    def view(self, rows: Rows) -> Self:
        if isinstance(rows, slice):
            return type(self)(self.names[rows])
        return type(self)([self.names[row] for row in rows.tolist()])


@frozen(eq=False)
class NumberedTopics(Sequence[bytes]):
    """Topics by numbers: places among a few names, or integers, whose digits are the names."""

    numbers: Integers
    names: tuple[bytes, ...] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[bytes]:
        name = b"%d".__mod__ if self.names is None else self.names.__getitem__
        return map(name, self.numbers.tolist())

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> "NumberedTopics": ...
    def __getitem__(self, place: int | slice) -> "bytes | NumberedTopics":
        if isinstance(place, slice):
            return NumberedTopics(self.numbers[place], self.names)
        return next(iter(NumberedTopics(self.numbers[[place]], self.names)))


@frozen(eq=False)
class IntegerDocnos(Docnos):
    """Docnos that are named by the digits of integers."""

    numbers: Integers

    def __len__(self) -> int:
        return len(self.numbers)

    def tolist(self) -> list[bytes]:
        return list(map(b"%d".__mod__, self.numbers.tolist()))

    def find(self, index: Any) -> tuple[Integers, Integers]:
        found = index.integers.find(self.numbers)
        rows = (found >= 0).nonzero()[0]
        return rows, found[rows]

    def find_judged(
        self, index: Any, topic: Integers, starts: Integers
    ) -> tuple[Integers, Integers]:
        found = index.docnos.integers.find(self.numbers)
        code = topic.repeat(sizes_of(starts))
        rows = ((found >= 0) & (code >= 0)).nonzero()[0]
        judged, judgment = index.find_judged(code[rows], found[rows])
        return rows[judged], judgment

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        """Sort numbers, several times faster than names are compared."""
        sizes = sizes_of(starts)
        if len(sizes) and (sizes == sizes[0]).all():
            ascending = np.sort(self.numbers.reshape(len(sizes), -1), axis=1)
            repeated = ascending[:, 1:] == ascending[:, :-1]
        else:
            _, which = np.unique(self.numbers, return_inverse=True)
            ascending = np.sort(owner(starts) * len(self) + which)
            repeated = ascending[1:] == ascending[:-1]
        return super().duplicates(starts) if repeated.any() else []

    def view(self, rows: Rows) -> Self:
        return type(self)(self.numbers[rows])

    def followed_by(self, others: Sequence[Docnos]) -> Docnos:
        alike = [one.numbers for one in others if isinstance(one, IntegerDocnos)]
        if len(alike) < len(others):
            return super().followed_by(others)
        return type(self)(np.concatenate([self.numbers, *alike]))


@frozen(eq=False)
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
    docnos: Docnos
    values: Floats
    lines: Sequence[int] | Integers
    tags: frozenset[bytes] = frozenset()
    last_tag: bytes = b""
    kept: Mapping[str, Docnos] = field(default_factory=dict)
    ranks: NDArray[Any] | None = None
    empty: tuple[bytes, ...] = ()
    alone: bool = False

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


def stretches_of(topics: Iterable[bytes]) -> tuple[tuple[bytes, ...], Integers]:
    """Return the topic of each stretch of adjacent lines, and where stretches begin and end."""
    found = [(topic, len(list(same))) for topic, same in groupby(topics)]
    return tuple(topic for topic, _ in found), np.cumsum([0, *(size for _, size in found)])


def stretches(columns: Columns) -> Integers:
    """Return the index of the stretch of each row."""
    return np.repeat(np.arange(len(columns.topics)), np.diff(columns.starts))


def ranks_of(columns: Columns, order: Integers) -> Integers:
    """Return the rank of each row in its topic, from 1; `order` has the rows topic by topic."""
    ranks = np.empty(len(columns), dtype=np.int64)
    ranks[order] = np.arange(len(columns)) - columns.starts[stretches(columns)] + 1
    return ranks


def decimal_number(text: bytes) -> float:
    """Read a decimal number; ValueError also for underscores, which Python allows."""
    if b"_" in text:
        raise ValueError
    return float(text)


def is_number(text: bytes) -> bool:
    """Return True if a field is a decimal number, infinite or not."""
    try:
        decimal_number(text)
    except ValueError:
        return False
    return True


def number_or_nan(text: bytes) -> float:
    """Read a decimal number; NaN for any other text."""
    return decimal_number(text) if is_number(text) else math.nan


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
