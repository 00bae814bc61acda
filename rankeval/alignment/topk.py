"""Lists of top documents as arrays of integers, such as a recommender's, for all users at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rankeval.alignment.in_memory import is_ranx
from rankeval.alignment.qrels import Qrels
from rankeval.errors import InputError, UsageError
from rankeval.io.columns import Columns
from rankeval.io.plain_parser import PlainDocnos
from rankeval.judgments import RankedJudgments
from rankeval.support.arrays import Booleans, Floats, Integers, NDArray, offsets_of
from rankeval.support.frozen import frozen

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


LARGEST = np.iinfo(np.int64).max
"""The largest document or topic."""


@frozen(eq=False)
class TopK:
    """The first k documents of n topics: a run, made by `from_topk`.

    ====== ============= ===============================================================
    ids    (n, k) int64  the documents of each topic
    scores (n, k) float  their scores; None where the order of the columns is the ranking
    topics (n,) int64    the topics
    there  (n, k) bool   False where there is no document
    pad    an integer    the document of such a place
    ====== ============= ===============================================================
    """

    ids: Integers
    scores: Floats | None
    topics: Integers
    there: Booleans
    pad: int

    def __len__(self) -> int:
        return int(np.count_nonzero(self.there))

    @property
    def falling_scores(self) -> Floats:
        """Scores that order documents as the columns do: -1, -2, ..., shape (n, k)."""
        return np.broadcast_to(-np.arange(1.0, 1.0 + self.ids.shape[1]), self.ids.shape)

    @property
    def columns(self) -> Columns:
        """The same as lines with names, topic by topic."""
        sizes = np.count_nonzero(self.there, axis=1)
        values = self.falling_scores if self.scores is None else self.scores
        found = Columns(
            topics=tuple(_names(self.topics[sizes > 0])),
            starts=offsets_of(sizes[sizes > 0]),
            docnos=PlainDocnos(_names(self.ids[self.there])),
            values=values[self.there],
            lines=range(1, len(self) + 1),
        )
        if len(set(found.topics)) < len(found.topics):
            raise InputError("a topic has two rows", place="topics", expected="each topic once")
        return found


def from_topk(
    ids: ArrayLike, scores: ArrayLike | None = None, topics: ArrayLike | None = None, pad: int = -1
) -> TopK:
    """Make a run of the first k documents of n topics, given as an array of integers (n, k).

    `scores` has the same shape; without it, the order of the columns is the ranking. `topics` are n
    integers, by default the numbers 0 to n - 1 of the rows. `pad` stands where a row has fewer
    than k documents. Integers match names that are the same digits: 7 is the document "7".

    A masked place of `ids` or `scores` (`numpy.ma`) holds no document, like padding.

    Raises UsageError for arrays that do not fit, InputError for a score that is not finite.

    >>> import rankeval
    >>> run = rankeval.from_topk([[11, 12, 13], [12, 14, -1]])
    >>> rankeval.Evaluator({0: {12: 1}, 1: {12: 1, 15: 1}}, "RR R@3").means(run)
    {'RR': 0.75, 'R@3': 0.75}
    """
    if isinstance(pad, bool) or not isinstance(pad, int | np.integer):
        raise UsageError(f"pad is of the type {type(pad).__name__}", expected="an integer")
    documents = _integers(ids, "ids")
    if documents.ndim != 2:
        raise UsageError(f"ids have {documents.ndim} dimensions", expected="an array (topics, k)")
    number = len(documents)
    names = np.arange(number) if topics is None else _integers(topics, "topics")
    if names.shape != (number,):
        raise UsageError(f"topics have the shape {names.shape}", expected=f"the shape ({number},)")
    if _masked(topics).any():
        raise UsageError("topics have masked values", expected="a topic for each row")
    values = None
    if scores is not None:
        values = _array(scores, "scores", float)
        if values.shape != documents.shape:
            raise UsageError(
                f"scores have the shape {values.shape}", expected=f"the shape {documents.shape}"
            )
    masked = _masked(ids) | _masked(scores)
    documents = np.where(masked, pad, documents) if masked.any() else documents
    there = documents != pad
    if values is not None and not np.isfinite(values[there]).all():
        row, column = np.argwhere(there & ~np.isfinite(values))[0].tolist()
        raise InputError(
            f"the score at [{row}, {column}] is {values[row, column]}",
            place="scores",
            expected="finite scores",
        )
    return TopK(documents, values, names, there, pad)


def align_topk(qrels: Qrels, run: TopK) -> tuple[RankedJudgments, Booleans] | None:
    """Align lists with judgments, and mark the topics that they have.

    None where names have to be compared: for equal scores, and for an error message.
    """
    topics = np.sort(run.topics)
    best_first = _by_score(run)
    if best_first is None or not run.ids.size or _repeats(run) or (topics[1:] == topics[:-1]).any():
        return None
    ids, scores = best_first
    code = qrels.topic_of_integer.find(run.topics)
    rows = code.argsort()
    rows = rows[np.count_nonzero(code < 0) :]
    code, ids = code[rows], ids[rows]
    scores = scores if run.scores is None else scores[rows]
    docno = qrels.docno_of_integer.find(ids)
    position = np.arange(1, 1 + ids.shape[1])
    if not run.there.all():
        there = ids != run.pad
        docno[~there] = -1
        position = there.cumsum(axis=1)
    ranks = np.broadcast_to(position, ids.shape)
    place = (docno >= 0).ravel().nonzero()[0]
    row, column = place // ids.shape[1], place % ids.shape[1]
    judged, judgment = qrels.find_judged(code[row], docno[row, column])
    row, column = row[judged], column[judged]
    rank = ranks[row, column]
    n_topics = len(qrels.topics)
    retrieved = np.zeros(n_topics, dtype=np.int64)
    retrieved[code] = ranks[:, -1]
    present = np.zeros(n_topics, dtype=bool)
    present[code] = True
    found = RankedJudgments(
        topics=qrels.topics,
        retrieved=retrieved,
        offsets=code[row].searchsorted(np.arange(n_topics + 1)),
        rank=rank,
        grade=qrels.grade[judgment],
        judgment=judgment,
        score=scores[row, column],
        tie_first=rank,
        tie_last=rank,
        ideal=qrels.ideal,
        highest_grade=qrels.highest_grade,
    )
    return found, present


def _by_score(run: TopK) -> tuple[Integers, Floats] | None:
    """Return the documents and scores of each row, best first; None where two scores are equal."""
    if run.scores is None:
        return run.ids, run.falling_scores
    keys = np.where(run.there, -run.scores, np.inf)
    order = keys.argsort(axis=1)
    ascending = np.take_along_axis(keys, order, axis=1)
    tied = (ascending[:, 1:] == ascending[:, :-1]) & (ascending[:, 1:] < np.inf)
    return None if tied.any() else (np.take_along_axis(run.ids, order, axis=1), -ascending)


def _repeats(run: TopK) -> bool:
    """Return True if a document stands twice in a row; padding may."""
    ascending = np.sort(run.ids, axis=1)
    same = ascending[:, 1:] == ascending[:, :-1]
    return bool(same.any() and (same & (ascending[:, 1:] != run.pad)).any())


def _masked(given: Any) -> Booleans:
    """Return the mask of a masked array, a single False for any other."""
    return np.asarray(np.ma.getmask(given))


def _integers(given: ArrayLike, name: str) -> NDArray[Any]:
    found = _array(given, name)
    if found.dtype.kind not in "iu" and found.size:
        raise UsageError(f"{name} are of the type {found.dtype}", expected="integers")
    if found.dtype.kind == "u" and found.max(initial=0) > LARGEST:
        raise UsageError(f"{name} have {found.max()}", expected=f"integers up to {LARGEST}")
    return found.astype(np.int64, copy=False)


def _array(given: ArrayLike, name: str, kind: type | None = None) -> NDArray[Any]:
    """Return an array; UsageError for rows of different lengths, and what is no number."""
    if is_ranx(given):
        raise UsageError(
            f"{name} are a {type(given).__name__} of ranx",
            expected="an array of numbers",
            remedy="give a Run of ranx to rankeval.evaluate or Evaluator as it is",
        )
    try:
        return np.asarray(given, dtype=kind)
    except (ValueError, TypeError) as error:
        raise UsageError(
            f"{name} are no array: {error}",
            expected="rows of one length",
            remedy="fill short rows of ids with pad, and of scores with 0",
        ) from error


def _names(numbers: Integers) -> list[bytes]:
    return [b"%d" % number for number in numbers.tolist()]
