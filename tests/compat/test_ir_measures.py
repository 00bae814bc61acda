"""The bridge is ir_measures, with rankeval as the first provider."""

import math

import pandas as pd
import pytest

import rankeval

ir_measures = pytest.importorskip("ir_measures")

QRELS = {"1": {"a": 1, "b": 0, "c": 2, "x": 1}, "2": {"b": 1}, "3": {"a": 1}}
RUN = {"1": {"a": 1.0, "b": 2.0, "c": 0.5, "z": 0.7}, "2": {"a": 1.0, "b": 0.3}}
MEASURES = [
    *["AP", "AP(rel=2)@3", "nDCG@2", "nDCG", "P@2", "R@2", "RR", "Rprec", "Bpref", "SetP", "SetR"],
    *["SetF", "SetF(beta=0.5)", "SetF(beta=2.0)", "SetAP", "Success@1", "IPrec@0.5", "infAP"],
    *["NumQ", "NumRel", "NumRet", "NumRet(rel=1)", "Judged@2", "P(judged_only=True)@2"],
]


@pytest.fixture
def bridge():
    """The bridge as long as a test runs; other tests use ir_measures as it is."""
    import rankeval.compat.ir_measures as bridge

    providers = ir_measures.DefaultPipeline.providers
    own = ir_measures.providers.registry["rankeval"]
    if own not in providers:
        providers.insert(0, own)
    yield bridge
    providers.remove(own)


@pytest.mark.parametrize("name", MEASURES)
def test_values_are_those_of_pytrec_eval_and_the_others(bridge, name):
    measure = bridge.parse_measure(name)
    others = ir_measures.providers.FallbackProvider(ir_measures.DefaultPipeline.providers[1:])

    assert bridge.DefaultPipeline.providers[0].supports(measure)
    found, expected = (tool.calc([measure], QRELS, RUN) for tool in (bridge, others))

    assert found.aggregated[measure] == pytest.approx(expected.aggregated[measure], abs=1e-12)
    of_topic = {metric.query_id: metric.value for metric in expected.per_query}
    assert {metric.query_id: metric.value for metric in found.per_query} == pytest.approx(of_topic)


def test_every_public_name_is_there(bridge):
    assert set(ir_measures.__all__) <= set(dir(bridge))
    assert bridge.__all__ == ir_measures.__all__


def test_a_measure_of_the_user_goes_to_its_own_provider(bridge):
    mine = ir_measures.define_byquery(lambda _qrels, run: float(len(run)), name="Mine")

    found = bridge.calc_aggregate([mine, bridge.AP], QRELS, RUN)

    assert found[mine] == pytest.approx(6 / 3)
    assert found[bridge.AP] == rankeval.Evaluator(QRELS, "AP").means(RUN)["AP"]


def test_compat_stays_with_its_own_provider(bridge):
    assert not bridge.DefaultPipeline.providers[0].supports(bridge.Compat)


def test_subtopics_are_those_of_the_iteration(bridge):
    qrels = [
        ir_measures.Qrel("1", "a", 1, "s1"),
        ir_measures.Qrel("1", "b", 1, "s1"),
        ir_measures.Qrel("1", "b", 1, "s2"),
    ]
    run = [ir_measures.ScoredDoc("1", "a", 2.0), ir_measures.ScoredDoc("1", "b", 1.0)]

    found = bridge.calc_aggregate([bridge.StRecall @ 1, bridge.P @ 1], qrels, run)

    assert found == {bridge.StRecall @ 1: 0.5, bridge.P @ 1: 1.0}


INVALID = [
    *["nDCG@0", "AP(rel=0)", "AP(rel=1.5)", "RBP(p=2)", "IPrec@2", "Judged@0"],
    *["nDCG(dcg='foo')", "StRecall@0", "SDCG@3", "Compat(p=7)", "alpha_nDCG(alpha=5)@3"],
]


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_measure_leaves_the_others_their_values(bridge, name):
    measure = ir_measures.parse_measure(name)
    others = [bridge.AP, bridge.nDCG @ 2]

    with pytest.warns(UserWarning, match=f"{measure.NAME} has no values"):
        found = bridge.calc_aggregate([bridge.AP, measure, bridge.nDCG @ 2], QRELS, RUN)

    assert math.isnan(found.pop(measure))
    assert found == bridge.calc_aggregate(others, QRELS, RUN)


def test_a_missing_parameter_is_said_to_be_missing(bridge):
    with pytest.warns(UserWarning, match="SDCG has no values, only NaN: a parameter without"):
        bridge.calc_aggregate([bridge.SDCG @ 3], QRELS, RUN)


def test_judgments_without_iterations_are_of_one_subtopic_as_for_pyndeval(bridge):
    pytest.importorskip("pyndeval")
    measures = [bridge.alpha_nDCG @ 5, bridge.StRecall @ 1, bridge.AP]
    others = ir_measures.providers.FallbackProvider(ir_measures.DefaultPipeline.providers[1:])

    found = bridge.calc_aggregate(measures, QRELS, RUN)

    assert found == pytest.approx(others.calc_aggregate(measures, QRELS, RUN), abs=1e-9)


def test_topics_without_accuracy_are_left_out_as_there(bridge):
    measure = bridge.Accuracy(rel=2)
    others = ir_measures.providers.FallbackProvider(ir_measures.DefaultPipeline.providers[1:])

    found, expected = (tool.calc([measure], QRELS, RUN) for tool in (bridge, others))

    assert [metric.query_id for metric in expected.per_query] == ["1"]
    assert sorted(found.per_query) == sorted(expected.per_query)
    assert found.aggregated == expected.aggregated


JUDGED = {"q1": {"d1": 1, "d2": 2}, "q2": {"d3": 1}}
RETRIEVED = {"q1": {"d1": 2.0, "d9": 1.0}, "q2": {"d4": 0.9, "d3": 0.5}}


def test_measures_that_ir_measures_lacks_have_rankevals_values(bridge):
    objects = [rankeval.nDCG @ 10, rankeval.Q, rankeval.NumRet]
    expected = rankeval.evaluate(JUDGED, RETRIEVED, objects, topics="both").runs[0]

    found = bridge.calc_aggregate([bridge.OfRankeval(m) for m in objects], JUDGED, RETRIEVED)

    assert {str(measure): value for measure, value in found.items()} == dict(expected)


def test_experiments_of_pyterrier_take_measures_of_rankeval(bridge):
    pyterrier = pytest.importorskip("pyterrier")
    bridge._enter_pyterrier()
    rows = [(t, d, s, 0, "text") for t, run in RETRIEVED.items() for d, s in run.items()]
    frame = pd.DataFrame(rows, columns=["qid", "docno", "score", "rank", "query"])
    qrels = pd.DataFrame(
        [(t, d, g) for t, grades in JUDGED.items() for d, g in grades.items()],
        columns=["qid", "docno", "label"],
    )
    topics = frame[["qid", "query"]].drop_duplicates()
    systems = [pyterrier.Transformer.from_df(frame)]

    found = pyterrier.Experiment(systems, topics, qrels, [rankeval.nDCG @ 10, rankeval.Q])

    expected = rankeval.evaluate(JUDGED, RETRIEVED, "nDCG@10 Q").runs[0]
    assert found["nDCG@10"][0] == pytest.approx(expected["nDCG@10"], abs=1e-12)
    assert found["Q"][0] == pytest.approx(expected["Q"], abs=1e-12)


def test_topics_are_in_the_order_of_the_run(bridge):
    qrels = {"b": {"d": 1}, "a": {"d": 1}, "c": {"x": 1}}
    run = {"c": {"x": 1.0}, "b": {"d": 1.0}, "a": {"d": 1.0}}

    found = [one.query_id for one in bridge.iter_calc([ir_measures.AP], qrels, run)]
    theirs = [o.query_id for o in ir_measures.pytrec_eval.iter_calc([ir_measures.AP], qrels, run)]

    assert found == theirs == ["c", "b", "a"]


def test_measures_come_in_one_order_whatever_set_they_are_in(bridge):
    provider = bridge.DefaultPipeline.providers[0]
    measures = [ir_measures.RR, ir_measures.AP, ir_measures.nDCG @ 10]

    one, other = (
        [found.measure for found in provider.evaluator(given, JUDGED).iter_calc(RETRIEVED)]
        for given in (measures, measures[::-1])
    )

    assert one == other
