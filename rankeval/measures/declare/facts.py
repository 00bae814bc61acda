"""Facts of measures: how values of topics become one, and what data measures need."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats, Integers, NDArray
from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError
from rankeval.ranking import RankedJudgments

GEOMETRIC_FLOOR = 0.00001
"""Smallest value that enters a geometric mean, as in trec_eval."""


@frozen
class Aggregate:
    """A named rule that makes one number of the values of topics, NaN without any value.

    A `fixed` rule is part of the measure's definition, as the geometric mean is of GMAP. It stays
    when the user chooses another rule for the other measures.
    """

    name: str
    rule: Callable[[Floats], float]
    fixed: bool = False

    def of(self, values: Floats, weights: Floats | None = None) -> float:
        """Return the number; with weights of the topics, the weighted mean."""
        return self.rule(values) if weights is None else weighted_mean(values, weights)


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
    return float(np.nanmedian(values)) if not np.isnan(values).all() else float("nan")


def weighted_mean(values: Floats, weights: Floats) -> float:
    """Return the weighted mean of the defined values; NaN when the weights add up to 0."""
    weights = np.where(np.isnan(values), 0.0, weights)
    weight = total(weights)
    return total(np.where(weights > 0, values * weights, 0.0)) / weight if weight else float("nan")


MEAN = Aggregate("mean", mean)
SUM = Aggregate("sum", total)
COUNT = Aggregate("sum", total, fixed=True)
MEDIAN = Aggregate("median", median)
GEOMETRIC = Aggregate("geometric mean", geometric_mean, fixed=True)
WHOLE_RUN = Aggregate("whole run", lambda _: math.nan, fixed=True)
"""The rule of measures without values of topics, which `Measure.of_run` computes."""
BY_VALUES_ALONE = {one.name: one.rule for one in (MEAN, SUM, MEDIAN, GEOMETRIC)}
"""The rules that need nothing but the values of topics, by their names."""


@frozen
class Need:
    """A field of Extras by its name, with words for messages: its kind and how to supply it."""

    name: str
    what: str
    given: str

    def of(self, judged: RankedJudgments) -> Any:
        """Return this field of the judgments' extras, or None."""
        return getattr(judged.extras, self.name, None)

    def code_of(self, judged: RankedJudgments) -> Integers:
        """Return the index of each topic of the batch in the field's tables."""
        return np.arange(len(judged)) if judged.extras is None else judged.extras.code

    def refuse_lack(self, measure: str, judged: RankedJudgments) -> None:
        """Raise MeasureError when the judgments lack the field."""
        if self.of(judged) is None:
            raise MeasureError(f"{measure} needs {self.what}", expected=self.given)


SUBTOPICS = Need(
    "subtopics",
    "subtopics",
    "subtopics in the second column of the qrels: topic subtopic docno grade",
)
STRATA = Need(
    "strata",
    "the stratum of each judgment",
    "strata in the fourth column of the qrels: topic 0 docno stratum grade",
)
ELSEWHERE = Need(
    "elsewhere",
    "the documents that are judged for other topics",
    "judgments aligned with a run by rankeval.evaluate",
)
COSTS = Need("costs", "costs of documents", "costs=FILE: lines of docno and cost")
LISTS = Need(
    "lists",
    "the documents of a run, judged or not",
    "a run evaluated by rankeval eval or rankeval.evaluate",
)
TRAIN = Need("train", "training interactions", "train=FILE: lines of user and item")
CATALOG = Need("catalog", "the catalogue", "catalog=N, the number of items, or a file of items")
FEATURES = Need("features", "features of items", "features=FILE.csv: a docno and its features")
NUGGETS = Need(
    "nuggets", "nuggets assigned to answers", "rankeval nuggets FILE: JSON Lines of qid and nuggets"
)
SUPPORT = Need(
    "support", "citations of answers, judged", "rankeval nuggets FILE: JSON Lines of qid and answer"
)


Terms = Mapping[str, NDArray[Any]]
"""Columns by name: one value per row, per judged document or per topic."""
