"""The measures of preferences, by topic.

In their names "ret" means preferences between two retrieved documents only; "imp" adds those
with one retrieved document, which is taken as ranked above the other.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.trec_eval.judged_preferences import TopicPreferences
from rankeval.trec_eval.preference_pairs import (
    GroupCounts,
    Matrix,
    full,
    retrieved,
    rnonrel_of_group,
)

Ratio = Callable[[GroupCounts], tuple[int, int]]
"""Preferences fulfilled and possible."""


def _implied(counts: GroupCounts) -> tuple[int, int]:
    """Return those with at least one retrieved document, fulfilled and possible."""
    return (
        counts.fulfilled_ret + counts.fulfilled_imp,
        counts.possible_ret + counts.possible_imp,
    )


def _n_possible(topic: TopicPreferences) -> float:
    """Count the preferences of all groups."""
    return sum(full(group.counts)[1] for group in topic.groups)


def _n_fulfilled(topic: TopicPreferences, ratio: Ratio) -> float:
    """Count the preferences that the ranking fulfils."""
    return sum(ratio(group.counts)[0] for group in topic.groups)


def _simple(topic: TopicPreferences, ratio: Ratio) -> float:
    """Return the share of preferences fulfilled, over all groups together."""
    ratios = [ratio(group.counts) for group in topic.groups]
    possible = sum(p for _, p in ratios)
    return sum(f for f, _ in ratios) / possible if possible else 0.0


def _by_group(topic: TopicPreferences, ratio: Ratio) -> float:
    """Return the share of preferences fulfilled, averaged over groups."""
    total = 0.0
    for group in topic.groups:
        fulfilled, possible = ratio(group.counts)
        if possible > 0:
            total += fulfilled / possible
    return total / len(topic.groups)


def _share_preferred(matrix: Matrix, other: Matrix) -> Floats:
    """For each pair that any group judges, the share of those that prefer the first document."""
    judged = matrix.astype(np.int64) + other
    pairs = judged > 0
    return matrix[pairs] / judged[pairs]


def _pair(topic: TopicPreferences, *, mixed: bool, neither: bool) -> float:
    """Return the share of groups that agree with the ranking, averaged over pairs of documents.

    `mixed` adds pairs of which one document is retrieved, and `neither` those of which none is.
    """
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


def _rnonrel(topic: TopicPreferences, *, only_retrieved: bool) -> float:
    """Return the share by group, with no more nonrelevant documents than relevant ones."""
    total = 0.0
    for group in topic.groups:
        total += rnonrel_of_group(group, only_retrieved=only_retrieved)
    return total / len(topic.groups) if total > 0 and not math.isnan(total) else 0.0


MEASURES: Mapping[bytes, Callable[[TopicPreferences], float]] = {
    b"prefs_num_prefs_poss": _n_possible,
    b"prefs_num_prefs_ful": partial(_n_fulfilled, ratio=full),
    b"prefs_num_prefs_ful_ret": partial(_n_fulfilled, ratio=retrieved),
    b"prefs_simp": partial(_simple, ratio=full),
    b"prefs_pair": partial(_pair, mixed=True, neither=True),
    b"prefs_avgjg": partial(_by_group, ratio=full),
    b"prefs_avgjg_Rnonrel": partial(_rnonrel, only_retrieved=False),
    b"prefs_simp_ret": partial(_simple, ratio=retrieved),
    b"prefs_pair_ret": partial(_pair, mixed=False, neither=False),
    b"prefs_avgjg_ret": partial(_by_group, ratio=retrieved),
    b"prefs_avgjg_Rnonrel_ret": partial(_rnonrel, only_retrieved=True),
    b"prefs_simp_imp": partial(_simple, ratio=_implied),
    b"prefs_pair_imp": partial(_pair, mixed=True, neither=False),
    b"prefs_avgjg_imp": partial(_by_group, ratio=_implied),
}
"""The value of a topic, by the name of the measure."""
