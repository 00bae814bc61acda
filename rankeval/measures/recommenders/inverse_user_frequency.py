"""Novelty by inverse user frequency."""

from rankeval.measures.declare.definition import RequiredCutoff, Values
from rankeval.measures.declare.needs import TRAIN, Steps, Terms
from rankeval.measures.recommenders.of_runs import of_users
from rankeval.measures.recommenders.recommended_lists import (
    Short,
    items_of_topic,
    mean_of_items,
    training,
)
from rankeval.ranking import RankedJudgments


def _terms(judged: RankedJudgments, *, cutoff: int, **_: object) -> Terms:
    train, items = training(judged), items_of_topic(judged, cutoff)
    return {"users": train.users[items], "novelty": train.novelty[items]}


@of_users(
    "MIUF",
    aliases=("MeanInvUserFreq",),
    needs=(TRAIN,),
    high=float("inf"),
    steps=Steps(places=_terms),
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
