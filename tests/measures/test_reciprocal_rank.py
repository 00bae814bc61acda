import pytest

from rankeval.measures import parse_measure
from rankeval.measures.reciprocal_rank import reciprocal_rank
from tests.support.builders import UNJUDGED, ranked
from tests.support.oracles import (
    assert_agrees_with_ir_measures,
    assert_agrees_with_pytrec_eval,
    assert_agrees_with_ranx,
)


def test_reciprocal_rank_is_one_over_the_first_relevant_rank():
    judged = ranked([UNJUDGED, 0, 1, 1], [2, 1], [0, 0], missed=[[], [], [1]])

    assert reciprocal_rank(judged) == pytest.approx([1 / 3, 1 / 1, 0])


def test_the_mean_of_three_answers_is_mrr():
    """The example of Wikipedia's "Mean reciprocal rank": cat, torus, virus."""
    judged = ranked([0, 0, 1], [0, 1], [1])
    measure = parse_measure("MRR")

    mean = measure.aggregate(measure.values(judged), judged)

    assert mean == pytest.approx((1 / 3 + 1 / 2 + 1) / 3)


def test_a_first_relevant_document_below_the_cutoff_does_not_count():
    judged = ranked([0, 0, 1])

    assert reciprocal_rank(judged, cutoff=2).tolist() == [0.0]
    assert reciprocal_rank(judged, cutoff=3) == pytest.approx([1 / 3])


def test_a_threshold_passes_over_lower_grades():
    assert reciprocal_rank(ranked([1, 2]), rel=2) == pytest.approx([1 / 2])


def test_judged_only_closes_the_gaps():
    assert reciprocal_rank(ranked([UNJUDGED, -1, 0, 1]).condensed) == pytest.approx([1 / 2])


@pytest.mark.parametrize("rel", [1, 2, 3])
def test_reciprocal_rank_agrees_with_trec_eval(rel):
    assert_agrees_with_pytrec_eval("RR", "recip_rank", rel=rel)


@pytest.mark.parametrize("name", ["RR", "RR@3", "RR(rel=2)@5", "RR(judged_only=True)"])
def test_reciprocal_rank_agrees_with_ir_measures(name):
    assert_agrees_with_ir_measures(name)


@pytest.mark.parametrize(("name", "theirs"), [("RR", "mrr"), ("RR@3", "mrr@3")])
def test_reciprocal_rank_agrees_with_ranx(name, theirs):
    assert_agrees_with_ranx(name, theirs)
