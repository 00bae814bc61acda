"""Methods that combine ranks and majorities: reciprocal ranks, Borda, Condorcet."""

from itertools import pairwise

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.fusion.candidates import Candidates
from rankeval.fusion.fused_scores import total
from rankeval.fusion.method_record import fusion_method

PAIRS_AT_ONCE = 1 << 22
"""Pairs of candidates that are compared at once; bounds memory for topics of many."""


@fusion_method("condorcet")
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
    return _majorities(found, np.ones(len(found.ranks)))


@fusion_method("wcondorcet")
def wcondorcet(found: Candidates, *, weights: Floats) -> Floats:
    """Weighted majorities between pairs of documents, by Copeland's count.

    Each run has its weight as votes; the rest is as for condorcet.

    Source: Montague and Aslam, "Condorcet Fusion for Improved Retrieval", CIKM 2002.
    """
    return _majorities(found, weights)


def _majorities(found: Candidates, weights: Floats) -> Floats:
    """Count wins and half of the ties of each candidate, topic by topic: each has its own pairs."""
    last = np.iinfo(np.int32).max
    places = np.where(found.present, found.ranks, last)
    counted = np.empty(places.shape[1])
    bounds = found.offsets.tolist()
    for start, stop in pairwise(bounds):
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


# Each function returns the fused scores of the candidates, shape (D,). r is the rank of a
# document in a run, n the number of runs that retrieved it.


@fusion_method("rrf")
def rrf(found: Candidates, *, k: float) -> Floats:
    """Reciprocal rank fusion.

        RRF = Σ 1 / (k + r)

    Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion Outperforms Condorcet and
    Individual Rank Learning Methods", SIGIR 2009.
    """
    return _summed(1 / (k + np.maximum(found.ranks, 1)), found.present)


@fusion_method("isr")
def isr(found: Candidates) -> Floats:
    """Inverse square ranks times the number of runs that retrieved the document.

        ISR = n · Σ 1 / r²

    Source: Mourão, Martins and Magalhães, "Multimodal Medical Information Retrieval with
    Unsupervised Rank Fusion", Computerized Medical Imaging and Graphics 39, 2015.
    """
    return _inverse_squares(found) * _n_runs(found)


@fusion_method("log-isr")
def log_isr(found: Candidates) -> Floats:
    """Inverse square ranks times the logarithm of the number of runs.

        logISR = ln n · Σ 1 / r²

    A document of one run has 0, whatever its rank.

    Source: Mourão, Martins and Magalhães, as for isr.
    """
    return _inverse_squares(found) * np.log(_n_runs(found))


@fusion_method("logn-isr")
def logn_isr(found: Candidates, *, sigma: float) -> Floats:
    """Inverse square ranks times the logarithm of the number of runs and a little more.

        logN_ISR = ln(n + σ) · Σ 1 / r²

    Source: Mourão, Martins and Magalhães, as for isr.
    """
    return _inverse_squares(found) * np.log(_n_runs(found) + sigma)


@fusion_method("rbc")
def rbc(found: Candidates, *, phi: float) -> Floats:
    """Rank-biased centroid.

        RBC = Σ (1 - φ) · φ^(r - 1)

    Source: Bailey, Moffat, Scholer and Thomas, "Retrieval Consistency in the Presence of Query
    Variations", SIGIR 2017.
    """
    return _summed((1 - phi) * phi ** (np.maximum(found.ranks, 1) - 1.0), found.present)


@fusion_method("borda")
def borda(found: Candidates) -> Floats:
    """Borda's count: a ranking gives c points to its first of c candidates, c - 1 to the next.

    The candidates that it lacks share the points that are left: (c - n + 1) / 2 each, with n
    documents in the ranking.

    Source: Aslam and Montague, "Models for Metasearch", SIGIR 2001.
    """
    return total(_points(found))


@fusion_method("wborda")
def wborda(found: Candidates, *, weights: Floats) -> Floats:
    """Weighted sum of Borda's points.

    Source: Aslam and Montague, "Models for Metasearch", SIGIR 2001.
    """
    return total(_points(found) * weights[:, None])


def _points(found: Candidates) -> Floats:
    """Return Borda's points in each run, shape (R, D)."""
    absent = (found.pool - found.lengths + 1) / 2
    return np.where(found.present, found.pool + 1.0 - found.ranks, absent)


def _inverse_squares(found: Candidates) -> Floats:
    return _summed(1 / np.maximum(found.ranks, 1).astype(float) ** 2, found.present)


def _n_runs(found: Candidates) -> Floats:
    return found.present.sum(axis=0).astype(float)


def _summed(worth: Floats, present: Booleans) -> Floats:
    """Sum what the ranks of a document are worth, over the runs that retrieved it."""
    return total(np.where(present, worth, np.nan))
