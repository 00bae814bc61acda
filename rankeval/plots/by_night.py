"""Data by night: the means of runs in the history of a suite, and the changes of their levels."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rankeval.stats.arrays import Floats
from rankeval.support.frozen import frozen
from rankeval.tasks.trend.report import LevelChange, MeasureTrend, Trend


@frozen(eq=False)
class NightCurves:
    """The means of some runs in one measure of a suite.

    ======= ==================================================================================
    suite   name; "" for none
    measure name, with the collection and the group of topics if it has them
    loss    True when smaller is better
    runs    names of the runs of all panels, so that each has one look
    curves  of each run of the panel its place among the runs, its times and its means
    changes of the candidates' levels
    ======= ==================================================================================
    """

    suite: str
    measure: str
    loss: bool
    runs: tuple[str, ...]
    curves: tuple[tuple[int, npt.NDArray[np.datetime64], Floats], ...]
    changes: tuple[LevelChange, ...]


def trend_data(trend: Trend) -> tuple[NightCurves, ...]:
    """Return a panel for each suite and measure, with its candidates and baselines.

    `rankeval.plots.figure("trend", panels)` draws them.
    """
    runs = tuple(dict.fromkeys(_name(one) for one in trend.series))
    panels: dict[tuple[str, str], list[MeasureTrend]] = {}
    for one in trend.series:
        panels.setdefault((one.suite, one.name), []).append(one)
    return tuple(
        NightCurves(
            suite=suite,
            measure=measure,
            loss=some[0].loss,
            runs=runs,
            curves=tuple(_curves(some, runs)),
            changes=tuple(change for one in some for change in one.changes),
        )
        for (suite, measure), some in panels.items()
    )


def _curves(some: list[MeasureTrend], runs: tuple[str, ...]) -> Iterator[tuple[int, Any, Floats]]:
    for one in some:
        times = np.array([time.replace(tzinfo=None) for time in one.times], dtype="datetime64[s]")
        yield runs.index(_name(one)), times, np.array(one.values)


def _name(one: MeasureTrend) -> str:
    return one.run if one.role == "candidate" else f"{one.role} {one.run}".rstrip()
