"""Recommenders: what a run shows to its users, and how new, diverse and well-known that is."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import record
from rankeval.measures.arithmetic import row_sums
from rankeval.measures.facts import (
    CATALOG,
    FEATURES,
    LISTS,
    TRAIN,
    Meaning,
    Rel,
    RequiredCutoff,
    Values,
)
from rankeval.ranking import RankedJudgments
from rankeval.ranking.extras import Features


@record
class Exposure:
    """Items that a run recommends, and how often.

    ========= ============ ===============================================================
    counts    (I,) int64   recommendations of each item that is recommended, all positive
    catalogue int          items that could be recommended; 0 if that is not known
    ========= ============ ===============================================================
    """

    counts: Integers
    catalogue: int

    @classmethod
    def of(cls, judged: RankedJudgments, cutoff: int, topics: Integers | None) -> Self:
        """Count the first documents of all rankings, or of some topics of the batch."""
        extras = judged.extras
        assert extras is not None  # noqa: S101  `Need.refuse_lack` has refused it
        assert extras.lists is not None  # noqa: S101  likewise
        counts = extras.lists.counts(cutoff, None if topics is None else extras.code[topics])
        return cls(counts[counts > 0], extras.catalog.size if extras.catalog else 0)


Short = Annotated[
    Literal["list", "k"], Meaning("a list shorter than k is divided by its length, or by k")
]


class FirstItems(NamedTuple):
    """The items of the first ranks of T topics, and which ranks there are, both (T, K)."""

    items: Integers
    there: Booleans

    @property
    def sizes(self) -> Integers:
        """The number of items of each topic, shape (T,)."""
        return np.count_nonzero(self.there, axis=1)


def first_items(judged: RankedJudgments, cutoff: int) -> FirstItems:
    """Return the items down to a rank, as far as the rankings reach."""
    items = LISTS.of(judged).items[LISTS.code_of(judged), :cutoff]
    ranks = np.arange(1, items.shape[1] + 1)
    return FirstItems(items, (ranks <= judged.retrieved[:, None]) & (items >= 0))


def mean_of_items(judged: RankedJudgments, of_items: Floats, *, short: str, cutoff: int) -> Values:
    """Return the mean over each list of a number that every item has; NaN for an empty list."""
    first = first_items(judged, cutoff)
    values = np.zeros(first.items.shape)
    values[first.there] = of_items[first.items[first.there]]
    return divided(row_sums(values), first.sizes, short=short, cutoff=cutoff)


def divided(sums: Floats, sizes: Integers, *, short: str, cutoff: int) -> Values:
    """Divide the sum over each list by its length or by k; NaN for an empty list."""
    by: Any = sizes if short == "list" else np.full(len(sizes), cutoff)
    return np.divide(sums, by, out=np.full(len(sums), np.nan), where=sizes > 0)


def coverage(exposure: Exposure, *, cutoff: RequiredCutoff) -> float:  # noqa: ARG001  counted already
    """Catalogue coverage at k: share of the catalogue that is recommended to any user.

        Coverage@k = |items among the first k of any list| / |catalogue|

    Example: a catalogue of 5 items, of which the lists a b, a c and b a are shown.

        Coverage@2 = |{a, b, c}| / 5 = 0.6        Coverage@1 = |{a, b}| / 5 = 0.4

    All topics of the run count, also those without judgments.

    Edge cases
        - A run that recommends nothing: 0.
        - An item that the catalogue lacks, or more items than it has: an error.

    Differences
        - RecTools: CatalogCoverage(normalize=True). It also counts items outside the catalogue.

    Source
        Herlocker, Konstan, Terveen and Riedl, "Evaluating collaborative filtering recommender
        systems", ACM TOIS 22(1), 2004; Ge, Delgado-Battenfeld and Jannach, "Beyond accuracy",
        RecSys 2010.
    """
    return len(exposure.counts) / exposure.catalogue


def entropy(exposure: Exposure, *, cutoff: RequiredCutoff) -> float:  # noqa: ARG001  counted already
    """Entropy at k: how evenly recommendations are spread over items, in bits.

        Entropy@k = - Σ_i p_i log2 p_i        p_i = x_i / Σ_j x_j

    with x_i how often item i is among the first k of a list. It is log2 n if n items are shown
    equally often, and 0 if one item is shown alone.

    Example: the lists a b, a c and b a. The counts of a, b and c are 3, 2 and 1.

        Entropy@2 = 3/6 log2 6/3 + 2/6 log2 6/2 + 1/6 log2 6/1 = 1.4591

    All topics of the run count, also those without judgments.

    Edge cases
        - A run that recommends nothing: undefined.

    Differences
        - Elliot: the same if all lists have one length. RecBole takes natural logarithms, and
          divides by the number of items that are shown. RecTools has no entropy.

    Source
        Shannon, "A mathematical theory of communication", Bell System Technical Journal 27, 1948;
        Shani and Gunawardana, "Evaluating recommendation systems", Recommender Systems Handbook,
        2011.
    """
    total = exposure.counts.sum()
    if not total:
        return float("nan")
    share = np.sort(exposure.counts) / total
    return float(-(share * np.log2(share)).sum()) + 0.0  # one item alone gives -0.0


Corrected = Annotated[
    bool, Meaning("divide by n - 1 rather than n, so that one item shown alone gives 1")
]


def gini(
    exposure: Exposure,
    *,
    corrected: Corrected = False,
    cutoff: RequiredCutoff,  # noqa: ARG001  counted already
) -> float:
    """Gini index at k: how unequally recommendations are spread over the catalogue.

        Gini@k = Σ_j (2j - n - 1) x_j / (n Σ_j x_j)

    with x_1 ≤ ... ≤ x_n how often each of the n items of the catalogue is among the first k of a
    list; items that are never shown have 0. It is 0 if all items are shown equally often.

    Example: a catalogue of 5 items and the lists a b, a c and b a. The counts are 0 0 1 2 3.

        Gini@2 = (0·1 + 2·2 + 4·3) / (5 · 6) = 16/30 = 0.5333

    All topics of the run count, also those without judgments.

    Edge cases
        - A run that recommends nothing: undefined.
        - A catalogue of one item: 0.

    Differences
        - RecBole: the same formula. Elliot: 1 - Gini(corrected=True). RecTools has no Gini index.

    Source
        Fleder and Hosanagar, "Blockbuster culture's next rise or fall", Management Science 55(5),
        2009; Shani and Gunawardana, "Evaluating recommendation systems", Recommender Systems
        Handbook, 2011, for corrected=True.
    """
    n, counts = exposure.catalogue, np.sort(exposure.counts)
    total = int(counts.sum())
    if not total:
        return float("nan")
    if n == 1:
        return 0.0
    place = np.arange(n - len(counts) + 1, n + 1)
    return float(((2.0 * place - n - 1) * counts).sum() / ((n - 1 if corrected else n) * total))


def _pairs(judged: RankedJudgments, *, cutoff: int) -> tuple[Floats, Floats]:
    """Return the pairs of items of each list, and the features that differ in all of them."""
    first = first_items(judged, cutoff)
    features: Features = FEATURES.of(judged)
    there = first.there.copy()
    there[first.there] = features.known[first.items[first.there]]
    n_items = np.count_nonzero(there, axis=1)
    pairs = n_items * (n_items - 1) / 2
    different = np.zeros(len(judged))
    for values in features.values:
        different += pairs - _equal_pairs(FirstItems(first.items, there), values)
    return pairs, different


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
    return mean_of_items(judged, TRAIN.of(judged).novelty, short=short, cutoff=cutoff)


Normalize = Annotated[bool, Meaning("divide by the number of all training interactions")]


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
    train = TRAIN.of(judged)
    of_items = train.interactions / (train.n_interactions if normalize else 1)
    return mean_of_items(judged, of_items, short=short, cutoff=cutoff)


def _chances(judged: RankedJudgments, rank: Integers, items: Integers) -> tuple[Floats, Floats]:
    """Return the chance of items by their rank in a list, and by their popularity."""
    n, place = CATALOG.of(judged).size, TRAIN.of(judged).popularity[items]
    return (n + 1 - rank) / n, np.where(place > 0, (n + 1 - place) / n, 0.0)


def serendipity(
    judged: RankedJudgments, *, rel: Rel = 1, short: Short = "list", cutoff: RequiredCutoff
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
