"""Explanations: every value is rebuilt rank by rank, and by hand for the catalogue's example."""

import math

import pytest

import rankeval
from rankeval.commands.explain.task import explain
from rankeval.commands.measures.task import QRELS as EXAMPLE_QRELS
from rankeval.commands.measures.task import RUN as EXAMPLE_RUN
from rankeval.commands.measures.task import TOPIC as EXAMPLE_TOPIC
from rankeval.commands.measures.task import describe, find_measures
from rankeval.evaluation.evaluate import evaluate
from rankeval.options import Items
from tests.support import strata, subtopics
from tests.support.samples import collection

SUMS = (
    "P@5 R@5 R_cap@5 Success@2 AP AP@5 AP(norm='min')@2 RR RR@2 DCG nDCG nDCG@5 "
    "nDCG(dcg='exp-log2') nDCG(dcg='jk')@5 ERR@5 nERR RBP RBP(max_rel=4) "
    "Bpref infAP SetR NumRet NumRelRet NumNonRelRet SDCG(max_rel=4)@5 G binG"
)
SEEDS = (3, 4)


def example(measure, **arguments):
    """Explain a measure for the ranking a x b c g e d, with the grades 2 - 0 1 -1 0 3; f missed."""
    (one,) = explain(EXAMPLE_QRELS, EXAMPLE_RUN, EXAMPLE_TOPIC, measure, **arguments)
    return one


def test_ndcg_is_explained_by_gains_discounts_and_the_ideal():
    one = example("nDCG@5")
    ideal = 3 + 2 / math.log2(3) + 1 / 2 + 1 / math.log2(5)

    assert one.value == pytest.approx((2 + 1 / math.log2(5)) / ideal)
    assert [d.docno for d in one.documents] == ["a", "x", "b", "c", "g"]
    assert [d.score for d in one.documents] == [9, 8, 8, 6, 5]
    assert [d.grade for d in one.documents] == [2, None, 0, 1, -1]
    assert [d.relevant for d in one.documents] == [True, False, False, True, False]
    assert [d.ties for d in one.documents] == [None, (2, 3), (2, 3), None, None]
    assert [d.terms.get("gain") for d in one.documents] == [2, None, 0, 1, 0]
    assert one.documents[3].terms["discount"] == pytest.approx(math.log2(5))
    assert [d.contribution for d in one.documents] == pytest.approx(
        [2 / ideal, 0, 0, 1 / math.log2(5) / ideal, 0]
    )
    assert one.quantities == pytest.approx(
        {
            "NumRet": 7,
            "NumRel": 4,
            "NumRelRet@5": 2,
            "DCG@5": 2 + 1 / math.log2(5),
            "IDCG@5": ideal,
        }
    )


def test_expected_reciprocal_rank_is_explained_by_where_readers_stop():
    one = example("ERR(max_rel=3)@5")

    assert [d.terms.get("stops") for d in one.documents] == [3 / 8, None, 0, 1 / 8, 0]
    assert [d.terms.get("reached") for d in one.documents] == pytest.approx(
        [1, None, 5 / 8, 5 / 8, 35 / 64]
    )
    assert [d.contribution for d in one.documents] == pytest.approx(
        [3 / 8, 0, 0, 5 / 8 * 1 / 8 / 4, 0]
    )


def test_readers_are_explained_by_how_they_go_on_at_every_rank():
    one = example("INSQ(max_rel=3)")
    weights = [(2 / (i + 1)) ** 2 for i in range(1, 1001)]

    assert [d.terms.get("gain") for d in one.documents[:3]] == pytest.approx([2 / 3, None, 0])
    for document in one.documents:
        i = document.rank
        go_on = ((i + 1) / (i + 2)) ** 2
        assert document.terms["C(i)"] == pytest.approx(go_on)
        assert document.terms["W(i)"] == pytest.approx(weights[i - 1] / sum(weights))
        assert document.terms["L(i)"] == pytest.approx(weights[i - 1] * (1 - go_on))
    weighed = sum(d.terms["W(i)"] * d.terms["gain"] for d in one.documents if d.grade is not None)
    assert weighed == pytest.approx(one.value)

    persistent = example("RBP(p=0.5,max_rel=3)@3")
    assert [d.terms["weight"] for d in persistent.documents] == [1 / 2, 1 / 4, 1 / 8]


def test_what_was_relevant_and_not_seen_is_named():
    missed = {(m.docno, m.grade, m.rank) for m in example("nDCG@5").missed}
    assert missed == {("d", 3, 7), ("f", 1, None)}

    assert [(m.docno, m.rank) for m in example("AP(rel=2)").missed] == []
    assert [(m.docno, m.rank) for m in example("AP").missed] == [("f", None)]


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RBP", "Bpref", "AUC"])
def test_a_ranking_without_a_judged_document_is_explained_by_what_it_lacks(measure):
    settings = rankeval.options.Settings(judged_only=True)

    (one,) = explain({"1": {"a": 1}}, {"1": {"x": 2.0, "y": 1.0}}, "1", measure, settings=settings)

    assert one.value == 0 or (measure == "AUC" and math.isnan(one.value))
    assert (one.documents, one.retrieved) == ((), 0)
    assert [missed.docno for missed in one.missed] == ["a"]


def collection_for(measure, seed):
    """Judgments that hold what the measure needs, and a run."""
    needs = " ".join(describe(measure).needs)
    kinds = {"subtopic": subtopics.collection, "strata": strata.collection}
    make = next((kind for word, kind in kinds.items() if word in needs), collection)
    return make(seed, topics=4)


def about_items(qrels, run):
    """Inputs that measures of recommenders need, drawn from the documents themselves."""
    docnos = sorted({docno for scores in run.values() for docno in scores})
    return Items(
        train={topic: list(grades)[::2] for topic, grades in qrels.items()},
        catalog=1000,
        features={docno: {"last": docno[-1]} for docno in docnos},
    )


OF_TOPICS = [
    found.example
    for found in find_measures()
    if found.aggregate != "whole run" and found.group != "answers"
]
"""Measures of rankings that have a value for each topic."""


@pytest.mark.parametrize("measure", OF_TOPICS)
def test_the_running_value_ends_at_the_value(measure):
    for seed in SEEDS:
        qrels, run = collection_for(measure, seed)
        items = about_items(qrels, run) if describe(measure).group == "recommenders" else None
        (evaluated,) = evaluate(qrels, run, measure, items=items).runs
        wanted = dict(zip(evaluated.topics, evaluated.scores[0].values, strict=True))
        for topic in qrels.keys() & run.keys():
            (one,) = explain(qrels, run, topic, measure, shown=3, items=items)

            assert one.value == pytest.approx(wanted[topic], abs=1e-12, nan_ok=True)
            assert one.documents[-1].running == pytest.approx(one.value, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("measure", SUMS.split())
def test_contributions_add_up_to_the_value(measure):
    for seed in SEEDS:
        qrels, run = collection(seed, topics=4)
        for topic in qrels.keys() & run.keys():
            (one,) = explain(qrels, run, topic, measure, shown=100)

            total = sum(d.contribution for d in one.documents)
            assert total == pytest.approx(one.value, abs=1e-12)
