"""The topics of a run that count, and what is measured in them.

All topics of a run are measured at once, or in parts on several machines, whose rows are then put
together: nothing here depends on other topics.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, listed
from rankeval.errors import UsageError
from rankeval.evaluation.settings import RELEVANT, Settings
from rankeval.measures import Measure
from rankeval.measures.bounds import Bounds
from rankeval.measures.declare.needs import LISTS
from rankeval.ranking import RankedJudgments

TOP = 10
"""First documents of a ranking, whose unjudged share a warning states.

A smaller depth leaves fewer of them."""

NO_VALUES: Floats = np.zeros(0)
"""The values of topics of a measure that is one number for a whole run."""


def top_ranks(settings: Settings) -> int:
    """Return the first ranks, whose unjudged share a warning states."""
    return TOP if settings.depth is None else min(TOP, settings.depth)


class OfMeasure(NamedTuple):
    """A measure of C topics: values, bounds, and what other orders of P tied topics give.

    `beside` is what the rule over topics needs in addition, and `ends` the least and greatest
    values, shape (2, P); both are None where they are not needed. A measure of a whole run has no
    values of topics; `of_run` gives its number for all topics of the run (None), or for some of
    the C topics, by their indices. `marks` are those of its signature, and `caution` is a warning.
    """

    values: Floats
    beside: Floats | None
    bounds: Bounds | None
    ends: Floats | None
    of_run: Callable[[Integers | None], float] | None
    marks: tuple[str, ...]
    caution: str | None


@frozen(eq=False)
class Measured:
    """The T judged topics of a run, or of a part, in byte order; measures in the C that count.

    ============ ========= ==============================================================
    names        T bytes   the topics
    present      (T,) bool topics that the run has
    chosen       (T,) bool topics that count
    relevant     (T,) bool topics with a relevant document
    tied         (T,) bool topics in which equal scores leave ranks of judged documents open
    retrieved    (T,) int  documents retrieved
    judged       (T,) int  judged documents that were retrieved
    unjudged     (T,) int  documents among the first `top_ranks` that `Unjudged` counts
    negative     (T,) int  those of them that have a negative grade
    measures     K         what each measure gives
    ============ ========= ==============================================================
    """

    names: tuple[bytes, ...]
    present: Booleans
    chosen: Booleans
    relevant: Booleans
    tied: Booleans
    retrieved: Integers
    judged: Integers
    unjudged: Integers
    negative: Integers
    measures: tuple[OfMeasure, ...] = ()

    @property
    def counted(self) -> tuple[bytes, ...]:
        """The names of the topics that count."""
        if np.count_nonzero(self.chosen) == len(self.chosen):
            return self.names
        return tuple(self.names[i] for i in np.flatnonzero(self.chosen).tolist())


def topics_that_count(judged: RankedJudgments, settings: Settings, present: Booleans) -> Booleans:
    """Mark the topics that count; `present` marks those that the run has."""
    chosen = present if settings.topics == "both" else np.ones(len(judged), dtype=bool)
    if not settings.skip_no_relevant:
        return chosen
    return chosen & with_relevant(judged, settings)


def with_relevant(judged: RankedJudgments, settings: Settings) -> Booleans:
    """Mark the topics with a relevant document."""
    return judged.count_judged(min_grade=settings.min_grade or RELEVANT) > 0


def restricted(
    judged: RankedJudgments, chosen: Booleans | None, settings: Settings
) -> RankedJudgments:
    """Keep the chosen topics, all for None, and apply the settings to their rankings."""
    if chosen is not None:
        judged = judged.select(chosen)
    if settings.ties == "expected":
        _refuse_cut_ties(judged, settings)
        judged = replace(judged, ties_open=True)
    if settings.depth is not None:
        judged = judged.truncated(settings.depth)
    return judged.condensed if settings.removes_unjudged else judged


def _refuse_cut_ties(judged: RankedJudgments, settings: Settings) -> None:
    """Raise UsageError if the depth cuts through a group of equal scores."""
    if settings.depth is None:
        return
    cut = (judged.tie_first <= settings.depth) & (judged.tie_last > settings.depth)
    if cut.any():
        topics = [judged.topics[i] for i in np.unique(judged.topic[cut]).tolist()]
        raise UsageError(
            f"a depth of {settings.depth} cuts through equal scores in "
            f"{count(len(topics), 'topic')} ({listed(topics)}), so that there is no mean over all "
            "their orders",
            remedy="cut in the measure, as in AP@100, or break ties by another rule",
        )


def ends_of_ties(
    whole: RankedJudgments,
    tied: Booleans,
    chosen: Booleans,
    measures: Sequence[Measure],
    values: Sequence[Floats],
    settings: Settings,
) -> list[Floats]:
    """Return the least and greatest values of P topics over orders of equal scores, by measure.

    `tied` marks these topics of the whole run, and `chosen` the topics that count, which have
    `values`. Each result has the shape (2, P).
    """
    from rankeval.ranking.tie_orders import ORDERS, with_ties_broken

    again = whole.select(tied)
    in_one_order = replace(settings, ties="docno")
    # The settings come last: a cut leaves out other documents in another order.
    extras = again.extras
    at_once = [ORDERS] if extras is None or extras.elsewhere is None else zip(ORDERS, strict=True)
    orders = [restricted(with_ties_broken(again, *some), None, in_one_order) for some in at_once]
    place = tied[chosen]
    ends = []
    for measure, given in zip(measures, values, strict=True):
        if LISTS in measure.considers:  # lists hold the items of the order that was asked for
            same = np.zeros(np.count_nonzero(place)) if measure.definition.of_run else given[place]
            ends.append(np.array([same, same]))
            continue
        found = np.concatenate([given[place], *(measure.values(order) for order in orders)])
        of_orders = found.reshape(1 + len(ORDERS), -1)
        ends.append(np.array([np.fmin.reduce(of_orders), np.fmax.reduce(of_orders)]))
    return ends
