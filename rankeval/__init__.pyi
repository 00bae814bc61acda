# The public names and their modules: the only list of them, one name per line. `__init__.py` reads
# it when a name is first used, type checkers and editors at any time. Measures are declared, not
# imported, because pyright does not know the names that a module makes up in `__getattr__`.
# The modules at the end of the imports have names of their own.

from rankeval.commands.check.task import check as check
from rankeval.commands.compare.task import compare as compare
from rankeval.commands.convert.task import convert as convert
from rankeval.commands.diff.task import diff as diff
from rankeval.commands.estimate.task import estimate as estimate
from rankeval.commands.explain.task import explain as explain
from rankeval.commands.fuse.task import fuse as fuse
from rankeval.commands.gate.task import gate as gate
from rankeval.commands.init.task import init as init
from rankeval.commands.judges.task import judges as judges
from rankeval.commands.measures.task import describe as describe
from rankeval.commands.nuggets.task import nuggets as nuggets
from rankeval.commands.plot.task import plot as plot
from rankeval.commands.pool.task import pool as pool
from rankeval.commands.report.collect import report as report
from rankeval.commands.systems.task import systems as systems
from rankeval.commands.topics.task import topics as topics
from rankeval.errors import InputError as InputError
from rankeval.errors import MeasureError as MeasureError
from rankeval.errors import RankevalError as RankevalError
from rankeval.errors import UsageError as UsageError
from rankeval.evaluation.evaluate import Evaluator as Evaluator
from rankeval.evaluation.evaluate import evaluate as evaluate
from rankeval.evaluation.results import Results as Results
from rankeval.evaluation.saved_results import load as load
from rankeval.measures import Measure as Measure
from rankeval.measures import TopicRanking as TopicRanking
from rankeval.measures import load_plugin as load_plugin
from rankeval.measures import parse_measure as parse_measure
from rankeval.measures.plugins import measure as measure
from rankeval.ranking.qrels import Qrels as Qrels
from rankeval.ranking.run_source import Run as Run
from rankeval.ranking.run_source import Seeds as Seeds
from rankeval.version import __version__ as __version__

from . import advanced as advanced
from . import compat as compat
from . import measures as measures
from . import options as options
from . import spark as spark
from . import stats as stats
from . import types as types

# The common measures; `rankeval.measures` has all.
# ruff: noqa: N816 - these are their names
AP: Measure
Bpref: Measure
DCG: Measure
ERR: Measure
F: Measure
Judged: Measure
P: Measure
R: Measure
RBP: Measure
RR: Measure
Rprec: Measure
Success: Measure
Unjudged: Measure
alpha_nDCG: Measure
nDCG: Measure
