"""What callers give wrongly to public functions and option classes is refused, and named.

Every parameter of every public function gets values that its annotated type does not allow; what
these are is written down here, for each type.
"""

import inspect
import re

import numpy as np
import pytest

import rankeval
from rankeval import advanced, options, stats
from rankeval.base.checked import checked
from rankeval.errors import RankevalError
from tests.support.public_names import PUBLIC

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
RUN = {"q1": {"d1": 0.3, "d2": 0.8}, "q2": {"d3": 1.0}}
OTHER = {"q1": {"d1": 0.9, "d2": 0.8}, "q2": {"d3": 1.0}}
RUNS = {"a": RUN, "b": OTHER}
VALUES, MORE = [0.1, 0.5, 0.2, 0.7], [0.3, 0.4, 0.3, 0.9]
TABLE = [[0.1, 0.5, 0.3], [0.2, 0.3, 0.4], [0.6, 0.5, 0.3], [0.2, 0.8, 0.4]]


class Strange:
    """What no parameter takes."""


WRONG = {
    "int": [1.5, "3", True, None],
    "float": ["0.5", True, None],
    "bool": ["false", 0, None],
    "str": [5, True, None],
    "int | None": [1.5, "3", True],
    "float | None": ["0.5", True],
    "str | None": [5, True],
    "Sequence[str]": ["name", [5]],
    "Sequence[int] | None": ["3", [1.5], [True]],
    "Sequence[float] | None": ["3", ["0.5"], [True]],
    "Mapping[str, float]": [5, ["a"], {"a": "0.5"}],
    "Mapping[str, str] | None": [5, ["a"], {"topic": 5}],
}
"""Values that are wrong for a type."""

CHOICES = re.compile(
    r"Literal|TestName|Correction|Bound|GatePolicy|IntervalMethod|Duplicates|Rule\b"
)


def wrong_for(annotation):
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    values = [Strange(), *WRONG.get(text.removeprefix("collections.abc."), [])]
    return [*values, "no such word"] if CHOICES.search(text) else values


OPTIONS = ("Decision", "Method", "RunNames", "Settings")

LATER = {
    *("measure", "load_plugin"),
    *("read_suite", "read_suites", "gate_suite", "gate_suites", "renewed_baseline"),
    *("read_collections", "gate_passes", "gate_verdicts"),
}
"""Functions of suites, collections, plugins and verdicts, which are not called here."""

ARGUMENTS = {
    "qrels": QRELS,
    "runs": RUNS,
    "run": RUN,
    "a": RUN,
    "b": OTHER,
    "baseline": RUN,
    "topic": "q1",
    "measure": "AP",
    "ids": [[1, 2]],
    "candidates": OTHER,
    "rules": "min AP=0.1",
    "judgments": [QRELS, QRELS],
    "human": QRELS,
    "machine": QRELS,
    "paths": "q.txt",
    "production": "r.txt",
    "candidate": "r.txt",
    "files": "n.jsonl",
    "values": TABLE,
    "gains": TABLE,
    "differences": VALUES,
    "p_values": VALUES,
    "first": [0, 1, 1],
    "second": [0, 1, 0],
    "excess": VALUES,
    "least": -1.0,
    "ranking": ["a", "b"],
    "truth": ["b", "a"],
    "n_topics": 9,
    "standard_deviation": 0.1,
    "margin": 0.1,
    "limit": 0.1,
    "difference": 0.1,
}
"""Arguments that are right, by the names of parameters."""

PAIR = {"baseline": VALUES, "candidate": MORE}
RATINGS = {"values": [[0, 1, 1], [0, 1, 0]]}


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """Calls that are right: functions and their arguments, where those by name do not do."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.txt").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n")
    (tmp_path / "r.txt").write_text("q1 Q0 d1 1 .8 a\nq1 Q0 d2 2 .5 a\nq2 Q0 d3 1 1 a\n")
    (tmp_path / "w.txt").write_text("q1 1\nq2 2\n")
    (tmp_path / "n.jsonl").write_text(
        '{"qid": "q1", "nuggets": [{"text": "x", "importance": "vital", "assignment": "support"}]}'
    )
    results = rankeval.evaluate(QRELS, RUNS, "AP")
    results.save("results.json")
    evaluator = rankeval.Evaluator(QRELS, "AP")
    collection = options.Collection("c", "q.txt", {"a": "r.txt"})
    special = {
        rankeval.Qrels: {"source": QRELS},
        rankeval.Run: {"source": RUN},
        rankeval.Seeds: {"runs": [RUN, OTHER]},
        rankeval.compare: {"runs": OTHER},
        rankeval.convert: {"source": "r.txt", "target": "out.txt", "to": "trec"},
        rankeval.describe: {"name": "AP"},
        rankeval.init: {"qrels": "q.txt", "requirement": "rankeval-ir"},
        rankeval.load: {"path": "results.json"},
        rankeval.parse_measure: {"text": "AP"},
        rankeval.plot: {"kind": "pr", "results": QRELS, "runs": RUN},
        rankeval.pool: {"depth": 5},
        options.parse_rule: {"text": "min AP=0.1"},
        options.read_weights: {"path": "w.txt"},
        options.read_groups: {"path": "w.txt"},
        advanced.evaluate_collections: {"collections": [collection]},
        advanced.tune_fusion: {"folds": 2},
        advanced.worked_example: {"one": rankeval.describe("AP")},
        results.save: {"path": "other.json"},
        **dict.fromkeys((stats.equivalence_verdict, stats.gate_verdict), PAIR),
        **dict.fromkeys((stats.paired_differences, stats.summarize_differences), PAIR),
        **dict.fromkeys((stats.gwet_ac, stats.krippendorff_alpha), RATINGS),
        stats.kendall_tau_of_values: {"first": VALUES, "second": MORE},
        stats.log_capital: {"values": VALUES},
        stats.rbo: {"first": ["a", "b"], "second": ["b", "a"]},
        stats.confidence_intervals: {"differences": TABLE},
        stats.paired_tests: {"differences": TABLE},
    }
    functions = [one for name, one in PUBLIC.items() if inspect.isfunction(one)]
    functions += [one for name in stats.__all__ if inspect.isfunction(one := getattr(stats, name))]
    every = [
        *(one for one in functions if one.__name__ not in LATER),
        *(rankeval.Evaluator, rankeval.Run.from_topk, *map(options.__dict__.get, OPTIONS)),
        *(evaluator.means, evaluator.per_topic, evaluator.evaluate),
        *(results.to_frame, results.to_markdown, results.to_latex, results.best),
        *(results.to_dict, results.compare, *special),
    ]
    return {one: _arguments(one) | special.get(one, {}) for one in every}


def _arguments(function):
    """Arguments for the parameters that are required, by their names."""
    parameters = inspect.signature(function).parameters.values()
    required = [p.name for p in parameters if p.default is p.empty and p.kind != p.VAR_KEYWORD]
    return {name: ARGUMENTS[name] for name in required if name in ARGUMENTS}


def test_every_wrong_type_is_refused_by_an_error_of_ours(calls):
    passed, inside, unnamed = [], [], []
    for function, right in calls.items():
        function(**right)
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                continue
            for value in wrong_for(parameter.annotation):
                where = f"{getattr(function, '__qualname__', function)}({name}={value!r})"
                try:
                    function(**{**right, name: value})
                except RankevalError as error:
                    if isinstance(value, Strange) and name not in str(error).replace("p-v", "p_v"):
                        unnamed.append(f"{where}: {error}")
                except Exception as error:  # noqa: BLE001
                    inside.append(f"{where}: {type(error).__name__}: {error}")
                else:
                    passed.append(where)

    assert (passed, inside, unnamed) == ([], [], [])


def test_numbers_of_numpy_are_numbers():
    settings = options.Settings(depth=np.int64(1), min_grade=np.float32(1), judged_only=np.bool_(1))

    assert settings == options.Settings(depth=1, min_grade=1, judged_only=True)
    assert [type(settings.depth), type(settings.judged_only)] == [int, bool]
    assert options.Method(seed=np.int32(3), alpha=np.float64(0.01)).seed == 3


def test_words_are_those_of_the_shell():
    assert options.Method(correction="bh").correction is stats.Correction.BENJAMINI_HOCHBERG
    assert options.Decision(policy="not-shown-worse").policy is stats.GatePolicy.NOT_SHOWN_WORSE


def test_values_in_lists_may_compare_by_element():
    class Column:  # noqa: PLW1641  never hashed
        def __eq__(self, other):
            return np.array([True, False])

    @checked
    def number_of(columns: list[Column]) -> int:
        return len(columns)

    assert number_of([Column(), Column()]) == 2
