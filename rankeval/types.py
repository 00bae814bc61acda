"""The classes of what functions return, for annotations.

>>> from rankeval.types import Comparison
>>> Comparison.__name__
'Comparison'
"""

from rankeval.commands.check.task import FileReport as FileReport
from rankeval.commands.compare.task import Comparison as Comparison
from rankeval.commands.compare.task import Pair as Pair
from rankeval.commands.convert.task import Conversion as Conversion
from rankeval.commands.diff.task import Difference as Difference
from rankeval.commands.estimate.task import EstimateReport as EstimateReport
from rankeval.commands.explain.task import Explanation as Explanation
from rankeval.commands.fuse.tune import Tuning as Tuning
from rankeval.commands.gate.report import GateFailure as GateFailure
from rankeval.commands.gate.report import GateReport as GateReport
from rankeval.commands.gate.report import JudgedSuite as JudgedSuite
from rankeval.commands.gate.report import RuleOutcome as RuleOutcome
from rankeval.commands.init.task import NewGate as NewGate
from rankeval.commands.judges.task import JudgesReport as JudgesReport
from rankeval.commands.measures.task import Description as Description
from rankeval.commands.plot.task import Picture as Picture
from rankeval.commands.pool.task import Pool as Pool
from rankeval.commands.report.page import Report as Report
from rankeval.commands.systems.task import SystemsReport as SystemsReport
from rankeval.commands.topics.task import TopicsReport as TopicsReport
from rankeval.evaluation.results import RunResult as RunResult
from rankeval.evaluation.results import Score as Score
from rankeval.evaluation.results import ScoreBounds as ScoreBounds
