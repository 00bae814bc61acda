"""Popularity bias: the average popularity of recommendations."""

from typing import Annotated

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.measures.declare.definition import Rel, RequiredCutoff, Values
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.declare.needs import CATALOG, LISTS, TRAIN, Steps, Terms
from rankeval.measures.recommenders.of_runs import of_users
from rankeval.measures.recommenders.recommended_lists import (
    Short,
    divided,
    items_of_topic,
    mean_of_items,
    training,
)
from rankeval.ranking import RankedJudgments


def _frequency_terms(judged: RankedJudgments, *, cutoff: int, **_: object) -> Terms:
    train, items = training(judged), items_of_topic(judged, cutoff)
    return {"users": train.users[items], "novelty": train.novelty[items]}


@of_users(
    "MIUF",
    aliases=("MeanInvUserFreq",),
    needs=(TRAIN,),
    high=float("inf"),
    steps=Steps(places=_frequency_terms),
)
def mean_inverse_user_frequency(
    judged: RankedJudgments, *, short: Short = "list", cutoff: RequiredCutoff
) -> Values:
    """Mean inverse user frequency at k: how few users know the items of a list, in bits.

        MIUF@k = 1/k Σ_{i ≤ k} -log2 (u_i / U)

    with u_i the users who interacted with the item at rank i in the training data, and U all
    users in it. A cold item, which no user has interacted with, counts as one user's.

    Edge cases
        - A list shorter than k is divided by its length; short='k' divides by k.
        - An empty list: undefined.
        - Repeated interactions of one user with an item count once.

    Differences
        - RecTools: the same per user. Its mean includes users without judgments, which here count
          in measures of the whole run only.

    Source
        Castells, Hurley and Vargas, "Novelty and diversity in recommender systems", Recommender
        Systems Handbook, 2015; Zhou, Kuscsik, Liu, Medo, Wakeling and Zhang, "Solving the apparent
        diversity-accuracy dilemma of recommender systems", PNAS 107(10), 2010; RecTools,
        MeanInvUserFreq.
    """
    return mean_of_items(judged, training(judged).novelty, short=short, cutoff=cutoff)


Normalize = Annotated[bool, Meaning("divide by the number of all training interactions")]


def _popularity_terms(judged: RankedJudgments, *, cutoff: int, **_: object) -> Terms:
    return {"interactions": training(judged).interactions[items_of_topic(judged, cutoff)]}


@of_users(
    "ARP",
    aliases=("AvgRecPopularity", "AveragePopularity"),
    needs=(TRAIN,),
    high=float("inf"),
    loss=True,
    steps=Steps(places=_popularity_terms),
)
def average_recommendation_popularity(
    judged: RankedJudgments,
    *,
    normalize: Normalize = False,
    short: Short = "list",
    cutoff: RequiredCutoff,
) -> Values:
    """Average recommendation popularity at k: mean training interactions of the items of a list.

        ARP@k = 1/k Σ_{i ≤ k} φ_i

    with φ_i the interactions with the item at rank i in the training data, 0 for a cold item.
    A recommender that is biased towards popular items has a high value.

    Edge cases
        - A list shorter than k is divided by its length; short='k' divides by k.
        - An empty list: undefined.
        - Repeated interactions of one user with an item count each time.

    Differences
        - RecTools: the same per user. Its mean includes users without judgments, which here count
          in measures of the whole run only.

    Source
        Yin, Cui, Li, Yao and Chen, "Challenging the long tail recommendation", PVLDB 5(9), 2012;
        Abdollahpouri, Burke and Mobasher, "Managing popularity bias in recommender systems with
        personalized re-ranking", FLAIRS 2019; RecTools, AvgRecPopularity.
    """
    train = training(judged)
    of_items = train.interactions / (train.n_interactions if normalize else 1)
    return mean_of_items(judged, of_items, short=short, cutoff=cutoff)


def _serendipity_terms(judged: RankedJudgments, *, cutoff: int, **_: object) -> Terms:
    rank, items = np.arange(1, cutoff + 1), items_of_topic(judged, cutoff)
    own, usual = _chances(judged, rank[: len(items)], items)
    return {"place": training(judged).popularity[items], "p": own, "q": usual}


def _chances(judged: RankedJudgments, rank: Integers, items: Integers) -> tuple[Floats, Floats]:
    """Return the chance of items by their rank in a list, and by their popularity."""
    n, place = CATALOG.of(judged).size, training(judged).popularity[items]
    return (n + 1 - rank) / n, np.where(place > 0, (n + 1 - place) / n, 0.0)


@of_users("Serendipity", needs=(TRAIN, CATALOG), steps=Steps(places=_serendipity_terms))
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
