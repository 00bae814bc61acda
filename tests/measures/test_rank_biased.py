"""RBP and its residual."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.measures import parse_measure
from rankeval.measures.rank_biased import compatibility, rank_biased_precision, rank_biased_residual
from tests.support.builders import UNJUDGED, from_dicts, ranked
from tests.support.oracles import cwl_eval_scores, of_common_topics
from tests.support.samples import collection

EXAMPLE = ranked([2, 0, UNJUDGED, 1, -1, 0, 3], missed=[[1]])

rankings = st.lists(st.sampled_from([UNJUDGED, -1, 0, 1, 2, 3]), max_size=12)
persistence = st.floats(0, 0.99)


def test_rbp_adds_the_weights_of_the_relevant_ranks():
    relevant = {1, 4, 6, 11, 17}
    judged = ranked([int(rank in relevant) for rank in range(1, 21)])

    expected = 0.5 * (1 + 0.5**3 + 0.5**5 + 0.5**10 + 0.5**16)
    assert rank_biased_precision(judged, p=0.5) == pytest.approx([expected])


def test_graded_rbp_divides_grades_by_the_largest_of_the_scale():
    expected = 0.2 * (2 / 3 + 0.8**3 / 3 + 0.8**6)
    assert expected == pytest.approx(0.219895, abs=1e-6)

    assert rank_biased_precision(EXAMPLE, max_rel=3) == pytest.approx([expected])
    assert rank_biased_precision(EXAMPLE, max_rel="qrels") == pytest.approx([expected])
    clipped = 0.2 * (1 + 0.8**3 / 2 + 0.8**6)
    assert rank_biased_precision(EXAMPLE, max_rel=2) == pytest.approx([clipped])


def test_rbp_warns_of_grades_above_the_stated_scale():
    assert "max_rel=2 count as 2" in (parse_measure("RBP(max_rel=2)").caution(EXAMPLE) or "")
    for name in ("RBP", "RBP(max_rel=3)", "RBP(max_rel='qrels')"):
        assert parse_measure(name).caution(EXAMPLE) is None


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_rbp_and_its_residual_agree_with_cwl_eval(p):
    """cwl-eval weighs the first 1000 places; the weight below them is 5e-23 for p = 0.95."""
    qrels, run = collection(1)
    judged = from_dicts(qrels, run)
    expected, residual = [], []
    for oracle, _ in cwl_eval_scores(qrels, run, "RBPCWLMetric", (p,), max_rel=4):
        expected.append(oracle.expected_utility)
        residual.append(oracle.residual_expected_utility)

    ours = rank_biased_precision(judged, p=p, max_rel=4)
    assert of_common_topics(qrels, run, ours) == pytest.approx(expected, abs=1e-12)
    ours = rank_biased_residual(judged, p=p)
    assert of_common_topics(qrels, run, ours) == pytest.approx(residual, abs=1e-12)


@given(rankings, persistence)
def test_rbp_and_its_residual_together_are_the_best_possible_rbp(grades, p):
    best = [1 if grade is UNJUDGED or grade < 0 else grade for grade in grades]
    least, most = rank_biased_precision(ranked(grades, best), p=p)

    risen = most + p ** len(grades)  # the unseen documents below the ranking, all relevant
    assert rank_biased_residual(ranked(grades), p=p)[0] == pytest.approx(risen - least, abs=1e-12)


def test_compat_compares_the_ranking_with_the_ideal_at_every_depth():
    # The ideal is the documents at ranks 7, 1, 4 and the one not retrieved.
    p = 0.5
    shared = [0, 1, 1, 2, 2, 2, 3]  # in the first 1 to 7 of both; 3 from then on
    ideal = [1, 2, 3, 4]  # with itself; 4 from then on
    found = sum(p**i * n / (i + 1) for i, n in enumerate(shared + [3] * 993))
    best = sum(p**i * n / (i + 1) for i, n in enumerate(ideal + [4] * 996))

    assert compatibility(EXAMPLE, p=p) == pytest.approx([found / best])
    assert compatibility(EXAMPLE, p=p, normalize=False) == pytest.approx([found * (1 - p)])
