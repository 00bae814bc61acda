from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.errors import MeasureError
from rankeval.measures.gain import (
    discounted_cumulated_gain,
    ideal_discounted_cumulated_gain,
    normalised_discounted_cumulated_gain,
)
from tests.support.builders import from_dicts, ranked
from tests.support.oracles import (
    other_tool,
)
from tests.support.samples import aligned, batches, collection

# Järvelin and Kekäläinen (2002), section 2.2: the gain vector G' and its ideal I'.
PUBLISHED = ranked([3, 2, 3, 0, 0, 1, 2, 2, 3, 0], missed=[[3, 2, 1, 1, 1]])
PUBLISHED_DCG = [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]


@pytest.mark.parametrize(("cutoff", "expected"), list(enumerate(PUBLISHED_DCG, 1)))
def test_dcg_of_the_published_vector(cutoff, expected):
    """Järvelin and Kekäläinen (2002), section 2.2: DCG', base 2, printed with two decimals."""
    dcg = discounted_cumulated_gain(PUBLISHED, dcg="jk", cutoff=cutoff)

    assert dcg == pytest.approx([expected], abs=0.0051)


def test_ndcg_of_a_small_ranking():
    """Grades 3 2 3 0 1 2, as in Wikipedia's "Discounted cumulative gain"."""
    judged = ranked([3, 2, 3, 0, 1, 2])

    dcg = 3 / log2(2) + 2 / log2(3) + 3 / log2(4) + 0 / log2(5) + 1 / log2(6) + 2 / log2(7)
    ideal = 3 / log2(2) + 3 / log2(3) + 2 / log2(4) + 2 / log2(5) + 1 / log2(6)

    assert dcg == pytest.approx(6.861, abs=5e-4)
    assert discounted_cumulated_gain(judged) == pytest.approx([dcg])
    assert ideal_discounted_cumulated_gain(judged) == pytest.approx([ideal])
    assert normalised_discounted_cumulated_gain(judged) == pytest.approx([dcg / ideal])


def test_a_grade_whose_power_of_two_would_overflow_is_refused():
    judged = ranked([2000, 1])

    assert normalised_discounted_cumulated_gain(judged) == pytest.approx([1.0])
    with pytest.raises(MeasureError, match="too large for dcg='exp-log2'"):
        normalised_discounted_cumulated_gain(judged, dcg="exp-log2")


def gdeval_ndcg(ranking, judged, cutoff):
    """gdeval.pl's definition in plain loops: gain 2^g - 1, discount log2(rank + 1)."""

    def dcg(grades):
        total = 0.0
        for rank, grade in enumerate(grades[:cutoff], start=1):
            total += (2 ** max(grade, 0) - 1) / log2(rank + 1)
        return total

    ideal = dcg(sorted(judged, reverse=True))
    return dcg(ranking) / ideal if ideal else 0.0


@pytest.mark.parametrize("cutoff", [1, 5, 20])
@pytest.mark.parametrize("seed", [1, 2])
def test_exponential_ndcg_is_what_gdeval_defines(cutoff, seed):
    qrels, run = collection(seed)
    ours = normalised_discounted_cumulated_gain(
        from_dicts(qrels, run), dcg="exp-log2", cutoff=cutoff
    )

    for topic, value in zip(sorted(qrels), ours, strict=True):
        scores, judged = run.get(topic, {}), qrels[topic]
        order = sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
        ranking = [judged.get(docno, 0) for docno in order]
        assert value == pytest.approx(gdeval_ndcg(ranking, judged.values(), cutoff), abs=1e-12)


def test_ndcg_agrees_with_scikit_learn():
    """On rankings of all judged documents, the only ones that it knows."""
    metrics = other_tool("sklearn.metrics")
    grades = np.random.default_rng(2).integers(0, 5, size=(30, 20))
    scores = np.tile(-np.arange(20.0), (30, 1))
    judged = ranked(*grades.tolist())

    for cutoff in (3, None):
        expected = metrics.ndcg_score(grades, scores, k=cutoff)
        ours = normalised_discounted_cumulated_gain(judged, cutoff=cutoff)
        assert ours.mean() == pytest.approx(expected)


@examples(max_examples=50)
@given(batches(), st.sampled_from(["log2", "exp-log2", "jk", "exp-jk"]), st.integers(1, 9))
def test_the_ideal_ranking_has_ndcg_1(batch, dcg, cutoff):
    judged = aligned(batch)
    best = ranked(*([g for g in grades_of(topic) if g > 0] for topic in batch))

    ndcg = normalised_discounted_cumulated_gain(best, dcg=dcg, cutoff=cutoff)
    ideal = ideal_discounted_cumulated_gain(judged, dcg=dcg, cutoff=cutoff)

    np.testing.assert_allclose(ndcg, ideal > 0)


def grades_of(topic):
    ranking, missed = topic
    return sorted([g for _, g in ranking if g is not None] + missed, reverse=True)
