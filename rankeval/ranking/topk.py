"""Lists of top documents as arrays, such as a recommender's, for all users at once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, NDArray, offsets_of
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, described, quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.formats.layouts import RUN
from rankeval.io.parsers.columns import (
    DIGITS,
    Columns,
    DistinctNames,
    IntegerTopics,
    Naming,
    NumberedDocnos,
)
from rankeval.io.python_values import as_bytes, columns_of, encoded
from rankeval.ranking.in_memory import is_ranx

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


LARGEST = np.iinfo(np.int64).max
"""The largest document or topic."""

AT_ONCE = 1 << 15
"""Numbers or names that are looked at together."""

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

    def __iter__(self) -> Iterator[Columns]:
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


@frozen(eq=False)
class Gathered:
    """Rankings of different topics in several parts: arrays, or {topic: {docno: score}}."""

    parts: tuple[TopK | dict[str, Mapping[Any, float]], ...]

    def __len__(self) -> int:
        return sum(
            len(part) if isinstance(part, TopK) else sum(map(len, part.values()))
            for part in self.parts
        )

    def __iter__(self) -> Iterator[Columns]:
        """Yield all parts as lines with names, some topics at a time."""
        for part in self.parts:
            yield from (part if isinstance(part, TopK) else [columns_of(part, RUN)])


def repeated(topic: bytes, docno: bytes, n_more: int) -> InputError:
    """Return the error of a document that is listed twice; `n_more` others are, too."""
    more = f" (and {n_more} more such documents)" if n_more else ""
    return InputError(
        f"document {quoted(docno)} is listed twice in topic {quoted(topic)}{more}",
        place="ids",
        expected="each document once per topic",
        remedy="keep one of them, and put pad instead of the other",
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
    documents = rows_of(ids, "ids")
    names = _topics(topics, len(documents))
    numbers, missing, naming = _documents(documents, pad)
    values = None if scores is None else _scores(rows_of(scores, "scores"), numbers, missing)
    for own in (numbers, values):
        if own is not None:
            own.flags.writeable = False
    return TopK(numbers, values, names, missing, naming)


def _rows_at_once(width: int) -> int:
    return max(1, AT_ONCE // max(width, 1))


def _topics(given: Any, number: int) -> Sequence[bytes]:
    """Return the name of each row; errors for other numbers of names, and for wrong names."""
    if given is None:
        return IntegerTopics(np.arange(number))
    found = array_of(given, "topics")
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


def _documents(given: NDArray[Any], pad: int | str | bytes) -> tuple[Integers, int, Naming]:
    """Return the number of each document, that of padding, and the names of numbers."""
    data, masked = np.ma.getdata(given), np.ma.getmask(given)
    if not isinstance(pad, str | bytes) and (given.dtype.kind in "iu" or not given.size):
        if given.dtype.kind == "u" and data.max(initial=0) > LARGEST:
            raise UsageError(f"ids have {data.max()}", expected=f"integers up to {LARGEST}")
        bounds = np.iinfo(np.int32)  # half the memory, where every document is of as few bytes
        few = np.can_cast(data.dtype, np.int32) and bounds.min <= int(pad) <= bounds.max
        numbers: Integers = data.astype(np.int32 if few else np.int64)
        if masked is not np.ma.nomask:
            numbers[masked] = pad
        return numbers, int(pad), DIGITS
    _refuse_no_names(given, "ids")
    codes = _Codes(pad)
    found: Integers = np.empty(data.shape, dtype=np.int32)
    at_once = _rows_at_once(data.shape[1])
    for start in range(0, len(data), at_once):
        block = data[start : start + at_once]
        found[start : start + at_once] = codes.of(block).reshape(block.shape)
    found[masked] = UNNAMED
    return found, UNNAMED, DistinctNames(list(codes.known))


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
            numbers = bool, np.bool_, float, np.floating  # True would be found as 1, and 1.0
            odd = tuple(kind for kind in {*map(type, values)} if issubclass(kind, numbers))
            for value in values if odd else ():
                if isinstance(value, odd) and not is_missing(value):
                    raise _no_document(value)
        try:
            return np.fromiter(map(self.__getitem__, values), np.int32, len(values))
        except TypeError:  # what has no hash is not a name
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


def _is_no_name(value: object) -> bool:
    if isinstance(value, bool | np.bool_):
        return True
    return not (isinstance(value, str | bytes | int | np.integer) or is_missing(value))


def _no_document(value: object) -> InputError:
    return InputError(
        f"{described(value)} cannot be a docno", place="ids", expected="text, bytes or integers"
    )


def _scores(given: NDArray[Any], numbers: Integers, pad: int) -> Floats:
    """Return scores, and put padding where they are masked; errors for a wrong shape or score."""
    if given.shape != numbers.shape:
        raise UsageError(
            f"scores have the shape {given.shape}", expected=f"the shape {numbers.shape}"
        )
    found = _as_floats(np.ma.getdata(given))
    numbers[np.ma.getmask(given)] = pad
    numbers[found == -np.inf] = pad  # as a mask sets it: not retrieved
    wrong = ~np.isfinite(found)
    wrong &= numbers != pad
    if wrong.any():
        row, column = np.argwhere(wrong)[0].tolist()
        raise InputError(
            f"the score at [{row}, {column}] is {found[row, column]}",
            place="scores",
            expected="finite scores",
        )
    return found


def _as_floats(given: NDArray[Any]) -> Floats:
    """Return scores of any type as floats that hold them exactly."""
    if given.dtype.kind == "O":
        given = np.array([np.nan if is_missing(v) else v for v in given.flat]).reshape(given.shape)
    exact = given.dtype.kind in "fV" and given.dtype.itemsize <= np.dtype(np.float32).itemsize
    try:
        return given.astype(np.float32 if exact else np.float64)
    except (ValueError, TypeError) as error:
        problem = f"scores are no numbers: {error}"
        raise InputError(problem, place="scores", expected="finite scores") from None


ROWS = "an array, a tensor, a table or a list"


def rows_of(given: Any, name: str) -> NDArray[Any]:
    """Return an array (n, k); UsageError, with the name of the argument, for anything else."""
    found = array_of(given, name)
    if not len(found):
        return found.reshape(0, 0) if found.ndim == 1 else found
    if found.ndim == 1 and isinstance(found[0], list | tuple | np.ndarray):
        raise _no_array(found, name, ValueError("the rows have different lengths"))
    if found.ndim != 2:
        raise UsageError(
            f"{name} have {count(found.ndim, 'dimension')}",
            expected="an array (n, k)",
            remedy=f"write [{name}] for one topic",
        )
    return found


def array_of(given: Any, name: str) -> NDArray[Any]:
    """Return what has rows as an array; UsageError for anything else."""
    if is_ranx(given):
        raise UsageError(
            f"{name} are a {type(given).__name__} of ranx",
            expected="an array of numbers or names",
            remedy="give a Run of ranx to rankeval.evaluate or Evaluator as it is",
        )
    unordered = isinstance(given, AbstractSet) and not isinstance(given, KeysView)
    if isinstance(given, str | bytes | Mapping) or unordered:
        raise UsageError(f"{name} are {described(given)}", expected=ROWS)
    if not hasattr(given, "__array__") and isinstance(given, Iterable):
        given = list(given)
    try:
        found = _as_numpy(given)
    except (ValueError, TypeError) as error:
        raise _no_array(given, name, error) from error
    if not found.ndim:
        raise UsageError(f"{name} have 0 dimensions", expected=ROWS)
    return found


def _no_array(rows: Any, name: str, error: Exception) -> UsageError:
    """Return the error for rows of different lengths, and for what is not a number."""
    lengths = [len(row) if hasattr(row, "__len__") else 0 for row in rows]
    other = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
    problem = f"{name} cannot be read as an array: {error}"
    if other is not None:
        problem = f"row {other} of {name} has {lengths[other]} values, row 0 {lengths[0]}"
    return UsageError(
        problem,
        expected="rows of one length",
        remedy="fill short rows of ids with pad, and of scores with 0",
    )


def is_missing(value: object) -> bool:
    """Return True for None, NaN and the missing value of pandas."""
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _as_numpy(rows: Any) -> NDArray[Any]:
    if isinstance(rows, list | tuple):
        return _from_list(rows)
    for step in ("detach", "cpu"):  # a tensor, from its gradients and into the memory of here
        if hasattr(rows, step):
            rows = getattr(rows, step)()
    try:
        found = np.asanyarray(rows)
    except TypeError:  # such as a tensor of bfloat16, which NumPy does not know
        if not hasattr(rows, "float"):
            raise
        return np.asarray(rows.float())
    is_column = found.ndim == 1 and found.dtype.kind == "O" and len(found) > 0
    if is_column and isinstance(found[0], list | tuple | np.ndarray):
        return _from_list([[*row] for row in found.tolist()])  # a column of lists
    return found


def _from_list(rows: Sequence[Any]) -> NDArray[Any]:
    if rows and (hasattr(rows[0], "detach") or isinstance(rows[0], np.ma.MaskedArray)):
        masked = any(isinstance(row, np.ma.MaskedArray) for row in rows)
        stacked: NDArray[Any] = (np.ma if masked else np).stack([_as_numpy(row) for row in rows])
        return stacked
    # Text among other values would turn these into text: None, a masked value, -1 as padding.
    if rows and np.asarray(rows[0]).dtype.kind in "US":
        return np.array(rows, dtype=object)
    found = np.asarray(rows)
    return np.array(rows, dtype=object) if found.dtype.kind in "US" else found
