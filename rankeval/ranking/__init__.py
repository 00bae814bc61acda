"""Runs aligned with judgments: the value that every measure is computed from."""

from rankeval.ranking.extras import Costs, Extras, Features, Labels, Lists, Ranks, Training
from rankeval.ranking.ranked import Ideal, RankedJudgments

__all__ = [
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
