"""What functions take: settings, methods, rules, suites, collections; and types for annotations.

>>> from rankeval.options import Settings, parse_rule
>>> Settings(topics="both")
Settings(topics='both')
>>> str(parse_rule("max-drop nDCG@10=2%"))
'max-drop nDCG@10=2%'
"""

from rankeval.commands.collections.read_collections import Collection, read_collections
from rankeval.commands.compare.method import Method
from rankeval.commands.gate.rules import Decision, Rule, parse_rule
from rankeval.commands.gate.suites import Suite, read_suites
from rankeval.evaluation.prepared import DEFAULT_MEASURES, Items
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.settings import Settings
from rankeval.io.small_tables import read_groups, read_weights
from rankeval.measures import MeasuresLike
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike, RunsLike

__all__ = [
    "DEFAULT_MEASURES",
    "Collection",
    "Decision",
    "Items",
    "MeasuresLike",
    "Method",
    "QrelsLike",
    "Rule",
    "RunLike",
    "RunNames",
    "RunsLike",
    "Settings",
    "Suite",
    "parse_rule",
    "read_collections",
    "read_groups",
    "read_suites",
    "read_weights",
]
