"""Bpref, GMBpref, infAP, Judged and Unjudged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.measures import parse_measure
from rankeval.measures.average_precision import average_precision
from rankeval.measures.incomplete import (
    binary_preference,
    geometric_mean_binary_preference,
    inferred_average_precision,
    judged_share,
    unjudged_share,
)
from tests.support.builders import UNJUDGED, ranked

EPSILON = 0.00001
EXAMPLE = [2, UNJUDGED, 0, 1, -1, 0, 3]  # and a relevant document that is not retrieved


def test_bpref_charges_each_relevant_document_with_the_nonrelevant_ones_above_it():
    judged = ranked(EXAMPLE, missed=[[1]])

    # R = 4 and N = 2, with 0, 1 and 2 nonrelevant documents above the three found.
    assert binary_preference(judged) == pytest.approx([(1 + 1 / 2 + 0) / 4])


def test_bpref_counts_no_more_than_r_nonrelevant_documents():
    assert binary_preference(ranked([0, 0, 0, 1])) == pytest.approx([0.0])
    assert binary_preference(ranked([0, 1, 0, 0, 1])) == pytest.approx([(1 - 1 / 2 + 0) / 2])


def test_infap_infers_the_precision_above_each_relevant_document():
    def expected_precision(i, a, b, u):
        inferred = (a + EPSILON) / (a + b + 2 * EPSILON)
        return 1 / i + (i - 1) / i * (a + b + u) / (i - 1) * inferred

    judged = ranked(EXAMPLE, missed=[[1]])

    terms = [1.0, expected_precision(4, 1, 1, 0), expected_precision(7, 2, 2, 1)]
    assert inferred_average_precision(judged) == pytest.approx([sum(terms) / 4])


def test_gmbpref_is_aggregated_by_the_geometric_mean():
    judged = ranked([1, 0], [0, 1], [1, 0, 1])
    values = geometric_mean_binary_preference(judged)

    mean = parse_measure("gm_bpref").aggregate(values, judged)
    assert values.tolist() == [1.0, 0.0, 0.5]
    assert mean == pytest.approx((1.0 * 0.00001 * 0.5) ** (1 / 3))


@given(st.lists(st.integers(0, 2), max_size=12))
def test_infap_is_average_precision_when_everything_is_judged(grades):
    judged = ranked(grades)

    assert inferred_average_precision(judged) == pytest.approx(average_precision(judged), abs=2e-5)


JUDGED = ranked([1, UNJUDGED, -1, 0], [])


def test_judged_counts_lines_of_the_qrels_even_of_junk():
    assert judged_share(JUDGED) == pytest.approx([3 / 4, 0])
    assert judged_share(JUDGED, cutoff=2) == pytest.approx([1 / 2, 0])


def test_unjudged_counts_junk_and_divides_by_the_cutoff():
    """trec_eval 10, unj: documents that no assessor judged, over k."""
    assert unjudged_share(JUDGED, cutoff=3) == pytest.approx([2 / 3, 0])
    assert unjudged_share(JUDGED, cutoff=10) == pytest.approx([2 / 10, 0])
