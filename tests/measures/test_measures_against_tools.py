"""Measures of judged rankings as trec_eval 9, ir_measures and ranx compute them."""

import math

import pytest

from rankeval.measures import parse_measure
from tests.support.builders import from_dicts
from tests.support.oracles import (
    assert_agrees_with_ir_measures,
    assert_agrees_with_pytrec_eval,
    assert_agrees_with_ranx,
    pytrec_eval_values,
)
from tests.support.samples import collection, common_topics

LEVELS = [level / 10 for level in range(11)]
TREC_EVAL = [
    *((f"P@{k}", f"P.{k}") for k in (1, 5, 100)),
    *((f"R@{k}", f"recall.{k}") for k in (1, 5, 100)),
    *((f"R_cap@{k}", f"relative_P.{k}") for k in (1, 5, 100)),
    *((f"Success@{k}", f"success.{k}") for k in (1, 5, 100)),
    *((f"AP@{k}", f"map_cut.{k}") for k in (5, 10, 1000)),
    *((f"Rprec(mult={m})", f"Rprec_mult.{m:.2f}") for m in (0.2, 0.6, 1.8)),
    *(("Rprec", "Rprec"), ("AP", "map"), ("RR", "recip_rank"), ("Bpref", "bpref")),
    *(("infAP", "infAP"), ("SetP", "set_P"), ("SetR", "set_recall"), ("SetF", "set_F")),
    *(("SetAP", "set_map"), ("SetRelP", "set_relative_P"), ("SetUtility", "utility")),
    *(("NumRelRet", "num_rel_ret"), ("NumNonRelRet", "num_nonrel_judged_ret")),
]
WITHOUT_LEVEL = [
    # pytrec_eval hands its level to neither num_ret nor num_rel.
    *(("NumRet", "num_ret", None), ("NumRel", "num_rel", 1), ("RR", "recip_rank", 3)),
    *((f"nDCG@{k}", f"ndcg_cut.{k}", 1) for k in (1, 5, 10, 1000)),
    *((name, name, 1) for name in ("Rndcg", "G", "binG")),
    *(("nDCG", "ndcg", 1), ("nDCG_rel", "ndcg_rel", 1)),
]


@pytest.mark.parametrize(
    ("name", "theirs", "rel"),
    [*((*names, rel) for names in TREC_EVAL for rel in (1, 2)), *WITHOUT_LEVEL],
)
def test_measures_agree_with_trec_eval(name, theirs, rel):
    assert_agrees_with_pytrec_eval(name, theirs, rel=rel)


def rules_agree(grades, level, rel):
    """Whether ⌊rR + 0.9⌋ of trec_eval 9 is ⌈rR⌉, as it is at tenths but for its rounding.

    0.7·3 + 0.9 comes out below 3 there, and precision at recall 0.7 is taken at recall 2/3.
    """
    n_relevant = sum(grade >= rel for grade in grades)
    tenths = round(10 * level)
    return math.floor(level * n_relevant + 0.9) == -(-tenths * n_relevant // 10)


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("level", [*LEVELS, None])
def test_interpolated_precision_agrees_with_trec_eval(level, rel):
    levels = LEVELS if level is None else [level]
    ours, theirs = ("IAP", "11pt_avg") if level is None else (f"IPrec@{level}", "iprec_at_recall")
    assert_agrees_with_pytrec_eval(
        ours,
        theirs if level is None else f"{theirs}.{level:.2f}",
        rel=rel,
        topics=lambda grades: all(rules_agree(grades, level, rel) for level in levels),
    )


def test_the_geometric_mean_agrees_with_trec_eval():
    """Its value of a topic is the logarithm."""
    qrels, run = collection(1)
    qrels = {topic: qrels[topic] for topic in common_topics(qrels, run)}
    judged = from_dicts(qrels, run)
    measure = parse_measure("GMAP")

    logarithms = pytrec_eval_values(qrels, run, "gm_map")

    ours = measure.aggregate(measure.values(judged), judged)
    assert ours == pytest.approx(math.exp(sum(logarithms) / len(logarithms)))


@pytest.mark.parametrize(
    "name",
    [
        *("P@5", "P(rel=2)@5", "P(judged_only=True)@5", "R@5", "R(judged_only=True)@5"),
        *("Success@3", "Success(rel=3)@3", "Rprec", "Rprec(rel=2)", "Rprec(judged_only=True)"),
        *("SetP", "SetP(rel=2)", "SetP(relative=True)", "SetP(judged_only=True)", "SetR", "SetF"),
        *("SetAP", "AP", "AP(rel=2)", "AP@5", "AP(judged_only=True)", "AP(judged_only=True)@3"),
        *("IPrec@0.1", "IPrec(rel=2)@0.5", "IPrec(judged_only=True)@0.5", "RR", "RR@3"),
        *("RR(rel=2)@5", "RR(judged_only=True)", "nDCG", "nDCG@5", "nDCG(judged_only=True)@5"),
        *("nDCG(gains={0:1,1:5,2:2})@10", "Judged@1", "Judged@5", "Judged@20"),
    ],
)
def test_measures_agree_with_ir_measures(name):
    assert_agrees_with_ir_measures(name)


@pytest.mark.parametrize(("ours", "theirs"), [(2.0, 4.0), (0.5, 0.25)])
def test_the_beta_of_ir_measures_is_the_textbooks_squared(ours, theirs):
    assert_agrees_with_ir_measures(f"SetF(beta={ours})", f"SetF(beta={theirs})")


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        *(("P@5", "precision@5"), ("R@5", "recall@5"), ("F@5", "f1@5"), ("Rprec", "r-precision")),
        *(("Success@5", "hit_rate@5"), ("SetP", "precision"), ("SetR", "recall"), ("SetF", "f1")),
        *(("AP", "map"), ("AP@5", "map@5"), ("RR", "mrr"), ("RR@3", "mrr@3"), ("nDCG", "ndcg")),
        *(("NumRelRet@5", "hits@5"), ("nDCG@5", "ndcg@5"), ("DCG@5", "dcg@5")),
        *(("nDCG(dcg='exp-log2')", "ndcg_burges"), ("nDCG(dcg='exp-log2')@5", "ndcg_burges@5")),
        ("DCG(dcg='exp-log2')@5", "dcg_burges@5"),
    ],
)
def test_measures_agree_with_ranx(name, theirs):
    assert_agrees_with_ranx(name, theirs)
