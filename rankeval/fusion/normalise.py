"""Normalise the scores of runs, topic by topic, so that they can be added."""

from collections.abc import Callable, Mapping

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.fusion.candidates import Candidates

Normalisation = Callable[[Candidates], Floats]
"""Returns scores, shape (R, D), NaN for documents without one."""


def unchanged(found: Candidates) -> Floats:
    """Leave scores as they are."""
    return found.scores


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
    if (highest <= 0).any():
        run, candidate = np.argwhere(highest <= 0)[0].tolist()
        raise InputError(
            f"the best score of topic {quoted(found.topics[found.topic[candidate]])} is "
            f"{highest[run, candidate].item()!r} in run {run + 1} of those given, and scores are "
            "to be divided by it",
            expected="a positive best score in every topic",
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


def borda(found: Candidates) -> Floats:
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


NORMALISATIONS: Mapping[str, Normalisation] = {
    "min-max": min_max,
    "max": by_max,
    "sum": by_sum,
    "z-score": z_score,
    "rank": by_rank,
    "borda": borda,
    "none": unchanged,
}
"""The normalisations by the names that --norm takes."""
