"""Runs aligned with judgments: the value that every measure is computed from."""

from rankeval.judgments.extras import Costs, Extras, Labels, Ranks
from rankeval.judgments.ideal import Ideal
from rankeval.judgments.ranked import RankedJudgments

__all__ = ["Costs", "Extras", "Ideal", "Labels", "RankedJudgments", "Ranks"]
