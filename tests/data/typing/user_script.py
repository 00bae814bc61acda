"""A user's script that uses every public name, for `mypy --strict`."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import rankeval
from rankeval import AP, P, nDCG
from rankeval.measures import ARP, ILD, MIUF, Coverage

MEASURES: tuple[rankeval.Measure, ...] = (AP, P, nDCG, ARP, ILD, MIUF, Coverage)

QRELS: dict[str, dict[str, int]] = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
BM25: dict[str, dict[str, float]] = {"q1": {"d2": 0.8, "d1": 0.3}, "q2": {"d3": 1.0}}
DENSE: dict[str, dict[str, float]] = {"q1": {"d1": 0.8, "d2": 0.3}, "q2": {"d3": 1.0}}


def inputs(path: Path) -> list[rankeval.options.RunLike]:
    """Return a run of every kind."""
    frame = pd.DataFrame({"qid": ["q1"], "docno": ["d1"], "score": [0.5]})
    return [
        path,
        str(path),
        io.StringIO("q1 Q0 d1 1 0.5 tag\n"),
        BM25,
        frame,
        {"topic": ["q1"], "docno": ["d1"], "score": [0.5]},
        {"topic": np.array(["q1"]), "docno": np.array(["d1"]), "score": np.array([0.5])},
        [("q1", "d1", 0.5)],
        (row for row in [("q1", "d1", 0.5)]),
        rankeval.Run.from_topk([[1, 2]]),
    ]


def evaluations() -> rankeval.Results:
    """Evaluate in every way, and look values up."""
    qrels: rankeval.options.QrelsLike = QRELS
    runs: rankeval.options.RunsLike = {"bm25": BM25, "dense": rankeval.Seeds([DENSE, DENSE])}
    measures: rankeval.options.MeasuresLike = ["map", nDCG @ 10, AP(rel=2) @ 100]
    settings = rankeval.options.Settings(topics="both")
    results = rankeval.evaluate(
        qrels, runs, measures, settings, run_names=rankeval.options.RunNames()
    )
    rankeval.evaluate(QRELS, rankeval.fuse([BM25, DENSE]), "map")
    tuning: rankeval.types.Tuning
    fused, tuning = rankeval.advanced.tune_fusion(QRELS, [BM25, DENSE], folds=2)
    assert rankeval.evaluate(QRELS, fused) and tuning.folds and tuning.held_out
    answers = [{"qid": "q1", "nuggets": [{"importance": "vital", "assignment": "support"}]}]
    scored: rankeval.Results = rankeval.nuggets({"mine": answers})
    assert scored["mine", "vital_score"].mean == 1 and rankeval.nuggets([answers]).runs
    pooled: rankeval.types.Pool = rankeval.pool([BM25, DENSE], depth=10)
    assert len(pooled)
    rankeval.evaluate(QRELS, [BM25, DENSE], "map", duplicates="best")
    rankeval.evaluate(rankeval.Qrels(QRELS), BM25, rankeval.options.DEFAULT_MEASURES)
    lists = rankeval.Run.from_topk([[1, 2], [2, 3]])
    items = rankeval.options.Items(train={0: [1], 1: [1, 2]}, catalog=4)
    given = rankeval.Evaluator({0: {1: 1}}, [Coverage @ 2, MIUF @ 2], items=items)
    known = rankeval.options.Items(features={"d1": {"length": 3}})
    rankeval.evaluate(QRELS, BM25, ILD @ 2, items=known)
    known = rankeval.options.Items(train=np.array([[1, 2]]), exclude_seen=True)
    rankeval.evaluate(QRELS, BM25, ARP @ 2, items=known)
    assert given.means(lists)
    assert results["bm25"]["map"].rule != "whole run"
    run: rankeval.types.RunResult = results["bm25"]
    score: rankeval.types.Score = run[nDCG @ 10]
    value: float = score.mean + score.per_topic["q1"] + run["map"].aggregate
    bounds: rankeval.types.ScoreBounds | None = score.bounds
    frame: pd.DataFrame = results.to_frame(per_topic=True)
    text: str = results.to_markdown(digits=3) + results.to_latex(caption="Means")
    assert value > 0 and bounds is None and len(frame) and text
    for one in results.values():
        assert [found.measure for found in one.values()]
    results.save("results.json")
    assert len(rankeval.load("results.json")) == len(rankeval.load("results.json"))
    return results


def loops() -> None:
    """Score many runs against the same judgments."""
    evaluator = rankeval.Evaluator(QRELS, [P @ 5, "recip_rank"])
    means: dict[str, float] = evaluator.means(BM25)
    by_topic: dict[str, dict[str, float]] = evaluator.per_topic(BM25)
    evaluator.update(["d1", "d2"], [0.5, 0.25], topics="q1")
    total: float = evaluator.compute()["run", "P@5"]
    top: rankeval.Run = rankeval.Run.from_topk(np.array([[1, 2]]), topics=[7])
    assert means and by_topic and total >= 0 and len(top)


def comparisons(results: rankeval.Results) -> None:
    """Compare, gate, explain and diff."""
    comparison: rankeval.types.Comparison = results.compare(baseline="bm25", alpha=0.01)
    other: rankeval.types.Comparison = rankeval.compare(QRELS, BM25, [DENSE], nDCG @ 10)
    pair: rankeval.types.Pair = results.compare().pairs[0]
    picture: rankeval.types.Picture = rankeval.plot("ranks", results, size="column")
    numbers: pd.DataFrame = picture.to_frame()
    page: rankeval.types.Report = rankeval.report(QRELS, [BM25, DENSE], AP, alpha=0.1)
    assert len(numbers) and page.results.runs
    p_value: float | None = pair.p
    rule: rankeval.options.Rule = rankeval.options.parse_rule("min nDCG@10=0.1")
    decision = rankeval.options.Decision()
    report: rankeval.types.GateReport = rankeval.gate(QRELS, BM25, DENSE, [rule], decision=decision)
    outcome: rankeval.types.RuleOutcome = report.outcomes[0]
    explanation: rankeval.types.Explanation = rankeval.explain(QRELS, BM25, "q1", AP)[0]
    difference: rankeval.types.Difference = rankeval.diff(QRELS, BM25, DENSE, nDCG @ 10)
    judged: rankeval.types.JudgesReport = rankeval.judges([QRELS, QRELS], [BM25, DENSE], "AP")
    assert len(judged.judges) == 2
    estimated: rankeval.types.EstimateReport = rankeval.estimate(
        QRELS, [BM25, DENSE], "AP", machine=QRELS
    )
    assert len(estimated.differences) == 1
    described: rankeval.types.SystemsReport = rankeval.systems(
        QRELS, [BM25, DENSE], "AP", alpha=0.01
    )
    assert len(described.systems) == 2
    topics: rankeval.types.TopicsReport = rankeval.topics(QRELS, [BM25, DENSE], "AP")
    assert topics.measures[0].measure == "AP"
    assert outcome.passed and explanation.value > 0 and difference.measures[0].topics
    assert p_value is None or p_value >= 0
    assert comparison.to_latex() and other.to_markdown()


def files() -> None:
    """Read, check and convert files, and gate by a suite."""
    Path("qrels.txt").write_text("q1 0 d1 1\n", encoding="utf-8")
    Path("new.run").write_text("q1 Q0 d1 1 0.5 new\n", encoding="utf-8")
    Path("groups.tsv").write_text("q1\thard\n", encoding="utf-8")
    Path("weights.tsv").write_text("q1\t2\n", encoding="utf-8")
    Path("web").mkdir()
    ready_gate: rankeval.types.NewGate = rankeval.init(
        "qrels.txt", "new.run", "next.run", requirement="rankeval-ir"
    )
    assert ready_gate.written and ready_gate.results.runs
    rules = "rules.max-drop = {'nDCG@10' = '2%'}\n"
    named = "qrels = 'qrels.txt'\nbaseline = 'baseline.json'\nruns = ['new.run']\n"
    Path("rankeval.toml").write_text(named + rules, encoding="utf-8")
    qrels: rankeval.Qrels = rankeval.Qrels(Path("qrels.txt"))
    report: rankeval.types.FileReport = rankeval.check(["qrels.txt", "new.run"])[0]
    conversion: rankeval.types.Conversion = rankeval.convert("new.run", "new.jsonl")
    (suite,) = rankeval.options.read_suites()
    renewed: rankeval.Results = rankeval.advanced.renewed_baseline(suite)
    renewed.save("baseline.json")
    table = "[collection.a]\nqrels = 'qrels.txt'\nruns = { new = 'new.run' }\n"
    Path("beir.toml").write_text(table, encoding="utf-8")
    collections: tuple[rankeval.options.Collection, ...] = rankeval.options.read_collections(
        "beir.toml"
    )
    found: rankeval.Results = rankeval.advanced.evaluate_collections(collections, "AP")
    assert found.parts["a"].runs and found["new", "AP"].mean
    renewed.save("baseline.json")
    Path("rankeval.toml").write_text(f"{named}[suite.nightly]\n{rules}", encoding="utf-8")
    suites: tuple[rankeval.options.Suite, ...] = rankeval.options.read_suites()
    night: rankeval.types.GateReport = rankeval.advanced.gate_suites(suites)
    failed = [one.problem for one in night.suites if isinstance(one, rankeval.types.GateFailure)]
    judged: tuple[rankeval.types.JudgedSuite, ...] = night.judged
    assert judged[0].passed and not failed
    groups, weights = (
        rankeval.options.read_groups("groups.tsv"),
        rankeval.options.read_weights("weights.tsv"),
    )
    for run in inputs(Path("new.run"))[:2]:
        rankeval.evaluate(qrels, run, "AP", weights=weights, groups=groups)
    assert report.what == "qrels" and conversion.lines == 1 and renewed.runs


def measures() -> None:
    """Describe measures, and add some."""
    description: rankeval.types.Description = rankeval.describe("nDCG@10")
    example = rankeval.advanced.worked_example(description)
    assert example is not None and example.value >= 0
    assert rankeval.parse_measure("ndcg_cut_10") == nDCG @ 10 == rankeval.nDCG @ 10

    @rankeval.measure("MyFound", high=float("inf"))
    def found(topic: rankeval.TopicRanking) -> float:
        """Number of judged documents that were found."""
        return float((topic.grades >= 0).sum())

    def first(judged: Any) -> Any:
        """Whether the first document is judged."""
        return judged.sum_per_topic((judged.rank == 1) * 1.0)

    rankeval.measure("MyFirst")(first)

    Path("plugin.py").write_text(
        'import rankeval\n\n\n@rankeval.measure("MyPlugin")\ndef none(topic):\n'
        '    "Nothing."\n    return 0.0\n',
        encoding="utf-8",
    )
    assert rankeval.load_plugin("plugin.py") == ("MyPlugin",)


def guesses() -> None:
    """Write what users of other libraries would, without looking it up."""
    run, qrels = rankeval.Run(BM25, name="bm25"), rankeval.Qrels(QRELS)
    plain: dict[str, dict[str, float]] = {topic: dict(scores) for topic, scores in run.items()}
    first: float = run["q1"]["d2"]
    grades: dict[str, float] = dict(qrels["q1"])
    topics: list[str] = [*run, *run.keys(), *qrels.keys()]
    assert "q1" in run and len(run) == len(qrels) == 2 and run.get("q7") is None
    assert plain == BM25 and run == BM25 and run == rankeval.Run(BM25) and qrels == QRELS
    assert first == max(run["q1"].values()) and grades["d1"] == 1 and topics
    run_frame: pd.DataFrame = run.to_frame()
    qrels_frame: pd.DataFrame = qrels.to_frame()
    assert rankeval.Run(run_frame) == run and rankeval.Qrels(qrels_frame) == qrels
    run.save("guess.run")
    qrels.save(Path("guess.qrels"))
    assert rankeval.Run("guess.run") == run and rankeval.Qrels(Path("guess.qrels")) == qrels
    fused: rankeval.Run = rankeval.fuse([run, DENSE], "combsum")
    fused.save("fused.json")
    results = rankeval.evaluate(qrels, run, "map ndcg_cut_10 MRR hit_rate@5 Recall@10")
    by_name = rankeval.evaluate(
        qrels=qrels, runs={"bm25": run, "dense": DENSE}, measures=[AP, nDCG @ 10]
    )
    value: float = by_name["dense"]["AP"] + by_name["dense", "AP"] + by_name["bm25"]["map"].mean
    per_topic: Mapping[str, float] = by_name["bm25"][AP].per_topic
    text: str | None = results.to_csv()
    assert value > 0 and per_topic["q1"] and text and results.to_csv("guess.csv") is None
    assert results.to_json() and rankeval.load("results.json")
    assert results.measures and [*results] and dict(results) and results.best("map").name == "bm25"
    assert rankeval.measures.nDCG @ 10 == nDCG @ 10 and rankeval.measures.AP(rel=2) != AP
    assert rankeval.evaluate(qrels, run, "AP", like="pytrec_eval", judged_only=True).runs
    assert rankeval.evaluate(qrels, run, "AP", columns={"topic": "qid"}, on_error="skip").runs
    assert rankeval.evaluate(qrels, run, "AP", duplicates="first", run_format="trec").runs
    assert rankeval.plot(by_name).kind == "forest" and rankeval.plot(QRELS, BM25, "AP").kind == "ci"
    assert rankeval.convert(run, depth=1)["q1"] and rankeval.convert(BM25, "guess.json").lines
    evaluator = rankeval.Evaluator(qrels, [AP, P @ 5])
    assert evaluator.evaluate({"bm25": run, "dense": DENSE})["dense"]["P@5"] >= 0


def errors() -> None:
    """Catch what is raised."""
    try:
        rankeval.evaluate("no such file", BM25)
    except rankeval.InputError as error:
        assert error.problem
    for wrong in (rankeval.MeasureError, rankeval.UsageError):
        assert issubclass(wrong, rankeval.RankevalError)


if __name__ == "__main__":
    evaluated = evaluations()
    loops()
    comparisons(evaluated)
    files()
    measures()
    guesses()
    errors()
    assert all(str(one) for one in MEASURES) and rankeval.__version__
    overlap: float = rankeval.stats.rbo(["a", "b"], ["b", "a"])
    assert overlap and rankeval.compat.__name__
