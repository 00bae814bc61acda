"""What users of other tools write works, or its error says what to write here."""

import re

import pytest

import rankeval
from rankeval import AP, Evaluator, Qrels, Run, evaluate

QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 1, "d4": 1}}
RUN = {"q1": {"d1": 1.0, "d2": 0.5, "d3": 0.2}, "q2": {"d4": 1.0, "d9": 0.5}}
RESULTS = evaluate(QRELS, RUN, "AP P@2")
TWO = evaluate(QRELS, {"a": RUN, "b": RUN}, "AP")


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("MRR", "RR"),
        ("MAP", "AP"),
        ("NDCG", "nDCG"),
        ("ndcg", "nDCG"),
        ("Precision", "P"),
        ("Recall", "R"),
        ("HitRate", "Success"),
        ("ERR_IA", "ERR_IA"),
        ("ContextPrecision", "AP(norm='ret')"),
    ],
)
def test_measures_have_the_names_of_other_tools(name, measure):
    assert str(getattr(rankeval, name)) == measure
    assert str(getattr(rankeval.measures, name)) == measure


def test_functions_of_other_tools_that_do_the_same(tmp_path):
    path = tmp_path / "one.qrels"
    Qrels(QRELS).save(path)

    found = rankeval.RelevanceEvaluator(QRELS, {"map"}).evaluate(RUN)

    assert found["q2"]["map"] == 0.5
    assert "map" in rankeval.supported_measures
    assert rankeval.compat.pytrec_eval.RelevanceEvaluator is rankeval.RelevanceEvaluator
    assert rankeval.read_qrels(path) == Qrels.from_file(path) == Qrels.from_dict(QRELS)
    assert Run.from_df(Run(RUN).to_frame()) == Run(RUN)
    assert Run(RUN).to_pandas().equals(Run(RUN).to_frame())
    means = {"map": pytest.approx((5 / 6 + 1 / 2) / 2)}
    assert Evaluator(QRELS, ["map"])(RUN) == Evaluator(QRELS, "map").mean(RUN) == means
    assert rankeval.measures() == rankeval.measures.definitions()
    assert rankeval.judges.agreement is rankeval.judges
    assert TWO.compare()["b", "AP"].p_value == TWO.compare().results[0].p
    Run(RUN).to_csv(tmp_path / "one.csv")
    assert Run(tmp_path / "one.csv") == RUN


def test_the_score_of_one_run_is_found_by_its_measure():
    assert RESULTS["AP"] is RESULTS["run"]["AP"]
    assert RESULTS["map"] is RESULTS["run"]["AP"]
    assert float(RESULTS["P@2"]) == 0.5
    assert list(RESULTS) == ["run"]
    with pytest.raises(KeyError, match=r"a score of a run is results\['a'\]\['AP'\]"):
        TWO["AP"]
    with pytest.raises(KeyError, match=r"results\['run'\]\['AP'\].per_topic\['q1'\]"):
        RESULTS["q1"]
    assert RESULTS["AP"]["q1"] == RESULTS["run", "AP", "q1"] == RESULTS["AP"].per_query["q1"]
    with pytest.raises(KeyError, match=r"\[MEASURE\]\['q1'\]"):
        RESULTS["run"]["q1"]
    with pytest.raises(KeyError, match=r"results.runs\[0\]"):
        TWO[0]
    with pytest.raises(KeyError, match=r"write \['RUN', 'MEASURE'\]"):
        TWO.compare()["AP"]
    with pytest.raises(KeyError, match=r"no run 'x'; there is a, b\"$"):
        TWO["x"]


def test_results_are_texts_and_files_as_tables_of_pandas_are(tmp_path):
    csv, json = tmp_path / "one.txt", tmp_path / "two.txt"

    assert RESULTS.to_csv(csv) is RESULTS.to_json(json) is None
    assert csv.read_text() == RESULTS.to_csv()
    assert json.read_text() == RESULTS.to_json()
    assert RESULTS.to_csv().splitlines()[1:] == [
        f"run,AP,all,{float(RESULTS['AP'])!r}",
        "run,P@2,all,0.5",
    ]
    assert rankeval.load(json)["run"]["AP"].per_topic == RESULTS["AP"].per_topic


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        (lambda: rankeval.calc_aggregate, "rankeval.evaluate(qrels, runs, measures)"),
        (lambda: rankeval.metrics, "rankeval.measures"),
        (lambda: rankeval.ndcg_score, "Run.from_topk"),
        (lambda: RESULTS.df, "to_frame()"),
        (lambda: RESULTS.plot, "rankeval.plot("),
        (lambda: RESULTS.per_query, "to_dict(per_topic=True)"),
        (lambda: AP.calc_aggregate, "rankeval.evaluate("),
        (lambda: RESULTS.AP, "write ['AP'] instead of .AP"),
        (lambda: RESULTS["run"].per_query, "to_dict(per_topic=True)"),
        (lambda: RESULTS.names, "list("),
        (lambda: RESULTS["AP"].to_df, "results.to_frame()"),
        (lambda: TWO.compare().p_values, "['RUN', 'MEASURE'].p"),
        (lambda: Run(RUN).merge, "{**run,"),
        (lambda: Run(RUN).topk, "nDCG@10"),
        (lambda: rankeval.rrf, "rankeval.fuse("),
        (lambda: rankeval.cohen_kappa_score, "rankeval.judges("),
        (lambda: Qrels(QRELS).set_relevance_level, "min_grade=2"),
        (lambda: Evaluator(QRELS, "AP").calc_aggregate, "means(run)"),
    ],
)
def test_an_unknown_attribute_names_the_way(written, hint):
    with pytest.raises(AttributeError, match=re.escape(hint)):
        written()


@pytest.mark.parametrize(
    ("keyword", "hint"),
    [
        ("metrics", "did you mean 'measures'?"),
        ("k", "a cutoff is part of a measure, as in 'nDCG@10'"),
        ("n_jobs", "did you mean 'jobs'?"),
        ("rel", "did you mean 'min_grade'?"),
        ("per_topic", "to_dict(per_topic=True)"),
        ("relevance_level", "did you mean 'min_grade'?"),
        ("catalog", "items=rankeval.options.Items("),
        ("run", "did you mean 'runs'?"),
    ],
)
def test_an_unknown_keyword_names_the_way(keyword, hint):
    with pytest.raises(TypeError, match=re.escape(hint)):
        evaluate(QRELS, RUN, "AP", **{keyword: 1})


def test_a_name_goes_with_its_run_in_every_comparison():
    old, new = {"old": RUN}, {"new": {"q1": {"d3": 1.0}, "q2": {"d9": 1.0, "d1": 0.5}}}

    difference = rankeval.diff(QRELS, old, new, "AP")
    (explanation,) = rankeval.explain(QRELS, old, "q1", "AP")
    gate = rankeval.gate(QRELS, old, new, ["max-drop AP=5%"])
    compared = rankeval.compare(QRELS, old, new, "AP")

    assert (difference.a.name, difference.b.name) == ("old", "new")
    assert explanation.run == "old"
    assert (gate.judged[0].baseline.name, gate.outcomes[0].run) == ("old", "new")
    assert [run.name for run in compared.runs] == ["old", "new"]
    with pytest.raises(rankeval.UsageError, match="found 2 runs"):
        rankeval.diff(QRELS, {**old, **new}, new, "AP")


def test_several_runs_where_one_belongs_are_told_how_they_are_compared():
    runs = {"a": RUN, "b": RUN}

    with pytest.raises(rankeval.UsageError, match=r"evaluate\(qrels, runs, measures\).compare"):
        rankeval.compare(QRELS, runs, "AP")
    assert rankeval.evaluate(QRELS, runs, "AP").compare().pairs
    assert len(rankeval.pool([RUN, RUN], 2)) == 4
