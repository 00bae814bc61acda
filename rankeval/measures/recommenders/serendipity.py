"""Serendipity: relevant items that a ranking by popularity would not show so early."""

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.measures.declare.definition import Rel, RequiredCutoff, Values
from rankeval.measures.declare.needs import CATALOG, LISTS, TRAIN, Steps, Terms
from rankeval.measures.recommenders.of_runs import of_users
from rankeval.measures.recommenders.recommended_lists import (
    Short,
    divided,
    items_of_topic,
    training,
)
from rankeval.ranking import RankedJudgments


def _terms(judged: RankedJudgments, *, cutoff: int, **_: object) -> Terms:
    rank, items = np.arange(1, cutoff + 1), items_of_topic(judged, cutoff)
    own, usual = _chances(judged, rank[: len(items)], items)
    return {"place": training(judged).popularity[items], "p": own, "q": usual}


def _chances(judged: RankedJudgments, rank: Integers, items: Integers) -> tuple[Floats, Floats]:
    """Return the chance of items by their rank in a list, and by their popularity."""
    n, place = CATALOG.of(judged).size, training(judged).popularity[items]
    return (n + 1 - rank) / n, np.where(place > 0, (n + 1 - place) / n, 0.0)


@of_users("Serendipity", needs=(TRAIN, CATALOG), steps=Steps(places=_terms))
def serendipity(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    short: Short = "list",
    cutoff: RequiredCutoff,
) -> Values:
    """Serendipity at k: relevant items, by how much higher they rank than by popularity.

        Serendipity@k = 1/k Σ_{i ≤ k} max(p_i - q_i, 0) · [g_i ≥ rel]
        p_i = (n + 1 - i) / n        q_i = (n + 1 - r_i) / n

    with n the items of the catalogue, and r_i the place of the item at rank i if all items are
    ordered by their training interactions, most first; items with equally many have one place.
    For a cold item, q_i = 0.

    Edge cases
        - A list shorter than k is divided by its length; short='k' divides by k.
        - An empty list, or no relevant document: 0.

    Differences
        - RecTools: the same per user, if every judged item is relevant. It leaves users without a
          list out of the mean, as --topics both does, and includes users without judgments.

    Source
        RecTools, Serendipity, after Lab41, "Recommender systems: it's not all about the accuracy",
        2016; Ge, Delgado-Battenfeld and Jannach, "Beyond accuracy", RecSys 2010.
    """
    rows = np.flatnonzero((judged.grade >= rel) & (judged.rank <= cutoff))
    topic, rank = judged.topic[rows], judged.rank[rows]
    item = LISTS.of(judged).items[LISTS.code_of(judged)[topic], rank - 1]
    own, usual = _chances(judged, rank, item)
    gained = np.zeros(len(judged.rank))
    gained[rows] = np.maximum(own - usual, 0.0)
    sizes = np.minimum(judged.retrieved, cutoff)
    found = divided(judged.sum_per_topic(gained), sizes, short=short, cutoff=cutoff)
    return np.where(sizes > 0, found, 0.0)
