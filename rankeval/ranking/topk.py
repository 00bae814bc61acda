"""Lists of top documents as arrays, such as a recommender's, for all users at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, NDArray, offsets_of
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, described, quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.formats import trec
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.numbered_docnos import (
    DIGITS,
    DistinctNames,
    IntegerTopics,
    Naming,
    NumberedDocnos,
)
from rankeval.io.python_values import as_bytes, columns_of, encoded
from rankeval.ranking.row_blocks import AT_ONCE, RowBlocks, is_missing

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


LARGEST = np.iinfo(np.int64).max
"""The largest document or topic."""

UNNAMED = -1
"""Stands for no document where documents are numbered as they come."""


@frozen(eq=False)
class TopK:
    """The first k documents of n topics: made by `Run.from_topk`.

    ====== ============= ===============================================================
    ids    (n, k) int    the documents of each topic, as numbers whose names `naming` has
    scores (n, k) float  their scores; None where the order of the columns is the ranking
    topics n bytes       the topics
    pad    an integer    the number where there is no document
    naming               the names of the documents' numbers
    ====== ============= ===============================================================
    """

    ids: Integers
    scores: Floats | None
    topics: Sequence[bytes]
    pad: int
    naming: Naming

    def __len__(self) -> int:
        return int(np.count_nonzero(self.there))

    def __repr__(self) -> str:
        """Show the size."""
        return f"<TopK: {self.size}>"

    @property
    def size(self) -> str:
        """The numbers of topics and of documents that each may have, in words."""
        topics, k = self.ids.shape
        return f"{topics} topics x {k} documents"

    @property
    def there(self) -> Booleans:
        """False where there is no document, shape (n, k)."""
        return self.ids != self.pad

    def pieces(self) -> Iterator[Columns]:
        """Yield the same as lines with names, some topics at a time."""
        width = self.ids.shape[1]
        falling = -np.arange(1.0, 1.0 + width)  # scores that order documents as the columns do
        at_once = _rows_at_once(width)
        lines = 0
        for start in range(0, len(self.ids), at_once):
            place = slice(start, start + at_once)
            ids = self.ids[place]
            there = ids != self.pad
            values = np.broadcast_to(falling, ids.shape)
            if self.scores is not None:
                values = self.scores[place].astype(np.float64)
            if there.all():  # marked rows take longer to count and to take
                there = ...
                sizes = np.full(len(ids), width)
            else:
                sizes = np.count_nonzero(there, axis=1)
            filled = sizes > 0
            yield Columns(
                topics=_chosen(self.topics[place], filled),
                starts=offsets_of(sizes[filled]),
                docnos=NumberedDocnos(ids[there].ravel(), self.naming),
                values=values[there].ravel(),
                lines=range(lines + 1, lines + 1 + int(sizes.sum())),
                empty=tuple(_chosen(self.topics[place], ~filled)),
            )
            lines += int(sizes.sum())

    def places(self, topic: bytes, docno: bytes) -> list[str]:
        """The places of a document of a topic, such as "[0, 2]"."""
        if topic not in self.topics:
            return []
        row = list(self.topics).index(topic)
        filled = np.flatnonzero(self.ids[row] != self.pad)
        docnos = NumberedDocnos(self.ids[row, filled], self.naming).tolist()
        return [
            f"[{row}, {column}]"
            for column, name in zip(filled.tolist(), docnos, strict=True)
            if name == docno
        ]


@frozen(eq=False)
class Gathered:
    """Rankings of different topics in several parts: arrays, or {topic: {docno: score}}."""

    parts: tuple[TopK | dict[str, Mapping[Any, float]], ...]

    def __len__(self) -> int:
        return sum(
            len(part) if isinstance(part, TopK) else sum(map(len, part.values()))
            for part in self.parts
        )

    def pieces(self) -> Iterator[Columns]:
        """Yield all parts as lines with names, some topics at a time."""
        for part in self.parts:
            yield from part.pieces() if isinstance(part, TopK) else [columns_of(part, trec.RUN)]

    def places(self, topic: bytes, docno: bytes) -> list[str]:
        """The places of a document of a topic in its array."""
        parts = (part for part in self.parts if isinstance(part, TopK))
        return [place for part in parts for place in part.places(topic, docno)]


def repeated(given: TopK | Gathered, topic: bytes, docno: bytes, n_more: int) -> InputError:
    """Return the error of a document that is listed twice; `n_more` others are, too."""
    places = " and ".join(given.places(topic, docno)[:2])
    return InputError(
        f"document {quoted(docno)} is listed twice in topic {quoted(topic)}"
        + (f", at {places}" if places else "")
        + (f" (and {n_more} more such documents)" if n_more else ""),
        place="ids",
        expected="each document once per topic",
        remedy="keep one of them, and put pad in the place of the other",
    )


def _chosen(topics: Sequence[bytes], rows: Booleans) -> Sequence[bytes]:
    """Return the topics of some rows."""
    if isinstance(topics, IntegerTopics):
        return IntegerTopics(topics.numbers[rows])
    return tuple(compress(topics, rows.tolist()))


def from_topk(
    ids: ArrayLike,
    scores: ArrayLike | None = None,
    topics: ArrayLike | None = None,
    pad: int | str | bytes = -1,
) -> TopK:
    """Make a run of the first k documents of n topics, given as an array (n, k).

    `Run.from_topk` says what it takes, and what is an error.
    """
    rows = RowBlocks(ids, "ids")
    width = _width(rows)
    names = _topics(topics, rows.number)
    numbers, missing, naming = _documents(rows, width, pad)
    values = None if scores is None else _scores(RowBlocks(scores, "scores"), numbers, missing)
    for own in (numbers, values):
        if own is not None:
            own.flags.writeable = False
    return TopK(numbers, values, names, missing, naming)


def _width(rows: RowBlocks) -> int:
    """Return the number of documents of each row."""
    _, first = next(rows.blocks(1))
    if first.ndim != 2:
        raise UsageError(
            f"{rows.name} have {count(first.ndim, 'dimension')}",
            expected="an array (n, k)",
            remedy=f"write [{rows.name}] for one topic",
        )
    return int(first.shape[1])


def _rows_at_once(width: int) -> int:
    return max(1, AT_ONCE // max(width, 1))


def _blocks(rows: RowBlocks, width: int) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Yield blocks of rows of one length; UsageError for another one."""
    for place, block in rows.blocks(_rows_at_once(width)):
        if block.ndim != 2 or block.shape[1] != width:
            raise rows.no_array(ValueError("the rows have different lengths"))
        yield place, block


def _topics(given: Any, number: int) -> Sequence[bytes]:
    """Return the name of each row; errors for other numbers of names, and for what is no name."""
    if given is None:
        return IntegerTopics(np.arange(number))
    rows = RowBlocks(given, "topics")
    _, found = next(rows.blocks(max(rows.number, 1)))
    if found.shape != (number,):
        raise UsageError(f"topics have the shape {found.shape}", expected=f"the shape ({number},)")
    if np.ma.getmaskarray(found).any():
        raise UsageError("topics have masked values", expected="a topic for each row")
    _refuse_no_names(found, "topics")
    if found.dtype.kind in "iu" and found.max(initial=0) <= LARGEST:
        integers = found.astype(np.int64)
        if len(np.unique(integers)) == number:
            return IntegerTopics(integers)
    names = tuple(encoded(found.tolist(), "topic", lambda row: f"topics, row {row}"))
    if b"" in names:
        raise InputError(
            f"the topic of row {names.index(b'')} is empty",
            place="topics",
            expected="a name for each row",
        )
    if len(set(names)) < number:
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise InputError(
            f"topic {quoted(twice)} has two rows", place="topics", expected="each topic once"
        )
    return names


def _refuse_no_names(found: NDArray[Any], name: str) -> None:
    """Raise UsageError for an array of a type that holds no names, such as floats."""
    if found.dtype.kind not in "iuUSOT" and found.size:
        raise UsageError(
            f"{name} are of the type {found.dtype}",
            expected="integers, text or bytes",
            remedy="with gaps, fill them first: ids.fillna(-1).astype(int)"
            if name == "ids" and found.dtype.kind == "f"
            else "",
        )


def _documents(rows: RowBlocks, width: int, pad: int | str | bytes) -> tuple[Integers, int, Naming]:
    """Return the number of each document, that of padding, and the names of numbers."""
    if not isinstance(pad, str | bytes):
        numbers = _integers(rows, width, int(pad))
        if numbers is not None:
            return numbers, int(pad), DIGITS
    codes = _Codes(pad)
    found: Integers = np.empty((rows.number, width), dtype=np.int32)
    for place, block in _blocks(rows, width):
        _refuse_no_names(block, "ids")
        try:
            found[place] = codes.of(np.ma.getdata(block)).reshape(block.shape)
        except InputError as error:
            raise _at_its_place(error, block, place.start) from None
        found[place][np.ma.getmaskarray(block)] = UNNAMED
    return found, UNNAMED, DistinctNames(list(codes.known))


def _integers(rows: RowBlocks, width: int, pad: int) -> Integers | None:
    """Return documents that are integers, `pad` at masked places; None if some are not."""
    if not rows.number * width:
        return np.zeros((rows.number, width), dtype=np.int64)
    found = None
    for place, block in _blocks(rows, width):
        if block.dtype.kind not in "iu":
            return None
        if found is None:
            found = np.empty((rows.number, width), dtype=_integers_for(rows, block, pad))
        data = np.ma.getdata(block)
        if block.dtype.kind == "u" and data.max(initial=0) > LARGEST:
            raise UsageError(f"ids have {data.max()}", expected=f"integers up to {LARGEST}")
        found[place] = data
        if isinstance(block, np.ma.MaskedArray):
            found[place][np.ma.getmaskarray(block)] = pad
    return found


def _integers_for(rows: RowBlocks, block: NDArray[Any], pad: int) -> type[np.signedinteger[Any]]:
    """Return the type for documents: four bytes where every block has four or fewer."""
    bounds = np.iinfo(np.int32)
    typed = hasattr(rows.given, "dtype") and np.can_cast(block.dtype, np.int32)
    return np.int32 if typed and bounds.min <= pad <= bounds.max else np.int64


class _Codes(dict[Any, int]):
    """The number of each document by how it was given, UNNAMED for none: {"a": 0, b"a": 0}."""

    def __init__(self, pad: int | str | bytes) -> None:
        super().__init__()
        self.known: dict[bytes, int] = {}
        self.nothing = frozenset([as_bytes(pad, "pad"), b""])

    def of(self, given: NDArray[Any]) -> NDArray[np.int32]:
        """Return the number of each document of an array."""
        values = given.ravel().tolist()
        if given.dtype.kind == "O":
            alike = {type(value) for value in values}
            if any(issubclass(kind, bool | np.bool_ | float | np.floating) for kind in alike):
                _refuse_equal_numbers(values)  # True would be found as 1, and 1.0
        try:
            return np.fromiter(map(self.__getitem__, values), np.int32, len(values))
        except TypeError:  # what has no hash is no name
            raise _no_document(next(filter(_is_no_name, values))) from None

    def __missing__(self, value: Any) -> int:
        if is_missing(value):
            return UNNAMED
        try:
            name = as_bytes(value, "docno")
        except InputError as error:
            error.place, error.expected = "ids", "text, bytes or integers"
            raise
        code = UNNAMED if name in self.nothing else self.known.setdefault(name, len(self.known))
        self[value] = code
        return code


def _refuse_equal_numbers(values: list[Any]) -> None:
    """Raise InputError for truth values and floats, other than NaN."""
    for value in values:
        if isinstance(value, bool | np.bool_ | float | np.floating) and not is_missing(value):
            raise _no_document(value)


def _is_no_name(value: object) -> bool:
    if isinstance(value, bool | np.bool_):
        return True
    return not (isinstance(value, str | bytes | int | np.integer) or is_missing(value))


def _at_its_place(error: InputError, block: NDArray[Any], start: int) -> InputError:
    """Name the row and the column of the first value that is no docno, if there is one."""
    width = max(block.shape[1], 1)
    wrong = next((i for i, v in enumerate(block.ravel().tolist()) if _is_no_name(v)), None)
    if wrong is not None:
        error.place = f"ids, [{start + wrong // width}, {wrong % width}]"
    return error


def _no_document(value: object) -> InputError:
    return InputError(
        f"{described(value)} is no docno", place="ids", expected="text, bytes or integers"
    )


def _scores(rows: RowBlocks, numbers: Integers, pad: int) -> Floats:
    """Return scores, and put padding where they are masked; errors for a wrong shape or score."""
    shape = (rows.number, _width(rows))
    if shape != numbers.shape:
        raise UsageError(f"scores have the shape {shape}", expected=f"the shape {numbers.shape}")
    found: NDArray[Any] | None = None
    for place, block in _blocks(rows, shape[1]):
        data = _as_floats(rows, np.ma.getdata(block), place.start)
        if found is None:
            found = np.empty(shape, dtype=data.dtype)
        found = found if np.can_cast(data.dtype, found.dtype) else found.astype(data.dtype)
        found[place] = data
        if isinstance(block, np.ma.MaskedArray):
            numbers[place][np.ma.getmaskarray(block)] = pad
        numbers[place][data == -np.inf] = pad  # as a mask sets it: not retrieved
        wrong = ~np.isfinite(data) & (numbers[place] != pad)
        if wrong.any():
            row, column = np.argwhere(wrong)[0].tolist()
            raise InputError(
                f"the score at [{place.start + row}, {column}] is {data[row, column]}",
                place="scores",
                expected="finite scores",
            )
    return np.zeros(shape) if found is None else found


def _as_floats(rows: RowBlocks, block: NDArray[Any], start: int) -> Floats:
    """Return scores of any type as floats that hold them exactly."""
    if block.dtype.kind == "O":
        block = np.array([np.nan if is_missing(v) else v for v in block.flat]).reshape(block.shape)
    try:
        exact = block.dtype.kind in "fV" and block.dtype.itemsize <= np.dtype(np.float32).itemsize
        return block.astype(np.float32 if exact else np.float64)
    except (ValueError, TypeError) as error:
        for row, values in enumerate(block.tolist()):
            for column, value in enumerate(values):
                if not _is_number(value):
                    raise InputError(
                        f"the score at [{start + row}, {column}] is {described(value)}",
                        place=rows.name,
                        expected="finite scores",
                    ) from None
        raise rows.no_array(error) from error


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (ValueError, TypeError):
        return False
    return True
