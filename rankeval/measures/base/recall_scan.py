"""Precision at levels of recall by trec_eval's scan, from the end of the ranking upwards.

Usually the scan gives IPrec and Rprec. It differs where a level below 0 makes unjudged documents
relevant that do not count as retrieved relevant ones, where parameters are not in order, and where
nothing is retrieved.
"""

from collections.abc import Sequence

NAN = -float("nan")
"""Result of 0/0 in C; trec_eval prints its sign."""


def interpolated(relevant: Sequence[bool], n_found: int, needed: Sequence[int]) -> list[float]:
    """Return the interpolated precision at each number of documents needed.

    `relevant` marks the ranks treated as relevant; `n_found` counts the truly relevant ones.
    Values are assigned from the last to the first of `needed`, so one that is out of order
    delays those before it.
    """
    values = [0.0] * len(needed)
    pending = len(needed) - 1
    while pending >= 0 and needed[pending] > n_found:
        pending -= 1
    best = n_found / len(relevant) if relevant else NAN
    so_far = n_found
    for rank in range(len(relevant), 0, -1):
        if so_far <= 0:
            break
        best = max(best, so_far / rank)
        if relevant[rank - 1]:
            while pending >= 0 and needed[pending] == so_far:
                values[pending] = best
                pending -= 1
            so_far -= 1
    for waiting in range(pending + 1):
        values[waiting] = best
    return values


def precision_at(relevant: Sequence[bool], n_found: int, cutoffs: Sequence[int]) -> list[float]:
    """Return the precision at increasing cutoffs, counted back from the end of the ranking."""
    values = [0.0] * len(cutoffs)
    pending = len(cutoffs) - 1
    while pending >= 0 and cutoffs[pending] > len(relevant):
        values[pending] = n_found / cutoffs[pending]
        pending -= 1
    so_far = n_found
    for rank in range(len(relevant), 0, -1):
        if so_far <= 0:
            break
        while pending >= 0 and cutoffs[pending] == rank:
            values[pending] = so_far / rank
            pending -= 1
        so_far -= relevant[rank - 1]
    return values
