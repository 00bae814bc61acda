"""Subtopics covered by a ranking, and ideal rankings that cover them early or in turn."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.measures.declare.needs import SUBTOPICS
from rankeval.ranking import Labels, RankedJudgments


def serve_in_turn(
    documents: Iterable[int],
    subtopics: Mapping[int, AbstractSet[int]],
    rank: Mapping[int, int],
    depth: int,
) -> list[int]:
    """Put documents in an ideal order, down to `depth` places.

    The next document is the one that serves the most of the subtopics in turn: those served
    least so far, among the ones that still have a document. Among equals it is the one of the
    best rank, then the one that served more before. These numbers change with each place, so
    places are filled one by one.
    """
    left = list(documents)
    nowhere = max(rank.values(), default=0) + 1
    waiting: dict[int, int] = {}
    for subtopic in chain.from_iterable(subtopics[document] for document in left):
        waiting[subtopic] = waiting.get(subtopic, 0) + 1
    served = dict.fromkeys(waiting, 0)
    ideal: list[int] = []
    while left and len(ideal) < depth:
        least = min((served[s] for s, n in waiting.items() if n), default=0)
        turn = {s for s, n in waiting.items() if n and served[s] == least}
        worth = {document: len(turn & subtopics[document]) for document in left}
        left.sort(key=lambda d: (-worth[d], rank.get(d, nowhere)))
        best = left.pop(0)
        ideal.append(best)
        for subtopic in subtopics[best]:
            served[subtopic] += 1
            waiting[subtopic] -= 1
    return ideal


SLACK = 1e-12
"""Relative tolerance of equal gains, whose sums differ by the order of additions."""


class Relevances(NamedTuple):
    """The pairs of a retrieved document and a subtopic that it is relevant to, in rank order.

    ====== ==============================================================================
    row    the document's row
    label  the label of the judgment that says so
    number the subtopic's number
    before documents above it in the ranking that are relevant to the same subtopic
    ====== ==============================================================================
    """

    row: Integers
    label: Integers
    number: Integers
    before: Integers


def subtopics_of(judged: RankedJudgments) -> tuple[Labels, Integers]:
    """Return the subtopics of the qrels, and the index of each topic of the batch in them."""
    labels: Labels = SUBTOPICS.of(judged)
    return labels, SUBTOPICS.code_of(judged)


def relevances(judged: RankedJudgments, *, rel: float) -> Relevances:
    """Find the relevant pairs of each ranking."""
    labels, _ = subtopics_of(judged)
    row, label = labels.of_judgments(judged.judgment)
    relevant = labels.grade[label] >= rel
    row, label = row[relevant], label[relevant]
    number = labels.number[label]
    # Topics of a batch may be copies of one topic, which are to be counted apart.
    return Relevances(row, label, number, _earlier(judged.topic[row] * len(labels) + number))


def _earlier(key: Integers) -> Integers:
    """Count the earlier values that are equal to each value."""
    together = np.argsort(key, kind="stable")
    ordered = key[together]
    earlier = np.empty(len(key), dtype=np.int64)
    earlier[together] = np.arange(len(key)) - np.searchsorted(ordered, ordered)
    return earlier


def number_of_subtopics(judged: RankedJudgments, *, rel: float) -> Integers:
    """Return M, the number of subtopics with a relevant document, shape (T,)."""
    labels, code = subtopics_of(judged)
    found = np.zeros(len(labels), dtype=bool)
    found[labels.number[labels.grade >= rel]] = True
    n_topics = len(labels.judged_topic) and int(labels.judged_topic[-1]) + 1
    return np.bincount(labels.topic[found], minlength=n_topics)[code]


def novelty(judged: RankedJudgments, *, rel: float, alpha: float) -> Floats:
    """Return n_i of each row: Σ over its subtopics s of (1-α)^(documents above relevant to s)."""
    found = relevances(judged, rel=rel)
    worth = np.power(1.0 - alpha, found.before)
    return np.bincount(found.row, worth, minlength=len(judged.rank)).astype(float)


def ideal_novelty(
    judged: RankedJudgments, *, rel: float, alpha: float, depth: int | None
) -> Floats:
    """Return n_i of the ideal ranking at each rank i, shape (T, ranks that can have one).

    Each rank has the judged document with the largest n_i, the larger docno among equals.
    """
    labels, code = subtopics_of(judged)
    codes, which = np.unique(code, return_inverse=True)
    return _greedy(labels, codes, rel=rel, alpha=alpha, depth=depth)[which]


def _greedy(
    labels: Labels, codes: Integers, *, rel: float, alpha: float, depth: int | None
) -> Floats:
    """Fill the ranks one by one, because each depends on those above; all topics at once."""
    chosen = np.flatnonzero(
        (labels.grade >= rel) & np.isin(labels.judged_topic[labels.judgment], codes)
    )
    documents, owner = np.unique(labels.judgment[chosen], return_inverse=True)
    if not len(documents):
        return np.zeros((len(codes), 0))
    order = np.lexsort((labels.docno_order[documents], labels.judged_topic[documents]))
    owner = np.argsort(order)[owner]
    topic = np.searchsorted(codes, labels.judged_topic[documents[order]])
    number = labels.number[chosen]
    starts = np.flatnonzero(np.append(True, np.diff(topic) != 0))
    sizes = np.diff(np.append(starts, len(topic)))
    steps = int(sizes.max()) if depth is None else min(int(sizes.max()), depth)

    worth = np.power(1.0 - alpha, np.arange(steps + 1))
    placed_of = np.zeros(len(labels), dtype=np.int64)
    is_left = np.ones(len(topic), dtype=bool)
    gains = np.zeros((len(codes), steps))
    for rank in range(steps):
        gain = np.bincount(owner, worth[placed_of[number]], minlength=len(topic))
        gain[~is_left] = -1.0
        best = np.maximum.reduceat(gain, starts)
        taken = _last(gain >= np.repeat(best * (1.0 - SLACK), sizes), starts)[best >= 0]
        gains[topic[taken], rank] = gain[taken]
        is_left[taken] = False
        now = np.zeros(len(topic), dtype=bool)
        now[taken] = True
        placed_of += np.bincount(number[now[owner]], minlength=len(labels))
    return gains


def _last(marked: Booleans, starts: Integers) -> Integers:
    """Return the last marked position of each stretch."""
    places: Integers = np.maximum.reduceat(np.where(marked, np.arange(len(marked)), -1), starts)
    return places
