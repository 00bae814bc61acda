"""Between which values judging the unjudged documents of a ranking could bring a measure.

Each of them may turn out to have any grade from 0 to the highest of the qrels (`top_grade`).
A rule finds the least and the greatest value by topic, without trying all judgings: a measure
declares the one that its formula obeys, and the tests compare each with all judgings.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rankeval.judgments import RankedJudgments
from rankeval.support.arrays import Floats, Integers
from rankeval.support.frozen import frozen


@frozen(eq=False)
class Bounds:
    """Least and greatest value of each topic, shape (T,).

    `exact` is False where no judging can lead further, but perhaps none leads so far.
    """

    low: Floats
    high: Floats
    exact: bool = True


BoundsRule = Callable[
    [Callable[[RankedJudgments], Floats], RankedJudgments, Mapping[str, Any]], Bounds | None
]
"""From the measure's values, the judgments and the parameters; None where no rule is known."""


def top_grade(judged: RankedJudgments) -> float:
    """The highest grade that an unjudged document may turn out to have."""
    return max(judged.highest_grade, 1.0)


def extremes(
    values: Callable[[RankedJudgments], Floats],
    judged: RankedJudgments,
    parameters: Mapping[str, Any],
) -> Bounds | None:
    """Bounds of a measure that always rises, or always falls, with each document's grade.

    What is unjudged counts as grade 0, and below a cutoff as nothing.
    """
    as_it_is = values(judged)
    best = judged.with_unjudged_as(top_grade(judged), within=parameters.get("cutoff"))
    at_best = values(best)
    return Bounds(np.minimum(as_it_is, at_best), np.maximum(as_it_is, at_best))


def pool(
    values: Callable[[RankedJudgments], Floats],
    judged: RankedJudgments,
    _parameters: Mapping[str, Any],
) -> Bounds | None:
    """Bounds of a measure of the judged documents alone that rises with each grade."""
    everything = judged.with_missed(top_grade(judged), np.diff(judged.unjudged[0]))
    return Bounds(values(judged), values(everything))


def within_and_below(
    values: Callable[[RankedJudgments], Floats],
    judged: RankedJudgments,
    parameters: Mapping[str, Any],
) -> Bounds | None:
    """Bounds of h(k) over something that grows with R, such as recall at k.

    It rises with what is relevant within the cutoff, though R does too, and falls with what is
    relevant below.
    """
    cutoff, grade = parameters["cutoff"], top_grade(judged)
    offsets, rank = judged.unjudged
    topic = np.repeat(np.arange(len(judged)), np.diff(offsets))
    below = np.bincount(topic[rank > cutoff], minlength=len(judged))
    return Bounds(
        values(judged.with_missed(grade, below)),
        values(judged.with_unjudged_as(grade, within=cutoff)),
    )


@frozen(eq=False)
class Unjudged:
    """The unjudged documents of all topics, U in all, from the top or from the bottom.

    Where a measure never falls when a relevant document takes the place of one above it, the
    greatest value has the topmost unjudged documents relevant, for some number of them, and
    the least value the bottommost: only U + 1 judgings of each kind need be looked at.

    ======= ============ ================================================================
    offsets (T+1,) int64 topic t has the documents offsets[t] to offsets[t+1]
    topic   (U,) int64   the topic of each
    rank    (U,) int64   the rank of each, increasing in a topic
    number  (U,) int64   how many are relevant with it, counted from the top: 1, 2, ...
    ======= ============ ================================================================
    """

    offsets: Integers
    topic: Integers
    rank: Integers
    number: Integers

    @classmethod
    def of(cls, judged: RankedJudgments, *, within: int | None = None) -> "Unjudged":
        """Those of a ranking, within the first ranks only if that is said."""
        offsets, rank = judged.unjudged
        topic = np.repeat(np.arange(len(judged)), np.diff(offsets))
        if within is not None:
            topic, rank = topic[rank <= within], rank[rank <= within]
            offsets = np.searchsorted(topic, np.arange(len(judged) + 1))
        number = np.arange(len(rank)) - offsets[:-1][topic] + 1
        return cls(offsets, topic, rank, number)

    @property
    def from_bottom(self) -> Integers:
        """How many are relevant with each, counted from the bottom."""
        return np.diff(self.offsets)[self.topic] - self.number + 1

    def greatest(self, start: Floats, values: Floats) -> Floats:
        """The greatest of each topic's first value, shape (T,), and its others, shape (U,)."""
        found = start.copy()
        np.maximum.at(found, self.topic, values)
        return found

    def least(self, start: Floats, values: Floats) -> Floats:
        """The least of each topic's first value, shape (T,), and its others, shape (U,)."""
        found = start.copy()
        np.minimum.at(found, self.topic, values)
        return found


def rows_down_to(
    judged: RankedJudgments, chosen: Integers, topic: Integers, rank: Integers
) -> Integers:
    """Count the chosen rows of a topic down to a rank, for pairs of topic and rank."""
    width = max(int(judged.retrieved.max(initial=0)), int(rank.max(initial=0))) + 1
    keys = judged.topic[chosen] * width + judged.rank[chosen]
    return np.searchsorted(keys, topic * width + rank, side="right") - np.searchsorted(
        keys, topic * width
    )
