"""Find the values that other orders of equal scores give."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from rankeval.alignment.tie_orders import ORDERS, with_ties_broken
from rankeval.evaluation.conventions import TIES_IN_WORDS
from rankeval.evaluation.restrict import restricted
from rankeval.evaluation.results import Score, TieNotice, TieRange
from rankeval.evaluation.settings import Settings
from rankeval.judgments import RankedJudgments
from rankeval.measures import Measure
from rankeval.measures.base.needs import LISTS
from rankeval.support.arrays import Booleans, Floats

NOISE = 1e-12
"""Largest difference that comes from adding the same numbers in another order."""


def ends_of_ties(
    whole: RankedJudgments,
    tied: Booleans,
    chosen: Booleans,
    measures: Sequence[Measure],
    values: Sequence[Floats],
    settings: Settings,
) -> list[Floats]:
    """Return the least and greatest values of P topics over orders of equal scores, by measure.

    `tied` marks these topics of the whole run, and `chosen` the topics that count, which have
    `values`. Each result has the shape (2, P).
    """
    again = whole.select(tied)
    in_one_order = replace(settings, ties="docno")
    # The settings come last: a cut leaves out other documents in another order.
    orders = [restricted(with_ties_broken(again, order), None, in_one_order) for order in ORDERS]
    place = tied[chosen]
    ends = []
    for measure, given in zip(measures, values, strict=True):
        if LISTS in measure.considers:  # lists hold the items of the order that was asked for
            same = np.zeros(np.count_nonzero(place)) if measure.definition.of_run else given[place]
            ends.append(np.array([same, same]))
            continue
        found = [given[place], *(measure.values(order) for order in orders)]
        ends.append(np.array([np.fmin.reduce(found), np.fmax.reduce(found)]))
    return ends


def tie_notices(
    place: Booleans,
    ends: Sequence[Floats],
    scores: Sequence[Score],
    totals: Sequence[Callable[[Floats], float]],
    settings: Settings,
) -> list[TieNotice]:
    """Return a warning of the values that other orders of equal scores give, if they differ.

    `place` marks the topics of `ends` among those that count, and `totals` has the function of each
    score that makes one number of values of topics.
    """
    changed = np.zeros(np.count_nonzero(place), dtype=bool)
    ranges = []
    for score, both, total in zip(scores, ends, totals, strict=True):
        differs = both[1] - both[0] > NOISE
        if not differs.any():
            continue
        changed |= differs
        found = []
        for end in both:
            values_of_all = score.values.copy()
            values_of_all[place] = end
            found.append(total(values_of_all))
        least, greatest = found
        if greatest - least > NOISE and np.isfinite(found).all():
            ranges.append(TieRange(score.measure, least, greatest, score.rule == "sum"))
    if not ranges:
        return []
    return [TieNotice(int(changed.sum()), ranges, TIES_IN_WORDS[settings.ties])]
