"""Columns of names by their places in a text, compared by hashes of eight bytes at a time."""

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Self

import numpy as np

from rankeval.base.arrays import (
    MULTIPLIER,
    Booleans,
    Floats,
    Integers,
    NDArray,
    Number,
    SortedIntegers,
    Words,
    joined,
    offsets_of,
    owner,
    sizes_of,
    spread,
    stretch_of,
)
from rankeval.base.frozen import frozen
from rankeval.io.parsers.columns import (
    Docnos,
    NumberedTopics,
    PlainDocnos,
    Rows,
)

HASHED_WORDS = 32
"""Names of up to this many words of eight bytes are hashed together, longer ones by Python."""

_MULTIPLIERS = (MULTIPLIER, 0xC2B2AE3D27D4EB4F)
_SEED, _ODD = np.frombuffer(os.urandom(16), dtype=np.uint64) | np.array([0, 1], dtype=np.uint64)
"""Random numbers per process, so that no file can be made whose names all collide. The upper bits
of the multiples of an odd one are a universal hash (Dietzfelbinger et al., A reliable randomized
algorithm for the closest-pair problem, Journal of Algorithms 1997)."""

SEEDS = (int(_SEED), int(_ODD), *_MULTIPLIERS)
"""All numbers that `hashes` depends on, for kernel.c."""

_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
"""Masks that keep the first n bytes of an integer of eight bytes."""


def compiled() -> Any:
    """Return the module of the compiled reader's functions; None without it."""
    from rankeval.io import kernel_library  # small files need none of it

    if kernel_library.library() is None:
        return None
    from rankeval.io import kernel

    return kernel


# Arrow's own conversions from and to numpy import pandas, a sixth of a second for nothing, and its
# functions and the methods that call them import pyarrow.compute: 40 ms that most runs do without.


def as_numpy(array: Any, kind: type[Number]) -> NDArray[Number]:
    """The values of an Arrow array of numbers, none of them null."""
    return np.frombuffer(array.buffers()[1], dtype=kind)[array.offset :][: len(array)]


def bounds_of(column: Any) -> NDArray[Any]:
    """Return where the names of an Arrow column begin in its buffer, and where the last ends."""
    width = np.int64 if str(column.type) == "large_binary" else np.int32
    bounds: NDArray[Any] = np.frombuffer(column.buffers()[1], dtype=width)
    return bounds[column.offset :][: len(column) + 1]


@frozen(eq=False)
class Texts:
    """The positions of N names in a text.

    ======== ======== =====================================================================
    text              a buffer of bytes
    starts   (N,)     the position of each name
    lengths  (N,)     its number of bytes
    adjacent          True if each name begins where the one before ends
    ======== ======== =====================================================================
    """

    text: Any
    starts: Integers
    lengths: Integers
    adjacent: bool = True

    @classmethod
    def from_arrow(cls, column: Any) -> Self:
        """Take the names from Arrow's buffers, without copying them."""
        return cls.from_bounds(bounds_of(column), column.buffers()[2])

    @classmethod
    def from_names(cls, names: Sequence[bytes]) -> Self:
        """Take names one by one."""
        ends = np.cumsum([0, *map(len, names)], dtype=np.int64)
        return cls.from_bounds(ends, b"".join(names))

    @classmethod
    def from_sizes(cls, text: Any, sizes: Integers) -> Self:
        """Take names of these sizes, one behind the other."""
        return cls.from_bounds(offsets_of(sizes), text)

    @classmethod
    def from_bounds(cls, bounds: Integers, text: Any) -> Self:
        """Take names of which each begins where the one before ends."""
        return cls(b"" if text is None else text, bounds[:-1], np.diff(bounds))

    @cached_property
    def eight(self) -> Words:
        """The eight bytes from each position on as one integer, up to the end of the last name."""
        last = slice(-1 if self.adjacent else 0, None)
        size = int((self.starts[last] + self.lengths[last]).max(initial=0))
        text = self.text
        if memoryview(text).nbytes < size + 8:
            text = np.zeros(size + 8, dtype=np.uint8)
            text[:size] = np.frombuffer(self.text, dtype=np.uint8)[:size]
        return np.ndarray(size + 1, dtype="<u8", buffer=text, strides=(1,))

    def part(self, rows: Rows) -> "Texts":
        """Return the names of some rows."""
        return Texts(
            self.text,
            self.starts[rows],
            self.lengths[rows],
            adjacent=self.adjacent and isinstance(rows, slice),
        )

    def words(self, number: int, rows: Rows) -> Words:
        """Return eight bytes of each name from an offset; bytes beyond the end of a name are 0."""
        starts, lengths = self.starts[rows], self.lengths[rows]
        if number:
            starts, lengths = starts + 8 * number, lengths - 8 * number
        return self.eight[starts] & _MASKS.take(lengths, mode="clip")

    def bytes_of(self, row: int) -> bytes:
        """Return the bytes of one name."""
        start, length = int(self.starts[row]), int(self.lengths[row])
        return bytes(memoryview(self.text)[start : start + length])


def hashes(texts: Texts) -> Words:
    """Return a 64-bit hash of each name, of shorter ones that which kernel.c gives.

    Different names of single words have different hashes.
    """
    hashed = texts.lengths.astype(np.uint64)
    hashed <<= np.uint64(56)
    hashed ^= texts.words(0, slice(None))
    for number in range(1, HASHED_WORDS):
        longer = np.flatnonzero(texts.lengths > 8 * number)
        if not len(longer):
            break
        hashed[longer] = _mixed(hashed[longer]) ^ texts.words(number, longer)
    for row in np.flatnonzero(texts.lengths > 8 * HASHED_WORDS).tolist():
        hashed[row] = hash(texts.bytes_of(row)) % (1 << 64)
    hashed *= _ODD
    return hashed


def _mixed(words: Words) -> Words:
    """Return words of which every bit depends on every bit, and on the seed."""
    words = (words ^ _SEED) * np.uint64(_MULTIPLIERS[0])
    words ^= words >> np.uint64(29)
    words *= np.uint64(_MULTIPLIERS[1])
    words ^= words >> np.uint64(32)
    return words


def copied(parts: Sequence[Texts], rows: Integers | None = None) -> tuple[bytes, Integers]:
    """Return all names of parts, or some rows of one, end to end, and the size of each."""
    kernel = compiled()
    if kernel:
        found: tuple[bytes, Integers] = kernel.copied(parts, rows)
        return found
    parts = parts if rows is None else [parts[0].part(rows)]
    text = b"".join(chain.from_iterable(map(_pieces, parts)))
    return text, joined([part.lengths for part in parts])


def _pieces(texts: Texts) -> Iterator[bytes]:
    """Yield the bytes of all names."""
    if texts.adjacent and len(texts.starts):
        first, end = int(texts.starts[0]), int(texts.starts[-1] + texts.lengths[-1])
        yield bytes(memoryview(texts.text)[first:end])
        return
    characters = np.frombuffer(texts.text, dtype=np.uint8)
    for start in range(0, len(texts.starts), AT_ONCE):
        some = texts.part(slice(start, start + AT_ONCE))
        offsets = offsets_of(some.lengths)
        places = np.arange(offsets[-1]) + np.repeat(some.starts - offsets[:-1], some.lengths)
        yield characters[places].tobytes()


MANY_BYTES = 64 << 20


def _names_of(texts: Texts) -> list[bytes]:
    """Return the names; where they take many bytes, a few long ones may be those of many rows."""
    if not isinstance(texts.text, bytes) and int(texts.lengths.sum()) < MANY_BYTES:
        texts = Texts.from_sizes(*copied([texts]))
    places = zip(texts.starts.tolist(), texts.lengths.tolist(), strict=True)
    if isinstance(texts.text, bytes):
        return [texts.text[at : at + size] for at, size in places]
    view, known = memoryview(texts.text), dict[tuple[int, int], bytes]()
    for at, size in (every := list(places)):
        if (at, size) not in known:
            known[at, size] = bytes(view[at : at + size])
    return [known[place] for place in every]


class HashTable:
    """Hashes, numbered in their order, that others are found among."""

    def __init__(self, hashed: Words) -> None:
        signed = hashed.view(np.int64)
        self._number = signed.argsort()
        self._sorted = SortedIntegers(signed[self._number])
        ascending = self._sorted.values
        self.are_distinct = not (ascending[1:] == ascending[:-1]).any()
        """False in the unlikely case that different names have equal hashes: none is found."""

    def find(self, hashed: Words) -> tuple[Integers, Integers]:
        """Return the rows whose hashes are there, ascending, and their numbers."""
        rows, at = self._sorted.find(hashed.view(np.int64))
        return rows, self._number[at]


AT_ONCE = 1 << 15
"""Rows that are worked on at once, so that what is made of them stays in the cache."""

MANY = 1 << 12
"""Stretches from which on their topics are likely to be a few that come again."""


@frozen(eq=False)
class Names(Docnos):
    """Names, such as docnos, by their places in a text; `marks` are their hashes, if known."""

    texts: Texts
    marks: Words | None = None

    @classmethod
    def from_arrow(cls, column: Any) -> Self:
        """Take the names from Arrow's buffers, without copying them."""
        return cls(Texts.from_arrow(column))

    @classmethod
    def from_names(cls, names: Sequence[bytes]) -> Self:
        """Take names one by one."""
        return cls(Texts.from_names(names))

    @cached_property
    def hashes(self) -> Words:
        """A hash of each name."""
        return hashes(self.texts) if self.marks is None else self.marks

    @cached_property
    def table(self) -> HashTable:
        """The hashes of distinct names, numbered in their order."""
        return HashTable(self.hashes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the names, of which another process has other hashes."""
        return _from_sizes, copied([self.texts])

    def __len__(self) -> int:
        return len(self.texts.starts)

    def __getitem__(self, row: int) -> bytes:
        return self.texts.bytes_of(row)

    def tolist(self) -> list[bytes]:
        return self.names_at(slice(None))

    def names_at(self, rows: Rows) -> list[bytes]:
        """Return the names of some rows."""
        return _names_of(self.texts.part(rows))

    def numbered(self, topic: Integers | None = None) -> tuple[Integers, Integers]:
        kernel = compiled()
        if kernel:
            hashed = self.hashes if topic is None else self.hashes ^ spread(topic)
            found: tuple[Integers, Integers] = kernel.number(self.texts, hashed)
            return found
        return super().numbered(topic)

    def distinct(self) -> tuple[Self, Integers]:
        """Return the names, each once in order, and the number of each row's."""
        first, which = self.numbered()
        return self.take(first), which

    def stretches(self) -> tuple[Self, Integers]:
        """Return the name of each stretch of rows with one name, and where these begin."""
        texts, sizes = self.texts, self.texts.lengths
        same, number = sizes[1:] == sizes[:-1], 0
        while len(rows := np.flatnonzero(same & (sizes[1:] > 8 * number))):
            same[rows] = texts.words(number, rows) == texts.words(number, rows + 1)
            number += 1
        starts = np.append(0, np.flatnonzero(~same) + 1)
        return self.view(starts), starts

    def number(self, known: dict[bytes, int]) -> Integers:
        if not compiled():
            return super().number(known)
        names, which = self.distinct()  # which may be few
        return PlainDocnos(names.tolist()).number(known)[which]

    def take(self, rows: Integers) -> Self:
        """Copy some names, so that the others need not stay in memory."""
        texts = Texts.from_sizes(*copied([self.texts], rows))
        return type(self)(texts, self._marks_of(rows))

    def view(self, rows: Rows) -> Self:
        return type(self)(self.texts.part(rows), self._marks_of(rows))

    def _marks_of(self, rows: Rows) -> Words | None:
        return None if self.marks is None else self.marks[rows]

    def followed_by(self, others: Sequence[Docnos]) -> Docnos:
        if not others:
            return self
        every = [self, *(one for one in others if isinstance(one, Names))]
        if len(every) <= len(others):
            return super().followed_by(others)
        marks = [one.marks for one in every if one.marks is not None]
        return Names(
            Texts.from_sizes(*copied([one.texts for one in every])),
            np.concatenate(marks) if len(marks) == len(every) else None,
        )

    def sorted_lines(
        self,
        topics: Sequence[bytes],
        grades: Sequence[bytes],
        offsets: Integers,
        docno: Integers,
        grade: Integers,
    ) -> tuple[memoryview, Integers] | None:
        """Return judgments of these docnos as sorted lines, and where topics begin and end.

        Topic t has the judgments `offsets[t]` to `offsets[t + 1]`; `docno` and `grade` number the
        document and the text of the grade of each. None without the compiled reader.
        """
        kernel = compiled()
        if kernel is None:
            return None
        texts = Texts.from_names(topics), self.texts, Texts.from_names(grades)
        found: tuple[memoryview, Integers] = kernel.sorted_lines(*texts, offsets, docno, grade)
        return found

    def find(self, index: Any) -> tuple[Integers, Integers]:
        names: Names = index.hashed
        if not names.table.are_distinct:
            return super().find(index)
        rows, number = names.table.find(self.hashes)
        right = self._are(rows, names, number)
        return rows[right], number[right]

    def _are(self, rows: Integers, names: "Names", number: Integers) -> Booleans:
        """Return True for each of some rows that has the name with this number."""
        (mine, sizes), (other, others) = copied([self.texts], rows), copied([names.texts], number)
        if mine == other and (sizes == others).all():  # as equal hashes say
            return np.ones(len(rows), dtype=bool)
        pairs = zip(self.names_at(rows), names.names_at(number), strict=True)
        return np.fromiter((one == other for one, other in pairs), bool, len(rows))

    def find_judged(
        self, index: Any, topic: Integers, starts: Integers
    ) -> tuple[Integers, Integers]:
        kernel = compiled()
        if kernel:
            found, numbers, _ = kernel.ranked(self.texts, self.hashes, starts, topic, index.placed)
            return found, numbers[1]
        if not index.table.are_distinct:
            return super().find_judged(index, topic, starts)
        rows, judgment = index.table.find(self.hashes ^ spread(topic.repeat(sizes_of(starts))))
        right = topic[stretch_of(rows, starts)] == index.topic[judgment]
        right &= self._are(rows, index.docnos.hashed, index.docno[judgment])
        return rows[right], judgment[right]

    def ranked(
        self, index: Any, topic: Integers, starts: Integers, scores: Floats, order: int
    ) -> Any:
        """Return the judged rows by descending score, and what `ranked` of kernel.py says of each.

        Equal scores stay in their order if `order` is 0; docnos ascend if it is 1, descend if -1.
        None without the compiled reader, and where a docno may be repeated.
        """
        kernel = compiled()
        if kernel is None:
            return None
        *found, repeated = kernel.ranked(
            self.texts, self.hashes, starts, topic, index.placed, scores, order
        )
        return None if len(repeated) else found

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        kernel = compiled()
        if kernel:
            alike = kernel.ranked(self.texts, self.hashes, starts)[-1]
        else:
            marks = np.sort(self.hashes ^ spread(owner(starts)))
            alike = np.flatnonzero(marks[1:] == marks[:-1])
        return super().duplicates(starts) if len(alike) else []


def _from_sizes(text: bytes, sizes: Integers) -> Names:
    return Names(Texts.from_sizes(text, sizes))


def topics_of(names: Names) -> Sequence[bytes]:
    """Return the topics of stretches; where they are many, they are a few that come again."""
    if len(names) < MANY:
        return tuple(names.tolist())
    distinct, which = names.distinct()
    return NumberedTopics(which, tuple(distinct.tolist()))
