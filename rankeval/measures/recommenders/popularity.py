"""Popularity bias: the average popularity of recommendations."""

from typing import Annotated

from rankeval.measures.declare.definition import RequiredCutoff, Values
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.declare.needs import TRAIN, Steps, Terms
from rankeval.measures.recommenders.of_runs import of_users
from rankeval.measures.recommenders.recommended_lists import (
    Short,
    items_of_topic,
    mean_of_items,
    training,
)
from rankeval.ranking import RankedJudgments

Normalize = Annotated[bool, Meaning("divide by the number of all training interactions")]


def _terms(judged: RankedJudgments, *, cutoff: int, **_: object) -> Terms:
    return {"interactions": training(judged).interactions[items_of_topic(judged, cutoff)]}


@of_users(
    "ARP",
    aliases=("AvgRecPopularity", "AveragePopularity"),
    needs=(TRAIN,),
    high=float("inf"),
    loss=True,
    steps=Steps(places=_terms),
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
