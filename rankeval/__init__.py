"""Evaluate rankings against relevance judgments.

>>> import rankeval
>>> results = rankeval.evaluate("qrels.txt", ["bm25.run", "dense.run"], "AP nDCG@10")
>>> results.runs[0].scores[0].aggregate
"""

from rankeval.version import __version__

TYPE_CHECKING = False  # as in typing, whose import a start does not wait for
if TYPE_CHECKING:
    from rankeval.alignment.qrels import Qrels, read_qrels
    from rankeval.errors import InputError, MeasureError, RankevalError, UsageError
    from rankeval.evaluation.evaluate import evaluate
    from rankeval.evaluation.prepare import DEFAULT_MEASURES
    from rankeval.evaluation.reading import Reading
    from rankeval.evaluation.results import Results, RunResult, Score, ScoreBounds
    from rankeval.evaluation.saved_results import read_results
    from rankeval.evaluation.settings import Settings
    from rankeval.io.weights_and_groups import read_groups, read_weights
    from rankeval.measures import (
        Measure,
        TopicRanking,
        load_plugin,
        measure,
        parse_measure,
        parse_measures,
        topic_measure,
    )
    from rankeval.render.output_formats import output_format
    from rankeval.tasks.check import FileReport, check
    from rankeval.tasks.compare.compare import Comparison, compare
    from rankeval.tasks.compare.method import Method
    from rankeval.tasks.compare.pairs import Pair
    from rankeval.tasks.convert.convert import Conversion, convert
    from rankeval.tasks.describe import (
        Description,
        describe,
        find_measures,
        search_measures,
        worked_example,
    )
    from rankeval.tasks.diff import Difference, diff
    from rankeval.tasks.explain.explain import explain
    from rankeval.tasks.explain.explanation import Explanation
    from rankeval.tasks.gate.decision import Decision
    from rankeval.tasks.gate.gate import gate, renewed_baseline
    from rankeval.tasks.gate.report import GateReport, RuleOutcome
    from rankeval.tasks.gate.rules import Rule, parse_rule
    from rankeval.tasks.gate.suites import Suite, read_suite

_HOME = {
    "DEFAULT_MEASURES": "evaluation.prepare",
    "Settings": "evaluation.settings",
    "evaluate": "evaluation.evaluate",
    "FileReport": "tasks.check",
    "check": "tasks.check",
    "Description": "tasks.describe",
    "describe": "tasks.describe",
    "find_measures": "tasks.describe",
    "search_measures": "tasks.describe",
    "worked_example": "tasks.describe",
    "Explanation": "tasks.explain.explanation",
    "explain": "tasks.explain.explain",
    "InputError": "errors",
    "MeasureError": "errors",
    "RankevalError": "errors",
    "UsageError": "errors",
    "read_groups": "io.weights_and_groups",
    "read_weights": "io.weights_and_groups",
    "Measure": "measures",
    "TopicRanking": "measures",
    "load_plugin": "measures",
    "measure": "measures",
    "topic_measure": "measures",
    "parse_measure": "measures",
    "parse_measures": "measures",
    "Qrels": "alignment.qrels",
    "read_qrels": "alignment.qrels",
    "Reading": "evaluation.reading",
    "Results": "evaluation.results",
    "RunResult": "evaluation.results",
    "Score": "evaluation.results",
    "diff": "tasks.diff",
    "Difference": "tasks.diff",
    "compare": "tasks.compare.compare",
    "Comparison": "tasks.compare.compare",
    "Method": "tasks.compare.method",
    "Pair": "tasks.compare.pairs",
    "Conversion": "tasks.convert.convert",
    "convert": "tasks.convert.convert",
    "ScoreBounds": "evaluation.results",
    "gate": "tasks.gate.gate",
    "Decision": "tasks.gate.decision",
    "GateReport": "tasks.gate.report",
    "RuleOutcome": "tasks.gate.report",
    "renewed_baseline": "tasks.gate.gate",
    "Rule": "tasks.gate.rules",
    "parse_rule": "tasks.gate.rules",
    "read_results": "evaluation.saved_results",
    "Suite": "tasks.gate.suites",
    "read_suite": "tasks.gate.suites",
    "output_format": "render.output_formats",
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
    "output_format",
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
