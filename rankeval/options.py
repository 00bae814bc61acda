"""Options of evaluations, comparisons and gates, types for annotations, and formats of plugins.

>>> from rankeval.options import Settings
>>> Settings(topics="both")
Settings(topics='both')
"""

from rankeval.commands.compare.method import Method
from rankeval.commands.gate.rules import Decision
from rankeval.evaluation.prepared import DEFAULT_MEASURES, Items
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.settings import Settings
from rankeval.io.formats.named_values import read_groups, read_weights
from rankeval.measures import MeasuresLike
from rankeval.output.output_formats import output_format
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike, RunsLike

__all__ = [
    "DEFAULT_MEASURES",
    "Decision",
    "Items",
    "MeasuresLike",
    "Method",
    "QrelsLike",
    "RunLike",
    "RunNames",
    "RunsLike",
    "Settings",
    "output_format",
    "read_groups",
    "read_weights",
]
