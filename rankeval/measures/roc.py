"""Areas under the ROC curve, per topic: how well scores separate relevant from nonrelevant."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.measures.counts import found
from rankeval.measures.declare.aggregates import Aggregate, mean, weighted_mean
from rankeval.measures.declare.definition import Cutoff, Rel, Values
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import Steps, Terms
from rankeval.ranking import RankedJudgments

Universe = Annotated[
    Literal["retrieved", "condensed", "judged"],
    Meaning(
        "documents that count: all retrieved; retrieved and judged; or all judged, those not "
        "retrieved below the others"
    ),
]


def class_sizes(judged: RankedJudgments, *, rel: float, universe: str) -> tuple[Floats, Floats]:
    """Count positives and negatives of each topic's universe; (0, 0) without a ranking."""
    if universe == "judged":
        positive = judged.count_judged(min_grade=rel)
        negative = judged.count_judged(min_grade=0) - positive
    else:
        judged = judged.condensed if universe == "condensed" else judged
        positive = judged.count_per_topic(found(judged, rel=rel))
        negative = judged.retrieved - positive
    there = judged.retrieved > 0
    return np.where(there, positive, 0.0), np.where(there, negative, 0.0)


def _pairs_won(judged: RankedJudgments, *, rel: float) -> Values:
    """Count (positive, negative) pairs of the ranking in the right order, ties one half: U."""
    relevant = found(judged, rel=rel)
    n_positive = judged.count_per_topic(relevant)
    below = judged.sum_per_topic(
        np.where(relevant, judged.retrieved[judged.topic] - judged.tie_rank, 0.0)
    )
    return below - n_positive * (n_positive - 1) / 2


def _classes(judged: RankedJudgments, *, rel: float, universe: str, **_: object) -> Terms:
    positive, negative = class_sizes(judged, rel=rel, universe=universe)
    return {"n_pos": positive, "n_neg": negative, "pairs": positive * negative}


CLASSES = Steps(quantities=_classes)


@measure("AUC", steps=CLASSES, expected=True)
def area_under_curve(
    judged: RankedJudgments, *, rel: Rel = 1, universe: Universe = "retrieved"
) -> Values:
    """Area under the ROC curve: the share of (relevant, nonrelevant) pairs in the right order.

        AUC = (|{(p,q) : s(p) > s(q)}| + ½·|{(p,q) : s(p) = s(q)}|) / (n_pos·n_neg)

    with p relevant, q not, and s their scores: equal scores are ties, in whatever order they
    stand in the ranking. Unjudged documents are nonrelevant in universe='retrieved'; in
    universe='judged' the judged documents that were not retrieved share one lowest score.

    Edge cases
        - Undefined when there is no relevant or no nonrelevant document, or no ranking; such
          topics are left out of the mean.
        - A document with a negative grade counts as unjudged: it is nonrelevant in
          universe='retrieved', and left out in the others.

    Source
        Hanley and McNeil, The meaning and use of the area under a ROC curve, Radiology 143,
        1982; Mann and Whitney, Annals of Mathematical Statistics 18, 1947.
    """
    positive, negative = class_sizes(judged, rel=rel, universe=universe)
    if universe == "retrieved":
        won = _pairs_won(judged, rel=rel)
    else:
        won = _pairs_won(judged.condensed, rel=rel)
    if universe == "judged":
        found_positive, found_negative = class_sizes(judged, rel=rel, universe="condensed")
        missed_negative = negative - found_negative
        missed_positive = positive - found_positive
        won = won + missed_negative * (found_positive + missed_positive / 2)
    pairs = positive * negative
    return np.where(pairs > 0, won / np.maximum(pairs, 1), np.nan)


def _weights(judged: RankedJudgments, parameters: Mapping[str, Any]) -> Floats | None:
    if parameters["weight"] is None:
        return None
    positive, negative = class_sizes(judged, rel=parameters["rel"], universe=parameters["universe"])
    return positive if parameters["weight"] == "positives" else positive + negative


def _says_weight(_judged: RankedJudgments, *, weight: str | None, **_: object) -> str | None:
    """Say that the mean is a plain one; other weights stand in the measure's name."""
    if weight is not None:
        return None
    return (
        "every topic weighs the same; its source weighs them by their documents "
        "(weight='impressions') or by the relevant ones, such as clicks (weight='positives')"
    )


def _grouped(values: Values, weights: Floats | None) -> float:
    return mean(values) if weights is None else weighted_mean(values, weights)


@measure(
    "GAUC",
    aggregate=Aggregate("mean, weighted by weight=", _grouped, fixed=True, beside=_weights),
    steps=CLASSES,
    expected=True,
    caution=_says_weight,
)
def grouped_area_under_curve(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    universe: Universe = "retrieved",
    weight: Annotated[  # noqa: ARG001 - it weighs the aggregate, not a topic's value
        Literal["impressions", "positives"] | None,
        Meaning("weigh topics by the documents in their universe, or by the relevant ones"),
    ] = None,
) -> Values:
    """Grouped AUC: the AUC of each topic (user, session), averaged.

        GAUC = Σ_t w_t·AUC_t / Σ_t w_t

    with w_t = 1, or the number of documents in the topic's universe (weight='impressions', the
    usual industrial GAUC), or the number of relevant ones (weight='positives', such as clicks).

    Edge cases
        - Topics whose AUC is undefined are left out of both sums.
        - A document with a negative grade counts as unjudged, as in AUC.

    Differences
        - The source weighs users by impressions or clicks, and the paper on Deep Interest Network
          by impressions. Here a weight is asked for; without one, a warning beside the value says
          that every topic weighs the same.

    Source
        Zhu et al., Optimized cost per click in Taobao display advertising, KDD 2017; Zhou et al.,
        Deep interest network for click-through rate prediction, KDD 2018.
    """
    return area_under_curve(judged, rel=rel, universe=universe)


@measure("Accuracy", at="cutoff", tier=2)
def pairwise_accuracy(judged: RankedJudgments, *, rel: Rel = 1, cutoff: Cutoff = None) -> Values:
    """Accuracy: the share of (relevant, nonrelevant) pairs of the first k in the right order.

        Accuracy@k = 1 - Σ_{i≤k, relevant} (nonrelevant above i) / (n_pos·n_neg)

    with n_pos relevant and n_neg other documents among the first min(k, n).

    Edge cases
        - Undefined when n_pos or n_neg is 0; such topics are left out of the mean
          (ir_measures divides by zero where n_neg = 0).

    Differences
        - BEIR's Accuracy@k, "top-k accuracy", is Success@k.

    Source
        ir_measures, Accuracy.
    """
    relevant = found(judged, rel=rel, cutoff=cutoff)
    considered = judged.retrieved if cutoff is None else np.minimum(judged.retrieved, cutoff)
    positive = judged.count_per_topic(relevant)
    pairs = positive * (considered - positive)
    above = judged.rank - judged.cumulative_count(relevant)
    lost = judged.sum_per_topic(np.where(relevant, above, 0))
    return np.where(pairs > 0, 1.0 - lost / np.maximum(pairs, 1), np.nan)
