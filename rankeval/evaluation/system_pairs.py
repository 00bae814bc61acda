"""The values and ranks of several systems in one measure, more being better."""

from collections.abc import Sequence

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.errors import UsageError
from rankeval.evaluation.results import RunResult

TESTED = ("mean", "sum")
"""Rules of aggregation whose values over topics can be tested in pairs."""


def values_by_system(runs: Sequence[RunResult], place: int) -> Floats:
    """Return the values of the runs in one of their measures, more being better, (topics, runs).

    UsageError if the runs have different topics.
    """
    if len({run.topics for run in runs}) > 1:
        raise UsageError(
            "the runs have different topics, which cannot be compared",
            expected="--topics judged",
        )
    scores = [run.scores[place] for run in runs]
    found = np.stack([score.values for score in scores], axis=1)
    return -found if scores[0].loss else found


def rank_of(system: int, gains: Floats) -> int | None:
    """Return the rank of a system, equal ones being at the same rank; None for NaN."""
    gain = gains[system]
    return None if np.isnan(gain) else 1 + int((gains > gain).sum())


def ranks_of(gains: Floats) -> list[int | None]:
    """Return the rank of each system, as `rank_of` does."""
    return [rank_of(system, gains) for system in range(len(gains))]


def aggregates(runs: Sequence[RunResult], place: int) -> Floats:
    """Return the value over all topics of each run in one measure, more being better."""
    scores = [run.scores[place] for run in runs]
    return np.array([-score.aggregate if score.loss else score.aggregate for score in scores])
