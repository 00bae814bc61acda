"""Methods that count majorities: Condorcet fusion, plain and weighted."""

from itertools import pairwise

import numpy as np

from rankeval.fusion.candidates import Candidates
from rankeval.fusion.registry import fusion_method
from rankeval.support.arrays import Floats

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
