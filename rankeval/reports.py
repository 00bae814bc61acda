"""The classes of results of functions, and evaluations of several collections.

>>> from rankeval.reports import Comparison
>>> Comparison.__name__
'Comparison'
"""

from rankeval.commands.check.task import FileReport
from rankeval.commands.collections.collection_means import over_collections
from rankeval.commands.collections.read_collections import Collection, read_collections
from rankeval.commands.collections.task import CollectionResults, evaluate_collections
from rankeval.commands.compare.run_pairs import Pair
from rankeval.commands.compare.task import Comparison
from rankeval.commands.convert.task import Conversion
from rankeval.commands.diff.task import Difference
from rankeval.commands.estimate.task import EstimateReport
from rankeval.commands.explain.task import Explanation
from rankeval.commands.fuse.tune import TunedFold, TunedFusion, Tuning, tune_fusion
from rankeval.commands.init.task import NewGate
from rankeval.commands.judges.task import JudgesReport
from rankeval.commands.measures.examples import worked_example
from rankeval.commands.measures.task import Description
from rankeval.commands.plot.task import Picture
from rankeval.commands.pool.task import Pool
from rankeval.commands.report.page import Report
from rankeval.commands.systems.task import SystemsReport
from rankeval.commands.topics.task import TopicsReport
from rankeval.evaluation.results import RunResult, Score, ScoreBounds

__all__ = [
    "Collection",
    "CollectionResults",
    "Comparison",
    "Conversion",
    "Description",
    "Difference",
    "EstimateReport",
    "Explanation",
    "FileReport",
    "JudgesReport",
    "NewGate",
    "Pair",
    "Picture",
    "Pool",
    "Report",
    "RunResult",
    "Score",
    "ScoreBounds",
    "SystemsReport",
    "TopicsReport",
    "TunedFold",
    "TunedFusion",
    "Tuning",
    "evaluate_collections",
    "over_collections",
    "read_collections",
    "tune_fusion",
    "worked_example",
]
