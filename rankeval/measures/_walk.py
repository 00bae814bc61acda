"""The C/W/L framework: a reader goes down the ranking, and at each place goes on or stops."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import numpy as np

from rankeval.judgments import Floats, RankedJudgments
from rankeval.measures._needs import COSTS
from rankeval.measures._parameters import Meaning
from rankeval.measures._registry import Values
from rankeval.measures._scale import scaled_gain

DEPTH = 1000
"""Places that every ranking is padded or cut to, as in cwl-eval: part of the definitions."""

NEGLIGIBLE = 1e-30
"""When nobody reaches a place with more than this probability, the walk is over.

Further on the probabilities would leave the range in which a processor multiplies fast.
"""

UNIT_COST = np.ones((1, 1))

Out = Annotated[
    Literal["EU", "ETU", "EC", "ETC", "ED"],
    Meaning(
        "what is reported: expected utility per document read, expected total utility, the same "
        "for cost, or the expected depth"
    ),
]


class Place(NamedTuple):
    """One rank of all topics: what a reader knows there.

    Gains have the shape (T,); costs have it too, or (1,) where all topics cost the same.
    """

    rank: int
    gain: Floats
    total_gain: Floats
    cost: Floats
    total_cost: Floats
    """Gain and cost of the document at the rank, and of all documents down to it."""


Continuation = Callable[[Place], Floats | float]
"""C: the probability to go on from a place to the next one, shape (T,) or the same for all."""


@dataclass(frozen=True)
class Reading:
    """What readers gathered on their way, each array of shape (T,).

    With V_i the probability to reach place i: utility is Σ V_i·r_i, spent Σ V_i·cost_i and depth
    Σ V_i; beyond is the probability to go on from the last place, where total_gain and
    total_cost are all that the ranking holds (or had, where the walk was over before).
    """

    utility: Floats
    spent: Floats
    depth: Floats
    beyond: Floats
    total_gain: Floats
    total_cost: Floats

    def report(self, out: str) -> Values:
        """The quantity that `out` names; see Out. 'sum' is the utility that EU divides.

        W_i = V_i / ΣV weighs places in a rate, L_i = V_i - V_{i+1} is the probability to stop
        at a place, and Σ L_i·(r_1+…+r_i) = Σ V_i·r_i - V_{N+1}·(r_1+…+r_N).
        """
        match out:
            case "ETU":
                return self.utility - self.beyond * self.total_gain
            case "EC":
                return self.spent / self.depth
            case "ETC":
                return self.spent - self.beyond * self.total_cost
            case "ED":
                return self.depth
            case "sum":
                return self.utility
        return self.utility / self.depth


def walk(
    judged: RankedJudgments,
    gain: Floats,
    go_on: Continuation,
    *,
    depth: int = DEPTH,
    cost: Floats = UNIT_COST,
) -> Reading:
    """Send a reader down the first `depth` places of every topic.

    ====== ==============================================================================
    gain   of each row, shape (N,); a place without a row has gain 0
    depth  no more than DEPTH; less where a continuation is 0 from there on anyway
    cost   of the document at each place: T or 1 topics by DEPTH places, or by 1 for all
    ====== ==============================================================================

    All topics go down together, rank by rank: what happens at a rank depends on the ranks
    above it, and vectors of topics stay in cache where blocks of topics x ranks do not.
    """
    rows = np.flatnonzero((gain > 0) & (judged.rank <= depth))
    rows = rows[np.argsort(judged.rank[rows], kind="stable")]
    topic, gain_there = judged.topic[rows], gain[rows]
    first = np.searchsorted(judged.rank[rows], np.arange(1, depth + 2)).tolist()
    nothing = np.zeros(len(judged))
    utility, spent, reached_sum = nothing.copy(), nothing.copy(), nothing.copy()
    total_gain, total_cost = nothing.copy(), np.zeros(len(cost))
    reached = np.ones(len(judged))
    for rank in range(1, depth + 1):
        here = slice(first[rank - 1], first[rank])
        gained = nothing
        if here.start < here.stop:
            gained = nothing.copy()
            gained[topic[here]] = gain_there[here]
            total_gain = total_gain + gained
            utility += reached * gained
        cost_here = cost[:, min(rank, cost.shape[1]) - 1]
        total_cost = total_cost + cost_here
        spent += reached * cost_here
        reached_sum += reached
        reached = reached * go_on(Place(rank, gained, total_gain, cost_here, total_cost))
        if reached.max(initial=0.0) < NEGLIGIBLE:
            break
    return Reading(utility, spent, reached_sum, reached, total_gain, total_cost)


def _cost(judged: RankedJudgments) -> Floats:
    """What the document at each place costs, where costs are known; a place without one, 1."""
    costs = COSTS.of(judged)
    if costs is None:
        return UNIT_COST
    by_rank = costs.by_rank[COSTS.code_of(judged)]
    is_there = np.arange(by_rank.shape[1]) < judged.retrieved[:, None]
    # The last column stands for all places further down.
    return np.pad(np.where(is_there, by_rank, 1.0), ((0, 0), (0, 1)), constant_values=1.0)


def measure_reader(
    judged: RankedJudgments,
    go_on: Continuation,
    *,
    min_rel: float,
    max_rel: float | str,
    out: str,
    cutoff: int = DEPTH,
) -> Values:
    """What readers of a kind report, 0 for a topic without a ranking, shape (T,)."""
    gain = scaled_gain(judged.grade, judged, min_rel=min_rel, max_rel=max_rel)
    reading = walk(judged, gain, go_on, depth=min(cutoff, DEPTH), cost=_cost(judged))
    return np.where(judged.retrieved > 0, reading.report(out), 0.0)
