"""Evaluate rankings against relevance judgments.

>>> import rankeval
>>> results = rankeval.evaluate("qrels.txt", ["bm25.run", "dense.run"], "AP nDCG@10")
>>> results.runs[0].scores[0].aggregate
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in typing, whose import a start does not wait for
if TYPE_CHECKING:
    from rankeval.api import DEFAULT_MEASURES, evaluate
    from rankeval.catalogue import (
        Description,
        describe,
        find_measures,
        search_measures,
        worked_example,
    )
    from rankeval.checking import FileReport, check
    from rankeval.comparison import Comparison, compare
    from rankeval.conversion import Conversion, convert
    from rankeval.difference import Difference, diff
    from rankeval.errors import InputError, MeasureError, RankevalError, UsageError
    from rankeval.explained import Explanation
    from rankeval.explanation import explain
    from rankeval.gate_report import Decision, GateReport, RuleOutcome
    from rankeval.gate_rules import Rule, parse_rule
    from rankeval.gating import gate, renewed_baseline
    from rankeval.io.topic_tables import read_groups, read_weights
    from rankeval.measures import (
        Measure,
        TopicRanking,
        load_plugin,
        measure,
        parse_measure,
        parse_measures,
        topic_measure,
    )
    from rankeval.method import Method
    from rankeval.pairs import Pair
    from rankeval.qrels import Qrels, read_qrels
    from rankeval.readings import Reading
    from rankeval.results import Results, RunResult, Score, ScoreBounds
    from rankeval.saved_results import read_results
    from rankeval.settings import Settings
    from rankeval.suites import Suite, read_suite

_HOME = {
    "DEFAULT_MEASURES": "api",
    "Settings": "settings",
    "evaluate": "api",
    "FileReport": "checking",
    "check": "checking",
    "Description": "catalogue",
    "describe": "catalogue",
    "find_measures": "catalogue",
    "search_measures": "catalogue",
    "worked_example": "catalogue",
    "Explanation": "explained",
    "explain": "explanation",
    "InputError": "errors",
    "MeasureError": "errors",
    "RankevalError": "errors",
    "UsageError": "errors",
    "read_groups": "io.topic_tables",
    "read_weights": "io.topic_tables",
    "Measure": "measures",
    "TopicRanking": "measures",
    "load_plugin": "measures",
    "measure": "measures",
    "topic_measure": "measures",
    "parse_measure": "measures",
    "parse_measures": "measures",
    "Qrels": "qrels",
    "read_qrels": "qrels",
    "Reading": "readings",
    "Results": "results",
    "RunResult": "results",
    "Score": "results",
    "diff": "difference",
    "Difference": "difference",
    "compare": "comparison",
    "Comparison": "comparison",
    "Method": "method",
    "Pair": "pairs",
    "Conversion": "conversion",
    "convert": "conversion",
    "ScoreBounds": "results",
    "gate": "gating",
    "Decision": "gate_report",
    "GateReport": "gate_report",
    "RuleOutcome": "gate_report",
    "renewed_baseline": "gating",
    "Rule": "gate_rules",
    "parse_rule": "gate_rules",
    "read_results": "saved_results",
    "Suite": "suites",
    "read_suite": "suites",
}

__all__ = [
    "DEFAULT_MEASURES",
    "Comparison",
    "Conversion",
    "Decision",
    "Description",
    "Difference",
    "Explanation",
    "FileReport",
    "GateReport",
    "InputError",
    "Measure",
    "MeasureError",
    "Method",
    "Pair",
    "Qrels",
    "RankevalError",
    "Reading",
    "Results",
    "Rule",
    "RuleOutcome",
    "RunResult",
    "Score",
    "ScoreBounds",
    "Settings",
    "Suite",
    "TopicRanking",
    "UsageError",
    "__version__",
    "check",
    "compare",
    "convert",
    "describe",
    "diff",
    "evaluate",
    "explain",
    "find_measures",
    "gate",
    "load_plugin",
    "measure",
    "parse_measure",
    "parse_measures",
    "parse_rule",
    "read_groups",
    "read_qrels",
    "read_results",
    "read_suite",
    "read_weights",
    "renewed_baseline",
    "search_measures",
    "topic_measure",
    "worked_example",
]


def __getattr__(name: str) -> object:
    """Import a public name from its module when it is first used: `import rankeval` is quick."""
    if name not in _HOME:
        raise AttributeError(f"module 'rankeval' has no attribute '{name}'")
    from importlib import import_module

    value: object = getattr(import_module(f"rankeval.{_HOME[name]}"), name)
    globals()[name] = value
    return value
