"""Parse lines of one shape with numpy alone: fields as words of eight bytes, digits as columns.

It reads only what most runs are: the same separator, second field and tag in all lines, and scores
in plain decimals. A score of at most sixteen digits is an exact integer divided by an exact power
of ten, which gives the nearest double, as `float` does (Clinger, How to read floating point numbers
accurately, PLDI 1990). It takes less time and memory than Arrow: docs/decisions/regular-runs.md.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, NamedTuple, Self

import numpy as np

from rankeval.base.arrays import Floats, Integers, NDArray, Words
from rankeval.base.frozen import frozen
from rankeval.io.parsers.columns import Columns, Docnos, Layout
from rankeval.io.parsers.hashing import Texts
from rankeval.io.parsers.numbered_docnos import HashedDocnos
from rankeval.io.parsers.plain_parser import PlainDocnos

Bytes = NDArray[np.uint8]
Rows = Integers | slice

LONGEST_NAME = 128
"""Bytes; a topic, docno or tag as long as this is left to other parsers."""

MARGIN = 3 * LONGEST_NAME
"""Bytes before and after the lines that windows on them may touch."""

MOST_DIGITS = 16
LARGEST_EXACT = 1 << 53
SCORE, AT_ONCE = 24, 12
"""Bytes before the end of a score in which it begins: its digits, a point, a sign, a separator; and
how many are looked at in one go."""

FIELDS = 6
NEWLINE, SPACE, POINT, MINUS, ZERO = b"\n .-0"
SEPARATORS = b" \t"

MINUS_DIGIT, POINT_DIGIT = (np.uint8((sign - ZERO) % 256) for sign in (MINUS, POINT))
POWERS = np.array([float(10**exponent) for exponent in range(SCORE)])

ALL = np.uint64((1 << 64) - 1)
ONE_OF_EACH = np.uint64(0x0101010101010101)
TOP_OF_EACH = np.uint64(0x8080808080808080)
PLACES = np.uint64(0x0001020304050607)
"""A word with one byte of value 1 times this has the place of that byte in its top byte."""


@frozen(eq=False)
class PlacedDocnos(HashedDocnos):
    """Docnos by their places in the text of their lines."""

    text: bytes
    places: Texts

    @property
    def texts(self) -> Texts:
        """The place of the docnos in memory."""
        return self.places

    def __len__(self) -> int:
        return len(self.places.starts)

    def __getitem__(self, row: int) -> bytes:
        return self.names_at(np.array([row]))[0]

    def tolist(self) -> list[bytes]:
        return self.names_at(slice(None))

    def number(self, known: dict[bytes, int]) -> Integers:
        return PlainDocnos(self.tolist()).number(known)

    def order(self, rows: Integers) -> Integers:
        return PlainDocnos(self.names_at(rows)).order(np.arange(len(rows)))

    def take(self, rows: Integers) -> Self:
        return self._part(rows)

    def slice(self, start: int, stop: int) -> Self:
        return self._part(slice(start, stop))

    def followed_by(self, others: Sequence[Docnos]) -> Docnos:
        return PlainDocnos(self.tolist()).followed_by(others)

    def _part(self, rows: Rows) -> Self:
        return replace(self, places=self.places.part(rows))

    def names_at(self, rows: Rows) -> list[bytes]:
        starts = self.places.starts[rows]
        ends = starts + self.places.lengths[rows]
        return [self.text[s:e] for s, e in zip(starts.tolist(), ends.tolist(), strict=True)]


class IrregularError(Exception):
    """Raised for lines that only other parsers can read."""


class Parsed(NamedTuple):
    """The columns of N lines, and where each line begins in the text, and the last one ends."""

    columns: Columns
    bounds: Integers


class _Shape(NamedTuple):
    """The text that all lines share, as the first one shows it, and the words of the names."""

    separator: int
    second: bytes
    tag: bytes
    topic_words: int
    docno_words: int

    @property
    def around_second(self) -> bytes:
        """The text between topic and docno."""
        return bytes([self.separator, *self.second, self.separator])

    @property
    def behind_score(self) -> bytes:
        """The text from the score to the end of the line."""
        return bytes([self.separator, *self.tag, NEWLINE])


def is_for(layout: Layout) -> bool:
    """Return True for lines of runs of which only topic, docno, decimal score and tag are read."""
    places = (layout.topic, layout.docno, layout.value, layout.tag)
    only = not (layout.kept or layout.ranked or layout.objects) and layout.rank is None
    by_blanks = layout.split is None and len(layout.fields) == FIELDS
    return only and by_blanks and layout.decimal and places == (0, 2, 4, 5)


def parse(text: bytes, begin: int, end: int, layout: Layout, first_line: int) -> Parsed:
    """Parse the whole lines from `begin` to `end`, around which there are MARGIN bytes more.

    They are parsed as the plain parser does; IrregularError if only other parsers can read them.
    """
    bounds = _bounds(text, begin, end)
    starts, ends = bounds[:-1], bounds[1:]
    shape = _shape_of(text[begin : int(ends[0])])
    # Six separators of each line are found below, one behind the other. If all blanks are as many,
    # they are these, and no line holds another newline.
    characters = np.frombuffer(text, dtype=np.uint8, count=end - begin, offset=begin)
    _require(int(np.count_nonzero(characters <= SPACE)) == FIELDS * len(starts))

    behind = len(shape.behind_score)
    tail = -(-(SCORE + behind) // 8)
    rows = _windows(text, bounds, tail, shape.topic_words)
    topics = _first_field(rows[:-1, tail:], shape.separator)
    _require(_all_end_with(rows[1:, :tail], shape.behind_score))
    scores = _decimals(rows[1:, :tail].view(np.uint8), behind, shape.separator)

    docno_at = starts + topics.lengths
    docno_at += len(shape.around_second)
    rows = _windows(text, docno_at, 1, shape.docno_words)
    _require(_all_end_with(rows[:, :1], shape.around_second))
    docnos = _first_field(rows[:, 1:], shape.separator)

    rank_and_separators = ends - docno_at
    rank_and_separators -= docnos.lengths
    rank_and_separators -= scores.lengths
    _require(int(rank_and_separators.min()) - behind >= len(b" 1 "))

    changes = np.append(0, topics.changes())
    places = zip(starts[changes].tolist(), topics.lengths[changes].tolist(), strict=True)
    names = tuple(text[start : start + length] for start, length in places)
    _require(not (layout.comments and any(name.startswith(b"#") for name in names)))
    eight = np.ndarray(len(text) - 7, dtype="<u8", buffer=text, strides=(1,))
    texts = Texts(docno_at, docnos.lengths, eight, adjacent=False, known=docnos.words)
    columns = Columns(
        topics=names,
        starts=np.append(changes, len(starts)),
        docnos=PlacedDocnos(text, texts),
        values=scores.values,
        lines=range(first_line, first_line + len(starts)),
        tags=frozenset([shape.tag]),
        last_tag=shape.tag,
    )
    return Parsed(columns, bounds)


def _require(is_regular: bool | np.bool) -> None:  # noqa: FBT001  the one thing that it is about
    if not is_regular:
        raise IrregularError


def _bounds(text: bytes, begin: int, end: int) -> Integers:
    """Return where lines begin, and the last one ends.

    Of several newlines within eight bytes it finds one, or none of them: then the lines have too
    many blanks, or do not end where the text does.
    """
    size = end - begin
    is_newline = np.empty(-(-size // 8) * 8, dtype=bool)
    is_newline[size:] = False
    characters = np.frombuffer(text, dtype=np.uint8, count=size, offset=begin)
    np.equal(characters, NEWLINE, out=is_newline[:size])
    marks = is_newline.view("<u8")
    words = np.flatnonzero(marks != 0)
    _require(len(words) > 0)
    places = marks[words]
    places *= PLACES
    places >>= np.uint64(56)
    bounds = np.empty(len(words) + 1, dtype=np.int64)
    bounds[0] = begin
    np.multiply(words, 8, out=bounds[1:])
    bounds[1:] += places.view(np.int64)
    bounds[1:] += begin + 1
    _require(int(bounds[-1]) == end)
    return bounds


def _shape_of(line: bytes) -> _Shape:
    """Return what the lines share, as the first one shows it."""
    separator = next((s for s in SEPARATORS if s in line), SPACE)
    fields = line.rstrip(b"\n").split(bytes([separator]))
    _require(len(fields) == FIELDS and all(fields))
    topic, second, docno, _, _, tag = fields
    _require(len(second) <= 6 and max(map(len, (topic, docno, tag))) < LONGEST_NAME)
    return _Shape(separator, second, tag, _words_for(topic), _words_for(docno))


def _words_for(name: bytes) -> int:
    """Return how many words to look at, so that names twice as long as the first one fit."""
    return min(2 * len(name) // 8 + 2, LONGEST_NAME // 8 + 1)


def _windows(text: bytes, places: Integers, before: int, after: int) -> Words:
    """Return so many words before and after each place, as rows."""
    width = 8 * (before + after)
    windows = np.ndarray(len(text) - width + 1, dtype=f"V{width}", buffer=text, strides=(1,))
    return windows[places - 8 * before].view("<u8").reshape(len(places), before + after)


class _Fields(NamedTuple):
    """Names of one field: their words, bytes after their ends being 0, and their lengths."""

    words: tuple[Words, ...]
    lengths: Integers

    def changes(self) -> Integers:
        """Return the rows whose name differs from that of the row before."""
        differs = self.words[0][1:] != self.words[0][:-1]
        for words in self.words[1:]:
            differs |= words[1:] != words[:-1]
        return np.flatnonzero(differs) + 1


def _first_field(rows: Words, separator: int) -> _Fields:
    """Return the text before the first separator in each row; each has one, and some text."""
    words: list[Words] = []
    lengths = np.zeros(len(rows), dtype=np.uint8)
    for column in range(rows.shape[1]):
        word = rows[:, column].copy()
        mask, n_bytes = _before_first(word, separator)
        if column:
            is_open = lengths == 8 * column
            mask *= is_open
            n_bytes *= is_open
        word &= mask
        words.append(word)
        lengths += n_bytes
        if not (lengths == 8 * len(words)).any():
            _require(bool(lengths.all()))
            return _Fields(tuple(words), lengths.astype(np.int64))
    raise IrregularError


def _before_first(words: Words, byte: int) -> tuple[Words, Bytes]:
    """Return masks of the bytes before the first such byte of each word, and their numbers.

    Mycroft's test for a byte of zeros, which finds the first one: what it finds beyond may be none.
    """
    differs = words ^ (ONE_OF_EACH * np.uint64(byte))
    found = differs - ONE_OF_EACH
    np.invert(differs, out=differs)
    found &= differs
    found &= TOP_OF_EACH
    mask = np.subtract(found, np.uint64(1), out=differs)
    np.invert(found, out=found)
    mask &= found
    n_bytes = np.bitwise_count(mask)
    n_bytes >>= 3
    whole = n_bytes == 8
    mask >>= np.uint64(7)
    if whole.any():
        mask[whole] = ALL
    return mask, n_bytes


def _all_end_with(rows: Words, text: bytes) -> bool:
    """Return True if the bytes of each row end with the text."""
    words = np.frombuffer(text.rjust(-(-len(text) // 8) * 8, b"\0"), dtype="<u8")
    first = ALL << np.uint64(-len(text) % 8 * 8)
    columns = range(rows.shape[1] - len(words), rows.shape[1])
    return all(
        bool(((rows[:, column] & mask) == word).all())
        for column, word, mask in zip(columns, words, [first, *[ALL] * len(words)], strict=False)
    )


class _Scores(NamedTuple):
    """Numbers, and of how many characters each is."""

    values: Floats
    lengths: Bytes


def _decimals(rows: Bytes, behind: int, separator: int) -> _Scores:
    """Read the number that ends `behind` bytes before the end of each row, after a separator.

    IrregularError if one is no plain decimal, or has more digits than a double holds exactly.
    """
    columns, lengths = _characters(rows, behind, separator)
    negative = np.zeros(len(rows), dtype=bool)
    passed = np.zeros(len(rows), dtype=bool)  # a point stands further right
    fraction: Integers | int = 0
    differ = False  # in where their points are
    digits: list[Bytes] = []
    for place, column in enumerate(columns):
        if column.max() <= 9 and not differ:
            digits.append(column)
            continue
        minus, point = column == MINUS_DIGIT, column == POINT_DIGIT
        digit = column * ~(minus | point)
        inner = minus & (lengths != place + 1)  # a sign that is not the first character
        if digit.max() > 9 or (point & passed).any() or inner.any():
            raise IrregularError
        negative |= minus
        if point.all():  # the column of the point is left out
            passed, fraction = point, place
            continue
        if point.any():  # it stays, with 0 where the points are
            fraction, differ = np.where(point, place, fraction), True
        if differ and digits:  # into that 0 moves what stands before a point, and so on
            digits[-1] += digit * passed
            digit *= ~passed
        digits.append(digit)
        passed |= point
    _require((lengths - passed - negative).min() > 0)
    _require(not any(column.any() for column in digits[MOST_DIGITS:]))
    mantissa = _integers(digits[:MOST_DIGITS])
    _require(mantissa.max() <= LARGEST_EXACT)
    values = mantissa.astype(np.float64)
    values /= POWERS[fraction]
    np.negative(values, out=values, where=negative)
    return _Scores(values, lengths)


def _characters(rows: Bytes, behind: int, separator: int) -> tuple[list[Bytes], Bytes]:
    """Return the characters of numbers by column, the last ones first, and how many there are.

    Digits are 0 to 9; what stands before a number is 0.
    """
    lengths = np.zeros(len(rows), dtype=np.uint8)
    inside = np.ones(len(rows), dtype=bool)
    columns: list[Bytes] = []
    end = rows.shape[1] - behind
    for stop in range(end, end - SCORE, -AT_ONCE):
        # To move some columns together takes half the time of one after the other.
        for column in np.ascontiguousarray(rows[:, stop - AT_ONCE : stop].T)[::-1]:
            inside &= column != separator
            if not inside.any():
                return columns, lengths
            lengths += inside.view(np.uint8)
            np.subtract(column, np.uint8(ZERO), out=column)
            np.multiply(column, inside.view(np.uint8), out=column)
            columns.append(column)
    raise IrregularError


def _integers(digits: Sequence[Any]) -> Words:
    """Return the integers of at most sixteen digits, given by column, the lowest ones first."""
    base = 10
    for kind in (np.uint8, np.uint16, np.uint32, np.uint64):
        pairs = zip_longest(digits[::2], digits[1::2])
        digits = [
            low if high is None else low + high.astype(kind) * kind(base) for low, high in pairs
        ]
        base *= base
    integers: Words = digits[0]
    return integers
