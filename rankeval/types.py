"""The classes of what functions return, for annotations.

>>> from rankeval.types import Comparison
>>> Comparison.__name__
'Comparison'
"""

from rankeval.commands.check.task import FileReport
from rankeval.commands.compare.task import Comparison, Pair
from rankeval.commands.convert.task import Conversion
from rankeval.commands.diff.task import Difference
from rankeval.commands.estimate.task import EstimateReport
from rankeval.commands.explain.task import Explanation
from rankeval.commands.fuse.tune import Tuning
from rankeval.commands.gate.report import (
    GateFailure,
    GateReport,
    JudgedSuite,
    RuleOutcome,
)
from rankeval.commands.init.task import NewGate
from rankeval.commands.judges.task import JudgesReport
from rankeval.commands.measures.task import Description
from rankeval.commands.plot.task import Picture
from rankeval.commands.pool.task import Pool
from rankeval.commands.report.page import Report
from rankeval.commands.systems.task import SystemsReport
from rankeval.commands.topics.task import TopicsReport
from rankeval.evaluation.results import RunResult, Score, ScoreBounds

__all__ = [
    "Comparison",
    "Conversion",
    "Description",
    "Difference",
    "EstimateReport",
    "Explanation",
    "FileReport",
    "GateFailure",
    "GateReport",
    "JudgedSuite",
    "JudgesReport",
    "NewGate",
    "Pair",
    "Picture",
    "Pool",
    "Report",
    "RuleOutcome",
    "RunResult",
    "Score",
    "ScoreBounds",
    "SystemsReport",
    "TopicsReport",
    "Tuning",
]
