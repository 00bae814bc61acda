import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.measures.average_precision import (
    eleven_point_average_precision,
    interpolated_precision,
    precision_at_recall,
    rank_at_recall,
)
from tests.support.builders import UNJUDGED, ranked
from tests.support.oracles import assert_agrees_with_ir_measures, assert_agrees_with_pytrec_eval
from tests.support.samples import aligned, batches

LEVELS = [level / 10 for level in range(11)]
MANNING = ranked([int(judgment == "R") for judgment in "RNRNNNNNRR"])


@pytest.mark.parametrize(
    ("level", "expected"),
    [(0.0, 1 / 1), (0.25, 1 / 1), (0.26, 2 / 3), (0.5, 2 / 3), (0.51, 4 / 10), (1.0, 4 / 10)],
)
def test_interpolated_precision_is_the_best_at_or_beyond_the_recall(level, expected):
    """The first ranking of Manning, Raghavan and Schütze (2008), exercise 8.8."""
    assert interpolated_precision(MANNING, recall=level) == pytest.approx([expected])


def test_eleven_point_precision_is_the_mean_over_eleven_levels():
    """Levels 0 to 0.2 need 1 of 4 documents, 0.3 to 0.5 two, the other five more."""
    expected = (3 * 1 + 3 * 2 / 3 + 5 * 4 / 10) / 11

    assert eleven_point_average_precision(MANNING) == pytest.approx([expected])


@pytest.mark.parametrize(("level", "rank"), [(0.01, 1), (0.25, 1), (0.5, 3), (0.75, 9), (1.0, 10)])
def test_rank_at_recall_is_the_first_that_reaches_it(level, rank):
    assert rank_at_recall(MANNING, recall=level).tolist() == [rank]
    found = np.ceil(level * 4)
    assert precision_at_recall(MANNING, recall=level) == pytest.approx([found / rank])


def test_a_recall_that_is_never_reached_has_no_rank():
    never = ranked([1, 0], [0, 0], [], missed=[[1, 1], [], [1]])

    assert np.isnan(rank_at_recall(never, recall=0.5)).all()
    assert precision_at_recall(never, recall=0.5).tolist() == [0.0, 0.0, 0.0]
    assert interpolated_precision(never, recall=0.5).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("level", [1e-12, 1e-10, 1e-3])
def test_the_smallest_recall_needs_a_document(level):
    judged = ranked([0, 0, 1, 1])

    assert rank_at_recall(judged, recall=level).tolist() == [3]
    assert precision_at_recall(judged, recall=level) == pytest.approx([1 / 3])


@pytest.mark.parametrize("n_relevant", [3, 10, 30, 70])
def test_a_product_that_is_whole_but_for_rounding_asks_for_no_document_more(n_relevant):
    """0.1·3 and the like come out a little above the whole number."""
    judged = ranked([1] * n_relevant)

    for tenths in range(1, 11):
        needed = -(-tenths * n_relevant // 10)
        assert rank_at_recall(judged, recall=tenths / 10).tolist() == [needed]


def test_judged_only_closes_the_gaps():
    judged = ranked([UNJUDGED, -1, 0, 1])

    assert interpolated_precision(judged.condensed, recall=1.0) == pytest.approx([1 / 2])


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("level", LEVELS)
def test_interpolated_precision_agrees_with_trec_eval_9(level, rel):
    def same_rule(grades):
        return rules_agree(grades, level, rel)

    theirs = f"iprec_at_recall.{level:.2f}"
    assert_agrees_with_pytrec_eval(f"IPrec@{level}", theirs, rel=rel, topics=same_rule)


def test_eleven_point_precision_agrees_with_trec_eval_9():
    def same_rule(grades):
        return all(rules_agree(grades, level, 1) for level in LEVELS)

    assert_agrees_with_pytrec_eval("IAP", "11pt_avg", topics=same_rule)


def rules_agree(grades, level, rel):
    """Whether ⌊rR + 0.9⌋ of trec_eval 9 is ⌈rR⌉, as it is at tenths but for its rounding.

    0.7·3 + 0.9 comes out below 3 there, and precision at recall 0.7 is taken at recall 2/3.
    """
    n_relevant = sum(grade >= rel for grade in grades)
    tenths = round(10 * level)
    return math.floor(level * n_relevant + 0.9) == -(-tenths * n_relevant // 10)


@pytest.mark.parametrize("name", ["IPrec@0.1", "IPrec(rel=2)@0.5", "IPrec(judged_only=True)@0.5"])
def test_interpolated_precision_agrees_with_ir_measures(name):
    assert_agrees_with_ir_measures(name)


@examples(max_examples=50)
@given(batches(), st.sampled_from(LEVELS), st.sampled_from(LEVELS))
def test_interpolated_precision_never_rises_with_recall(batch, one, other):
    judged = aligned(batch)
    low, high = sorted((one, other))

    at_low = interpolated_precision(judged, recall=low)
    at_high = interpolated_precision(judged, recall=high)

    assert (at_low >= at_high).all()


@examples(max_examples=50)
@given(batches(), st.floats(0.01, 1))
def test_interpolation_never_lowers_precision(batch, level):
    judged = aligned(batch)

    plain = precision_at_recall(judged, recall=level)

    assert (interpolated_precision(judged, recall=level) >= plain).all()
