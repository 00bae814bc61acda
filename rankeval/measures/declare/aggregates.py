"""Aggregates: rules that turn the values of all topics into one number, without NaN values."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.ranking import RankedJudgments

GEOMETRIC_FLOOR = 0.00001
"""Smallest value that enters a geometric mean, as in trec_eval."""


def nothing(_judged: RankedJudgments, _parameters: Mapping[str, Any]) -> None:
    """Return None: a rule needs no more than the values."""


@frozen
class Aggregate:
    """A named rule; `of(values, beside)` gives the number, NaN without any value.

    `beside(judged, parameters)` gives a number of each topic that the rule needs in addition, such
    as its weight; None if it needs none. A `fixed` rule is part of the measure's definition, as the
    geometric mean is of GMAP. It stays when the user chooses another rule for the other measures.
    """

    name: str
    of: Callable[[Floats, Floats | None], float]
    fixed: bool = False
    beside: Callable[[RankedJudgments, Mapping[str, Any]], Floats | None] = nothing

    def over(self, values: Floats, judged: RankedJudgments, parameters: Mapping[str, Any]) -> float:
        """Return the number for the values of the topics of a batch."""
        return self.of(values, self.beside(judged, parameters))


def total(values: Floats) -> float:
    """Sum the defined values one by one in topic order."""
    defined = values[~np.isnan(values)]
    return float(np.cumsum(defined)[-1]) if len(defined) else 0.0


def mean(values: Floats) -> float:
    """Return the arithmetic mean of the defined values; NaN when there is none."""
    if len(values) == 1:
        return float(values[0])
    if len(values) and not math.isnan(every := float(np.add.accumulate(values)[-1])):
        return every / len(values)  # no value is NaN
    n_defined = np.count_nonzero(~np.isnan(values))
    return total(values) / int(n_defined) if n_defined else float("nan")


def geometric_mean(values: Floats) -> float:
    """Return exp of the mean logarithm, with values below GEOMETRIC_FLOOR raised to it."""
    return float(np.exp(mean(np.log(np.maximum(values, GEOMETRIC_FLOOR)))))


def median(values: Floats) -> float:
    """Return the median of the defined values; NaN when there is none."""
    defined = values[~np.isnan(values)]
    return float(np.median(defined)) if len(defined) else float("nan")


def weighted_mean(values: Floats, weights: Floats) -> float:
    """Return the weighted mean of the defined values; NaN when the weights add up to 0."""
    weights = np.where(np.isnan(values), 0.0, weights)
    weight = total(weights)
    return total(np.where(weights > 0, values * weights, 0.0)) / weight if weight else float("nan")


BY_VALUES_ALONE: Mapping[str, Callable[[Floats], float]] = {
    "mean": mean,
    "sum": total,
    "median": median,
    "geometric mean": geometric_mean,
}
"""The rules that need nothing but the values of topics, by their names."""

MEAN = Aggregate("mean", lambda values, _: mean(values))
SUM = Aggregate("sum", lambda values, _: total(values))
COUNT = Aggregate("sum", SUM.of, fixed=True)
MEDIAN = Aggregate("median", lambda values, _: median(values))
WHOLE_RUN = Aggregate("whole run", lambda _values, _beside: math.nan, fixed=True)
"""The rule of measures without values of topics, which `Measure.of_run` computes."""
GEOMETRIC = Aggregate("geometric mean", lambda values, _: geometric_mean(values), fixed=True)
