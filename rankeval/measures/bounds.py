"""Bounds of a measure's value if the unjudged documents of a ranking were judged."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats, Integers, owner, position
from rankeval.base.frozen import record
from rankeval.ranking import RankedJudgments


@record
class Bounds:
    """Least and greatest value of each topic, shape (T,).

    `exact` is False where the bounds hold but perhaps no judging reaches them.
    """

    low: Floats
    high: Floats
    exact: bool = True


Compute = Callable[[RankedJudgments], Floats]
Parameters = Mapping[str, Any]
BoundsRule = Callable[[Compute, RankedJudgments, Parameters], Bounds | None]
"""From the measure's values, the judgments and the parameters; None where no rule is known."""


def top_grade(judged: RankedJudgments) -> float:
    """Return the highest grade that an unjudged document may have."""
    return max(judged.highest_grade, 1.0)


def extremes(values: Compute, judged: RankedJudgments, parameters: Parameters) -> Bounds | None:
    """Bound a measure that always rises, or always falls, with each document's grade.

    Unjudged documents count as grade 0, and documents below a cutoff do not count.
    """
    as_it_is = values(judged)
    best = judged.with_unjudged_as(top_grade(judged), within=parameters.get("cutoff"))
    at_best = values(best)
    return Bounds(np.minimum(as_it_is, at_best), np.maximum(as_it_is, at_best))


def pool(values: Compute, judged: RankedJudgments, _parameters: Parameters) -> Bounds | None:
    """Bound a measure of the judged documents alone that rises with each grade."""
    everything = judged.with_missed(top_grade(judged), np.diff(judged.unjudged[0]))
    return Bounds(values(judged), values(everything))


def within_and_below(
    values: Compute, judged: RankedJudgments, parameters: Parameters
) -> Bounds | None:
    """Bound a ratio of h(k) and a divisor that grows with R, such as recall at k.

    A relevant document within the cutoff raises the ratio, although R rises too; a relevant
    document below the cutoff lowers the ratio.
    """
    cutoff, grade = parameters["cutoff"], top_grade(judged)
    offsets, rank = judged.unjudged
    topic = owner(offsets)
    below = np.bincount(topic[rank > cutoff], minlength=len(judged))
    return Bounds(
        values(judged.with_missed(grade, below)),
        values(judged.with_unjudged_as(grade, within=cutoff)),
    )


@record
class Unjudged:
    """The unjudged documents of all topics, U in all, from the top or from the bottom.

    For a measure that never falls when a relevant document moves up, the greatest value has the
    topmost unjudged documents relevant, for some number of them, and the least value has the
    bottommost ones relevant. So only U + 1 judgings of each kind need trying.

    ======= ============ ================================================================
    offsets (T+1,) int64 topic t has the documents offsets[t] to offsets[t+1]
    topic   (U,) int64   the topic of each
    rank    (U,) int64   the rank of each, increasing in a topic
    number  (U,) int64   the number of relevant documents with it, counted from the top: 1, 2, ...
    ======= ============ ================================================================
    """

    offsets: Integers
    topic: Integers
    rank: Integers
    number: Integers

    @classmethod
    def from_judgments(cls, judged: RankedJudgments, *, within: int | None = None) -> "Unjudged":
        """Find the unjudged documents of rankings, within the first ranks if `within` is given."""
        offsets, rank = judged.unjudged
        topic = owner(offsets)
        if within is not None:
            topic, rank = topic[rank <= within], rank[rank <= within]
            offsets = np.searchsorted(topic, np.arange(len(judged) + 1))
        return cls(offsets, topic, rank, position(offsets) + 1)

    @property
    def from_bottom(self) -> Integers:
        """The number of relevant documents with each, counted from the bottom."""
        return np.diff(self.offsets)[self.topic] - self.number + 1

    def bounds(self, start: Floats, low: Floats, high: Floats) -> Bounds:
        """Return the least and the greatest of a topic's first value, shape (T,), and others.

        `low` and `high` have the shape (U,).
        """
        least, greatest = start.copy(), start.copy()
        np.minimum.at(least, self.topic, low)
        np.maximum.at(greatest, self.topic, high)
        return Bounds(least, greatest)


def rows_down_to(
    judged: RankedJudgments, chosen: Integers, topic: Integers, rank: Integers
) -> Integers:
    """Count the chosen rows of a topic down to a rank, for pairs of topic and rank."""
    width = max(int(judged.retrieved.max(initial=0)), int(rank.max(initial=0))) + 1
    keys = judged.topic[chosen] * width + judged.rank[chosen]
    return np.searchsorted(keys, topic * width + rank, side="right") - np.searchsorted(
        keys, topic * width
    )
