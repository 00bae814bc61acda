"""Ranks of all lines of whole topics, judged or not."""

import numpy as np

from rankeval.alignment.rank import descending, numbers_of, tie_keys
from rankeval.alignment.rules import BY_SCORE, Rules
from rankeval.io.columns import Columns, stretches
from rankeval.support.arrays import Integers


def rank_order(columns: Columns, rules: Rules = BY_SCORE) -> Integers:
    """Return the rows in the order of their ranks, topic by topic.

    Equal scores are ordered by `rules.ties`, which cannot be "best" or "worst": these need grades.
    """
    starts = columns.starts
    order, scores = descending(numbers_of(columns, rules), starts, stable=rules.ties == "input")
    if order is None:
        order = np.arange(len(columns))
    if rules.ties == "input":
        return order
    same = scores[1:] == scores[:-1]
    same[starts[1:-1] - 1] = False
    if not same.any():
        return order
    ahead, behind = np.append(same, False), np.insert(same, 0, False)
    places = np.flatnonzero(ahead | behind)
    group = np.cumsum(~behind)[places]
    keys = tie_keys(columns, order[places], rules.ties)
    order[places] = order[places][np.lexsort((*keys, group))]
    return order


def ranks_of(columns: Columns, order: Integers) -> Integers:
    """Return the rank of each row in its topic, from 1."""
    ranks = np.empty(len(columns), dtype=np.int64)
    ranks[order] = np.arange(len(columns)) - columns.starts[stretches(columns)] + 1
    return ranks
