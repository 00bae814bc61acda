"""Lists of top documents as arrays, for all topics at once or in batches: one run in the end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from rankeval.base.arrays import Booleans, Floats, NDArray, offsets_of
from rankeval.base.wording import count, described, quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.columns import Columns
from rankeval.io.names import IntegerDocnos, Names
from rankeval.io.python_values import as_bytes, docnos_of, encoded
from rankeval.ranking.in_memory import listed_values

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


LARGEST = np.iinfo(np.int64).max
"""The largest document or topic."""

AT_ONCE = 1 << 16
"""Names that are taken from an array at once: Python's text takes ten times a column's memory."""


def from_topk(
    ids: ArrayLike,
    scores: ArrayLike | None = None,
    topics: ArrayLike | None = None,
    pad: int | str | bytes = -1,
) -> Columns:
    """Return the first k documents of n topics, given as an array (n, k), as the lines of a run.

    `Run.from_topk` says what it takes, and what is an error.
    """
    given = _rows(ids, "ids", pad)
    names = _topics(topics, len(given))
    if given.dtype.kind in "iu":
        if given.max(initial=0) > LARGEST:
            raise UsageError(f"ids have {given.max()}", expected=f"integers up to {LARGEST}")
        there = np.ones(given.shape, bool) if isinstance(pad, str | bytes) else given != pad
    else:
        _refuse_no_names(given, "ids")
        there = _names_there(given, as_bytes(pad, "pad"))
    if scores is None:
        falling = -np.arange(1.0, 1.0 + given.shape[1])  # as the order of the columns
        values = np.broadcast_to(falling, given.shape)
    else:
        values = _scores(_rows(scores, "scores", -math.inf), there)
    sizes = np.count_nonzero(there, axis=1)
    docnos = _docnos(given[there])
    return Columns(
        topics=tuple(compress(names, (sizes > 0).tolist())),
        starts=offsets_of(sizes[sizes > 0]),
        docnos=docnos,
        values=values[there],
        lines=range(1, 1 + len(docnos)),
        empty=tuple(compress(names, (sizes == 0).tolist())),
    )


def _topics(given: Any, number: int) -> Sequence[bytes]:
    """Return the name of each row; errors for other numbers of names, and for wrong names."""
    if given is None:
        return [b"%d" % row for row in range(number)]
    found = _array(given, "topics")
    if found.shape != (number,):
        raise UsageError(f"topics have the shape {found.shape}", expected=f"the shape ({number},)")
    _refuse_no_names(found, "topics")
    if found.dtype.kind in "iu":
        names = [b"%d" % topic for topic in found.tolist()]
    else:
        names = encoded(found.tolist(), "topic", lambda row: f"topics, row {row}")
    wrong = ""
    if b"" in names:
        wrong = f"the topic of row {names.index(b'')} is empty"
    elif len(set(names)) < number:
        wrong = f"topic {quoted(Counter(names).most_common(1)[0][0])} has two rows"
    if wrong:
        raise InputError(wrong, place="topics", expected="a name for each row, each of them once")
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


def _names_there(given: NDArray[Any], pad: bytes) -> Booleans:
    """Return False for each place of an array of names that holds no document."""
    nothing = {b"", pad}
    also = {name.decode(errors="surrogateescape") for name in nothing}
    if given.dtype.kind in "US":
        there = [given != name for name in (also if given.dtype.kind == "U" else nothing)]
        return np.logical_and.reduce(there)
    found = []
    for names in _pieces(given.ravel()):
        if not {*map(type, names)} <= {str, bytes}:
            names = [b"" if _is_missing(one) else as_bytes(one, "docno") for one in names]  # noqa: PLW2901  as names
        found.append(np.array([not (one in nothing or one in also) for one in names], dtype=bool))
    return np.concatenate(found).reshape(given.shape)


def _pieces(names: NDArray[Any]) -> Iterator[list[Any]]:
    """Yield names as Python's own, which take ten times a column's memory, of a piece at a time.

    Pieces are of about one size: a small one would not become a column of the same kind.
    """
    size = math.ceil(len(names) / max(1, len(names) // AT_ONCE)) or 1
    return (names[at : at + size].tolist() for at in range(0, max(1, len(names)), size))


def _docnos(given: NDArray[Any]) -> Names:
    if given.dtype.kind in "iu":
        few = np.can_cast(given.dtype, np.int32)  # half the memory
        return IntegerDocnos(given.astype(np.int32 if few else np.int64))
    first, *others = [docnos_of(piece, lambda _: "ids") for piece in _pieces(given)]
    return first.followed_by(others)


def _scores(given: NDArray[Any], there: Booleans) -> Floats:
    """Return scores, and mark those of documents not retrieved; errors for wrong ones."""
    if given.shape != there.shape:
        raise UsageError(
            f"scores have the shape {given.shape}", expected=f"the shape {there.shape}"
        )
    if given.dtype.kind == "O":
        given = np.array([np.nan if _is_missing(v) else v for v in given.flat]).reshape(given.shape)
    try:
        found = given.astype(np.float64)
    except (ValueError, TypeError) as error:
        problem = f"scores are no numbers: {error}"
        raise InputError(problem, place="scores", expected="finite scores") from None
    there &= found != -np.inf  # as a mask sets it: not retrieved
    wrong = ~np.isfinite(found) & there
    if wrong.any():
        row, column = np.argwhere(wrong)[0].tolist()
        raise InputError(
            f"the score at [{row}, {column}] is {found[row, column]}",
            place="scores",
            expected="finite scores",
        )
    return found


ROWS = "an array, a tensor, a table or a list"


def _rows(given: Any, name: str, masked: object) -> NDArray[Any]:
    """Return an array (n, k); UsageError, with the name of the argument, for anything else."""
    found = _array(given, name, masked)
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


def _array(given: Any, name: str, masked: object = "") -> NDArray[Any]:
    """Return what has rows as an array, `masked` where it is masked; UsageError for the rest."""
    if isinstance(given, str | bytes | Mapping | set | frozenset):
        raise UsageError(f"{name} are {described(given)}", expected=ROWS)
    if not hasattr(given, "__array__") and isinstance(given, Iterable):
        given = list(given)
    try:
        found = _as_numpy(given, masked)
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


def _is_missing(value: object) -> bool:
    """Return True for None, NaN and the missing value of pandas."""
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _as_numpy(rows: Any, masked: object) -> NDArray[Any]:
    if isinstance(rows, list):
        if rows and hasattr(rows[0], "__array__"):  # arrays or tensors, one for each topic
            rows = [_as_numpy(row, masked).tolist() for row in rows]
        # Text among other values would turn these into text: None, -1 as padding.
        of_text = np.asarray(rows[:1]).dtype.kind in "US"
        found = np.array(rows, dtype=object) if of_text else np.asarray(rows)
        return np.array(rows, dtype=object) if found.dtype.kind in "US" else found
    for step in ("detach", "cpu"):  # a tensor, from its gradients and into the memory of here
        if hasattr(rows, step):
            rows = getattr(rows, step)()
    try:
        found = np.asanyarray(rows)
    except TypeError:  # such as a tensor of bfloat16, which NumPy does not know
        if not hasattr(rows, "float"):
            raise
        found = np.asarray(rows.float())
    if isinstance(found, np.ma.MaskedArray):
        named: Any = found.astype(object)
        return np.asarray(named.filled(masked))
    if found.ndim == 1 and found.dtype.kind == "O" and len(found) and np.ndim(found[0]):
        return _as_numpy([[*row] for row in found.tolist()], masked)  # a column of lists
    return found


def ranking_of(topic: Any, ids: Any, scores: Any) -> dict[str, float]:
    """Return the ranking of one topic from lists of its documents and their scores."""
    given = _listed(ids, "ids")
    names = [docno if isinstance(docno, str) else text_of(docno, "docno") for docno in given]
    values = range(len(names), 0, -1) if scores is None else _listed(scores, "scores")
    if len(names) != len(values):
        raise UsageError(
            f"topic {topic!r} has {len(names)} docnos and {len(values)} scores",
            expected="one score for each docno",
        )
    ranking = dict(zip(names, values, strict=True))
    if len(ranking) < len(names):
        again = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(
            f"document {again!r} is listed twice in topic {topic!r}",
            expected="each document once per topic",
        )
    return ranking


def _listed(values: Any, what: str) -> list[Any]:
    """Return values as a list of Python's own numbers or texts, also from an array or a tensor."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise UsageError(
            f"{what} are {described(values)}", expected=f"several {what}: a list or an array"
        )
    return listed_values(values)


def text_of(name: object, role: str) -> str:
    """Return a name as text: 7, "7" and b"7" are one; InputError for what is not a name."""
    return name if isinstance(name, str) else as_bytes(name, role).decode(errors="surrogateescape")
