"""Intra-list diversity."""

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.measures.declare.definition import RequiredCutoff, Values
from rankeval.measures.declare.needs import FEATURES, Steps, Terms
from rankeval.measures.recommenders.of_runs import of_users
from rankeval.measures.recommenders.recommended_lists import FirstItems, first_items
from rankeval.ranking import RankedJudgments
from rankeval.ranking.extras import Features


def _pairs(judged: RankedJudgments, *, cutoff: int) -> tuple[Floats, Floats]:
    """Return the pairs of items of each list, and the features that differ in all of them."""
    first, features = first_items(judged, cutoff), features_of(judged)
    there = first.there.copy()
    there[first.there] = features.known[first.items[first.there]]
    n_items = np.count_nonzero(there, axis=1)
    pairs = n_items * (n_items - 1) / 2
    different = np.zeros(len(judged))
    for values in features.values:
        different += pairs - _equal_pairs(FirstItems(first.items, there), values)
    return pairs, different


def features_of(judged: RankedJudgments) -> Features:
    """Return the features of the items."""
    found: Features = FEATURES.of(judged)
    return found


def _quantities(judged: RankedJudgments, *, cutoff: int) -> Terms:
    pairs, different = _pairs(judged, cutoff=cutoff)
    return {"pairs": pairs, "differences": different}


@of_users(
    "ILD",
    aliases=("IntraListDiversity",),
    needs=(FEATURES,),
    high=float("inf"),
    steps=Steps(quantities=_quantities),
)
def intra_list_diversity(judged: RankedJudgments, *, cutoff: RequiredCutoff) -> Values:
    """Intra-list diversity at k: mean Hamming distance between the items of a list.

        ILD@k = 2 / (k (k - 1)) Σ_{i < j ≤ k} d(i, j)

    with d(i, j) the number of features in which the items at ranks i and j differ.

    Edge cases
        - A list shorter than k: the mean over its own pairs.
        - One item: 0. An empty list: undefined.
        - An item without features, or with a missing one, is in no pair; a list of two items or
          more of which no pair is left is undefined.

    Differences
        - RecTools: IntraListDiversity with PairwiseHammingDistanceCalculator is the same per user.
          Its mean includes users without judgments. Features can be text here.

    Source
        Ziegler, McNee, Konstan and Lausen, "Improving recommendation lists through topic
        diversification", WWW 2005; Vargas and Castells, "Rank and relevance in novelty and
        diversity metrics for recommender systems", RecSys 2011; RecTools, IntraListDiversity.
    """
    pairs, different = _pairs(judged, cutoff=cutoff)
    undefined = np.where(first_items(judged, cutoff).sizes == 1, 0.0, np.nan)
    return np.divide(different, pairs, out=undefined, where=pairs > 0)


def _equal_pairs(first: FirstItems, values: Integers) -> Floats:
    """Count the pairs of items of each list that have the same value."""
    n_ranks = first.items.shape[1]
    # Distinct numbers below 0 stand for places without an item.
    alike = np.broadcast_to(-1 - np.arange(n_ranks), first.items.shape).copy()
    alike[first.there] = values[first.items[first.there]]
    alike.sort(axis=1)
    place = np.broadcast_to(np.arange(n_ranks), alike.shape)
    new = np.ones(alike.shape, dtype=bool)
    new[:, 1:] = alike[:, 1:] != alike[:, :-1]
    start = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    return (place - start).sum(axis=1).astype(float)
