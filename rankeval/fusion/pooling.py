"""The order in which the candidates of a topic are judged, and how many of them."""

from collections.abc import Callable, Mapping
from functools import partial
from heapq import heappop, heappush

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, NDArray, position
from rankeval.base.frozen import replace
from rankeval.choices import PoolOrder
from rankeval.fusion.methods import Candidates, rbc, rrf

UNKNOWN = -1
"""The judgment of a document that nobody has judged."""


def best_ranks(found: Candidates) -> Floats:
    """Return the best rank of each candidate in any run, below zero, so that it comes first."""
    return -np.where(found.present, found.ranks, np.inf).min(axis=0)


def move_to_front(found: Candidates, grades: Integers) -> Floats:
    """Return the turns in which documents come up, below zero, by the runs' success so far.

    The runs take turns: one goes on as long as its documents are relevant, and falls behind the
    others by one step with each that is not. `grades` are 1 for a relevant document, 0 for another
    and UNKNOWN for one that nobody has judged, which counts as not relevant until it is. A
    document that came up before is passed over. Runs at the same step come in their order.

    Source: Cormack, Palmer and Clarke, "Efficient Construction of Large Test Collections", SIGIR
    1998.
    """
    turns = np.zeros(len(grades))
    for start, stop in zip(found.offsets[:-1].tolist(), found.offsets[1:].tolist(), strict=True):
        turns[start:stop] = _turns(found.ranks[:, start:stop], (grades[start:stop] > 0).tolist())
    return -turns


def _turns(ranks: NDArray[np.int32], relevant: list[bool]) -> list[int]:
    """Return the turn of each document of a topic, from 1."""
    left = []
    for rank in ranks:
        there = np.flatnonzero(rank)
        left.append(iter(there[np.argsort(rank[there])].tolist()))
    turns = [0] * ranks.shape[1]
    behind = [(0, run) for run in range(len(left))]  # a heap
    turn = 0
    while behind:
        steps, run = heappop(behind)
        document = next((one for one in left[run] if not turns[one]), None)
        if document is None:
            continue
        turn += 1
        turns[document] = turn
        heappush(behind, (steps + (not relevant[document]), run))
    return turns


ORDERS: Mapping[str, Callable[[Candidates], Floats]] = {
    "depth": best_ranks,
    "rrf": partial(rrf, k=60),  # Cormack, Clarke and Büttcher, SIGIR 2009
    # The weights that RBP gives to the ranks: Moffat, Webber and Zobel, "Strategic System
    # Comparisons via Targeted Relevance Judgments", SIGIR 2007 (method A).
    "rbp": partial(rbc, phi=0.8),
    "max-rank": best_ranks,
}
"""The key of each order but move-to-front; the largest comes first."""


def to_judge(found: Candidates, grades: Integers, order: PoolOrder, budget: int | None) -> Integers:
    """Return the candidates to judge, topic by topic in the order in which to judge them.

    `grades` are as for `move_to_front`; documents that are judged are left out. `budget` is the
    largest number of documents of a topic. Equal candidates come by docno descending; those of the
    order "depth" by docno ascending, so that nothing shows their ranks.
    """
    worth = move_to_front(found, grades) if order == "mtf" else ORDERS[order](found)
    unjudged = grades == UNKNOWN
    worth = np.where(unjudged, worth, -np.inf)
    name = found.docnos.order(np.arange(len(worth)))
    ordered = np.lexsort((-name, -worth, found.topic))
    kept = unjudged[ordered]
    if budget is not None and order == "depth":
        kept &= _whole_depths(worth[ordered], found, budget)
    elif budget is not None:
        kept &= position(found.offsets) < budget
    chosen: Integers = ordered[kept]
    if order == "depth":
        chosen = chosen[np.lexsort((name[chosen], found.topic[chosen]))]
    return chosen


def _whole_depths(worth: Floats, found: Candidates, budget: int) -> Booleans:
    """Mark the candidates down to the largest depth at which a topic has at most `budget`."""
    sizes = np.diff(found.offsets)
    over = found.offsets[:-1] + np.minimum(min(budget, sizes.max(initial=1)), sizes - 1)
    # The first candidate too many has a depth at which the pool is too large.
    limit = np.where(sizes > budget, worth[over], -np.inf)
    return (worth > limit[found.topic]) | (sizes <= budget)[found.topic]


def down_to(found: Candidates, depth: int | None) -> tuple[Candidates, Integers]:
    """Return the candidates among the first `depth` of some run, and their places."""
    ranks = found.ranks if depth is None else found.ranks * (found.ranks <= depth)
    rows = np.flatnonzero(ranks.any(axis=0))
    near = replace(
        found,
        offsets=np.searchsorted(rows, found.offsets),
        docnos=found.docnos.take(rows),
        scores=found.scores[:, rows],
        ranks=ranks[:, rows],
    )
    return near, rows
