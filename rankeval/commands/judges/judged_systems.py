"""The ranking of systems under two sets of judgments."""

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.evaluation.results import Results
from rankeval.evaluation.system_pairs import (
    TESTED,
    aggregates,
    ranks_of,
    values_by_system,
)
from rankeval.stats.rank_correlation import OrderAgreement, order_agreement
from rankeval.stats.resampled_orders import OrderIntervals, order_intervals


@frozen
class MovedRun:
    """A run, its value and its rank under each of the two; ranks of equal values are equal.

    `first` and `second` are None where the measure is undefined.
    """

    run: str
    first: float | None
    second: float | None
    first_rank: int | None
    second_rank: int | None

    @property
    def rise(self) -> int:
        """The ranks that the run gains from the first to the second."""
        return (self.first_rank or 0) - (self.second_rank or 0)


@frozen
class OrderChange:
    """The order of the systems by a measure under the first judgments and under the second.

    ========= ==========================================================================
    orders    correlations of the two orders; tau-AP takes the first as the true one
    intervals of tau, tau-AP and RBO, over topics; none for measures that are no averages
    runs      the runs as given
    rise      the run that gains most ranks; None if none does
    fall      the run that loses most ranks
    ========= ==========================================================================
    """

    measure: str
    orders: OrderAgreement
    intervals: OrderIntervals
    runs: tuple[MovedRun, ...]
    rise: MovedRun | None
    fall: MovedRun | None


def order_changes(
    first: Results, second: Results, level: float, seed: int
) -> tuple[OrderChange, ...]:
    """Compare the results of the same runs under two sets of judgments, measure by measure."""
    return tuple(_change(first, second, at, level, seed) for at in range(len(first.runs[0].scores)))


def _change(first: Results, second: Results, at: int, level: float, seed: int) -> OrderChange:
    gains = [aggregates(results.runs, at) for results in (first, second)]
    ranks = [ranks_of(found) for found in gains]
    moved = tuple(
        MovedRun(
            run.name,
            finite(first.runs[i].scores[at].aggregate),
            finite(second.runs[i].scores[at].aggregate),
            ranks[0][i],
            ranks[1][i],
        )
        for i, run in enumerate(first.runs)
    )
    ranked = [run for run in moved if None not in (run.first_rank, run.second_rank)]
    risen = max(ranked, key=lambda run: run.rise, default=None)
    fallen = min(ranked, key=lambda run: run.rise, default=None)
    return OrderChange(
        measure=first.runs[0].scores[at].measure,
        orders=order_agreement(*gains),
        intervals=_intervals(first, second, at, level, seed),
        runs=moved,
        rise=risen if risen is not None and risen.rise > 0 else None,
        fall=fallen if fallen is not None and fallen.rise < 0 else None,
    )


def _intervals(first: Results, second: Results, at: int, level: float, seed: int) -> OrderIntervals:
    """Bound the agreement of the two orders by resampling the topics that either judged."""
    if first.runs[0].scores[at].rule not in TESTED:
        return OrderIntervals()
    every = list(dict.fromkeys([*first.runs[0].topics, *second.runs[0].topics]))
    one, other = (_by_topic(results, at, every) for results in (first, second))
    return order_intervals(one, other, level=level, seed=seed)


def _by_topic(results: Results, at: int, every: list[str]) -> Floats:
    """Return the values of the runs on all topics, NaN on those that the judge left out."""
    row = {topic: i for i, topic in enumerate(every)}
    found = np.full((len(every), len(results.runs)), np.nan)
    found[[row[topic] for topic in results.runs[0].topics]] = values_by_system(results.runs, at)
    return found
