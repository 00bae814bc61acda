"""Methods that combine normalised scores: CombSUM and its relatives, weighted sums."""

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.fusion.candidates import Candidates
from rankeval.fusion.method_record import fusion_method

FEW = 12
"""Up to so many runs, comparing neighbours sorts faster than numpy does."""


def total(values: Floats) -> Floats:
    """Sum over runs, shape (R, D) to (D,), from the least value to the largest; NaN counts 0.

    Rounding then depends on the values alone: documents with the same ranks in other runs tie.
    """
    values = np.where(np.isnan(values), 0.0, values)
    if len(values) < 3:  # a + b is b + a
        return values.sum(axis=0)
    if len(values) > FEW:
        return np.sort(values, axis=0).sum(axis=0)
    rows = list(values)
    for last in range(len(rows) - 1, 0, -1):
        for i in range(last):
            low, high = rows[i], rows[i + 1]
            rows[i], rows[i + 1] = np.minimum(low, high), np.maximum(low, high)
    return np.sum(rows, axis=0)


# Each function takes normalised scores of shape (R, D), NaN where a run lacks the document, and
# returns the fused scores, shape (D,). n is the number of runs that score the document.


@fusion_method("combsum")
def combsum(_found: Candidates, scores: Floats) -> Floats:
    """Sum of the scores.

        CombSUM = Σ s

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    return total(scores)


@fusion_method("combmnz")
def combmnz(_found: Candidates, scores: Floats) -> Floats:
    """Sum of the scores times the number of runs that have one.

        CombMNZ = n · Σ s

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    return total(scores) * _n_scores(scores)


@fusion_method("combanz")
def combanz(_found: Candidates, scores: Floats) -> Floats:
    """Mean of the scores that there are.

        CombANZ = Σ s / n

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    return total(scores) / _n_scores(scores)


@fusion_method("combmin")
def combmin(_found: Candidates, scores: Floats) -> Floats:
    """Least of the scores that there are.

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    least: Floats = np.fmin.reduce(scores, axis=0)
    return least


@fusion_method("combmax")
def combmax(_found: Candidates, scores: Floats) -> Floats:
    """Largest of the scores.

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    largest: Floats = np.fmax.reduce(scores, axis=0)
    return largest


@fusion_method("combmed")
def combmed(_found: Candidates, scores: Floats) -> Floats:
    """Median of the scores that there are; of an even number, the mean of the middle two.

    Source: Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1993.
    """
    ordered = np.sort(scores, axis=0)  # NaN comes last
    n = np.count_nonzero(~np.isnan(scores), axis=0)
    column = np.arange(scores.shape[1])
    return (ordered[(n - 1) // 2, column] + ordered[n // 2, column]) / 2


@fusion_method("combgmnz")
def combgmnz(_found: Candidates, scores: Floats, *, gamma: float) -> Floats:
    """Sum of the scores times a power of the number of runs that have one.

        CombGMNZ = n^γ · Σ s

    Source: Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997.
    """
    return total(scores) * _n_scores(scores) ** gamma


@fusion_method("wsum")
def wsum(_found: Candidates, scores: Floats, *, weights: Floats) -> Floats:
    """Weighted sum of the scores.

        WSUM = Σ w · s

    Source: Vogt and Cottrell, "Fusion Via a Linear Combination of Scores", Information Retrieval
    1, 1999.
    """
    return total(scores * weights[:, None])


@fusion_method("wmnz")
def wmnz(_found: Candidates, scores: Floats, *, weights: Floats) -> Floats:
    """Sum of the scores times the weights of the runs that have one.

        WMNZ = Σ s · Σ w

    Source: Wu and Crestani, "Data Fusion with Estimated Weights", CIKM 2002.
    """
    there = ~np.isnan(scores)
    return total(scores) * (weights @ there)


@fusion_method("mixed")
def mixed(_found: Candidates, scores: Floats, *, weights: Floats) -> Floats:
    """Weighted sum of the scores times the root of the number of runs that have one.

        Mixed = √n · Σ w · s

    Source: Wu and Crestani, "Data Fusion with Estimated Weights", CIKM 2002.
    """
    return total(scores * weights[:, None]) * np.sqrt(_n_scores(scores))


def _n_scores(scores: Floats) -> Floats:
    """Return the number of runs that score each candidate."""
    return np.count_nonzero(~np.isnan(scores), axis=0).astype(float)
