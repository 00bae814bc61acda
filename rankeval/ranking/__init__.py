"""Runs aligned with judgments: the value that every measure is computed from."""

from rankeval.ranking.ranked import Ideal, RankedJudgments

__all__ = ["Ideal", "RankedJudgments"]
