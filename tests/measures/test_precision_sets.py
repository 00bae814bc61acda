import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples

from rankeval.errors import MeasureError
from rankeval.measures.precision import (
    set_average_precision,
    set_e,
    set_f,
    set_jaccard,
    set_precision,
    set_recall,
    set_relative_precision,
    set_utility,
)
from tests.support.builders import UNJUDGED, from_dicts, ranked
from tests.support.oracles import (
    assert_agrees_with_ir_measures,
    assert_agrees_with_pytrec_eval,
    assert_agrees_with_ranx,
    other_tool,
)
from tests.support.samples import aligned, batches, collection

# Of 5 retrieved, 2 are relevant; of 4 relevant, 2 are missed.
TP, RETRIEVED, RELEVANT = 2, 5, 4
JUDGED = ranked([1, 0, UNJUDGED, 2, -1], missed=[[1, 3]])


def test_set_measures_of_a_small_set():
    precision, recall = TP / RETRIEVED, TP / RELEVANT

    assert set_precision(JUDGED) == pytest.approx([precision])
    assert set_recall(JUDGED) == pytest.approx([recall])
    assert set_f(JUDGED) == pytest.approx([2 * precision * recall / (precision + recall)])
    assert set_jaccard(JUDGED) == pytest.approx([TP / (RETRIEVED + RELEVANT - TP)])
    assert set_average_precision(JUDGED) == pytest.approx([precision * recall])
    assert set_relative_precision(JUDGED) == pytest.approx([TP / min(RETRIEVED, RELEVANT)])


def test_beta_is_the_textbooks():
    """van Rijsbergen (1979), chapter 7: with β = 2 recall weighs twice as much as precision."""
    precision, recall = TP / RETRIEVED, TP / RELEVANT

    expected = (1 + 2**2) * precision * recall / (2**2 * precision + recall)
    assert set_f(JUDGED, beta=2.0) == pytest.approx([expected])


def test_e_is_the_symmetric_difference_over_the_sum_of_sizes():
    """van Rijsbergen (1979), chapter 7: |A Δ B| / (|A| + |B|)."""
    symmetric_difference = (RETRIEVED - TP) + (RELEVANT - TP)

    assert set_e(JUDGED) == pytest.approx([symmetric_difference / (RETRIEVED + RELEVANT)])


def test_f_in_one_line_of_the_founding_notes():
    """2 / (1 + |P or A| / |P and A|)."""
    union = RETRIEVED + RELEVANT - TP

    assert set_f(JUDGED) == pytest.approx([2 / (1 + union / TP)])


def test_judged_only_leaves_unjudged_and_junk_out_of_the_set():
    assert set_precision(JUDGED.condensed) == pytest.approx([2 / 3])
    assert set_f(JUDGED.condensed) == pytest.approx([2 * 2 / (3 + 4)])
    assert set_average_precision(JUDGED.condensed) == pytest.approx([2 / 3 * 2 / 4])


@pytest.mark.parametrize(
    "judged",
    [ranked([]), ranked([], missed=[[1]]), ranked([0, UNJUDGED]), ranked([0], missed=[[1]])],
)
def test_without_hits_every_set_measure_has_its_worst_value(judged):
    for measure in (set_precision, set_recall, set_f, set_jaccard, set_average_precision):
        assert measure(judged).tolist() == [0.0]
    assert set_relative_precision(judged).tolist() == [0.0]
    assert set_e(judged).tolist() == [1.0]


def test_utility_weighs_the_four_cells():
    expected = 3 * TP - 2 * (RETRIEVED - TP) - 0.5 * (RELEVANT - TP) + 0.1 * (100 - 7)

    utility = set_utility(JUDGED, a=3.0, b=-2.0, c=-0.5, d=0.1, N=100)

    assert utility == pytest.approx([expected])


def test_utility_asks_for_the_collection_size_when_it_matters():
    with pytest.raises(MeasureError, match="size of the collection"):
        set_utility(JUDGED, d=1.0)


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("SetP", "set_P"),
        ("SetR", "set_recall"),
        ("SetF", "set_F"),
        ("SetAP", "set_map"),
        ("SetRelP", "set_relative_P"),
        ("SetUtility", "utility"),
    ],
)
def test_set_measures_agree_with_trec_eval(name, theirs, rel):
    assert_agrees_with_pytrec_eval(name, theirs, rel=rel)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("SetP", None),
        ("SetP(rel=2)", None),
        ("SetP(relative=True)", None),
        ("SetP(judged_only=True)", None),
        ("SetR", None),
        ("SetF", None),
        ("SetAP", None),
        # Their beta is the textbook's, squared.
        ("SetF(beta=2.0)", "SetF(beta=4.0)"),
        ("SetF(beta=0.5)", "SetF(beta=0.25)"),
    ],
)
def test_set_measures_agree_with_ir_measures(name, theirs):
    assert_agrees_with_ir_measures(name, theirs)


@pytest.mark.parametrize(
    ("name", "theirs"), [("SetP", "precision"), ("SetR", "recall"), ("SetF", "f1")]
)
def test_set_measures_agree_with_ranx(name, theirs):
    assert_agrees_with_ranx(name, theirs)


@pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
def test_f_e_and_jaccard_agree_with_scikit_learn(beta):
    metrics = other_tool("sklearn.metrics")
    qrels, run = collection(3)
    judged = from_dicts(qrels, run)
    for topic, f, e, jaccard in zip(
        sorted(qrels),
        set_f(judged, beta=beta),
        set_e(judged, beta=beta),
        set_jaccard(judged),
        strict=True,
    ):
        found = run.get(topic, {})
        documents = sorted({*qrels[topic], *found})
        relevant = [qrels[topic].get(docno, 0) >= 1 for docno in documents]
        retrieved = [docno in found for docno in documents]
        expected = metrics.fbeta_score(relevant, retrieved, beta=beta, zero_division=0)
        assert f == pytest.approx(expected, abs=1e-12)
        assert e == pytest.approx(1 - expected, abs=1e-12)
        expected = metrics.jaccard_score(relevant, retrieved, zero_division=0)
        assert jaccard == pytest.approx(expected, abs=1e-12)


@examples(max_examples=50)
@given(batches())
def test_f1_and_jaccard_order_rankings_alike(batch):
    jaccard = set_jaccard(aligned(batch))

    np.testing.assert_allclose(set_f(aligned(batch)), 2 * jaccard / (1 + jaccard), atol=1e-12)


@examples(max_examples=50)
@given(batches())
def test_the_order_within_the_set_does_not_matter(batch):
    backwards = [
        ([(-score, grade) for score, grade in reversed(ranking)], missed)
        for ranking, missed in batch
    ]

    for measure in (set_precision, set_recall, set_f, set_jaccard, set_utility):
        np.testing.assert_array_equal(measure(aligned(backwards)), measure(aligned(batch)))
