"""Functions that few need: suites of gates, several collections, tuned fusion, worked examples.

>>> from rankeval import advanced, describe
>>> advanced.worked_example(describe("AP")).measure
'AP'
"""

from rankeval.commands.collections.task import evaluate_collections as evaluate_collections
from rankeval.commands.fuse.tune import tune_fusion as tune_fusion
from rankeval.commands.gate.task import gate_suites as gate_suites
from rankeval.commands.gate.task import renewed_baseline as renewed_baseline
from rankeval.commands.measures.task import worked_example as worked_example
