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
from rankeval.errors import RankevalError, UsageError
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


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """Calls that are right, by name: a function and its arguments."""
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
    both = {"qrels": QRELS, "runs": RUNS}
    return {
        rankeval.Evaluator: {"qrels": QRELS},
        rankeval.Qrels: {"source": QRELS},
        rankeval.Run: {"source": RUN},
        rankeval.Run.from_topk: {"ids": [[1, 2]]},
        rankeval.Seeds: {"runs": [RUN, OTHER]},
        rankeval.check: {"paths": "q.txt"},
        rankeval.compare: {"qrels": QRELS, "baseline": RUN, "runs": OTHER},
        rankeval.convert: {"source": "r.txt", "target": "out.txt", "to": "trec"},
        rankeval.describe: {"name": "AP"},
        rankeval.diff: {"qrels": QRELS, "a": RUN, "b": OTHER},
        rankeval.estimate: {"human": QRELS, "runs": RUN, "machine": QRELS},
        rankeval.evaluate: {"qrels": QRELS, "runs": RUN},
        rankeval.explain: {"qrels": QRELS, "run": RUN, "topic": "q1"},
        rankeval.fuse: {"runs": [RUN, OTHER]},
        rankeval.gate: {
            "qrels": QRELS,
            "baseline": RUN,
            "candidates": OTHER,
            "rules": "min AP=0.1",
        },
        rankeval.init: {
            "qrels": "q.txt",
            "production": "r.txt",
            "candidate": "r.txt",
            "requirement": "rankeval-ir",
        },
        rankeval.judges: {"judgments": [QRELS, QRELS]},
        rankeval.load: {"path": "results.json"},
        rankeval.nuggets: {"files": "n.jsonl"},
        rankeval.parse_measure: {"text": "AP"},
        rankeval.plot: {"kind": "pr", "results": QRELS, "runs": RUN},
        rankeval.pool: {"runs": [RUN, OTHER], "depth": 5},
        rankeval.report: both,
        rankeval.systems: both,
        rankeval.topics: both,
        options.parse_rule: {"text": "min AP=0.1"},
        options.read_weights: {"path": "w.txt"},
        options.read_groups: {"path": "w.txt"},
        advanced.evaluate_collections: {"collections": [collection]},
        advanced.tune_fusion: {"qrels": QRELS, "runs": [RUN, OTHER], "folds": 2},
        advanced.worked_example: {"one": rankeval.describe("AP")},
        **{getattr(options, name): {} for name in OPTIONS},
        evaluator.means: {"run": RUN},
        evaluator.per_topic: {"run": RUN},
        evaluator.evaluate: {"runs": RUN},
        evaluator.merge: {"other": rankeval.Evaluator(QRELS, "AP")},
        results.to_frame: {},
        results.to_markdown: {},
        results.to_latex: {},
        results.save: {"path": "other.json"},
        results.best: {"measure": "AP"},
        results.to_dict: {},
        results.compare: {},
        stats.adjust_p_values: {"p_values": VALUES},
        stats.bootstrap_ranks: {"gains": TABLE},
        stats.cohen_kappa: {"first": [0, 1, 1], "second": [0, 1, 0]},
        stats.cohens_dz: {"differences": VALUES},
        stats.confidence_interval: {"differences": VALUES},
        stats.confidence_intervals: {"differences": TABLE},
        stats.dunnett: {"values": TABLE},
        stats.equivalence_test: {"differences": VALUES, "margin": 0.1},
        stats.equivalence_verdict: {"baseline": VALUES, "candidate": MORE, "margin": 0.1},
        stats.excess_p_values: {"excess": VALUES, "least": -1.0},
        stats.friedman: {"values": TABLE},
        stats.gate_verdict: {"baseline": VALUES, "candidate": MORE, "limit": 0.1},
        stats.gwet_ac: {"values": [[0, 1, 1], [0, 1, 0]]},
        stats.kendall_tau_of_values: {"first": VALUES, "second": MORE},
        stats.krippendorff_alpha: {"values": [[0, 1, 1], [0, 1, 0]]},
        stats.log_capital: {"values": VALUES, "least": -1.0},
        stats.nemenyi: {"values": TABLE},
        stats.paired_differences: {"baseline": VALUES, "candidate": MORE},
        stats.paired_test: {"differences": VALUES},
        stats.paired_tests: {"differences": TABLE},
        stats.posterior_probabilities: {"differences": VALUES},
        stats.posterior_ranks: {"gains": TABLE},
        stats.power_of_t: {"n_topics": 9, "difference": 0.1, "standard_deviation": 0.1},
        stats.randomized_tukey_hsd: {"values": TABLE},
        stats.rbo: {"first": ["a", "b"], "second": ["b", "a"]},
        stats.smallest_difference: {"n_topics": 9, "standard_deviation": 0.1},
        stats.summarize_differences: {"baseline": VALUES, "candidate": MORE},
        stats.tau_ap: {"ranking": ["a", "b"], "truth": ["b", "a"]},
        stats.topics_needed: {"difference": 0.1, "standard_deviation": 0.1},
        stats.tukey_hsd: {"values": TABLE},
        stats.two_way_anova: {"values": TABLE},
    }


OPTIONS = ("Decision", "Method", "RunNames", "Settings")

LATER = {
    *("measure", "load_plugin", "output_format"),
    *("read_suite", "read_suites", "gate_suite", "gate_suites", "renewed_baseline"),
    "read_collections",
}
"""Functions of suites, collections and plugins, which are not called here."""


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


def test_every_public_function_is_called(calls):
    called = {getattr(one, "__qualname__", "").rpartition(".")[2] for one in calls}
    functions = {name.rpartition(".")[2] for name, one in PUBLIC.items() if inspect.isfunction(one)}

    assert functions - called == LATER & functions


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rankeval.Qrels(QRELS, duplicates="bset"), "did you mean 'best'?"),
        (lambda: options.Settings(judged_only="false"), "judged_only is 'false' (str)"),
        (lambda: options.Settings(topics="juged"), "did you mean 'judged'?"),
        (lambda: options.Method(test="wilcoxn"), "did you mean 'wilcoxon'?"),
        (lambda: options.Method(seed="x"), "seed is"),
        (lambda: rankeval.evaluate(QRELS, RUN, run_names=5), "run_names is 5"),
        (lambda: rankeval.gate(QRELS, RUN, RUN, "min AP=0", decision="x"), "decision is"),
        (lambda: rankeval.gate(QRELS, RUN, RUN, "min AP=0", golden=5), "golden is 5"),
        (lambda: rankeval.diff(QRELS, RUN, RUN, top=1.5), "top is 1.5"),
        (lambda: rankeval.diff(QRELS, RUN, RUN, text="windw"), "did you mean 'window'?"),
        (lambda: rankeval.report(QRELS, RUN, alpha="x"), "alpha is"),
        (lambda: rankeval.Run(RUN, format="trek"), "trek"),
        (lambda: rankeval.Run(RUN, columns={"topc": "user"}), "topc"),
    ],
)  # fmt: skip
def test_a_typo_is_never_a_default(call, said):
    with pytest.raises(UsageError) as error:
        call()

    assert said in str(error.value)


def test_numbers_of_numpy_are_numbers():
    settings = options.Settings(depth=np.int64(1), min_grade=np.float32(1), judged_only=np.bool_(1))

    assert settings == options.Settings(depth=1, min_grade=1, judged_only=True)
    assert [type(settings.depth), type(settings.judged_only)] == [int, bool]
    assert options.Method(seed=np.int32(3), alpha=np.float64(0.01)).seed == 3


def test_words_are_those_of_the_shell():
    assert options.Method(correction="bh").correction is stats.Correction.BENJAMINI_HOCHBERG
    assert options.Decision(policy="not-shown-worse").policy is stats.GatePolicy.NOT_SHOWN_WORSE


def test_an_unknown_keyword_is_refused_with_the_nearest_one():
    with pytest.raises(TypeError, match="did you mean 'measures'"):
        rankeval.evaluate(QRELS, RUN, metrics="AP")
    with pytest.raises(TypeError, match="a cutoff is part of a measure, as in 'nDCG@10'"):
        rankeval.evaluate(QRELS, RUN, "nDCG", k=10)
    with pytest.raises(TypeError, match="did you mean 'topics'"):
        rankeval.evaluate(QRELS, RUN, topcs="both")
    with pytest.raises(TypeError, match="did you mean 'weights'"):
        rankeval.fuse([RUN, OTHER], wieghts=[1, 2])
