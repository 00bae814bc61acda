"""The C/W/L framework: at each place of the ranking, a reader goes on or stops.

A measure of the framework is a rule of going on (`cwl`), and what `Measure` hands on to this walk:
the scale of gains, the quantity `out`, whether it is divided by the sum of the weights (`norm`),
and a cutoff.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError
from rankeval.measures.arithmetic import MaxRel, MinRel, no_closed_form, scaled_gain
from rankeval.measures.facts import COSTS, QUANTITIES, Parameter, RequiredCutoff, Terms
from rankeval.ranking import RankedJudgments

DEPTH = 1000
"""Number of places of every ranking, padded or cut as in cwl-eval; part of the definitions."""

NEGLIGIBLE = 1e-30
"""The walk ends where no reader reaches a place with more than this probability.

Smaller probabilities are subnormal numbers, which processors multiply slowly.
"""

UNIT_COST = np.ones((1, 1))

OF_WALK = (
    "quantity reported: expected utility per document read, expected total utility, the same for "
    "cost, or the expected depth"
)
DIVIDED = "divide by the sum of the weights; False only with out='EU'"
MIN_REL, OUT = Parameter.of("min_rel", MinRel, 0), Parameter("out", QUANTITIES, OF_WALK, "EU")
MAX_REL_OF_QRELS = Parameter.of("max_rel", MaxRel, "qrels")
NORM = Parameter("norm", (bool,), DIVIDED, default=True)
OF_RULE = (MIN_REL, Parameter.of("max_rel", MaxRel), OUT)
OF_RULE_TO_RANK = (*OF_RULE, Parameter.of("cutoff", RequiredCutoff))
OF_SCALED_RULE = (MIN_REL, MAX_REL_OF_QRELS, OUT)
OF_TOTAL = (MIN_REL, MAX_REL_OF_QRELS, NORM, OUT)
"""Parameters that the measures of the framework share, by their kinds of rules."""


class Place(NamedTuple):
    """One rank of all topics, with all that a reader knows at it.

    Gains have the shape (T,); costs have it too, or (1,) where all topics cost the same.
    `rows` are the rows of the documents at the rank that have a gain.
    """

    rank: int
    rows: Integers
    gain: Floats
    total_gain: Floats
    cost: Floats
    total_cost: Floats
    """Gain and cost of the document at the rank, and of all documents down to it."""


Continuation = Callable[[Place], Floats | float]
"""From a Place to C, the probability to go on, shape (T,) or one number for all."""


class Reader(NamedTuple):
    """A kind of readers: the gain of each row, shape (N,), and the rule of going on.

    All readers stop at the rank `cutoff`, or at DEPTH if it is greater.
    """

    gain: Floats
    go_on: Continuation
    cutoff: int | None = None


class Step(NamedTuple):
    """A place, and the probabilities V_i to reach it and V_{i+1} to go on from it.

    Their shape is (T,), or (1,) while they are the same for all topics.
    """

    place: Place
    reached: Floats
    beyond: Floats


@frozen
class WalkSums:
    """Sums over the readers' walk, each of shape (T,), or (1,) where topics agree.

    With V_i the probability to reach place i: utility is Σ V_i·r_i, spent Σ V_i·cost_i and
    depth Σ V_i; beyond is the probability to go on from the last place; total_gain and
    total_cost are the sums down to it (or to the place where the walk ended).
    """

    utility: Floats
    spent: Floats
    depth: Floats
    beyond: Floats
    total_gain: Floats
    total_cost: Floats

    def report(self, out: str) -> Floats:
        """Return the quantity that `out` names; see Out.

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
        return self.utility / self.depth


def steps(judged: RankedJudgments, reader: Reader, cost: Floats = UNIT_COST) -> Iterator[Step]:
    """Follow readers down the first DEPTH places of every topic, or to the cutoff.

    `cost` has the cost of the document at each place, for T or 1 topics by some places; the
    last place stands for all below. A place without a row has gain 0.

    All topics are walked together, rank by rank: each rank depends on those above, and vectors
    of topics stay in cache where blocks of topics x ranks do not.
    """
    gain, go_on, cutoff = reader
    depth = min(cutoff or DEPTH, DEPTH)
    rows = np.flatnonzero((gain > 0) & (judged.rank <= depth))
    rows = rows[np.argsort(judged.rank[rows], kind="stable")]
    first = np.searchsorted(judged.rank[rows], np.arange(1, depth + 2)).tolist()
    nothing = np.zeros(len(judged))
    total_gain, total_cost = nothing, np.zeros(len(cost))
    # One number for all topics, until their documents make a difference.
    reached = np.ones(1)
    for rank in range(1, depth + 1):
        here = rows[first[rank - 1] : first[rank]]
        gained = nothing
        if len(here):
            gained = nothing.copy()
            gained[judged.topic[here]] = gain[here]
            total_gain = total_gain + gained
        cost_here = cost[:, min(rank, cost.shape[1]) - 1]
        total_cost = total_cost + cost_here
        place = Place(rank, here, gained, total_gain, cost_here, total_cost)
        beyond = np.zeros(1) if cutoff and rank == depth else reached * go_on(place)
        yield Step(place, reached, beyond)
        reached = beyond


def walk(found: Iterator[Step]) -> WalkSums:
    """Sum gains, costs and depth over the readers' walk."""
    step = next(found)
    utility, spent = step.reached * step.place.gain, step.reached * step.place.cost
    depth = step.reached
    for step in takewhile(_somebody_gets_there, found):
        utility += step.reached * step.place.gain
        spent = spent + step.reached * step.place.cost
        depth = depth + step.reached
    return WalkSums(
        utility, spent, depth, step.beyond, step.place.total_gain, step.place.total_cost
    )


def _somebody_gets_there(step: Step) -> bool:
    return bool(step.reached.max(initial=0.0) >= NEGLIGIBLE)


def costs_of_places(judged: RankedJudgments) -> Floats:
    """Return the cost of the document at each place; 1 where no cost is known."""
    costs = COSTS.of(judged)
    if costs is None:
        return UNIT_COST
    by_rank = costs.by_rank[COSTS.code_of(judged)]
    is_there = np.arange(by_rank.shape[1]) < judged.retrieved[:, None]
    # The last column stands for all places further down.
    return np.pad(np.where(is_there, by_rank, 1.0), ((0, 0), (0, 1)), constant_values=1.0)


def measure_readers(judged: RankedJudgments, reader: Reader, out: str, norm: object) -> Floats:
    """Return the quantity `out` of these readers, 0 for a topic without a ranking, shape (T,).

    Without `norm`, that is the sum Σ V_i·r_i, which is not divided by the sum of the weights.
    """
    if judged.ties_open:
        raise no_closed_form(f"out='{out}'", "leave out= at 'EU'")
    if not norm and out != "EU":
        raise MeasureError(f"norm=False and out='{out}' exclude each other", expected="out='EU'")
    sums = walk(steps(judged, reader, costs_of_places(judged)))
    return np.where(judged.retrieved > 0, sums.report(out) if norm else sums.utility, 0.0)


def probabilities(judged: RankedJudgments, reader: Reader) -> Terms:
    """Return C, W and L at each place of the only topic, for the places that are reached."""
    ways = [
        (step.reached[0], step.beyond[0])
        for step in takewhile(_somebody_gets_there, steps(judged, reader, costs_of_places(judged)))
    ]
    reached, beyond = np.array(ways).T
    return {"C(i)": beyond / reached, "W(i)": reached / reached.sum(), "L(i)": reached - beyond}


def readers_of_rule(
    rule: Callable[..., Any],
    own: Mapping[str, Any],
    shared: Mapping[str, Any],
    judged: RankedJudgments,
) -> Reader:
    """Return the readers who go on by a rule, with its own parameters and those of `Measure`."""
    gain = scaled_gain(judged.grade, judged, min_rel=shared["min_rel"], max_rel=shared["max_rel"])
    return Reader(gain, partial(rule, **own), shared.get("cutoff"))
