"""Measures are objects: nDCG @ 10, AP(rel=2) @ 100."""

import pickle

import pytest

import rankeval
from rankeval import AP, RBP, RR, P, SetF, nDCG
from rankeval.measures import definitions, parse_measures
from rankeval.measures.declare.definition import OF_TREC_EVAL

ir_measures = pytest.importorskip("ir_measures")


QRELS = {"1": {"a": 2, "b": 1}, "2": {"c": 1}}
RUN = {"1": {"a": 1.0, "x": 2.0, "b": 0.5}, "2": {"c": 1.0}}


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        (nDCG, "nDCG"),
        (nDCG @ 10, "nDCG@10"),
        (AP(rel=2) @ 100, "AP(rel=2)@100"),
        (nDCG(dcg="exp-log2") @ 10, "nDCG(dcg='exp-log2')@10"),
        (nDCG @ 10 @ 5, "nDCG@5"),
        ((AP @ 100)(rel=2), "AP(rel=2)@100"),
        (P(rel=2) @ 5, "P(rel=2)@5"),
        (RBP(p=0.5), "RBP(p=0.5)"),
        (nDCG(gains={1: 1, 2: 10}), "nDCG(gains={1:1,2:10})"),
    ],
)
def test_an_object_is_the_measure_of_its_name(measure, name):
    read = rankeval.parse_measure(name)

    assert str(measure) == repr(measure) == name
    assert measure == read
    assert hash(measure) == hash(read)
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert rankeval.parse_measure(measure) == read


def test_a_default_that_is_given_makes_no_other_measure():
    assert AP(rel=1) == AP
    assert AP(rel=2) != AP


def test_what_lacks_a_cutoff_is_an_object_that_computes_nothing():
    assert str(P) == "P"
    assert pickle.loads(pickle.dumps(P(rel=2))) == P(rel=2)
    for use in (lambda: rankeval.evaluate(QRELS, RUN, P), lambda: parse_measures([AP, P])):
        with pytest.raises(rankeval.MeasureError, match="P needs a cutoff") as caught:
            use()
        assert caught.value.expected == "for instance P@10"


def test_what_is_impossible_is_refused():
    with pytest.raises(rankeval.MeasureError, match="SetF takes no @"):
        SetF @ 10
    with pytest.raises(rankeval.MeasureError, match="AP has no parameter 'rell'"):
        AP(rell=2)
    with pytest.raises(rankeval.MeasureError, match="cutoff=0 is not possible"):
        nDCG @ 0
    with pytest.raises(rankeval.UsageError, match=r"measures\[1\] is 5 \(int\)"):
        rankeval.evaluate(QRELS, RUN, ["AP", 5])


def test_every_measure_is_a_public_name_and_no_other():
    names = {name for name in definitions() if name.isidentifier() and definitions()[name].is_own}

    for name in names:
        assert str(getattr(rankeval, name)) == str(getattr(rankeval.measures, name)) == name
    assert {*names} - {*dir(rankeval.measures)} == {
        name for name in names if definitions()[name].subject == OF_TREC_EVAL
    }
    with pytest.raises(AttributeError, match="has no attribute 'nDGC'"):
        rankeval.nDGC  # noqa: B018  looked up for its error


EVERYWHERE = [
    lambda measures: rankeval.evaluate(QRELS, RUN, measures).to_dict()["run"],
    lambda measures: rankeval.Evaluator(QRELS, measures).means(RUN),
    lambda measures: rankeval.Evaluator(QRELS, measures).evaluate(RUN).to_dict()["run"],
    lambda measures: [one.value for one in rankeval.explain(QRELS, RUN, "1", measures)],
    lambda measures: [
        one.summary.difference
        for one in rankeval.diff(QRELS, RUN, {"1": {"b": 1}}, measures).measures
    ],
    lambda measures: [
        one.summary.difference
        for one in rankeval.compare(QRELS, RUN, [{"1": {"b": 1}}], measures).pairs
    ],
]


@pytest.mark.parametrize("use", EVERYWHERE)
def test_objects_are_taken_wherever_names_are(use):
    names = ["nDCG@10", "RR", "AP(rel=2)"]

    assert use(iter([nDCG @ 10, "RR", AP(rel=2)])) == use(names)
    assert use(nDCG @ 10) == use("nDCG@10")


def test_results_are_looked_up_by_object():
    results = rankeval.evaluate(QRELS, RUN, [nDCG @ 10, "recip_rank"])

    assert results["run"][nDCG @ 10].mean == results["run"]["nDCG@10"].mean
    assert results["run"][RR].as_given == "recip_rank"
    assert set(results.to_dict()["run"]) == {"nDCG@10", "recip_rank"}


def test_objects_of_ir_measures_are_taken():
    foreign = [ir_measures.nDCG @ 10, ir_measures.AP(rel=2), ir_measures.SetF(beta=4.0)]
    results = rankeval.evaluate(QRELS, RUN, [*foreign, RR])

    assert [str(one) for one in results.to_dict()["run"]] == [*map(str, foreign), "RR"]
    assert results["run"][ir_measures.SetF(beta=4.0)].measure == str(SetF(beta=2))
    expected = ir_measures.calc_aggregate(foreign, QRELS, RUN)
    for one in foreign:
        assert results["run"][one].mean == pytest.approx(expected[one], abs=1e-12)
    assert rankeval.Evaluator(QRELS, ir_measures.RR).means(RUN) == {"RR": 0.75}


def test_what_ir_measures_defines_otherwise_is_refused():
    with pytest.raises(rankeval.MeasureError, match=r"Compat\(.*\) of ir_measures is not one of"):
        rankeval.evaluate(QRELS, RUN, ir_measures.Compat(p=0.8))
