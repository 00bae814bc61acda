# The public names and their modules: the only list of them, one name per line. `__init__.py` reads
# it when a name is first used, type checkers and editors at any time. Measures are declared, not
# imported, because pyright does not know the names that a module makes up in `__getattr__`.
# `compat` and `stats` are modules that have names of their own.

from rankeval.commands.check.findings import FileReport as FileReport
from rankeval.commands.check.task import check as check
from rankeval.commands.collections.collection_means import CollectionTable as CollectionTable
from rankeval.commands.collections.collection_means import collection_tables as collection_tables
from rankeval.commands.collections.read_collections import Collection as Collection
from rankeval.commands.collections.read_collections import read_collections as read_collections
from rankeval.commands.collections.task import CollectionResults as CollectionResults
from rankeval.commands.collections.task import evaluate_collections as evaluate_collections
from rankeval.commands.compare.method import Method as Method
from rankeval.commands.compare.run_pairs import Pair as Pair
from rankeval.commands.compare.task import Comparison as Comparison
from rankeval.commands.compare.task import compare as compare
from rankeval.commands.compare.task import compare_results as compare_results
from rankeval.commands.compare_collections.task import CollectionComparison as CollectionComparison
from rankeval.commands.compare_collections.task import compare_collections as compare_collections
from rankeval.commands.convert.task import Conversion as Conversion
from rankeval.commands.convert.task import convert as convert
from rankeval.commands.diff.task import Difference as Difference
from rankeval.commands.diff.task import diff as diff
from rankeval.commands.explain.task import Explanation as Explanation
from rankeval.commands.explain.task import explain as explain
from rankeval.commands.fuse.task import fuse as fuse
from rankeval.commands.fuse.tune import TunedFold as TunedFold
from rankeval.commands.fuse.tune import TunedFusion as TunedFusion
from rankeval.commands.fuse.tune import Tuning as Tuning
from rankeval.commands.fuse.tune import tune_fusion as tune_fusion
from rankeval.commands.gate.decision import Decision as Decision
from rankeval.commands.gate.report import GateFailure as GateFailure
from rankeval.commands.gate.report import GateReport as GateReport
from rankeval.commands.gate.report import RuleOutcome as RuleOutcome
from rankeval.commands.gate.report import SuitesReport as SuitesReport
from rankeval.commands.gate.rules.all_kinds import parse_rule as parse_rule
from rankeval.commands.gate.rules.rule import Rule as Rule
from rankeval.commands.gate.suites.judged_suites import CheckedSuite as CheckedSuite
from rankeval.commands.gate.suites.judged_suites import check_suite as check_suite
from rankeval.commands.gate.suites.judged_suites import gate_suite as gate_suite
from rankeval.commands.gate.suites.judged_suites import gate_suites as gate_suites
from rankeval.commands.gate.suites.read_suites import read_suite as read_suite
from rankeval.commands.gate.suites.read_suites import read_suites as read_suites
from rankeval.commands.gate.suites.suite import Suite as Suite
from rankeval.commands.gate.task import gate as gate
from rankeval.commands.gate.task import renewed_baseline as renewed_baseline
from rankeval.commands.judges.task import JudgesReport as JudgesReport
from rankeval.commands.judges.task import judges as judges
from rankeval.commands.measures.task import Description as Description
from rankeval.commands.measures.task import describe as describe
from rankeval.commands.measures.task import find_measures as find_measures
from rankeval.commands.measures.task import search_measures as search_measures
from rankeval.commands.measures.task import worked_example as worked_example
from rankeval.commands.nuggets.task import NuggetReport as NuggetReport
from rankeval.commands.nuggets.task import NuggetRun as NuggetRun
from rankeval.commands.nuggets.task import NuggetTopic as NuggetTopic
from rankeval.commands.nuggets.task import nuggets as nuggets
from rankeval.commands.pool.task import Pool as Pool
from rankeval.commands.pool.task import pool as pool
from rankeval.commands.promote.task import Promotion as Promotion
from rankeval.commands.promote.task import promote as promote
from rankeval.commands.rebaseline.task import rebaseline as rebaseline
from rankeval.commands.reproduce.task import Reproduction as Reproduction
from rankeval.commands.reproduce.task import reproduce as reproduce
from rankeval.commands.systems.task import SystemsReport as SystemsReport
from rankeval.commands.systems.task import systems as systems
from rankeval.commands.topics.task import TopicsReport as TopicsReport
from rankeval.commands.topics.task import topics as topics
from rankeval.commands.trend.task import LevelChange as LevelChange
from rankeval.commands.trend.task import MeasureTrend as MeasureTrend
from rankeval.commands.trend.task import SuiteTrend as SuiteTrend
from rankeval.commands.trend.task import Trend as Trend
from rankeval.commands.trend.task import trend as trend
from rankeval.errors import InputError as InputError
from rankeval.errors import MeasureError as MeasureError
from rankeval.errors import RankevalError as RankevalError
from rankeval.errors import UsageError as UsageError
from rankeval.evaluation.evaluate import evaluate as evaluate
from rankeval.evaluation.evaluator import Evaluator as Evaluator
from rankeval.evaluation.prepared import DEFAULT_MEASURES as DEFAULT_MEASURES
from rankeval.evaluation.reading import Reading as Reading
from rankeval.evaluation.results import Results as Results
from rankeval.evaluation.results import RunResult as RunResult
from rankeval.evaluation.results import Score as Score
from rankeval.evaluation.results import ScoreBounds as ScoreBounds
from rankeval.evaluation.run_names import RunNames as RunNames
from rankeval.evaluation.saved_results import load as load
from rankeval.evaluation.saved_results import read_results as read_results
from rankeval.evaluation.settings import Settings as Settings
from rankeval.evaluation.sorting import sorted_runs as sorted_runs
from rankeval.evaluation.system_pairs import PairwiseTest as PairwiseTest
from rankeval.io.formats.file_format import FileFormat as FileFormat
from rankeval.io.formats.formats import register_format as register_format
from rankeval.io.formats.line_format import line_format as line_format
from rankeval.io.formats.named_values import read_groups as read_groups
from rankeval.io.formats.named_values import read_weights as read_weights
from rankeval.io.sources.parts import FileParts as FileParts
from rankeval.measures import Measure as Measure
from rankeval.measures import MeasuresLike as MeasuresLike
from rankeval.measures import TopicRanking as TopicRanking
from rankeval.measures import load_plugin as load_plugin
from rankeval.measures import measure as measure
from rankeval.measures import parse_measure as parse_measure
from rankeval.measures import parse_measures as parse_measures
from rankeval.measures import topic_measure as topic_measure
from rankeval.output.output_formats import output_format as output_format
from rankeval.ranking.qrels import Qrels as Qrels
from rankeval.ranking.qrels import read_qrels as read_qrels
from rankeval.ranking.qrels_source import QrelsLike as QrelsLike
from rankeval.ranking.run_source import RunLike as RunLike
from rankeval.ranking.run_source import RunsLike as RunsLike
from rankeval.ranking.run_source import Seeds as Seeds
from rankeval.ranking.topk import TopK as TopK
from rankeval.ranking.topk import from_topk as from_topk
from rankeval.version import __version__ as __version__

from . import compat as compat
from . import stats as stats

# The measures, of `rankeval.measures.declare.objects`.
# ruff: noqa: N816 - these are their names
AP: Measure
AP_IA: Measure
ARP: Measure
AUC: Measure
AUPRG: Measure
BPM: Measure
DCG: Measure
EBR: Measure
EFG: Measure
ERR: Measure
ERR_IA: Measure
FG: Measure
GAUC: Measure
GMAP: Measure
IAP: Measure
IDCG: Measure
IFT: Measure
ILD: Measure
INSQ: Measure
INST: Measure
MIUF: Measure
NCU: Measure
NERR8: Measure
NERR9: Measure
NERR10: Measure
NERR11: Measure
NPV: Measure
NRBP: Measure
P_IA: Measure
PRG: Measure
RBP: Measure
RBU: Measure
RR: Measure
SDCG: Measure
TBG: Measure
YAAP: Measure
Accuracy: Measure
AlphaCompat: Measure
APAvgjg: Measure
Bpref: Measure
Compat: Measure
Coverage: Measure
DnDCG: Measure
DSharp_nDCG: Measure
Entropy: Measure
F: Measure
G: Measure
Gini: Measure
GMBpref: Measure
Hole: Measure
IPrec: Measure
Judged: Measure
KAtRecall: Measure
NumNonRelRet: Measure
NumPrefsFul: Measure
NumPrefsFulRet: Measure
NumPrefsPoss: Measure
NumQ: Measure
NumRel: Measure
NumRelRet: Measure
NumRet: Measure
OMeasure: Measure
P: Measure
PAtRecall: Measure
PAvgjg: Measure
PMeasure: Measure
PPlus: Measure
PrefAvgjg: Measure
PrefAvgjg_imp: Measure
PrefAvgjg_ret: Measure
PrefAvgjg_Rnonrel: Measure
PrefAvgjg_Rnonrel_ret: Measure
PrefPair: Measure
PrefPair_imp: Measure
PrefPair_ret: Measure
PrefSimp: Measure
PrefSimp_imp: Measure
PrefSimp_ret: Measure
Q: Measure
R: Measure
R_cap: Measure
RBPres: Measure
Rndcg: Measure
Rprec: Measure
RprecAvgjg: Measure
Serendipity: Measure
SetAP: Measure
SetE: Measure
SetF: Measure
SetJaccard: Measure
SetP: Measure
SetR: Measure
SetRelP: Measure
SetUtility: Measure
StRecall: Measure
Success: Measure
TabulatedGain: Measure
UMeasure: Measure
Unjudged: Measure
alpha_DCG: Measure
alpha_nDCG: Measure
binG: Measure
infAP: Measure
infNDCG: Measure
iRBU: Measure
nDCG: Measure
nDCG_rel: Measure
nERR: Measure
nERR_IA: Measure
nNRBP: Measure
precG: Measure
recG: Measure
statAP: Measure
xinfAP: Measure
