"""The ranking of systems under two sets of judgments."""

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.evaluation.results import Results
from rankeval.evaluation.system_pairs import TESTED, aggregates, ranks_of, values_by_system
from rankeval.stats.rank_correlation import OrderAgreement, order_agreement
from rankeval.stats.resampled_orders import OrderIntervals, order_intervals


@frozen
class MovedRun:
    """A run, its value and its rank under each of the two; ranks of equal values are equal.

    They are None where the measure is undefined.
    """

    run: str
    first: float | None
    second: float | None
    first_rank: int | None
    second_rank: int | None


@frozen
class OrderChange:
    """The order of the systems by a measure under the first judgments and under the second.

    orders     correlations of the two orders; tau-AP takes the first as the true one
    intervals  of tau, tau-AP and RBO, over topics; none for measures that are no averages
    runs       the runs as given
    """

    measure: str
    orders: OrderAgreement
    intervals: OrderIntervals
    runs: tuple[MovedRun, ...]


def order_changes(
    first: Results, second: Results, level: float, seed: int
) -> tuple[OrderChange, ...]:
    """Compare the results of the same runs under two sets of judgments, measure by measure."""
    both = first, second
    found = []
    for at, score in enumerate(first.runs[0].scores):
        gains = [aggregates(results.runs, at) for results in both]
        values = [[finite(run.scores[at].aggregate) for run in results.runs] for results in both]
        names = [run.name for run in first.runs]
        found.append(
            OrderChange(
                score.measure,
                order_agreement(*gains),
                _intervals(first, second, at, level, seed),
                tuple(map(MovedRun, names, *values, *map(ranks_of, gains))),
            )
        )
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
