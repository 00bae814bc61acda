"""Columns of names by their places in a text, compared by hashes of eight bytes at a time."""

import os
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import count, pairwise, repeat
from operator import eq
from typing import Any, Self

import numpy as np

from rankeval.base.arrays import (
    MULTIPLIER,
    Booleans,
    DistinctIntegers,
    Floats,
    Integers,
    NDArray,
    Number,
    Words,
    joined,
    offsets_of,
    owner,
    sizes_of,
    spread,
)
from rankeval.base.frozen import record
from rankeval.errors import InputError
from rankeval.io import blocks, kernel

Rows = Integers | slice

HASHED = 256
"""Names of up to this many bytes are hashed and compared together, longer ones by Python."""

WIDTH = 32
"""Bytes of names that are compared at once; copying them takes as long as copying eight."""

_MULTIPLIERS = (MULTIPLIER, 0xC2B2AE3D27D4EB4F)
_SEED, _ODD = np.frombuffer(os.urandom(16), dtype=np.uint64) | np.array([0, 1], dtype=np.uint64)
"""Random numbers per process, so that no file can be made whose names all collide. The upper bits
of the multiples of an odd one are a universal hash (Dietzfelbinger et al., A reliable randomized
algorithm for the closest-pair problem, Journal of Algorithms 1997)."""

SEEDS = (int(_SEED), int(_ODD), *_MULTIPLIERS)
"""All numbers that `hashes` depends on, for kernel.c."""

_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
"""Masks that keep the first n bytes of an integer of eight bytes."""

MOST_REPEATED = 2_000_000
"""More repeated documents than this are an error, instead of being listed or dropped."""

AT_ONCE = 1 << 15
"""Names that are copied at once without the compiled reader, each of which is an object then."""

MANY = 1 << 12
"""Stretches from which on their topics are likely to be a few that come again."""


def compiled() -> Any:
    """Return the module of the compiled reader's functions; None without it."""
    return kernel if blocks.library() else None


# Arrow's own conversions from and to numpy import pandas, a sixth of a second for nothing, and its
# functions and the methods that call them import pyarrow.compute: 40 ms that most runs do without.


def as_numpy(array: Any, kind: type[Number]) -> NDArray[Number]:
    """The values of an Arrow array of numbers, none of them null."""
    return np.frombuffer(array.buffers()[1], dtype=kind)[array.offset :][: len(array)]


@record
class Texts:
    """The places of N names in a text, a buffer of bytes: each begins at `starts`."""

    text: Any
    starts: Integers
    lengths: Integers

    @classmethod
    def from_sizes(cls, text: Any, sizes: Integers) -> Self:
        """Take names of these sizes, one behind the other."""
        starts = offsets_of(sizes)
        kind = np.int32 if starts[-1] < 1 << 31 else np.int64
        return cls(text, starts[:-1].astype(kind, copy=False), sizes.astype(kind, copy=False))

    @classmethod
    def from_arrow(cls, column: Any) -> Self:
        """Take names, binary ones or text, from Arrow's buffers without copying them."""
        width = np.int64 if str(column.type).startswith("large") else np.int32
        _, offsets, text = column.buffers()
        bounds: Any = np.frombuffer(offsets, width)[column.offset :][: len(column) + 1]
        return cls(b"" if text is None else text, bounds[:-1], np.diff(bounds))

    @cached_property
    def padded(self) -> Any:
        """The text, up to the end of the last name, and WIDTH further bytes."""
        size = int((self.starts + self.lengths).max(initial=0))
        if memoryview(self.text).nbytes >= size + WIDTH:
            return self.text
        text = np.zeros(size + WIDTH, dtype=np.uint8)
        text[:size] = np.frombuffer(self.text, dtype=np.uint8)[:size]
        return text

    def part(self, rows: Rows) -> "Texts":
        """Return the names of some rows."""
        return Texts(self.text, self.starts[rows], self.lengths[rows])

    def name(self, row: int) -> bytes:
        """Return the name of a row."""
        start, length = int(self.starts[row]), int(self.lengths[row])
        return bytes(memoryview(self.text)[start : start + length])

    def words(self, rows: Rows, first: int = 0) -> Words:
        """Return WIDTH bytes at most of each name, from the byte `first` on, in integers of eight.

        Bytes beyond the end of a name are 0.
        """
        starts, lengths = self.starts[rows] + first, self.lengths[rows] - first
        size = min(-(-int(lengths.max(initial=1)) // 8) * 8, WIDTH)
        length = memoryview(self.padded).nbytes - size + 1
        places = np.ndarray(length, dtype=f"V{size}", buffer=self.padded, strides=(1,))
        words = places[starts].view("<u8").reshape(len(starts), -1).T
        for number in range(len(words)):
            words[number] &= _MASKS.take(lengths - 8 * number, mode="clip")
        return words


def longer(lengths: Integers, size: int) -> Rows:
    """Return the rows with names of more than some bytes."""
    found = lengths > size
    return slice(None) if found.all() else np.flatnonzero(found)


def hashes(texts: Texts) -> Words:
    """Return a 64-bit hash of each name, of shorter ones that which kernel.c gives.

    Different names of single words have different hashes.
    """
    hashed = texts.lengths.astype(np.uint64)
    hashed <<= np.uint64(56)
    for first in range(0, min(int(texts.lengths.max(initial=0)), HASHED), WIDTH):
        rows = longer(texts.lengths, first)
        some, lengths = hashed[rows], texts.lengths[rows]
        for at, words in enumerate(texts.words(rows, first)):
            own = longer(lengths, first + 8 * at)
            if first or at:
                mixed = (some[own] ^ _SEED) * np.uint64(_MULTIPLIERS[0])
                mixed ^= mixed >> np.uint64(29)
                mixed *= np.uint64(_MULTIPLIERS[1])
                mixed ^= mixed >> np.uint64(32)  # every bit depends on every bit, and on the seed
                some[own] = mixed
            some[own] ^= words[own]
        hashed[rows] = some
    for row in np.flatnonzero(texts.lengths > HASHED).tolist():
        hashed[row] = hash(texts.name(row)) % (1 << 64)
    hashed *= _ODD
    return hashed


def first_rows(hashed: Words) -> Integers:
    """Return for each row the first one with the same hash."""
    order = hashed.argsort()
    ascending = hashed[order]
    starts = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1])[: len(hashed)])
    first = np.empty(len(hashed), dtype=np.int64)
    first[order] = np.minimum.reduceat(order, starts).repeat(np.diff(starts, append=len(hashed)))
    return first


def table_of(hashed: Words) -> DistinctIntegers | None:
    """Return hashes as a table; None in the unlikely case that some are equal."""
    ascending = np.sort(hashed)
    is_repeated = (ascending[1:] == ascending[:-1]).any()
    return None if is_repeated else DistinctIntegers(hashed.view(np.int64))


def equal(one: Texts, rows: Integers, other: Texts, others: Integers) -> Booleans:
    """Return True for each of some rows whose name is that of another row."""
    lengths = one.lengths[rows]
    same = lengths == other.lengths[others]
    longest = HASHED if same.all() else 0  # not where different names have equal hashes
    for first in range(0, min(int(lengths.max(initial=0)), longest), WIDTH):
        left = longer(lengths, first)
        mine, theirs = one.words(rows[left], first), other.words(others[left], first)
        same[left] &= (mine == theirs).all(axis=0)
    for row in np.flatnonzero(same & (lengths > longest)).tolist():
        same[row] = one.name(rows[row]) == other.name(others[row])
    return same


def copied(parts: Sequence[Texts], rows: Integers | None = None) -> tuple[bytes, Integers]:
    """Return all names of parts, or some rows of one, end to end, and the size of each."""
    if compiled():
        return kernel.copied(parts, rows)
    parts = parts if rows is None else [parts[0].part(rows)]
    text = b"".join(
        b"".join(Names(part.part(slice(first, first + AT_ONCE))).tolist())
        for part in parts
        for first in range(0, len(part.starts), AT_ONCE)
    )
    return text, joined([part.lengths for part in parts])


class Names:
    """A column of names, such as docnos, compared as bytes.

    `marks` are their hashes, if known; `listed` are the names, if they came as a list.

    An index holds distinct docnos, numbered from 0, as Names (`hashed`), as a dictionary (`plain`)
    and as integers (`integers`); one of judgments holds these as `docnos`, and finds pairs of
    topic and docno (`find`; by hashes in a `table`, and `placed` for the compiled reader).
    """

    listed: list[bytes] | None = None
    marks: Words | None = None
    by_hash = True  # unless dictionaries, or integers, are faster

    def __init__(self, texts: Texts | None = None, marks: Words | None = None) -> None:
        self.marks = marks
        if texts is not None:
            vars(self)["texts"] = texts

    @classmethod
    def from_names(cls, names: list[bytes]) -> "Names":
        """Take names one by one."""
        made = cls.__new__(Names)
        made.listed, made.by_hash = names, False
        return made

    @cached_property
    def texts(self) -> Texts:
        """The names in a text."""
        names = self.tolist()
        sizes = np.fromiter(map(len, names), np.int64, len(names))
        return Texts.from_sizes(b"".join(names), sizes)

    @property
    def hashes(self) -> Words:
        """A hash of each name."""
        if self.marks is None:
            self.marks = hashes(self.texts)
        return self.marks

    @cached_property
    def table(self) -> DistinctIntegers | None:
        """The hashes of distinct names as a table."""
        return table_of(self.hashes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the names, of which another process has other hashes."""
        return Names, (Texts.from_sizes(*copied([self.texts])),)

    def __len__(self) -> int:
        return len(self.texts.starts if self.listed is None else self.listed)

    def __getitem__(self, row: int) -> bytes:
        return self.view(slice(row, row + 1)).tolist()[0]

    def tolist(self) -> list[bytes]:
        """All names."""
        if self.listed is not None:
            return self.listed
        text, starts, sizes = self.texts.text, self.texts.starts, self.texts.lengths
        if not isinstance(text, bytes):
            least, most = int(starts.min(initial=1 << 30)), int((starts + sizes).max(initial=0))
            # A long name may be that of many rows, and a few names may be far apart.
            if not sizes.sum() <= most - least <= 64 * sizes.sum():
                name = cache(lambda at, size: bytes(memoryview(text)[at : at + size]))
                return [*map(name, starts.tolist(), sizes.tolist())]
            text, starts = bytes(memoryview(text)[least:most]), starts - least
        ends = (starts + sizes).tolist()
        return [text[start:end] for start, end in zip(starts.tolist(), ends, strict=True)]

    def view(self, rows: Rows) -> "Names":
        """The names of some rows, which share the memory of all."""
        if (names := self.listed) is not None:
            some = names[rows] if isinstance(rows, slice) else [names[row] for row in rows.tolist()]
            return Names.from_names(some)
        return Names(self.texts.part(rows), None if self.marks is None else self.marks[rows])

    def take(self, rows: Integers) -> "Names":
        """The names of some rows, without the others."""
        if self.listed is not None:
            return self.view(rows)
        texts = Texts.from_sizes(*copied([self.texts], rows))
        return Names(texts, None if self.marks is None else self.marks[rows])

    def followed_by(self, others: Sequence["Names"]) -> "Names":
        """These names and then the others."""
        if not others:
            return self
        every = [self, *others]
        marks = [one.marks for one in every if one.marks is not None]
        texts = Texts.from_sizes(*copied([one.texts for one in every]))
        return Names(texts, np.concatenate(marks) if len(marks) == len(every) else None)

    def order(self, rows: Integers) -> Integers:
        """A number for each of the rows that sorts as the bytes of its name do."""
        names = self.view(rows).tolist()
        place = {name: i for i, name in enumerate(sorted(set(names)))}
        return np.fromiter(map(place.__getitem__, names), np.int64, len(names))

    def stretches(self) -> tuple["Names", Integers]:
        """Return the name of each stretch of rows with one name, and where these begin."""
        if (names := self.listed) is not None:
            same = np.fromiter(map(eq, names[1:], names), bool, max(len(names) - 1, 0))
        else:
            texts, sizes, words = self.texts, self.texts.lengths, self.texts.words(slice(None))
            same = (sizes[1:] == sizes[:-1]) & (words[:, 1:] == words[:, :-1]).all(axis=0)
            rows = np.flatnonzero(same & (sizes[1:] > WIDTH))
            same[rows] = equal(texts, rows, texts, rows + 1)
        starts = np.append(0, np.flatnonzero(~same) + 1)[: len(self)]
        return self.view(starts), starts

    def numbered(self, topic: Integers | None = None) -> tuple[Integers, Integers]:
        """The first row of each distinct name, or pair of topic and name, and each row's number.

        They are numbered as they come; `topic` has the number of each row's topic.
        """
        if (names := self.listed) is None:
            hashed = self.hashes if topic is None else self.hashes ^ spread(topic)
            if compiled():
                return kernel.number(self.texts, hashed)
            first = first_rows(hashed)
            again = np.flatnonzero(first != np.arange(len(first)))
            if not equal(self.texts, again, self.texts, first[again]).all():
                return Names.from_names(self.tolist()).numbered(topic)
        else:
            keys: Any = names if topic is None else zip(topic.tolist(), names, strict=True)
            known: dict[Any, int] = {}
            first = np.fromiter(map(known.setdefault, keys, count()), np.int64, len(names))
        is_first = first == np.arange(len(first))
        return is_first.nonzero()[0], (is_first.cumsum() - 1)[first]

    def distinct(self) -> tuple["Names", Integers]:
        """Return the names, each once in order, and the number of each row's."""
        first, which = self.numbered()
        few = 2 * len(first) < len(which)  # of which the text of all would take more memory
        return self.take(first) if few else self.view(first), which

    def number(self, known: dict[bytes, int]) -> Integers:
        """The number of each name; new ones are numbered on and put into `known`."""
        names, which = self.distinct()
        every = [known.setdefault(name, len(known)) for name in names.tolist()]
        return np.array(every, dtype=np.int64)[which]

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        """Rows that repeat the name of an earlier row of their stretch, as (earlier, later)."""
        if (names := self.listed) is not None:
            bounds = pairwise(starts.tolist())
            is_once = all(len(set(names[a:b])) == b - a for a, b in bounds)
        else:
            marks = np.sort(self.hashes ^ spread(owner(starts)))
            is_once = bool((marks[1:] != marks[:-1]).all())
        return [] if is_once else self._repeated(starts)

    def _repeated(self, starts: Integers) -> list[tuple[int, int]]:
        first, which = self.numbered(owner(starts))
        earlier = first[which]
        later = np.flatnonzero(earlier != np.arange(len(which)))
        if len(later) > MOST_REPEATED:
            raise InputError(
                f"more than {MOST_REPEATED:,} lines repeat a document",
                expected="each document once per topic",
                remedy="check that this is the right file",
            )
        return list(zip(earlier[later].tolist(), later.tolist(), strict=True))

    def find(self, index: Any) -> tuple[Integers, Integers]:
        """The rows whose docnos an index holds, ascending, and their numbers there."""
        if not self.by_hash or index.hashed.table is None:
            numbers = map(index.plain.get, self.tolist(), repeat(-1))
            every = np.fromiter(numbers, np.int64, len(self))
            return np.flatnonzero(every >= 0), every[every >= 0]
        rows, number = index.hashed.table.find(self.hashes.view(np.int64))
        right = equal(self.texts, rows, index.hashed.texts, number)
        return rows[right], number[right]

    def find_judged(
        self, index: Any, topic: Integers, starts: Integers
    ) -> tuple[Integers, Integers]:
        """The rows that are judged for the topics of their stretches, and their judgments."""
        if self.by_hash and compiled():
            found, numbers, _ = kernel.ranked(self.texts, self.hashes, starts, topic, index.placed)
            return found, numbers[1]
        topic = topic.repeat(sizes_of(starts))
        if not self.by_hash or index.table is None:
            rows, docno = self.find(index.docnos)
            judged, judgment = index.find_judged(topic[rows], docno)
            return rows[judged], judgment
        rows, judgment = index.table.find((self.hashes ^ spread(topic)).view(np.int64))
        right = equal(self.texts, rows, index.docnos.hashed.texts, index.docno[judgment])
        return rows[right], judgment[right]

    def ranked(
        self, index: Any, topic: Integers, starts: Integers, scores: Floats, order: int
    ) -> Any:
        """Return the judged rows by descending score, and what `ranked` of kernel.py says of each.

        Equal scores stay in their order if `order` is 0; docnos ascend if it is 1, descend if -1.
        None without the compiled reader, and where a docno may be repeated.
        """
        if not compiled():
            return None
        rules = starts, topic, index.placed, scores, order
        *found, repeated = kernel.ranked(self.texts, self.hashes, *rules)
        return None if len(repeated) else found


class IntegerDocnos(Names):
    """Docnos that are named by the digits of integers."""

    by_hash = False

    def __init__(self, numbers: Integers) -> None:
        super().__init__()
        self.numbers = numbers

    def tolist(self) -> list[bytes]:
        return list(map(b"%d".__mod__, self.numbers.tolist()))

    def __len__(self) -> int:
        return len(self.numbers)

    def view(self, rows: Rows) -> "IntegerDocnos":
        return IntegerDocnos(self.numbers[rows])

    take = view

    def followed_by(self, others: Sequence[Names]) -> Names:
        alike = [one.numbers for one in others if isinstance(one, IntegerDocnos)]
        if len(alike) < len(others):
            return super().followed_by(others)
        return IntegerDocnos(np.concatenate([self.numbers, *alike]))

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
        return self._repeated(starts) if repeated.any() else []

    def find(self, index: Any) -> tuple[Integers, Integers]:
        values, number = index.integers
        rows, at = values.find(self.numbers.astype(np.int64, copy=False))
        return rows, number[at]

    def ranked(self, *_: Any) -> None:
        """Leave ranking to what sorts integers."""


@record
class NumberedTopics(Sequence[bytes]):
    """Topics by numbers: places among a few names."""

    numbers: Integers
    names: tuple[bytes, ...]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[bytes]:
        return map(self.names.__getitem__, self.numbers.tolist())

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return NumberedTopics(self.numbers[place], self.names)
        return self.names[self.numbers[place]]


def topics_of(names: Names) -> Sequence[bytes]:
    """Return the topics of stretches; where they are many, they are a few that come again."""
    if len(names) < MANY:
        return tuple(names.tolist())
    distinct, which = names.distinct()
    return NumberedTopics(which, tuple(distinct.tolist()))
