"""Data that measures use beside grades and ranks."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankeval.base.arrays import Integers, NDArray
from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError
from rankeval.ranking import RankedJudgments


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
