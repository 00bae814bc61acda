"""Methods that combine ranks: reciprocal ranks, inverse squares, rank-biased centroids, Borda."""

import numpy as np

from rankeval.fusion.candidates import Candidates
from rankeval.fusion.registry import fusion_method
from rankeval.fusion.sums import total
from rankeval.support.arrays import Booleans, Floats

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
