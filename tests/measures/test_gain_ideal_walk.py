"""trec_eval's nDCG_rel, Rndcg, G and binG."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.measures.gain import (
    binary_cost_discounted_gain,
    cost_discounted_gain,
    normalised_gain_at_levels,
    normalised_gain_at_relevant,
)
from tests.support.builders import UNJUDGED, ranked

GRADED = (normalised_gain_at_relevant, normalised_gain_at_levels, cost_discounted_gain)
ALL = (*GRADED, binary_cost_discounted_gain)

# Ideal grades 3, 2, 1, 1: the last document of grade 1 is not retrieved.
EXAMPLE = ranked([2, 0, UNJUDGED, 1, -1, 0, 3], missed=[[1]])
DCG_AT_1, DCG_AT_4 = 2.0, 2 + 1 / log2(5)
DCG = 2 + 1 / log2(5) + 3 / log2(8)
IDCG_AT_2 = 3 + 2 / log2(3)
IDCG = IDCG_AT_2 + 1 / log2(4) + 1 / log2(5)


def test_ndcg_rel_averages_ndcg_at_the_relevant_documents():
    expected = (DCG_AT_1 / 3 + DCG_AT_4 / IDCG + DCG / IDCG + DCG / IDCG) / 4

    assert normalised_gain_at_relevant(EXAMPLE) == pytest.approx([expected])
    assert expected == pytest.approx(0.614041, abs=1e-6)


def test_rndcg_averages_ndcg_at_the_ends_of_the_ideal_levels():
    # One document of grade 3, two down to grade 2, four down to grade 1; seven are retrieved.
    expected = (DCG_AT_1 / 3 + DCG_AT_1 / IDCG_AT_2 + DCG_AT_4 / IDCG + DCG / IDCG) / 4

    assert normalised_gain_at_levels(EXAMPLE) == pytest.approx([expected])
    assert expected == pytest.approx(0.566187, abs=1e-6)


def test_rndcg_does_not_repeat_the_whole_ranking_one_document_below_the_ideal():
    assert normalised_gain_at_levels(ranked([1, 1, 0])).tolist() == [1.0]
    assert normalised_gain_at_levels(ranked([0, 1])) == pytest.approx([0.0])
    assert normalised_gain_at_levels(ranked([0, 1, 0])) == pytest.approx([1 / log2(3) / 2])


def test_g_discounts_by_cost_without_gain():
    # The cost is 3, 5, 6, 7, 8, 9, 10 down to each rank, the gain 2, 2, 2, 3, 3, 3, 6.
    expected = (2 / log2(2 + 3 - 2) + 1 / log2(2 + 7 - 3) + 3 / log2(2 + 10 - 6)) / 7

    assert cost_discounted_gain(EXAMPLE) == pytest.approx([expected])
    assert expected == pytest.approx(0.401324, abs=1e-6)


def test_bing_discounts_by_the_other_documents_above():
    expected = (1 / log2(2) + 1 / log2(2 + 2) + 1 / log2(2 + 4)) / 4

    assert binary_cost_discounted_gain(EXAMPLE) == pytest.approx([expected])
    assert expected == pytest.approx(0.471713, abs=1e-6)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=10), st.integers(1, 3))
def test_an_ideal_ranking_scores_one(grades, best):
    judged = ranked(sorted([*grades, best], reverse=True))

    for function in ALL:
        assert function(judged) == pytest.approx([1.0])
