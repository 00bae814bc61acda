import pytest

from rankeval.measures.precision import (
    capped_recall,
    f_measure,
    precision,
    r_precision,
    recall,
    set_e,
    set_f,
    set_jaccard,
    success,
)
from tests.support.builders import UNJUDGED, from_dicts, ranked
from tests.support.oracles import (
    other_tool,
)
from tests.support.samples import collection


def test_measures_at_a_cutoff_of_a_retrieval_for_generation_example():
    """The founding notes on RAG: relevant 1, 3, 5, 6; ranking 1 4 3 5 7."""
    judged = ranked([1, UNJUDGED, 1, 1, UNJUDGED], missed=[[1]])

    assert precision(judged, cutoff=5) == pytest.approx([3 / 5])
    assert recall(judged, cutoff=5) == pytest.approx([3 / 4])
    assert f_measure(judged, cutoff=5) == pytest.approx([2 * 3 / (5 + 4)])
    assert capped_recall(judged, cutoff=3) == pytest.approx([2 / 3])
    assert success(judged, cutoff=1) == pytest.approx([1.0])


def test_r_precision_is_precision_and_recall_at_rank_r():
    """Manning, Raghavan and Schütze (2008), section 8.4."""
    judged = ranked([1, 0, 1, 1], missed=[[1]])

    assert r_precision(judged) == pytest.approx([3 / 4])
    assert r_precision(judged) == pytest.approx(precision(judged, cutoff=4))
    assert r_precision(judged) == pytest.approx(recall(judged, cutoff=4))


# Of 5 retrieved, 2 are relevant; of 4 relevant, 2 are missed.
TP, RETRIEVED, RELEVANT = 2, 5, 4


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
