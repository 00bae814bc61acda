import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.measures.precision import (
    capped_recall,
    f_measure,
    precision,
    r_precision,
    recall,
    success,
)
from tests.support.builders import UNJUDGED, ranked
from tests.support.oracles import (
    assert_agrees_with_ir_measures,
    assert_agrees_with_pytrec_eval,
    assert_agrees_with_ranx,
)
from tests.support.samples import aligned, batches


def test_measures_at_a_cutoff_of_a_retrieval_for_generation_example():
    """The founding notes on RAG: relevant 1, 3, 5, 6; ranking 1 4 3 5 7."""
    judged = ranked([1, UNJUDGED, 1, 1, UNJUDGED], missed=[[1]])

    assert precision(judged, cutoff=5) == pytest.approx([3 / 5])
    assert recall(judged, cutoff=5) == pytest.approx([3 / 4])
    assert f_measure(judged, cutoff=5) == pytest.approx([2 * 3 / (5 + 4)])
    assert capped_recall(judged, cutoff=3) == pytest.approx([2 / 3])
    assert success(judged, cutoff=1) == pytest.approx([1.0])


def test_precision_divides_by_the_cutoff_when_fewer_were_retrieved():
    assert precision(ranked([1, 1]), cutoff=10) == pytest.approx([2 / 10])


def test_recall_divides_by_all_relevant_documents_not_by_the_first_k():
    assert recall(ranked([1, 0], missed=[[1, 1, 1]]), cutoff=2) == pytest.approx([1 / 4])


def test_f_measure_weighs_recall_by_beta():
    p, r = 1 / 2, 1 / 3
    judged = ranked([0, 1], missed=[[1, 1]])

    expected = (1 + 3**2) * p * r / (3**2 * p + r)
    assert f_measure(judged, beta=3.0, cutoff=2) == pytest.approx([expected])


def test_success_needs_one_relevant_document():
    judged = ranked([0, 0, 1], [0, 0, 0])

    assert success(judged, cutoff=2).tolist() == [0.0, 0.0]
    assert success(judged, cutoff=3).tolist() == [1.0, 0.0]


def test_r_precision_is_precision_and_recall_at_rank_r():
    """Manning, Raghavan and Schütze (2008), section 8.4."""
    judged = ranked([1, 0, 1, 1], missed=[[1]])

    assert r_precision(judged) == pytest.approx([3 / 4])
    assert r_precision(judged) == pytest.approx(precision(judged, cutoff=4))
    assert r_precision(judged) == pytest.approx(recall(judged, cutoff=4))


def test_r_precision_of_a_multiple_rounds_the_cutoff_as_trec_eval_9_does():
    """R = 3: ⌊0.5·3 + 0.9⌋ = 2, and ⌊0.2·3 + 0.9⌋ = 1."""
    judged = ranked([0, 1, 1, 1])

    assert r_precision(judged, mult=0.5) == pytest.approx([1 / 2])
    assert r_precision(judged, mult=0.2) == pytest.approx([0 / 1])
    assert r_precision(judged, mult=0.01) == pytest.approx([0.0])


def test_topics_without_relevant_documents_are_0():
    judged = ranked([0, UNJUDGED, -1])

    for measure in (precision, recall, f_measure, capped_recall, success):
        assert measure(judged, cutoff=2).tolist() == [0.0]
    assert r_precision(judged).tolist() == [0.0]


def test_judged_only_closes_the_gaps_before_ranks_are_counted():
    judged = ranked([UNJUDGED, -1, 1, 0, 1])

    assert precision(judged.condensed, cutoff=2) == pytest.approx([1 / 2])
    assert recall(judged.condensed, cutoff=1) == pytest.approx([1 / 2])
    assert f_measure(judged.condensed, cutoff=1) == pytest.approx([2 * 1 / (1 + 2)])
    assert capped_recall(judged.condensed, cutoff=1) == pytest.approx([1.0])
    assert success(judged.condensed, cutoff=1) == pytest.approx([1.0])
    assert r_precision(judged.condensed) == pytest.approx([1 / 2])


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        *((f"P@{k}", f"P.{k}") for k in (1, 5, 100)),
        *((f"R@{k}", f"recall.{k}") for k in (1, 5, 100)),
        *((f"R_cap@{k}", f"relative_P.{k}") for k in (1, 5, 100)),
        *((f"Success@{k}", f"success.{k}") for k in (1, 5, 100)),
        ("Rprec", "Rprec"),
        *((f"Rprec(mult={m})", f"Rprec_mult.{m:.2f}") for m in (0.2, 0.6, 1.8)),
    ],
)
def test_cutoff_measures_agree_with_trec_eval(name, theirs, rel):
    assert_agrees_with_pytrec_eval(name, theirs, rel=rel)


@pytest.mark.parametrize(
    "name",
    [
        *("P@5", "P(rel=2)@5", "P(judged_only=True)@5", "R@5", "R(judged_only=True)@5"),
        *("Success@3", "Success(rel=3)@3", "Rprec", "Rprec(rel=2)", "Rprec(judged_only=True)"),
    ],
)
def test_cutoff_measures_agree_with_ir_measures(name):
    assert_agrees_with_ir_measures(name)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("P@5", "precision@5"),
        ("R@5", "recall@5"),
        ("F@5", "f1@5"),
        ("Success@5", "hit_rate@5"),
        ("Rprec", "r-precision"),
    ],
)
def test_cutoff_measures_agree_with_ranx(name, theirs):
    assert_agrees_with_ranx(name, theirs)


@examples(max_examples=50)
@given(batches(), st.integers(1, 9))
def test_recall_and_success_never_fall_with_the_cutoff(batch, cutoff):
    judged = aligned(batch)

    for measure in (recall, success):
        assert (measure(judged, cutoff=cutoff) <= measure(judged, cutoff=cutoff + 1)).all()


@examples(max_examples=50)
@given(batches(), st.integers(1, 9))
def test_f_lies_between_precision_and_recall(batch, cutoff):
    judged = aligned(batch)
    p, r = precision(judged, cutoff=cutoff), recall(judged, cutoff=cutoff)
    f = f_measure(judged, cutoff=cutoff)

    assert (
        (f >= (p < r) * p + (p >= r) * r - 1e-12) & (f <= (p < r) * r + (p >= r) * p + 1e-12)
    ).all()
