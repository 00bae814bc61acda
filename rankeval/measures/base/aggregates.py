"""How the values of all topics become one number. Undefined values (NaN) are left out."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rankeval.judgments import RankedJudgments
from rankeval.support.arrays import Floats
from rankeval.support.frozen import frozen

GEOMETRIC_FLOOR = 0.00001
"""Smallest value that enters a geometric mean, as in trec_eval."""


@frozen
class Aggregate:
    """A named rule; `of(values, judged, parameters)` gives the number, NaN without any value.

    A `fixed` rule belongs to what the measure means, as the geometric mean does to GMAP, and
    stays when the user chooses another rule for the other measures.
    """

    name: str
    of: Callable[[Floats, RankedJudgments, Mapping[str, Any]], float]
    fixed: bool = False


def total(values: Floats) -> float:
    """Sum the defined values, one addition after the other in topic order."""
    defined = values[~np.isnan(values)]
    return float(np.cumsum(defined)[-1]) if len(defined) else 0.0


def mean(values: Floats) -> float:
    """Arithmetic mean of the defined values; NaN when there is none."""
    n_defined = np.count_nonzero(~np.isnan(values))
    return total(values) / int(n_defined) if n_defined else float("nan")


def geometric_mean(values: Floats) -> float:
    """exp of the mean logarithm, each value taken as at least GEOMETRIC_FLOOR."""
    return float(np.exp(mean(np.log(np.maximum(values, GEOMETRIC_FLOOR)))))


def median(values: Floats) -> float:
    """The middle one of the defined values, or the mean of the middle two; NaN without any."""
    defined = values[~np.isnan(values)]
    return float(np.median(defined)) if len(defined) else float("nan")


def weighted_mean(values: Floats, weights: Floats) -> float:
    """Mean of the defined values by weight; NaN when the weights add up to 0."""
    weights = np.where(np.isnan(values), 0.0, weights)
    weight = total(weights)
    return total(np.where(weights > 0, values * weights, 0.0)) / weight if weight else float("nan")


MEAN = Aggregate("mean", lambda values, _judged, _parameters: mean(values))
SUM = Aggregate("sum", lambda values, _judged, _parameters: total(values))
COUNT = Aggregate("sum", SUM.of, fixed=True)
MEDIAN = Aggregate("median", lambda values, _judged, _parameters: median(values))
GEOMETRIC = Aggregate(
    "geometric mean", lambda values, _judged, _parameters: geometric_mean(values), fixed=True
)
