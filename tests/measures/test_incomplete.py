"""Bpref, GMBpref, infAP, Judged and Unjudged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.measures import parse_measure
from rankeval.measures.average_precision import average_precision
from rankeval.measures.incomplete import (
    geometric_mean_binary_preference,
    inferred_average_precision,
    judged_share,
)
from tests.support.builders import UNJUDGED, ranked


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
