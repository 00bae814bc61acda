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
from tests.support.builders import ranked

GRADED = (normalised_gain_at_relevant, normalised_gain_at_levels, cost_discounted_gain)
ALL = (*GRADED, binary_cost_discounted_gain)


def test_rndcg_does_not_repeat_the_whole_ranking_one_document_below_the_ideal():
    assert normalised_gain_at_levels(ranked([1, 1, 0])).tolist() == [1.0]
    assert normalised_gain_at_levels(ranked([0, 1])) == pytest.approx([0.0])
    assert normalised_gain_at_levels(ranked([0, 1, 0])) == pytest.approx([1 / log2(3) / 2])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=10), st.integers(1, 3))
def test_an_ideal_ranking_scores_one(grades, best):
    judged = ranked(sorted([*grades, best], reverse=True))

    for function in ALL:
        assert function(judged) == pytest.approx([1.0])
