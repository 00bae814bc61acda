"""The measures of preferences, by topic.

In their names "ret" looks at preferences between two retrieved documents only, "imp" also at
those with one retrieved document, which is implied to be better than the other.
"""

import math
from collections.abc import Callable

import numpy as np

from rankeval.measures.base.preference_chains import Counts, Matrix, _ret, full, rnonrel_of_group
from rankeval.support.arrays import Floats
from rankeval.trec_eval.preferences import Evaluated, TopicPreferences

Ratio = Callable[[Counts], tuple[int, int]]
"""Preferences fulfilled and possible."""


def _imp(counts: Counts) -> tuple[int, int]:
    return (
        counts.fulfilled_ret + counts.fulfilled_imp,
        counts.possible_ret + counts.possible_imp,
    )


def _each(topics: Evaluated, value: Callable[[TopicPreferences], float]) -> Floats:
    return np.array([value(topic) for topic in topics], dtype=float)


def num_possible(e: Evaluated, _: None) -> Floats:
    """Preferences in all groups."""
    return _each(e, lambda topic: sum(full(group.counts)[1] for group in topic.groups))


def num_fulfilled(e: Evaluated, _: None) -> Floats:
    """Preferences that the ranking fulfils."""
    return _each(e, lambda topic: sum(full(group.counts)[0] for group in topic.groups))


def num_fulfilled_ret(e: Evaluated, _: None) -> Floats:
    """Preferences between retrieved documents that it fulfils."""
    return _each(e, lambda topic: sum(group.counts.fulfilled_ret for group in topic.groups))


def _simple(topic: TopicPreferences, ratio: Ratio) -> float:
    """All preferences of all groups in one ratio."""
    ratios = [ratio(group.counts) for group in topic.groups]
    possible = sum(p for _, p in ratios)
    return sum(f for f, _ in ratios) / possible if possible else 0.0


def simple(e: Evaluated, _: None) -> Floats:
    """The share of preferences fulfilled, over all groups."""
    return _each(e, lambda topic: _simple(topic, full))


def simple_ret(e: Evaluated, _: None) -> Floats:
    """The same for preferences between retrieved documents."""
    return _each(e, lambda topic: _simple(topic, _ret))


def simple_imp(e: Evaluated, _: None) -> Floats:
    """The same with those of one retrieved document."""
    return _each(e, lambda topic: _simple(topic, _imp))


def _by_group(topic: TopicPreferences, ratio: Ratio) -> float:
    """The ratio of each group, averaged over all groups."""
    total = 0.0
    for group in topic.groups:
        fulfilled, possible = ratio(group.counts)
        if possible > 0:
            total += fulfilled / possible
    return total / len(topic.groups)


def by_group(e: Evaluated, _: None) -> Floats:
    """The share of preferences fulfilled, averaged over groups."""
    return _each(e, lambda topic: _by_group(topic, full))


def by_group_ret(e: Evaluated, _: None) -> Floats:
    """The same for preferences between retrieved documents."""
    return _each(e, lambda topic: _by_group(topic, _ret))


def by_group_imp(e: Evaluated, _: None) -> Floats:
    """The same with those of one retrieved document."""
    return _each(e, lambda topic: _by_group(topic, _imp))


def _share_preferred(one: Matrix, other: Matrix) -> Floats:
    """For each pair that any group judges, the share of those that prefer the first document."""
    judged = one.astype(np.int64) + other
    pairs = judged > 0
    return one[pairs] / judged[pairs]


def _pair(topic: TopicPreferences, *, mixed: bool, neither: bool) -> float:
    """Each pair of documents counts once, whatever the number of groups that judge it."""
    c, r = topic.preferred, topic.n_retrieved
    above = np.triu_indices(r, 1)
    shares = _share_preferred(c[:r, :r][above], c[:r, :r].T[above])
    if mixed:
        more = _share_preferred(c[:r, r:].ravel(), c[r:, :r].T.ravel())
        shares = np.concatenate((shares, more))
    n_pairs = len(shares)
    if neither:
        rest = c[r:, r:].astype(np.int64)
        n_pairs += int(np.count_nonzero(np.triu(rest + rest.T, 1)))
    # One addition after the other: the last bit decides a 5 in the fifth decimal.
    total = float(np.add.accumulate(shares)[-1]) if len(shares) else 0.0
    return total / n_pairs if n_pairs else 0.0


def pair(e: Evaluated, _: None) -> Floats:
    """The share of groups that agree with the ranking, averaged over pairs of documents."""
    return _each(e, lambda topic: _pair(topic, mixed=True, neither=True))


def pair_imp(e: Evaluated, _: None) -> Floats:
    """The same without pairs of which neither is retrieved."""
    return _each(e, lambda topic: _pair(topic, mixed=True, neither=False))


def pair_ret(e: Evaluated, _: None) -> Floats:
    """The same for pairs of retrieved documents."""
    return _each(e, lambda topic: _pair(topic, mixed=False, neither=False))


def _rnonrel(topic: TopicPreferences, *, only_retrieved: bool) -> float:
    total = 0.0
    for group in topic.groups:
        total += rnonrel_of_group(group, only_retrieved=only_retrieved)
    return total / len(topic.groups) if total > 0 and not math.isnan(total) else 0.0


def rnonrel(e: Evaluated, _: None) -> Floats:
    """The share by group, with no more nonrelevant documents than relevant ones."""
    return _each(e, lambda topic: _rnonrel(topic, only_retrieved=False))


def rnonrel_ret(e: Evaluated, _: None) -> Floats:
    """The same for preferences between retrieved documents."""
    return _each(e, lambda topic: _rnonrel(topic, only_retrieved=True))
