"""Find the values that other orders of equal scores give."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankeval.alignment.tie_orders import ORDERS, with_ties_broken
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.restrict import restricted
from rankeval.evaluation.results import Score, TieNotice, TieRange
from rankeval.evaluation.settings import TIES_IN_WORDS, Settings
from rankeval.judgments import RankedJudgments
from rankeval.measures import Measure
from rankeval.support.arrays import Booleans

NOISE = 1e-12
"""Largest difference that comes from adding the same numbers in another order."""


def tie_notices(
    whole: RankedJudgments,
    chosen: Booleans,
    judged: RankedJudgments,
    scores: Sequence[tuple[Measure, Score]],
    over_topics: Aggregation,
    settings: Settings,
) -> list[TieNotice]:
    """Return a warning of the values that other orders of equal scores give, if they differ.

    `chosen` marks the topics of the whole run that count, and `judged` is what the settings leave
    of these. Only topics with a judged document among equal scores are scored again.
    """
    tied = np.zeros(len(whole), dtype=bool)
    tied[whole.tied_topics] = True
    tied &= chosen
    if not tied.any():
        return []
    again = whole.select(tied)
    in_one_order = replace(settings, ties="docno")
    # The settings come last: a cut leaves out other documents in another order.
    orders = [restricted(with_ties_broken(again, order), None, in_one_order) for order in ORDERS]
    place = tied[chosen]
    changed = np.zeros(len(again), dtype=bool)
    ranges = []
    for measure, score in scores:
        values = [score.values[place], *(measure.values(order) for order in orders)]
        ends = np.fmin.reduce(values), np.fmax.reduce(values)
        differs = ends[1] - ends[0] > NOISE
        if not differs.any():
            continue
        changed |= differs
        rule = over_topics.rule_for(measure.definition)
        totals = []
        for end in ends:
            values_of_all = score.values.copy()
            values_of_all[place] = end
            totals.append(rule.of(values_of_all, judged, measure.parameters))
        least, greatest = totals
        if greatest - least > NOISE and np.isfinite(totals).all():
            ranges.append(TieRange(score.measure, least, greatest, rule.name == "sum"))
    if not ranges:
        return []
    return [TieNotice(int(changed.sum()), ranges, TIES_IN_WORDS[settings.ties])]
