"""The value of a ranking cut after each rank: what each document adds to a measure."""

from rankeval.base.arrays import Integers
from rankeval.evaluation.settings import Settings
from rankeval.measures import Measure
from rankeval.ranking import RankedJudgments

BATCH = 256
"""Prefixes of the ranking evaluated at once; memory grows with this times the judgments."""


def is_condensed(measure: Measure, settings: Settings) -> bool:
    """Return True where unjudged documents are removed: by a setting, or by the measure itself."""
    return settings.removes_unjudged or bool(measure.parameters.get("judged_only"))


def measured_ranking(
    measure: Measure, settings: Settings, whole: RankedJudgments
) -> RankedJudgments:
    """Return the ranking that a measure looks at: cut at the depth, without what is removed."""
    judged = whole if settings.depth is None else whole.truncated(settings.depth)
    return judged.condensed if is_condensed(measure, settings) else judged


def running_values(measure: Measure, judged: RankedJudgments, depths: Integers) -> dict[int, float]:
    """Return the value of the only topic's ranking cut at each depth; evaluated in batches.

    A document at rank r adds the value at r minus the value at r - 1.
    """
    values: dict[int, float] = {}
    for start in range(0, len(depths), BATCH):
        some = depths[start : start + BATCH]
        batch = measure.values(judged.prefixes(some))
        values.update(zip(some.tolist(), batch.tolist(), strict=True))
    return values
