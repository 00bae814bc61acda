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
    MOST_REPEATED,
    Docnos,
    PlainDocnos,
    RepeatedTooOftenError,
    Repeating,
)

Rows = Integers | slice

HASHED_WORDS = 32
"""Names of up to this many words of eight bytes are hashed together, longer ones one by one."""

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


def as_indices(rows: Integers) -> Any:
    """An Arrow array of row numbers."""
    import pyarrow as pa

    numbers = pa.py_buffer(np.ascontiguousarray(rows, dtype=np.int64))
    return pa.Array.from_buffers(pa.int64(), len(rows), [None, numbers])


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

    @cached_property
    def width(self) -> int | None:
        """Return the number of bytes of each name, if it is the same for all."""
        first = int(self.lengths[0]) if len(self.lengths) else 0
        return first if (self.lengths == first).all() else None

    def words(self, number: int, rows: Rows) -> Words:
        """Return eight bytes of each name from an offset; bytes beyond the end of a name are 0."""
        if self.adjacent and self.width and isinstance(rows, slice):
            first = int(self.starts[0]) + 8 * number
            end = first + self.width * len(self.starts)
            words = self.eight[first : min(end, len(self.eight)) : self.width][rows]
            return words & _MASKS[min(self.width - 8 * number, 8)]
        starts = self.starts[rows] + 8 * number if number else self.starts[rows]
        if self.width is not None:
            return self.eight[starts] & _MASKS[min(self.width - 8 * number, 8)]
        lengths = self.lengths[rows] - 8 * number if number else self.lengths[rows]
        return self.eight[starts] & _MASKS.take(lengths, mode="clip")

    def bytes_of(self, row: int) -> bytes:
        """Return the bytes of one name."""
        start, length = int(self.starts[row]), int(self.lengths[row])
        return bytes(memoryview(self.text)[start : start + length])

    @cached_property
    def words_of_ascii(self) -> bool:
        """Return True if no name is empty, and all characters are printable ASCII but no blanks."""
        if not len(self.lengths):
            return True
        if not self.adjacent:
            return Texts.from_sizes(*copied([self])).words_of_ascii
        first, last = int(self.starts[0]), int(self.starts[-1] + self.lengths[-1])
        every = np.frombuffer(self.text, dtype=np.uint8)[first:last]
        return bool(self.lengths.all() and every.min() > 0x20 and every.max() < 0x7F)

    def changes(self) -> Integers:
        """Return the rows whose name differs from that of the row before."""
        lengths, first = self.lengths, self.words(0, slice(None))
        if self.width is not None and self.width <= 8:
            return np.flatnonzero(first[1:] != first[:-1]) + 1
        differs = (lengths[1:] != lengths[:-1]) | (first[1:] != first[:-1])
        number = 1
        left = np.flatnonzero(~differs & (lengths[1:] > 8))
        while len(left):
            alike = self.words(number, left + 1) == self.words(number, left)
            differs[left[~alike]] = True
            number += 1
            left = left[alike & (lengths[left + 1] > 8 * number)]
        return np.flatnonzero(differs) + 1


def hashes(texts: Texts) -> Words:
    """Return a 64-bit hash of each name; different names of single words have different hashes."""
    hashed = texts.lengths.astype(np.uint64)
    hashed <<= np.uint64(56)
    hashed ^= texts.words(0, slice(None))
    for number in range(1, HASHED_WORDS):
        longer = np.flatnonzero(texts.lengths > 8 * number)
        if not len(longer):
            break
        hashed[longer] = _mixed(hashed[longer]) ^ texts.words(number, longer)
    else:
        _hash_whole(hashed, texts, np.flatnonzero(texts.lengths > 8 * HASHED_WORDS))
    hashed *= _ODD
    return hashed


def _mixed(words: Words) -> Words:
    """Return words of which every bit depends on every bit, and on the seed."""
    words = (words ^ _SEED) * np.uint64(_MULTIPLIERS[0])
    words ^= words >> np.uint64(29)
    words *= np.uint64(_MULTIPLIERS[1])
    words ^= words >> np.uint64(32)
    return words


def _hash_whole(hashed: Words, texts: Texts, rows: Integers) -> None:
    """Put hashes of whole names in place, of the few that are very long."""
    from hashlib import blake2b  # slow to import, and names are seldom so long

    for row in rows.tolist():
        digest = blake2b(texts.bytes_of(row), digest_size=8, key=_SEED.tobytes()).digest()
        hashed[row] = int.from_bytes(digest, "little")


def distinct(
    texts: Texts, hashed: Words, topic: Integers | None = None
) -> tuple[Integers, Integers] | None:
    """Return the first row of each distinct name, or pair of topic and name, and each row's number.

    Arrow encodes the hashes, not the names, because a file can be made whose names all collide
    in Arrow's own hash. None in the unlikely case that different names have equal hashes.
    """
    import pyarrow as pa  # what needs no numbers needs no Arrow

    if topic is not None:
        salts = np.frombuffer(os.urandom(8 * (int(topic.max(initial=0)) + 1)), dtype=np.uint64)
        hashed = hashed ^ salts[topic]
    column = pa.Array.from_buffers(pa.uint64(), len(hashed), [None, pa.py_buffer(hashed)])
    encoded = column.dictionary_encode()
    which = np.frombuffer(encoded.indices.buffers()[1], dtype=np.int32)[: len(hashed)]
    first = np.empty(len(encoded.dictionary), dtype=np.int64)
    first[which[::-1]] = np.arange(len(which) - 1, -1, -1)  # the last assignment stays
    before = first[which]
    later = np.flatnonzero(before != np.arange(len(which)))
    before = before[later]
    alike = same(texts, later, texts, before).all()
    if alike and (topic is None or (topic[later] == topic[before]).all()):
        return first, which.astype(np.int64)
    return None


def same(texts: Texts, rows: Integers, others: Texts, other_rows: Integers) -> Booleans:
    """Return True for each pair of names that are equal, byte for byte."""
    equal = texts.lengths[rows] == others.lengths[other_rows]
    left = np.flatnonzero(equal & (texts.lengths[rows] > 0))
    number = 0
    while len(left):
        alike = texts.words(number, rows[left]) == others.words(number, other_rows[left])
        equal[left[~alike]] = False
        number += 1
        left = left[alike & (texts.lengths[rows[left]] > 8 * number)]
    return equal


def copied(parts: Sequence[Texts], rows: Integers | None = None) -> tuple[bytes, Integers]:
    """Return all names of parts, or some rows of one, end to end, and the size of each."""
    kernel = compiled()
    if kernel:
        found: tuple[bytes, Integers] = kernel.copied(parts, rows)
        return found
    parts = parts if rows is None else [parts[0].part(rows)]
    text = b"".join(chain.from_iterable(_pieces(part) for part in parts))
    return text, joined([part.lengths for part in parts])


def _pieces(texts: Texts) -> Iterator[bytes]:
    """Yield the bytes of all names."""
    view = memoryview(texts.text)
    if texts.adjacent and len(texts.starts):
        yield bytes(view[int(texts.starts[0]) : int(texts.starts[-1] + texts.lengths[-1])])
        return
    characters = np.frombuffer(view, dtype=np.uint8)
    for start in range(0, len(texts.starts), AT_ONCE):
        some = texts.part(slice(start, start + AT_ONCE))
        offsets = offsets_of(some.lengths)
        places = np.arange(offsets[-1]) + np.repeat(some.starts - offsets[:-1], some.lengths)
        yield characters[places].tobytes()


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


@frozen(eq=False)
class PairTable:
    """Distinct pairs of a topic and a docno.

    Topic t has the pairs offsets[t] to offsets[t+1]; `docno` is the number of each pair's docno.
    """

    names: "Names"
    offsets: Integers
    docno: Integers

    @cached_property
    def placed(self) -> Any:
        """The pairs for the compiled reader, which finds those of a topic in a table of its own."""
        names = self.names
        return compiled().PlacedJudgments(self.offsets, self.docno, names.texts, names.hashes)

    @cached_property
    def topic(self) -> Integers:
        """The index of each pair's topic."""
        return owner(self.offsets)

    @cached_property
    def salts(self) -> Words:
        """A random number for each topic, and one for topics without pairs."""
        return np.frombuffer(os.urandom(8 * len(self.offsets)), dtype=np.uint64)

    @cached_property
    def table(self) -> HashTable:
        """The pairs by hashes of both."""
        return HashTable(self.names.hashes[self.docno] ^ self.salts[self.topic])


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

    @property
    def n_bytes(self) -> int:
        return int(self.texts.lengths.sum())

    def names_at(self, rows: Rows) -> list[bytes]:
        """Return the names of some rows."""
        some = self.texts.part(rows)
        if some.adjacent and not isinstance(some.text, bytes):
            some = Texts.from_sizes(*copied([some]))
        places = zip(some.starts.tolist(), some.lengths.tolist(), strict=True)
        if isinstance(some.text, bytes):
            return [some.text[at : at + size] for at, size in places]
        view, known = memoryview(some.text), dict[tuple[int, int], bytes]()
        for at, size in (every := list(places)):  # a few long ones may be those of many rows
            if (at, size) not in known:
                known[at, size] = bytes(view[at : at + size])
        return [known[place] for place in every]

    def distinct(self) -> tuple[Self | PlainDocnos, Integers]:
        """Return the names, each once in order, and the number of each row's."""
        kernel = compiled()
        found = (kernel.number if kernel else distinct)(self.texts, self.hashes)
        if found is None:
            known: dict[bytes, int] = {}
            which = PlainDocnos(self.tolist()).number(known)
            return PlainDocnos(list(known)), which
        return self.take(found[0]), found[1]

    def number(self, known: dict[bytes, int]) -> Integers:
        names, which = self.distinct()
        return PlainDocnos(names.tolist()).number(known)[which]

    def order(self, rows: Integers) -> Integers:
        if len(rows) < MANY or compiled():  # which has ordered most of them
            return PlainDocnos(self.names_at(rows)).order(np.arange(len(rows)))
        import pyarrow.compute as pc

        found = pc.rank(self.take(rows).as_arrow(), tiebreaker="dense")
        return as_numpy(found, np.uint64).astype(np.int64)

    def take(self, rows: Integers) -> Self:
        """Copy some names, so that the others need not stay in memory."""
        texts = Texts.from_sizes(*copied([self.texts], rows))
        return type(self)(texts, self._marks_of(rows))

    def slice(self, start: int, stop: int) -> Self:
        return self.view(slice(start, stop))

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

    def as_arrow(self) -> Any:
        """Return the names as a column of Arrow."""
        import pyarrow as pa

        text, sizes = copied([self.texts])
        offsets = [None, pa.py_buffer(offsets_of(sizes)), pa.py_buffer(text)]
        return pa.Array.from_buffers(pa.large_binary(), len(sizes), offsets)

    def find(self, index: Any) -> tuple[Integers, Integers]:
        names: Names = index.hashed
        if not names.table.are_distinct:
            return super().find(index)
        rows, number = names.table.find(self.hashes)
        right = same(self.texts, rows, names.texts, number)
        return rows[right], number[right]

    def find_judged(
        self, index: Any, topic: Integers, starts: Integers
    ) -> tuple[Integers, Integers]:
        pairs: PairTable = index.hashed
        kernel = compiled()
        if kernel:
            found = kernel.ranked(self.texts, self.hashes, starts, topic, pairs.placed)
            return found.rows, found.judgment
        if not pairs.table.are_distinct:
            return super().find_judged(index, topic, starts)
        salts = np.repeat(pairs.salts[topic], sizes_of(starts))
        rows, number = pairs.table.find(self.hashes ^ salts)
        right = topic[stretch_of(rows, starts)] == pairs.topic[number]
        right &= same(self.texts, rows, pairs.names.texts, pairs.docno[number])
        return rows[right], number[right]

    def ranked(
        self, index: Any, topic: Integers, starts: Integers, scores: Floats, order: int
    ) -> Any:
        """Return the judged rows by descending score, as `RowsByRank` of kernel.py.

        Equal scores stay in their order if `order` is 0; docnos ascend if it is 1, descend if -1.
        None without the compiled reader, and where a docno may be repeated.
        """
        kernel = compiled()
        if kernel is None:
            return None
        pairs = index.hashed.placed
        found = kernel.ranked(self.texts, self.hashes, starts, topic, pairs, scores, order)
        return None if len(found.repeated) else found

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        kernel = compiled()
        later = kernel.ranked(self.texts, self.hashes, starts).repeated if kernel else None
        if later is not None and not len(later):
            return []
        marks = self.hashes ^ np.repeat(spread(np.arange(len(starts) - 1)), sizes_of(starts))
        if later is not None:
            twice = marks[later]
        else:
            ordered = np.sort(marks)
            twice = ordered[1:][ordered[1:] == ordered[:-1]]
        if not len(twice):
            return []
        if len(twice) > MOST_REPEATED:
            raise RepeatedTooOftenError
        suspects = np.flatnonzero(np.isin(marks, twice))
        stretch = stretch_of(suspects, starts).tolist()
        first: dict[tuple[int, bytes], int] = {}
        pairs = []
        for row, where, name in zip(
            suspects.tolist(), stretch, self.names_at(suspects), strict=True
        ):
            earlier = first.setdefault((where, name), row)
            if earlier != row:
                pairs.append((earlier, row))
        return pairs


def _from_sizes(text: bytes, sizes: Integers) -> Names:
    return Names(Texts.from_sizes(text, sizes))


def topics_of(names: Names) -> Sequence[bytes]:
    """Return the topics of stretches; where they are many, they are a few that come again."""
    if len(names) < MANY:
        return tuple(names.tolist())
    distinct, which = names.distinct()
    return Repeating(tuple(distinct.tolist()), which)
