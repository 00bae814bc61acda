"""Runs aligned with judgments: the value that every measure is computed from."""

from rankeval.ranking.ranked import (
    Costs,
    Extras,
    Features,
    Ideal,
    Labels,
    Lists,
    RankedJudgments,
    Ranks,
    Training,
)

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
