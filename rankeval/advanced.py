"""Functions that few need: suites of gates, several collections, tuned fusion, worked examples.

>>> from rankeval import advanced, describe
>>> advanced.worked_example(describe("AP")).measure
'AP'
"""

from rankeval.commands.collections.task import evaluate_collections
from rankeval.commands.fuse.tune import tune_fusion
from rankeval.commands.gate.task import gate_suites, renewed_baseline
from rankeval.commands.measures.task import worked_example

__all__ = [
    "evaluate_collections",
    "gate_suites",
    "renewed_baseline",
    "tune_fusion",
    "worked_example",
]
