"""Fusion: the candidates of several runs, normalised scores, and the methods that combine them."""

import inspect
from collections.abc import Callable, Mapping
from itertools import compress, pairwise
from operator import attrgetter

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, NDArray, offsets_of, owner, sizes_of
from rankeval.base.frozen import no_choice, record
from rankeval.base.wording import quoted
from rankeval.choices import known_word
from rankeval.errors import InputError
from rankeval.io.columns import Columns
from rankeval.io.names import Names


@record
class Candidates:
    """D candidates of T topics, with their scores and ranks in R runs.

    ========= ============= ===============================================================
    topics    T bytes
    offsets   (T+1,) int64  topic t has the candidates offsets[t] to offsets[t+1], at least one
    docnos    D names
    scores    (R, D) float  the score in each run; NaN where the run lacks the document
    ranks     (R, D) int32  the rank in each run, from 1; 0 where the run lacks the document
    retrieved (R, T) int64  documents that each run retrieved; 0 for a topic that it lacks
    ========= ============= ===============================================================
    """

    topics: tuple[bytes, ...]
    offsets: Integers
    docnos: Names
    scores: Floats
    ranks: NDArray[np.int32]
    retrieved: Integers

    @property
    def present(self) -> Booleans:
        """True where a run retrieved the document, shape (R, D)."""
        return self.ranks > 0

    @property
    def topic(self) -> Integers:
        """The index of each candidate's topic, shape (D,)."""
        return owner(self.offsets)

    @property
    def lengths(self) -> Integers:
        """The documents that each run retrieved for each candidate's topic, shape (R, D)."""
        return self.retrieved[:, self.topic]

    @property
    def pool(self) -> Integers:
        """The number of candidates of each candidate's topic, shape (D,)."""
        return sizes_of(self.offsets)[self.topic]

    def of(self, topics: Booleans) -> "Candidates":
        """Return some of the topics, shape (T,)."""
        rows = np.flatnonzero(topics[self.topic])
        return Candidates(
            tuple(compress(self.topics, topics.tolist())),
            offsets_of(sizes_of(self.offsets)[topics]),
            self.docnos.take(rows),
            self.scores[:, rows],
            self.ranks[:, rows],
            self.retrieved[:, topics],
        )

    def lines(self, values: Floats) -> Columns:
        """Return lines of the topics, in the order of the candidates, with these scores."""
        numbers = range(1, len(values) + 1)
        return Columns(self.topics, self.offsets, self.docnos, values, numbers)


def min_max(found: Candidates) -> Floats:
    """Map the scores of a ranking to 0 to 1: (s - min) / (max - min); 0 if all are equal.

    Source: Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997.
    """
    lowest = _by_topic(found, np.fmin, found.scores)
    return _ratio(found.scores - lowest, _by_topic(found, np.fmax, found.scores) - lowest)


def by_max(found: Candidates) -> Floats:
    """Divide scores by the largest of the ranking; InputError unless that is positive.

    Source: Lee, "Combining Multiple Evidence from Different Properties of Weighting Schemes",
    SIGIR 1995.
    """
    highest = _by_topic(found, np.fmax, found.scores)
    for run, candidate in np.argwhere(highest <= 0)[:1].tolist():
        topic, best = quoted(found.topics[found.topic[candidate]]), highest[run, candidate]
        raise InputError(
            f"the best score of topic {topic} is {best} in run {run + 1} of those given",
            expected="a best score above 0 in each topic, by which scores are divided",
            remedy="choose another normalisation, such as min-max",
        )
    return found.scores / highest


def by_sum(found: Candidates) -> Floats:
    """Shift the least score to 0, and the sum to 1: (s - min) / Σ(s - min); 0 if all are equal.

    Source: Montague and Aslam, "Relevance Score Normalization for Metasearch", CIKM 2001.
    """
    shifted = found.scores - _by_topic(found, np.fmin, found.scores)
    return _ratio(shifted, _by_topic(found, np.add, np.nan_to_num(shifted)))


def z_score(found: Candidates) -> Floats:
    """Give zero mean and unit variance: (s - mean) / deviation; 0 if all are equal.

    The deviation is that of the population: it divides by n.

    Source: Montague and Aslam, "Relevance Score Normalization for Metasearch", CIKM 2001 (ZMUV).
    """
    same = _by_topic(found, np.fmin, found.scores) == _by_topic(found, np.fmax, found.scores)
    n = np.maximum(found.lengths, 1)
    centred = found.scores - _by_topic(found, np.add, np.nan_to_num(found.scores)) / n
    deviation = np.sqrt(_by_topic(found, np.add, np.nan_to_num(centred) ** 2) / n)
    return np.where(same & found.present, 0.0, _ratio(centred, deviation))


def by_rank(found: Candidates) -> Floats:
    """Replace scores by ranks: 1 - (rank - 1) / n, with n documents in the ranking.

    Source: Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997.
    """
    return 1 - _ratio(
        np.where(found.present, found.ranks - 1.0, np.nan), found.lengths.astype(float)
    )


def borda_points(found: Candidates) -> Floats:
    """Replace scores by Borda's points: 1 - (rank - 1) / c, with c candidates in all.

    A candidate that the run lacks has 1/2 - (n - 1) / 2c, and so a score in every run.

    Source: Renda and Straccia, "Web Metasearch: Rank vs. Score Based Rank Aggregation Methods",
    SAC 2003.
    """
    absent = 0.5 - (found.lengths - 1) / (2 * found.pool)
    return np.where(found.present, 1 - (found.ranks - 1) / found.pool, absent)


def _by_topic(found: Candidates, operation: np.ufunc, values: Floats) -> Floats:
    """Reduce the values of each ranking to one, and return it for each of its candidates."""
    reduced: Floats = operation.reduceat(values, found.offsets[:-1], axis=1)
    return reduced[:, found.topic]


def _ratio(above: Floats, below: Floats) -> Floats:
    """Divide; 0 where the divisor is 0, NaN where the dividend is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((below == 0) & ~np.isnan(above), 0.0, above / below)


NORMALISATIONS: Mapping[str, Callable[[Candidates], Floats]] = {
    "min-max": min_max,
    "max": by_max,
    "sum": by_sum,
    "z-score": z_score,
    "rank": by_rank,
    "borda": borda_points,
    "none": attrgetter("scores"),
}
"""The normalisations by the names that --norm takes.

They return scores, shape (R, D), NaN for documents without one.
"""


PAIRS_AT_ONCE = 1 << 22
"""Pairs of candidates that are compared at once; bounds memory for topics of many."""


LIMITS = {"k": (60, 0, 1e9), "gamma": (1, 0, 100), "phi": (0.8, 0, 0.999), "sigma": (0.01, 0, 1)}
"""The usual value of each parameter of methods, the least and the largest."""


# A function takes the D candidates and, if it uses them, their normalised scores, shape (R, D), NaN
# where a run lacks the document. It returns the fused scores, shape (D,). r is the rank of a
# document in a run, s its score, n the number of runs that retrieved it, w the weight of a run.


def rrf(found: Candidates, *, k: float) -> Floats:
    """Reciprocal rank fusion.

        RRF = Σ 1 / (k + r)

    Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion Outperforms Condorcet and
    Individual Rank Learning Methods", SIGIR 2009.
    """
    return _summed(1 / (k + np.maximum(found.ranks, 1)), found.present)


def combsum(_found: Candidates, scores: Floats) -> Floats:
    """Sum of the scores.

        CombSUM = Σ s

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    return total(scores)


def combmnz(_found: Candidates, scores: Floats) -> Floats:
    """Sum of the scores times the number of runs that have one.

        CombMNZ = n · Σ s

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    return total(scores) * _n_scores(scores)


def combanz(_found: Candidates, scores: Floats) -> Floats:
    """Mean of the scores that there are.

        CombANZ = Σ s / n

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    return total(scores) / _n_scores(scores)


def combmin(found: Candidates, scores: Floats) -> Floats:
    """Least of the scores that there are.

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    return -combmax(found, -scores)


def combmax(_found: Candidates, scores: Floats) -> Floats:
    """Largest of the scores.

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    largest: Floats = np.fmax.reduce(scores, axis=0)
    return largest


def combmed(_found: Candidates, scores: Floats) -> Floats:
    """Median of the scores that there are; of an even number, the mean of the middle two.

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    ordered = np.sort(scores, axis=0)  # NaN comes last
    n = np.count_nonzero(~np.isnan(scores), axis=0)
    column = np.arange(scores.shape[1])
    return (ordered[(n - 1) // 2, column] + ordered[n // 2, column]) / 2


def combgmnz(_found: Candidates, scores: Floats, *, gamma: float) -> Floats:
    """Sum of the scores times a power of the number of runs that have one.

        CombGMNZ = n^γ · Σ s

    Source: Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997.
    """
    return total(scores) * _n_scores(scores) ** gamma


def isr(found: Candidates) -> Floats:
    """Inverse square ranks times the number of runs that retrieved the document.

        ISR = n · Σ 1 / r²

    Source: Mourão, Martins and Magalhães, "Multimodal Medical Information Retrieval with
    Unsupervised Rank Fusion", Computerized Medical Imaging and Graphics 39, 2015.
    """
    return _inverse_squares(found) * found.present.sum(axis=0)


def log_isr(found: Candidates) -> Floats:
    """Inverse square ranks times the logarithm of the number of runs.

        logISR = ln n · Σ 1 / r²

    A document of one run has 0, whatever its rank.

    Source: Mourão, Martins and Magalhães, as for isr.
    """
    return logn_isr(found, sigma=0.0)


def logn_isr(found: Candidates, *, sigma: float) -> Floats:
    """Inverse square ranks times the logarithm of the number of runs and a little more.

        logN_ISR = ln(n + σ) · Σ 1 / r²

    Source: Mourão, Martins and Magalhães, as for isr.
    """
    return _inverse_squares(found) * np.log(found.present.sum(axis=0) + sigma)


def borda(found: Candidates) -> Floats:
    """Borda's count: a ranking gives c points to its first of c candidates, c - 1 to the next.

    The candidates that it lacks share the points that are left: (c - n + 1) / 2 each, with n
    documents in the ranking.

    Source: Aslam and Montague, "Models for Metasearch", SIGIR 2001.
    """
    return wborda(found, weights=np.ones(len(found.ranks)))


def condorcet(found: Candidates) -> Floats:
    """Majorities between pairs of documents, by Copeland's count.

        Condorcet = 1 + wins + ties / 2

    A document beats another if more runs rank it higher than lower; a run ranks every document that
    it retrieved above those that it lacks, and does not choose between two that it lacks. Where
    majorities are strict and form no circle, this is the order in which each document beats all
    that follow. Members of a circle are ordered by the number of documents that they beat.

    Source: Montague and Aslam, "Condorcet Fusion for Improved Retrieval", CIKM 2002; Copeland, "A
    'Reasonable' Social Welfare Function", University of Michigan, 1951.
    """
    return wcondorcet(found, weights=np.ones(len(found.ranks)))


def rbc(found: Candidates, *, phi: float) -> Floats:
    """Rank-biased centroid.

        RBC = Σ (1 - φ) · φ^(r - 1)

    Source: Bailey, Moffat, Scholer and Thomas, "Retrieval Consistency in the Presence of Query
    Variations", SIGIR 2017.
    """
    return _summed((1 - phi) * phi ** (np.maximum(found.ranks, 1) - 1.0), found.present)


def wsum(_found: Candidates, scores: Floats, *, weights: Floats) -> Floats:
    """Weighted sum of the scores.

        WSUM = Σ w · s

    Source: Vogt and Cottrell, "Fusion Via a Linear Combination of Scores", Information Retrieval
    1, 1999.
    """
    return total(scores * weights[:, None])


def wmnz(_found: Candidates, scores: Floats, *, weights: Floats) -> Floats:
    """Sum of the scores times the weights of the runs that have one.

        WMNZ = Σ s · Σ w

    Source: Wu and Crestani, "Data Fusion with Estimated Weights", CIKM 2002.
    """
    there = ~np.isnan(scores)
    return total(scores) * (weights @ there)


def mixed(_found: Candidates, scores: Floats, *, weights: Floats) -> Floats:
    """Weighted sum of the scores times the root of the number of runs that have one.

        Mixed = √n · Σ w · s

    Source: Wu and Crestani, "Data Fusion with Estimated Weights", CIKM 2002.
    """
    return total(scores * weights[:, None]) * np.sqrt(_n_scores(scores))


def wborda(found: Candidates, *, weights: Floats) -> Floats:
    """Weighted sum of Borda's points.

    Source: Aslam and Montague, "Models for Metasearch", SIGIR 2001.
    """
    absent = (found.pool - found.lengths + 1) / 2
    points = np.where(found.present, found.pool + 1.0 - found.ranks, absent)
    return total(points * weights[:, None])


def wcondorcet(found: Candidates, *, weights: Floats) -> Floats:
    """Weighted majorities between pairs of documents, by Copeland's count.

    Each run has its weight as votes; the rest is as for condorcet.

    Source: Montague and Aslam, "Condorcet Fusion for Improved Retrieval", CIKM 2002.
    """
    places = np.where(found.present, found.ranks, np.iinfo(np.int32).max)
    counted = np.empty(places.shape[1])
    for start, stop in pairwise(found.offsets.tolist()):
        size = stop - start
        step = max(PAIRS_AT_ONCE // size, 1)
        for first in range(start, stop, step):
            mine = slice(first, min(first + step, stop))
            margin = np.zeros((mine.stop - first, size))
            for place, weight in zip(places, weights.tolist(), strict=True):
                ahead, others = place[mine, None], place[None, start:stop]
                margin += weight * ((ahead < others).astype(np.int8) - (ahead > others))
            wins = np.count_nonzero(margin > 0, axis=1)
            ties = np.count_nonzero(margin == 0, axis=1) - 1  # it ties with itself
            counted[mine] = 1 + wins + ties / 2
    return counted


def _inverse_squares(found: Candidates) -> Floats:
    return _summed(1 / np.maximum(found.ranks, 1).astype(float) ** 2, found.present)


def _n_scores(scores: Floats) -> Floats:
    """Return the number of runs that score each candidate."""
    return np.count_nonzero(~np.isnan(scores), axis=0).astype(float)


def _summed(worth: Floats, present: Booleans) -> Floats:
    """Sum the worth of a document's ranks over the runs that retrieved it."""
    return total(np.where(present, worth, np.nan))


def total(values: Floats) -> Floats:
    """Sum over runs, shape (R, D) to (D,), from the least value to the largest; NaN counts 0.

    Rounding then depends on the values alone: documents with the same ranks in other runs tie.
    """
    summed: Floats = np.sort(np.where(np.isnan(values), 0.0, values), axis=0).sum(axis=0)
    return summed


METHODS: Mapping[str, Callable[..., Floats]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        *(rrf, combsum, combmnz, combanz, combmin, combmax, combmed, combgmnz),
        *(isr, log_isr, logn_isr, borda, condorcet, rbc, wsum, wmnz, mixed),
        *(wborda, wcondorcet),
    )
}
"""The methods by name. Their signatures declare what they use: scores, weights and parameters."""


def settings_of(method: str) -> tuple[str, ...]:
    """Return the names of the settings that a method uses: "norm" for scores, and parameters."""
    _, *inputs = inspect.signature(METHODS[method]).parameters
    return tuple("norm" if one == "scores" else one for one in reversed(inputs))


def method_named(name: str) -> str:
    """Return the name of the method; UsageError if there is none."""
    found = known_word(name, METHODS)
    if found not in METHODS:
        raise no_choice("method", name, tuple(METHODS))
    return found
