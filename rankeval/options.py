"""What functions take: settings, methods, rules, suites, collections; and types for annotations.

>>> from rankeval.options import Settings, parse_rule
>>> Settings(topics="both")
Settings(topics='both')
>>> str(parse_rule("max-drop nDCG@10=2%"))
'max-drop nDCG@10=2%'
"""

from rankeval.commands.collections.read_collections import Collection as Collection
from rankeval.commands.collections.read_collections import read_collections as read_collections
from rankeval.commands.compare.method import Method as Method
from rankeval.commands.gate.rules import Decision as Decision
from rankeval.commands.gate.rules import Rule as Rule
from rankeval.commands.gate.rules import parse_rule as parse_rule
from rankeval.commands.gate.suites import Suite as Suite
from rankeval.commands.gate.suites import read_suites as read_suites
from rankeval.evaluation.prepared import DEFAULT_MEASURES as DEFAULT_MEASURES
from rankeval.evaluation.prepared import Items as Items
from rankeval.evaluation.run_names import RunNames as RunNames
from rankeval.evaluation.settings import Settings as Settings
from rankeval.io.small_tables import read_groups as read_groups
from rankeval.io.small_tables import read_weights as read_weights
from rankeval.measures import MeasuresLike as MeasuresLike
from rankeval.ranking.qrels import QrelsLike as QrelsLike
from rankeval.ranking.run_source import RunLike as RunLike
from rankeval.ranking.run_source import RunsLike as RunsLike
