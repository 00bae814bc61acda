"""Break all ties of a run in its favour or against it, for each measure."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Integers
from rankeval.ranking import RankedJudgments, Ranks


class TieOrder(NamedTuple):
    """An order of the documents of a group of equal scores.

    relevant_in_front, others_in_front  True if relevant documents, or those judged not relevant,
                 come before the unjudged ones of the group; otherwise they come after them
    best_first   the order of judged documents on either side
    known_first  True if documents judged for other topics come first among the unjudged ones
    """

    relevant_in_front: bool
    others_in_front: bool
    best_first: bool
    known_first: bool


# Unjudged documents count as not relevant, or are skipped by measures of judged documents only.
ORDERS = (
    TieOrder(relevant_in_front=True, others_in_front=False, best_first=True, known_first=True),
    TieOrder(relevant_in_front=False, others_in_front=True, best_first=False, known_first=False),
    # Judged documents first or last, for measures that count judged documents.
    TieOrder(relevant_in_front=True, others_in_front=True, best_first=True, known_first=True),
    TieOrder(relevant_in_front=False, others_in_front=False, best_first=False, known_first=False),
)
"""Orders of which, for each measure, one gives the greatest value and one the least."""


def with_ties_broken(judged: RankedJudgments, *orders: TieOrder) -> RankedJudgments:
    """Put the documents of equal scores into an order; into several, one batch after the other.

    Documents that are judged for other topics only have places in one order at a time.
    """
    every = judged.repeated(len(orders))
    in_order = np.array(orders).repeat(len(judged), axis=0)[every.topic]
    relevant_in_front, others_in_front, best_first, _ = in_order.T
    signed = np.where(best_first, -every.grade, every.grade)
    row = np.lexsort((signed, every.tie_first, every.topic))
    first, last, grade = every.tie_first[row], every.tie_last[row], every.grade[row]
    group, start = every.tie_groups  # the rows move within their groups
    place = np.arange(len(row)) - start[group]
    behind = np.bincount(group)[group] - 1 - place
    front = np.where(grade > 0, relevant_in_front, others_in_front)
    broken = replace(
        every,
        rank=np.where(front, first + place, last - behind),
        grade=grade,
        judgment=every.judgment[row],
        score=every.score[row],
        tie_first=first,
        tie_last=last,
    )
    extras = every.extras
    if extras is None or extras.elsewhere is None:
        return broken
    (order,) = orders
    known = _others_broken(extras.elsewhere, extras.code[every.topic], first, front, order)
    return replace(broken, extras=replace(extras, elsewhere=known))


def _others_broken(
    ranks: Ranks, code: Integers, first: Integers, front: Booleans, order: TieOrder
) -> Ranks:
    """Rank documents that are judged for other topics, beside the judged ones of a group."""
    topic = np.repeat(np.arange(len(ranks.offsets) - 1), np.diff(ranks.offsets))
    # One number per group: no tie begins further down than the last one of all.
    longest = int(max(ranks.tie_first.max(initial=0), first.max(initial=0))) + 1
    groups, which = np.unique(topic * longest + ranks.tie_first, return_inverse=True)
    sizes = np.bincount(which, minlength=len(groups))
    place = np.arange(len(which)) - (np.cumsum(sizes) - sizes)[which]
    if order.known_first:
        n_front = _members(groups, (code * longest + first)[front])
        rank = ranks.tie_first + n_front[which] + place
    else:
        n_behind = _members(groups, (code * longest + first)[~front])
        rank = ranks.tie_last - n_behind[which] - (sizes[which] - 1 - place)
    return replace(ranks, rank=rank)


def _members(groups: Integers, of: Integers) -> Integers:
    """Count the members of each of the groups, which are increasing."""
    ordered = np.sort(of)
    counts: Integers = np.searchsorted(ordered, groups, "right") - np.searchsorted(ordered, groups)
    return counts
