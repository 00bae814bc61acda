"""The ranking of systems under several sets of judgments."""

from collections.abc import Sequence

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.evaluation.results import Results
from rankeval.evaluation.system_pairs import TESTED, aggregates, ranks_of, values_by_system
from rankeval.stats.rank_correlation import (
    OrderAgreement,
    OrderIntervals,
    order_agreement,
    order_intervals,
)


@frozen
class RankedRun:
    """A run in one measure: its value and its rank under each set of judgments.

    Both are None where the measure is undefined; runs with equal values have the same rank.
    """

    measure: str
    run: str
    values: tuple[float | None, ...]
    ranks: tuple[int | None, ...]


@frozen
class Orders:
    """The orders of the systems by a measure under two sets of judgments, and how alike they are.

    Tau-AP takes the first as the true one. The intervals are over topics; there are none for
    measures that are no averages.
    """

    measure: str
    orders: OrderAgreement
    intervals: OrderIntervals


def ranked_runs(results: Sequence[Results]) -> tuple[RankedRun, ...]:
    """Return the same runs under each set of judgments, by measure."""
    found = []
    for at, score in enumerate(results[0].runs[0].scores if results else ()):
        ranks = [ranks_of(aggregates(one.runs, at)) for one in results]
        for i, run in enumerate(results[0].runs):
            values = (finite(one.runs[i].scores[at].aggregate) for one in results)
            found.append(
                RankedRun(score.measure, run.name, (*values,), tuple(one[i] for one in ranks))
            )
    return tuple(found)


def orders_of(first: Results, second: Results, level: float, seed: int) -> tuple[Orders, ...]:
    """Compare the orders of the same runs under two sets of judgments, measure by measure."""
    found = []
    for at, score in enumerate(first.runs[0].scores):
        gains = (aggregates(results.runs, at) for results in (first, second))
        bounds = _intervals(first, second, at, level, seed)
        found.append(Orders(score.measure, order_agreement(*gains), bounds))
    return tuple(found)


def _intervals(first: Results, second: Results, at: int, level: float, seed: int) -> OrderIntervals:
    """Bound the agreement of the two orders by resampling the topics that either judged.

    Values on topics that a judge left out are NaN.
    """
    if first.runs[0].scores[at].rule not in TESTED:
        return OrderIntervals()
    every = dict.fromkeys([*first.runs[0].topics, *second.runs[0].topics])
    row = {topic: i for i, topic in enumerate(every)}
    values = []
    for results in (first, second):
        found = np.full((len(every), len(results.runs)), np.nan)
        places = [row[topic] for topic in results.runs[0].topics]
        found[places] = values_by_system(results.runs, at)
        values.append(found)
    return order_intervals(*values, level=level, seed=seed)
