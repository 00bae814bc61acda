"""The choices that options and functions share: words, each with one meaning wherever it is used.

This module imports nothing of rankeval, so that options are declared at no cost. What a function
takes as a plain word is a Literal; what results hold, too, is an enumeration.
"""

from enum import StrEnum
from typing import Any, Literal, get_args


def listed(choices: Any) -> str:
    """Return the words of a Literal, or the members of an enumeration, as help texts list them."""
    return ", ".join(get_args(choices) or choices)


# Conventions
Tool = Literal["trec_eval", "trec_eval9", "pytrec_eval", "gdeval", "msmarco", "beir", "ranx"]
"""The tools whose conventions are known."""
TopicRule = Literal["judged", "both"]
"""The topics to evaluate: all that are judged, or those that are in the run, too."""
TieRule = Literal["docno", "input", "rank", "best", "worst", "expected"]
"""The orders of equal scores."""
FusedTieRule = Literal["docno", "input", "rank"]
"""Those that runs are fused by, and that need no judgments."""
OrderRule = Literal["score", "rank"]
"""The columns that can order documents."""
AggregateRule = Literal["mean", "geometric", "sum", "median"]
"""The rules that aggregate values over topics."""

NamingRule = Literal["tag", "stem", "path"]
"""The rules for the names of runs."""
"""The treatments of runs that cannot be evaluated."""
FileKind = Literal["run", "qrels"]
"""The kinds of files that can be converted."""
FILE_FORMATS = ("trec", "msmarco", "beir", "csv", "tsv", "json", "jsonl", "parquet", "arrow")
"""The formats of runs and judgments."""


# Statistics
class TestName(StrEnum):
    """The paired tests, by the names that options and outputs use."""

    __test__ = False  # not a test case, whatever a test runner makes of the name

    STUDENT_T = "t"
    RANDOMIZATION = "randomization"
    BOOTSTRAP = "bootstrap"
    WILCOXON = "wilcoxon"
    SIGN = "sign"


class SystemsTest(StrEnum):
    """Tests of all systems at once; their p-values hold for all pairs."""

    TUKEY = "tukey"
    RANDOMIZED_TUKEY = "randomized-tukey"
    DUNNETT = "dunnett"


class PosteriorTest(StrEnum):
    """Tests that give probabilities that a run is worse, equal or better, instead of p-values."""

    BAYES = "bayes"


TestNameText = Literal["t", "randomization", "bootstrap", "wilcoxon", "sign"]
"""The paired tests by their names, which mean the members."""
TestText = Literal[TestNameText, "tukey", "randomized-tukey", "dunnett", "bayes"]
"""All tests by their names, which mean the members."""


class Correction(StrEnum):
    """The corrections, by the names that options and outputs use."""

    HOLM = "holm"
    BENJAMINI_HOCHBERG = "bh"
    NONE = "none"


CorrectionText = Literal["holm", "bh", "none"]
"""The corrections by their names, which mean the members."""

VerdictText = Literal[
    "worse", "not worse", "inconclusive", "equivalent", "not equivalent", "better", "not better"
]
"""The verdicts on a candidate, as documents have them; `Verdict` of stats has their names."""


class IntervalMethod(StrEnum):
    """The intervals, by the names that options and outputs use."""

    STUDENT_T = "t"
    BCA = "bca"


class Bound(StrEnum):
    """The methods that bound a drop."""

    STUDENT_T = "t"
    BETTING = "betting"


# The gate
class GatePolicy(StrEnum):
    """The condition under which a gate opens."""

    OBSERVED = "observed"  # the observed drop is within the limit, chance or not
    NOT_SHOWN_WORSE = "not-shown-worse"
    NOT_SHOWN_BEYOND_LIMIT = "not-shown-beyond-limit"
    SHOWN_NOT_WORSE = "shown-not-worse"


# Output
ALL = "all"
"""The name instead of a topic for a value over all topics."""


class Format(StrEnum):
    """The names of the formats that results are printed in."""

    TABLE = "table"
    TSV = "tsv"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"
    TREC = "trec"


class Names(StrEnum):
    """The names that measures are printed under."""

    CANONICAL = "canonical"
    AS_GIVEN = "as-given"


# Fusion and pools
METHOD_NAMES = (
    *("rrf", "combsum", "combmnz", "combanz", "combmin", "combmax", "combmed", "combgmnz"),
    *("isr", "log-isr", "logn-isr", "borda", "condorcet", "rbc", "wsum", "wmnz", "mixed"),
    *("wborda", "wcondorcet"),
)
"""The names of all methods, in the order of --help."""

NORMALISATION_NAMES = ("min-max", "max", "sum", "z-score", "rank", "borda", "none")
"""The names of the normalisations."""

"""The parts of a document's text that are shown."""
PoolOrder = Literal["depth", "rrf", "rbp", "max-rank", "mtf"]
"""The orders in which a pool is judged."""
RunOrder = Literal["value", "name", "given"]
PictureStyle = Literal["light", "dark", "transparent"]
