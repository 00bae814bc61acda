"""trec_eval's measures of binary and graded relevance by topic, and summaries over topics."""

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.measures.arithmetic import log
from rankeval.measures.average_precision import (
    average_precision,
    documents_needed,
    gathered_precision,
    interpolated_precision,
    yet_another_average_precision,
)
from rankeval.measures.counts import hits, number_nonrelevant_retrieved, share
from rankeval.measures.declare.other_names import is_ordinary
from rankeval.measures.gain import (
    binary_cost_discounted_gain,
    cost_discounted_gain,
    discounted_cumulated_gain,
    ideal_discounted_cumulated_gain,
    normalised_discounted_cumulated_gain,
    normalised_gain_at_levels,
    normalised_gain_at_relevant,
)
from rankeval.measures.incomplete import (
    binary_preference,
    inferred_average_precision,
    unjudged_share,
)
from rankeval.measures.precision import (
    capped_recall,
    precision,
    r_precision,
    recall,
    set_average_precision,
    set_precision,
    set_recall,
    set_relative_precision,
    set_utility,
    success,
)
from rankeval.measures.rank_biased import rank_biased_precision
from rankeval.measures.reciprocal_rank import reciprocal_rank
from rankeval.trec_eval import gain_table
from rankeval.trec_eval.evaluated_run import Evaluation, nothing_retrieved
from rankeval.trec_eval.flags import Pairs
from rankeval.trec_eval.gain_table import GainTable, Pair, TableMeasure
from rankeval.trec_eval.recall_scan import NAN, interpolated, precision_at
from rankeval.trec_eval.tool_version import BAD_TOPIC, Failure

FLOOR = 0.00001
"""Smaller values enter a geometric mean as this."""

LEVELS_PRINTED = 9
"""The highest level with a digit in a relevance string; higher ones are printed as >."""


def num_ret(e: Evaluation, _: None) -> Floats:
    """Documents retrieved."""
    return e.judged.retrieved.astype(float)


def num_rel(e: Evaluation, _: None) -> Floats:
    """R: judged documents that are relevant."""
    return e.n_relevant.astype(float)


def num_rel_ret(e: Evaluation, _: None) -> Floats:
    """Relevant documents retrieved."""
    return e.n_found.astype(float)


def num_nonrel_judged_ret(e: Evaluation, _: None) -> Floats:
    """Documents retrieved that are judged and not relevant."""
    return number_nonrelevant_retrieved(e.judged, rel=e.rel)


def set_p(e: Evaluation, _: None) -> Floats:
    """SetP."""
    return set_precision(e.judged, rel=e.rel)


def set_r(e: Evaluation, _: None) -> Floats:
    """SetR."""
    return set_recall(e.judged, rel=e.rel)


def set_relative_p(e: Evaluation, _: None) -> Floats:
    """SetRelP."""
    return set_relative_precision(e.judged, rel=e.rel)


def set_map(e: Evaluation, _: None) -> Floats:
    """SetAP."""
    return set_average_precision(e.judged, rel=e.rel)


def set_f(e: Evaluation, weights: tuple[float, ...]) -> Floats:
    """SetF with beta² = x, in the order of operations of trec_eval; x may be 0 or negative."""
    x = weights[0]
    p, r = set_p(e, None), set_r(e, None)
    return np.where(e.n_found > 0, (x + 1.0) * p * r / (x * p + r), 0.0)


def utility(e: Evaluation, coefficients: tuple[float, ...]) -> Floats:
    """SetUtility with four coefficients; Failure for any other number of them."""
    if len(coefficients) != 4:
        raise Failure(BAD_TOPIC, "trec_eval.calc_utility: improper number of coefficients")
    a, b, c, d = coefficients
    return set_utility(e.judged, rel=e.rel, a=a, b=b, c=c, d=d, N=e.collection_size)


def unj(e: Evaluation, cutoff: int) -> Floats:
    """Unjudged@k."""
    return unjudged_share(e.judged, cutoff=cutoff)


def relstring(e: Evaluation, lengths: tuple[float, ...]) -> list[bytes]:
    """The levels of the first documents: a digit or >, - if unjudged, . if negative."""
    length = _length(lengths[0])
    judged = e.judged
    digits = [b"%d" % level if level <= LEVELS_PRINTED else b">" for level in range(11)]
    strings = [bytearray(b"-" * min(length, n)) for n in judged.retrieved.tolist()]
    within = judged.rank <= length
    rows = (judged.topic[within], judged.rank[within], judged.grade[within])
    for topic, rank, grade in zip(*(column.tolist() for column in rows), strict=True):
        shown = b"." if grade < 0 else digits[min(grade, 10)]
        strings[topic][rank - 1 : rank] = shown
    return [b"'%b'" % bytes(string) for string in strings]


def _length(parameter: float) -> int:
    """The integer part of a length; 0 for negative and for infinite ones."""
    return max(0, int(parameter)) if abs(parameter) < 2**63 else 0


def mean_average_precision(e: Evaluation, _: None) -> Floats:
    """AP."""
    return _over_nothing(e, average_precision(e.ranked, rel=e.level))


def _over_nothing(e: Evaluation, values: Floats) -> Floats:
    """Return infinity for topics whose only relevant documents are unjudged ones."""
    if e.level >= 0:
        return values
    return np.where((e.n_relevant == 0) & (hits(e.ranked, rel=e.level) > 0), np.inf, values)


def gm_map(e: Evaluation, _: None) -> Floats:
    """The logarithm of AP, of 0.00001 at least."""
    return log(np.maximum(mean_average_precision(e, None), FLOOR))


def yaap(e: Evaluation, _: None) -> Floats:
    """YAAP."""
    values = yet_another_average_precision(e.ranked, rel=e.level)
    # (1 + S) / 0 is infinite; a difference below 0 has no logarithm.
    rest = 1 + e.n_relevant - gathered_precision(e.ranked, rel=e.level)
    return np.where(rest < 0, NAN, values)


def rprec(e: Evaluation, _: None) -> Floats:
    """Rprec."""
    return r_precision(e.ranked, rel=e.level)


def recip_rank(e: Evaluation, _: None) -> Floats:
    """RR."""
    return reciprocal_rank(e.ranked, rel=e.level)


def bpref(e: Evaluation, _: None) -> Floats:
    """Bpref."""
    return binary_preference(e.judged, rel=e.rel)


def gm_bpref(e: Evaluation, _: None) -> Floats:
    """The logarithm of Bpref, of 0.00001 at least."""
    return log(np.maximum(bpref(e, None), FLOOR))


def inf_ap(e: Evaluation, _: None) -> Floats:
    """infAP."""
    return inferred_average_precision(e.judged, rel=e.rel)


def bin_g(e: Evaluation, _: None) -> Floats:
    """binG."""
    return _over_nothing(e, binary_cost_discounted_gain(e.ranked, rel=e.level))


def p_at(e: Evaluation, cutoff: int) -> Floats:
    """P@k."""
    return precision(e.ranked, rel=e.level, cutoff=cutoff)


def recall_at(e: Evaluation, cutoff: int) -> Floats:
    """R@k."""
    return recall(e.ranked, rel=e.level, cutoff=cutoff)


def relative_p(e: Evaluation, cutoff: int) -> Floats:
    """R_cap@k."""
    return capped_recall(e.ranked, rel=e.level, cutoff=cutoff)


def map_cut(e: Evaluation, cutoff: int) -> Floats:
    """AP@k."""
    return share(gathered_precision(e.ranked, rel=e.level, cutoff=cutoff), e.n_relevant)


def success_at(e: Evaluation, cutoff: int) -> Floats:
    """Success@k."""
    return success(e.ranked, rel=e.level, cutoff=cutoff)


def iprec_at_recall(e: Evaluation, level: float) -> Floats:
    """IPrec by the version's rule; undefined if nothing is retrieved and no document is needed."""
    if e.level < 0:
        return np.array([values[0] for values in _scanned(e, (level,))])
    rule = e.version.documents_needed
    values = interpolated_precision(e.judged, rel=e.rel, count=rule, recall=level)
    needed = documents_needed(e.n_relevant, level, rule)
    return np.where(nothing_retrieved(e.judged) & (needed <= 0), NAN, values)


def eleven_point_average(e: Evaluation, levels: tuple[float, ...]) -> Floats:
    """IPrec averaged over levels of recall, added up from the last level to the first."""
    ascending = all(a <= b for a, b in pairwise(levels))
    if e.level < 0 or not ascending:
        columns = np.array(_scanned(e, levels)).reshape(-1, len(levels)).T
    else:
        columns = np.array([iprec_at_recall(e, level) for level in levels])
    total = np.zeros(len(e.judged))
    for column in columns[::-1]:
        total = total + column
    return total / len(levels)


def _scanned(e: Evaluation, levels: tuple[float, ...]) -> list[list[float]]:
    rule = e.version.documents_needed
    needed = [documents_needed(e.n_relevant, level, rule).tolist() for level in levels]
    return [
        interpolated([level >= e.level for level in ranking], n_found, [n[t] for n in needed])
        for t, (ranking, n_found) in enumerate(zip(e.levels, e.n_found.tolist(), strict=True))
    ]


def rprec_mult(e: Evaluation, multiple: float) -> Floats:
    """Rprec at a multiple of R."""
    if e.level >= 0:
        return r_precision(e.judged, rel=e.rel, mult=multiple)
    cutoffs = np.trunc(multiple * e.n_relevant + 0.9).astype(int).tolist()
    rankings = zip(e.levels, e.n_found.tolist(), cutoffs, strict=True)
    return np.array(
        [
            precision_at([level >= e.level for level in ranking], n_found, [cutoff])[0]
            for ranking, n_found, cutoff in rankings
        ]
    )


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


@frozen
class Totals:
    """Data that a summary needs in addition to the values.

    ========= ============================================================================
    averaged  number of topics over which means are taken
    evaluated number of topics with a value
    relevant  number of documents with a level above 0 in the whole qrels with -c, else None
    tag       tag of the run
    ========= ============================================================================
    """

    averaged: int
    evaluated: int
    relevant: int | None
    tag: bytes


Summary = Callable[[Floats, Totals], float | bytes | None]
"""A function from the values of the evaluated topics to the value to print; None for no line."""


def total(values: Floats, _totals: Totals) -> float:
    """Return the sum, added up one by one in the order of topics, beginning with 0."""
    return 0.0 + float(np.add.accumulate(values)[-1])


def mean(values: Floats, totals: Totals) -> float:
    """Return the sum divided by the number of averaged topics."""
    return total(values, totals) / totals.averaged


def geometric(values: Floats, totals: Totals) -> float:
    """Return exp of the mean of logarithms; topics without a value count as the floor."""
    lacking = (totals.averaged - totals.evaluated) * math.log(FLOOR)
    exponent = (total(values, totals) + lacking) / totals.averaged
    try:
        return math.exp(exponent)
    except OverflowError:
        return math.inf


def number_relevant(values: Floats, totals: Totals) -> float:
    """Return the sum; with -c, the number in the whole qrels."""
    return total(values, totals) if totals.relevant is None else totals.relevant


def number_of_topics(_values: Floats, totals: Totals) -> float:
    """Return the number of averaged topics."""
    return totals.averaged


def run_tag(_values: Floats, totals: Totals) -> bytes:
    """Return the tag of the run."""
    return totals.tag


def nothing(_values: Floats, _totals: Totals) -> None:
    """Return None: there is no line for all topics."""
