"""Methods that learn the worth of each rank of a run from judgments."""

from collections.abc import Sequence

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.fusion.candidates import Candidates
from rankeval.fusion.fused_scores import total
from rankeval.fusion.method_record import fusion_method


@frozen(eq=False)
class Hits:
    """The relevant documents that a run retrieved for T topics of training, N in all.

    ========= ============ =============================================================
    topic     (N,) int64   the index of the topic
    rank      (N,) int64   the rank, from 1
    retrieved (T,) int64   documents retrieved; 0 for a topic that the run lacks
    relevant  (T,) int64   documents judged relevant
    ========= ============ =============================================================
    """

    topic: Integers
    rank: Integers
    retrieved: Integers
    relevant: Integers

    def of(self, topics: Integers) -> "Hits":
        """Return the hits of some topics, which are numbered anew."""
        number = np.full(len(self.retrieved), -1)
        number[topics] = np.arange(len(topics))
        mine = number[self.topic] >= 0
        return Hits(
            number[self.topic[mine]],
            self.rank[mine],
            self.retrieved[topics],
            self.relevant[topics],
        )


def mean_average_precision(hits: Hits) -> float:
    """Return the mean of AP over the topics; one without relevant documents counts 0."""
    order = np.lexsort((hits.rank, hits.topic))
    topic, rank = hits.topic[order], hits.rank[order]
    first = np.searchsorted(topic, topic)
    precision = (np.arange(1, len(topic) + 1) - first) / rank
    total = np.bincount(topic, weights=precision, minlength=len(hits.retrieved))
    return float(np.mean(total / np.maximum(hits.relevant, 1)))


@fusion_method("mapfuse", train=mean_average_precision)
def mapfuse(found: Candidates, *, learned: Sequence[float]) -> Floats:
    """Reciprocal ranks, weighted by the mean average precision of each run.

        MAPFuse = Σ MAP / r

    Source: Lillis, Zhang, Toolan, Collier, Leonard and Dunnion, "Estimating Probabilities for
    Effective Data Fusion", SIGIR 2010.
    """
    worth = np.array(learned)[:, None] / np.maximum(found.ranks, 1)
    return total(np.where(found.present, worth, np.nan))


def at_ranks(hits: Hits) -> Floats:
    """Return the share of relevant documents at each rank, among the topics that reach it."""
    deepest = int(hits.retrieved.max(initial=0))
    relevant = np.bincount(hits.rank - 1, minlength=deepest)
    ending = np.bincount(hits.retrieved, minlength=deepest + 1)
    reaching = len(hits.retrieved) - np.cumsum(ending)[:deepest]
    return relevant / reaching


@fusion_method("posfuse", train=at_ranks)
def posfuse(found: Candidates, *, learned: Sequence[Floats]) -> Floats:
    """Probabilities of relevance at each rank.

        PosFuse = Σ P(relevant at rank r)

    A rank deeper than all in training has 0.

    Source: Lillis, Zhang, Toolan, Collier, Leonard and Dunnion, "Estimating Probabilities for
    Effective Data Fusion", SIGIR 2010.
    """
    return _added(found, [_looked_up(p, r) for p, r in zip(learned, found.ranks, strict=True)])


def in_segments(hits: Hits, segments: int) -> Floats:
    """Return the mean over topics of the share of relevant documents in each segment."""
    size = -(-hits.retrieved // segments)
    segment = (hits.rank - 1) // np.maximum(size[hits.topic], 1)
    start = segment * size[hits.topic]
    filled = np.minimum(size[hits.topic], hits.retrieved[hits.topic] - start)
    return np.bincount(segment, weights=1 / filled, minlength=segments) / len(hits.retrieved)


@fusion_method("probfuse", train=in_segments)
def probfuse(found: Candidates, *, learned: Sequence[Floats], segments: int) -> Floats:
    """Probabilities of relevance in each segment, divided by the number of the segment.

        ProbFuse = Σ P(relevant in segment m) / m

    A ranking of n documents has segments of ⌈n / segments⌉ documents.

    Source: Lillis, Toolan, Collier and Dunnion, "ProbFuse: A Probabilistic Approach to Data
    Fusion", SIGIR 2006.
    """
    size = np.maximum(-(-found.lengths // segments), 1)
    number = np.where(found.present, (found.ranks - 1) // size, 0)
    return _added(found, [p[m] / (m + 1) for p, m in zip(learned, number, strict=True)])


SEGMENTS = np.array([0, *(10 * 2**k - 5 for k in range(10))])
"""The ranks behind which SegFuse's segments begin; each is about twice as long as the last."""


def in_growing_segments(hits: Hits) -> Floats:
    """Return the mean over topics of the relevant documents in each segment by its length."""
    number = np.searchsorted(SEGMENTS, hits.rank) - 1
    counted = np.bincount(number, minlength=len(SEGMENTS))[: len(SEGMENTS) - 1]
    return counted / np.diff(SEGMENTS) / len(hits.retrieved)


@fusion_method("segfuse", train=in_growing_segments)
def segfuse(found: Candidates, scores: Floats, *, learned: Sequence[Floats]) -> Floats:
    """Probabilities of relevance in segments that grow with depth, times 1 plus the score.

        SegFuse = Σ P(relevant in segment m) · (1 + s)

    Segments end at ranks 5, 15, 35, ..., 5115; a deeper rank has 0.

    Source: Shokouhi, "Segmentation of Search Engine Results for Effective Data-Fusion", ECIR 2007.
    """
    number = np.searchsorted(SEGMENTS, np.maximum(found.ranks, 1))
    worth = [_looked_up(p, m) for p, m in zip(learned, number, strict=True)]
    return _added(found, np.array(worth) * (1 + np.nan_to_num(scores)))


@fusion_method("slidefuse", train=at_ranks)
def slidefuse(found: Candidates, *, learned: Sequence[Floats], window: int) -> Floats:
    """Mean probability of relevance at the ranks around a document.

        SlideFuse = Σ mean of P(relevant at rank q), r - w <= q <= r + w

    The window ends where the ranking does; ranks deeper than all in training have 0.

    Source: Lillis, Toolan, Collier and Dunnion, "Extending Probabilistic Data Fusion Using Sliding
    Windows", ECIR 2008.
    """
    worth = []
    for known, rank, n in zip(learned, found.ranks, found.lengths, strict=True):
        summed = np.concatenate(([0.0], np.cumsum(known)))
        first = np.maximum(rank - 1 - window, 0)
        last = np.maximum(np.minimum(rank + window, n), first + 1)
        deepest = len(known)
        inside = summed[np.minimum(last, deepest)] - summed[np.minimum(first, deepest)]
        worth.append(inside / (last - first))
    return _added(found, worth)


BOUNDS = np.array([0, 5, 10, 15, 20, 30, 100, 200, 500, 1000])
"""The ranks between which BayesFuse takes precision to be the same."""

LEAST = 0.001
"""BayesFuse's precision lies between this and 1 - this, so that its odds are finite."""


def log_odds(hits: Hits) -> Floats:
    """Return ln(P / (1 - P)) of the mean precision P between the ranks of BOUNDS."""
    number = np.searchsorted(BOUNDS, hits.rank) - 1
    counted = np.bincount(number, minlength=len(BOUNDS))[: len(BOUNDS) - 1]
    precision = np.clip(counted / np.diff(BOUNDS) / len(hits.retrieved), LEAST, 1 - LEAST)
    return np.log(precision / (1 - precision))


@fusion_method("bayesfuse", train=log_odds)
def bayesfuse(found: Candidates, *, learned: Sequence[Floats]) -> Floats:
    """Sum of the logarithms of the odds of relevance.

        BayesFuse = Σ ln(P / (1 - P))

    P is the precision between ranks 0, 5, 10, 15, 20, 30, 100, 200, 500 and 1000, held within .001
    and .999. A document that a run lacks, or has deeper, has the odds of .001 there.

    Source: Aslam and Montague, "Models for Metasearch", SIGIR 2001.
    """
    worst = float(np.log(LEAST / (1 - LEAST)))
    odds = []
    for known, rank in zip(learned, found.ranks, strict=True):
        number = np.searchsorted(BOUNDS, np.maximum(rank, 1))
        odds.append(np.where(rank > 0, np.append(known, worst)[np.minimum(number, 10) - 1], worst))
    return total(np.array(odds))


def _looked_up(known: Floats, place: Integers) -> Floats:
    """Return the value at each place, counted from 1; 0 beyond the last."""
    return np.append(known, 0.0)[np.minimum(np.maximum(place, 1), len(known) + 1) - 1]


def _added(found: Candidates, worth: Sequence[Floats] | Floats) -> Floats:
    """Add the worth of documents over the runs that retrieved them."""
    return total(np.where(found.present, worth, np.nan))
