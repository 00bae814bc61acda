"""Areas: ROC curves, and precision-recall-gain, where the baseline is 0 (Flach and Kull)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from rankeval.base.arrays import Floats, Integers, begins
from rankeval.measures.arithmetic import found
from rankeval.measures.facts import Cutoff, Meaning, Range, Rel, RequiredCutoff, Values
from rankeval.measures.precision import Beta, hits
from rankeval.ranking import RankedJudgments

Universe = Annotated[
    Literal["retrieved", "condensed", "judged"],
    Meaning(
        "documents that count: all retrieved; retrieved and judged; or all judged, those not "
        "retrieved below the others"
    ),
]


def _ranking(judged: RankedJudgments, universe: str) -> RankedJudgments:
    return judged if universe == "retrieved" else judged.condensed


def class_sizes(judged: RankedJudgments, *, rel: float, universe: str) -> tuple[Floats, Floats]:
    """Count positives and negatives of each topic's universe; (0, 0) without a ranking."""
    if universe == "judged":
        positive = judged.count_judged(min_grade=rel)
        negative = judged.count_judged(min_grade=0) - positive
    else:
        judged = _ranking(judged, universe)
        positive = judged.count_per_topic(found(judged, rel=rel))
        negative = judged.retrieved - positive
    there = judged.retrieved > 0
    return np.where(there, positive, 0.0), np.where(there, negative, 0.0)


def _missed(judged: RankedJudgments, *, rel: float) -> Floats:
    """Count the judged positives and negatives that each ranking lacks, shape (2, T)."""
    there = class_sizes(judged, rel=rel, universe="condensed")
    return np.subtract(class_sizes(judged, rel=rel, universe="judged"), there)


def _pairs_won(judged: RankedJudgments, *, rel: float) -> Values:
    """Count (positive, negative) pairs of the ranking in the right order, ties one half: U."""
    relevant = found(judged, rel=rel)
    n_positive = judged.count_per_topic(relevant)
    below = judged.sum_per_topic(
        np.where(relevant, judged.retrieved[judged.topic] - judged.tie_rank, 0.0)
    )
    return below - n_positive * (n_positive - 1) / 2


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
    won = _pairs_won(_ranking(judged, universe), rel=rel)
    if universe == "judged":
        missed_positive, missed_negative = _missed(judged, rel=rel)
        won = won + missed_negative * (positive - missed_positive / 2)
    pairs = positive * negative
    return np.where(pairs > 0, won / np.maximum(pairs, 1), np.nan)


def group_weights(judged: RankedJudgments, parameters: Mapping[str, Any]) -> Floats | None:
    if parameters["weight"] is None:
        return None
    positive, negative = class_sizes(judged, rel=parameters["rel"], universe=parameters["universe"])
    return positive if parameters["weight"] == "positives" else positive + negative


def says_weight(_judged: RankedJudgments, *, weight: str | None, **_: object) -> str | None:
    """Say that the mean is a plain one; other weights stand in the measure's name."""
    if weight is not None:
        return None
    return (
        "every topic weighs the same; its source weighs them by their documents "
        "(weight='impressions') or by the relevant ones, such as clicks (weight='positives')"
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


RecallGain = Annotated[float, Range(least=0, most=1), Meaning("level of recall gain")]
SMALLEST_WIDTH = 1e-12
"""Smaller ranges of Δ are rounding errors of 0: they mean less than one document in 10^12."""


def _gain(part: Floats, wrong: Floats, odds: Floats) -> Floats:
    """Return 1 - odds·wrong/part, the form of both gains; NaN where part is 0."""
    positive = part > 0
    return np.where(positive, 1.0 - odds * wrong / np.where(positive, part, 1.0), np.nan)


def _odds(judged: RankedJudgments, *, rel: float, universe: str) -> tuple[Floats, Floats]:
    """Return π/(1-π) = n_pos/n_neg, which is NaN when a class is empty, and n_pos."""
    positive, negative = class_sizes(judged, rel=rel, universe=universe)
    defined = (positive > 0) & (negative > 0)
    return np.where(defined, positive / np.maximum(negative, 1), np.nan), positive


def _counts(
    judged: RankedJudgments, *, rel: float, universe: str, cutoff: int
) -> tuple[Floats, Floats]:
    """Return tp and fp among the first documents of the universe.

    Judged documents that were not retrieved have no order: those above the cutoff are relevant in
    the share of all of them.
    """
    ranking = _ranking(judged, universe)
    tp = hits(ranking, rel=rel, cutoff=cutoff).astype(float)
    fp = np.minimum(ranking.retrieved, cutoff) - tp
    if universe == "judged":
        positive, negative = _missed(judged, rel=rel)
        missed = positive + negative
        share = np.clip(cutoff - ranking.retrieved, 0, missed) / np.maximum(missed, 1)
        tp, fp = tp + share * positive, fp + share * negative
    return tp, fp


def precision_gain(
    judged: RankedJudgments, *, rel: Rel = 1, universe: Universe = "judged", cutoff: RequiredCutoff
) -> Values:
    """Precision gain at k: precision, rescaled so that the share of positives π becomes 0.

        precG@k = (prec - π) / ((1-π)·prec) = 1 - (π/(1-π))·fp/tp

    with tp and fp relevant and other documents among the first k of the universe.

    Edge cases
        - Undefined when tp = 0 (minus infinity), when a class is empty or there is no ranking.
        - Fewer than k documents: all of them count. Documents outside the universe are skipped.
        - k among judged documents that were not retrieved (universe='judged'): they have no order,
          so that tp and fp grow in the shares of both kinds.
        - A document with a negative grade counts as unjudged, as in AUC.

    Source
        Flach and Kull, Precision-recall-gain curves: PR analysis done right, NeurIPS 2015.
    """
    odds, _ = _odds(judged, rel=rel, universe=universe)
    return _gain(*_counts(judged, rel=rel, universe=universe, cutoff=cutoff), odds)


def recall_gain(
    judged: RankedJudgments, *, rel: Rel = 1, universe: Universe = "judged", cutoff: RequiredCutoff
) -> Values:
    """Recall gain at k: recall, rescaled so that the share of positives π becomes 0.

        recG@k = (rec - π) / ((1-π)·rec) = 1 - (π/(1-π))·fn/tp

    with tp relevant documents among the first k of the universe and fn the other relevant ones.

    Edge cases
        - Undefined when tp = 0 (minus infinity), when a class is empty or there is no ranking.
        - k among judged documents that were not retrieved (universe='judged'): as in precG.
        - A document with a negative grade counts as unjudged, as in AUC.

    Source
        Flach and Kull, Precision-recall-gain curves: PR analysis done right, NeurIPS 2015.
    """
    odds, positive = _odds(judged, rel=rel, universe=universe)
    tp, _ = _counts(judged, rel=rel, universe=universe, cutoff=cutoff)
    return _gain(tp, positive - tp, odds)


def f_gain(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    beta: Beta = 1.0,
    universe: Universe = "judged",
    cutoff: RequiredCutoff,
) -> Values:
    """F gain at k: the weighted arithmetic mean of precision gain and recall gain.

        FG@k = (precG@k + β²·recG@k) / (1 + β²) = (F_β - π) / ((1-π)·F_β)

    Edge cases
        - Undefined when tp = 0 (minus infinity), when a class is empty or there is no ranking.
        - k among judged documents that were not retrieved (universe='judged'): as in precG.
        - A document with a negative grade counts as unjudged, as in AUC.

    Source
        Flach and Kull, Precision-recall-gain curves: PR analysis done right, NeurIPS 2015.
    """
    precision = precision_gain(judged, rel=rel, universe=universe, cutoff=cutoff)
    recall = recall_gain(judged, rel=rel, universe=universe, cutoff=cutoff)
    return (precision + beta**2 * recall) / (1 + beta**2)


SMALLEST_SHARE = 1e-9
"""Smaller shares of a document are rounding errors."""


class _Segments(NamedTuple):
    """Stretches of the ranking with equal scores that hold a positive document."""

    topic: Integers
    tp_before: Floats
    fp_before: Floats
    tp_after: Floats
    fp_after: Floats


def _segments(judged: RankedJudgments, *, rel: float, universe: str) -> _Segments:
    ranking = _ranking(judged, universe)
    relevant = found(ranking, rel=rel)
    so_far = ranking.cumulative_count(relevant)
    topic, last = ranking.topic, ranking.tie_last
    opens = begins(topic, last)
    closes, group = np.roll(opens, -1), np.cumsum(opens) - 1
    n_inside = np.bincount(group[relevant], minlength=np.count_nonzero(closes))
    tp_after = so_far[closes]
    tp_before = tp_after - n_inside
    segments = _Segments(
        topic=topic[closes],
        tp_before=tp_before.astype(float),
        fp_before=(ranking.tie_first[closes] - 1 - tp_before).astype(float),
        tp_after=tp_after.astype(float),
        fp_after=(last[closes] - tp_after).astype(float),
    )
    if universe == "judged":  # those that were not retrieved are one last tie of each topic
        there = class_sizes(judged, rel=rel, universe="condensed")
        whole = class_sizes(judged, rel=rel, universe="judged")
        missed = (np.arange(len(judged)), *there, *whole)
        segments = _Segments(*map(np.concatenate, zip(segments, missed, strict=True)))  # type: ignore[arg-type]
    holds_positive = segments.tp_after > segments.tp_before
    return _Segments(*(column[holds_positive] for column in segments))  # type: ignore[arg-type]


def _positives_at(judged: RankedJudgments, *, rel: float, universe: str, level: float) -> Floats:
    """Return the number of true positives that reach a level of recall gain, shape (T,)."""
    positive, negative = class_sizes(judged, rel=rel, universe=universe)
    # In integers at level 0: π·n_pos would be rounded to one side of a whole number or the other.
    weighted = negative * (1.0 - level) + positive
    exact = positive**2 / np.where(weighted > 0, weighted, 1.0)
    whole = np.rint(exact)
    # A curve that is vertical at a whole number begins at its upper end, in spite of rounding.
    return np.where(np.abs(exact - whole) < SMALLEST_SHARE, whole, exact)


def _precision_gain_after(tp: Floats, parts: _Segments, odds: Floats) -> Floats:
    """Return the precision gain where each segment has a number of true positives."""
    moved = (tp - parts.tp_before) / (parts.tp_after - parts.tp_before)
    fp = parts.fp_before + moved * (parts.fp_after - parts.fp_before)
    return _gain(tp, fp, odds)


def _curve(judged: RankedJudgments, *, rel: float, universe: str) -> tuple[Floats, Floats]:
    """Return the area right of recall gain 0, which is tp = n_pos²/n, and the height there.

    True and false positives are linear between two points, and so are then the gains. Where the
    cut is a whole number, the curve is vertical at the cut, and the part begins at the upper
    end.
    """
    odds, positive = _odds(judged, rel=rel, universe=universe)
    parts = _segments(judged, rel=rel, universe=universe)
    odds_here, positive_here = odds[parts.topic], positive[parts.topic]
    cut = _positives_at(judged, rel=rel, universe=universe, level=0.0)[parts.topic]
    start = np.clip(cut, parts.tp_before, parts.tp_after)
    precision_start = _precision_gain_after(start, parts, odds_here)
    precision_end = _gain(parts.tp_after, parts.fp_after, odds_here)
    recall_start = _gain(start, positive_here - start, odds_here)
    recall_end = _gain(parts.tp_after, positive_here - parts.tp_after, odds_here)
    trapezoids = (recall_end - recall_start) * (precision_start + precision_end) / 2
    crosses = (parts.tp_before < cut) & (parts.tp_after >= cut)
    defined = ~np.isnan(odds)

    def gathered(chosen: np.ndarray, values: Floats) -> Floats:
        total = np.bincount(
            parts.topic, weights=np.where(chosen, values, 0.0), minlength=len(judged)
        )
        return np.where(defined, total, np.nan)

    return gathered(parts.tp_after > cut, trapezoids), gathered(crosses, precision_start)


def gain_at_recall_gain(
    judged: RankedJudgments, *, rel: Rel = 1, universe: Universe = "judged", level: RecallGain
) -> Values:
    """Precision gain at a recall gain: the height of the precision-recall-gain curve.

        PRG@r = 1 - (π/(1-π))·fp/tp, with tp = π·n_pos / (π + (1-r)·(1-π))

    with fp the other documents above that many relevant ones; true and false positives are
    interpolated linearly between groups of equal scores, which gives straight segments.

    Edge cases
        - Undefined when a class is empty or there is no ranking.
        - A document with a negative grade counts as unjudged, as in AUC.
        - tp is a whole number: the upper end of the vertical part of the curve.

    Source
        Flach and Kull, Precision-recall-gain curves: PR analysis done right, NeurIPS 2015.
    """
    odds, _ = _odds(judged, rel=rel, universe=universe)
    parts = _segments(judged, rel=rel, universe=universe)
    tp = _positives_at(judged, rel=rel, universe=universe, level=level)[parts.topic]
    reached = (parts.tp_before < tp) & (parts.tp_after >= tp)
    values = np.full(len(judged), np.nan)
    heights = _precision_gain_after(np.where(reached, tp, parts.tp_after), parts, odds[parts.topic])
    values[parts.topic[reached]] = heights[reached]
    return values


def area_under_gain_curve(
    judged: RankedJudgments, *, rel: Rel = 1, universe: Universe = "judged"
) -> Values:
    """Area under the precision-recall-gain curve, for recall gains from 0 to 1.

        AUPRG = ∫_0^1 precG d(recG)

    with one point per group of equal scores, and straight segments between them. 1 is a perfect
    ranking and 0 the baseline that calls everything relevant.

    Edge cases
        - Undefined when a class is empty or there is no ranking.
        - A document with a negative grade counts as unjudged, as in AUC.
        - Negative where the curve is below the axis.

    Differences
        - pyprg adds the area below the axis instead of subtracting it.

    Source
        Flach and Kull, Precision-recall-gain curves: PR analysis done right, NeurIPS 2015.
    """
    area, _height = _curve(judged, rel=rel, universe=universe)
    return area


def expected_f_gain(
    judged: RankedJudgments, *, rel: Rel = 1, beta: Beta = 1.0, universe: Universe = "judged"
) -> Values:
    """Expected F gain: the mean of FG over operating points along the precision-recall-gain curve.

        EFG = ((a(1-π) + (1-a)π)·AUPRG + a·π·y₀²/2 + (1-a)(1-π)/2) / (1 - π + π·y₀)

    with a = 1/(1+β²), π the share of relevant documents, and y₀ the precision gain where the
    recall gain reaches 0; Δ = recG/π - precG/(1-π) is uniform between its ends.

    Edge cases
        - Undefined when a class is empty or there is no ranking.
        - A document with a negative grade counts as unjudged, as in AUC.
        - π·n_pos is a whole number: nonrelevant documents make the curve vertical at recall
          gain 0, and y₀ is the upper end.
        - All nonrelevant documents stand above the first point of recall gain 0: Δ is constant,
          and EFG is the mean of FG at both ends of the curve, (a·y₀ + 1 - a)/2. The curve is
          then one straight segment, and FG is linear in Δ on every segment where Δ changes.

    Source
        Flach and Kull, Precision-recall-gain curves: PR analysis done right, NeurIPS 2015,
        theorem 3.
    """
    odds, _ = _odds(judged, rel=rel, universe=universe)
    area, height = _curve(judged, rel=rel, universe=universe)
    pi, a = odds / (1.0 + odds), 1.0 / (1.0 + beta**2)
    weighted = (a * (1 - pi) + (1 - a) * pi) * area
    ends = a * pi * height**2 / 2 + (1 - a) * (1 - pi) / 2
    # Equal to the share of the nonrelevant documents that stand below recall gain 0.
    width = 1 - pi + pi * height
    moves = width > SMALLEST_WIDTH
    straight = (a * height + 1 - a) / 2
    return np.where(moves, (weighted + ends) / np.where(moves, width, 1.0), straight)
