"""What a measure needs or takes beside grades and ranks: declared with it, looked for in Extras."""

from typing import Any

import numpy as np

from rankeval.errors import MeasureError
from rankeval.judgments import RankedJudgments
from rankeval.support.arrays import Integers
from rankeval.support.frozen import frozen


@frozen
class Need:
    """Something of Extras, by the name of its field, and how the user gives it."""

    name: str
    what: str
    given: str

    def of(self, judged: RankedJudgments) -> Any:
        """What the judgments hold of it, or None."""
        return None if judged.extras is None else getattr(judged.extras, self.name)

    def code_of(self, judged: RankedJudgments) -> Integers:
        """The index of each topic of the batch in its tables."""
        return np.arange(len(judged)) if judged.extras is None else judged.extras.code

    def refuse_lack(self, measure: str, judged: RankedJudgments) -> None:
        """Raise MeasureError when it is not there."""
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
COSTS = Need("costs", "costs of documents", "--costs FILE: lines of docno and cost")
