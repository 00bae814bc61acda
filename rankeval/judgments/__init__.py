"""Runs aligned with judgments: the value that every measure is computed from."""

from rankeval.judgments.extras import Costs, Extras, Labels, Ranks
from rankeval.judgments.ideal import Ideal
from rankeval.judgments.lists import Catalog, Features, Lists, Training
from rankeval.judgments.ranked import RankedJudgments

__all__ = [
    "Catalog",
    "Costs",
    "Extras",
    "Features",
    "Ideal",
    "Labels",
    "Lists",
    "RankedJudgments",
    "Ranks",
    "Training",
]
