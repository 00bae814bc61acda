"""The choices that options and functions share: words, each with one meaning wherever it is used.

This module imports nothing of rankeval, so that options are declared at no cost. Words of
statistics, which results hold, too, are enumerations of `rankeval.stats.choices`.
"""

from collections.abc import Iterable
from typing import Any, Literal, get_args


def listed(choices: Any) -> str:
    """Return the words of a Literal, or the members of an enumeration, as help texts list them."""
    return ", ".join(get_args(choices) or choices)


def known_word(word: str, known: Iterable[str]) -> str:
    """Return the one of the known words that is meant: CombMNZ is combmnz, and log_isr log-isr.

    The word as it is where none is.
    """
    meant = _folded(word)
    return next((one for one in known if _folded(one) == meant), word)


def _folded(word: str) -> str:
    return word.casefold().replace("-", "").replace("_", "")


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
FileKind = Literal["run", "qrels"]
"""The kinds of files that can be converted."""
FILE_FORMATS = ("trec", "msmarco", "beir", "csv", "tsv", "json", "jsonl", "parquet", "arrow")
"""The formats of runs and judgments."""


# Output
ALL = "all"
"""The name instead of a topic for a value over all topics."""


Names = Literal["canonical", "as-given"]
"""The names that measures are printed under."""


# Fusion and pools
METHOD_NAMES = (
    *("rrf", "combsum", "combmnz", "combanz", "combmin", "combmax", "combmed", "combgmnz"),
    *("isr", "log-isr", "logn-isr", "borda", "condorcet", "rbc", "wsum", "wmnz", "mixed"),
    *("wborda", "wcondorcet"),
)
"""The names of all methods, in the order of --help."""

NORMALISATION_NAMES = ("min-max", "max", "sum", "z-score", "rank", "borda", "none")
"""The names of the normalisations."""

PoolOrder = Literal["depth", "rrf", "rbp", "max-rank", "mtf"]
"""The orders in which a pool is judged."""
RunOrder = Literal["value", "name", "given"]
PictureStyle = Literal["light", "dark", "transparent"]
