"""trec_eval's measures of graded relevance, by topic."""

from collections.abc import Callable

import numpy as np

from rankeval.measures.base import gain_table
from rankeval.measures.base.gain_table import GainTable, Pair, TableMeasure, is_ordinary
from rankeval.measures.base.recall_scan import NAN
from rankeval.measures.cumulated_gain import (
    discounted_cumulated_gain,
    ideal_discounted_cumulated_gain,
    normalised_discounted_cumulated_gain,
)
from rankeval.measures.ideal_walk import (
    cost_discounted_gain,
    normalised_gain_at_levels,
    normalised_gain_at_relevant,
)
from rankeval.measures.rank_biased import rank_biased_precision
from rankeval.support.arrays import Floats
from rankeval.trec_eval.evaluation import Evaluation
from rankeval.trec_eval.parameters import Pairs

MINUS_INFINITY = -float("inf")
PERSISTENCE = 0.9


def _tabulated(e: Evaluation, pairs: tuple[Pair, ...], measure: TableMeasure) -> Floats:
    """Compute a measure topic by topic from its table of gains."""
    bounds = e.graded.judged_offsets.tolist()
    judged = e.graded.judged_grade.tolist()
    return np.array(
        [
            measure(GainTable.from_pairs(pairs, judged[start:stop]), levels)
            for start, stop, levels in zip(bounds[:-1], bounds[1:], e.levels, strict=True)
        ]
    )


def _with_gains(
    e: Evaluation, pairs: tuple[Pair, ...], ordinary: Callable[..., Floats], measure: TableMeasure
) -> Floats:
    """Compute a measure by `ordinary` where it takes these gains, else from tables of gains."""
    if is_ordinary(pairs):
        return ordinary(e.graded, gains=pairs)
    return _tabulated(e, pairs, measure)


def dcg(e: Evaluation, given: Pairs) -> Floats:
    """DCG."""
    return _with_gains(e, given.gains, discounted_cumulated_gain, gain_table.dcg)


def ideal_dcg(e: Evaluation, given: Pairs) -> Floats:
    """IDCG."""
    return _with_gains(e, given.gains, ideal_discounted_cumulated_gain, gain_table.ideal_dcg)


def ndcg(e: Evaluation, given: Pairs) -> Floats:
    """nDCG."""
    return _with_gains(e, given.gains, normalised_discounted_cumulated_gain, gain_table.ndcg)


def ndcg_cut(e: Evaluation, cutoff: int) -> Floats:
    """nDCG@k; it takes no gains."""
    return normalised_discounted_cumulated_gain(e.graded, cutoff=cutoff)


def ndcg_rel(e: Evaluation, given: Pairs) -> Floats:
    """nDCG_rel."""
    return _with_gains(e, given.gains, normalised_gain_at_relevant, gain_table.ndcg_rel)


def rndcg(e: Evaluation, given: Pairs) -> Floats:
    """Rndcg, 0 without a relevant document and undefined without a positive gain."""
    if is_ordinary(given.gains):
        # Which topics have a relevant document is seen below, by e.rel, which may be 0.
        values = normalised_gain_at_levels(e.graded, rel=MINUS_INFINITY, gains=given.gains)
        ideal = ideal_discounted_cumulated_gain(e.graded, gains=given.gains)
        values = np.where(ideal > 0, values, NAN)
    else:
        values = _tabulated(e, given.gains, gain_table.rndcg)
    return np.where(e.n_relevant > 0, values, 0.0)


def g(e: Evaluation, given: Pairs) -> Floats:
    """G."""
    return _with_gains(e, given.gains, cost_discounted_gain, gain_table.cost_gain)


def rbp(e: Evaluation, given: Pairs) -> Floats:
    """RBP with gains on the scale of each topic's table."""
    p = PERSISTENCE if given.p is None else given.p
    if not given.gains:
        return rank_biased_precision(e.graded, p=p, max_rel="topic")
    return _tabulated(e, given.gains, lambda table, levels: gain_table.rbp(table, levels, p))


def rbp_resid(e: Evaluation, given: Pairs) -> Floats:
    """The weight of unjudged and unretrieved documents; 0 if all retrieved ones are judged."""
    p = PERSISTENCE if given.p is None else given.p
    judged = e.judged
    factors = np.full(judged.retrieved.max(initial=0) + 1, p)
    factors[0] = 1.0
    powers = np.multiply.accumulate(factors)
    values = np.zeros(len(judged))
    bounds = judged.offsets.tolist()
    for t, n_retrieved in enumerate(judged.retrieved.tolist()):
        rows = slice(bounds[t], bounds[t + 1])
        known = judged.rank[rows][judged.grade[rows] >= 0]
        if len(known) < n_retrieved:
            weights = powers[:n_retrieved].copy()
            weights[known - 1] = 0.0
            total = np.add.accumulate(weights)[-1]
            values[t] = powers[n_retrieved] + (1.0 - p) * total
    return values
