"""The small places for what only trec_eval does."""

import math

import numpy as np
import pytest

from rankeval.measures.average_precision import interpolated_precision
from rankeval.measures.precision import r_precision
from rankeval.trec_eval import gain_table
from rankeval.trec_eval import tool_measures as graded
from rankeval.trec_eval.evaluated_run import Evaluation, with_stale_levels
from rankeval.trec_eval.flags import Pairs
from rankeval.trec_eval.gain_table import GainTable, merge_sorted
from rankeval.trec_eval.recall_scan import interpolated, levels_by_rank, precision_at
from rankeval.trec_eval.tool_ranking import in_order, single_precision
from rankeval.trec_eval.tool_version import TEN
from tests.support.builders import UNJUDGED, ranked

EXAMPLE = ranked(
    [2, UNJUDGED, 0, 1, -1, 3, UNJUDGED, 1], [0, 1], [UNJUDGED], missed=[[1, 2, 0], [], [4]]
)


def test_a_consistent_order_is_that_of_any_stable_sort():
    pairs = [(i * 7 % 5, i) for i in range(23)]

    assert merge_sorted(pairs, lambda a, b: a[0] - b[0]) == sorted(pairs, key=lambda p: p[0])


def test_nan_is_compared_by_name_with_those_it_is_merged_with():
    """[b, a] and [d, c] are merged: d is more than b, and c, which is NaN, has the later name."""
    order = in_order([b"d", b"a", b"c", b"b"], [3.0, 1.0, math.nan, 2.0], "docno")

    assert [b"dacb"[i : i + 1] for i in order] == [b"d", b"c", b"b", b"a"]


def test_scores_are_rounded_to_the_nearest_float():
    doubles = np.array([16777217.0, 0.1, 1e39, -3.4028235677973366e38, 1e-46, 1e-45])

    assert single_precision(doubles).tolist() == [
        16777216.0,
        0.10000000149011612,
        math.inf,
        -math.inf,
        0.0,
        2.0**-149,
    ]


def test_the_scan_gives_what_the_measures_do_in_usual_cases():
    relevant = [grade == 1 for grade in (1, 0, 0, 1, 1, 0)]
    judged = ranked([1, 0, 0, 1, 1, 0], missed=[[1]])

    scanned = interpolated(relevant, 3, [0, 1, 2, 3, 4])
    levels = [0.0, 0.25, 0.5, 0.75, 1.0]
    assert scanned == [interpolated_precision(judged, recall=level)[0] for level in levels]
    assert precision_at(relevant, 3, [2, 4, 8]) == pytest.approx(
        [r_precision(judged, mult=mult)[0] for mult in (0.5, 1.0, 2.0)]
    )


def test_a_level_out_of_order_holds_back_those_before_it():
    relevant = [True, False, True]

    assert interpolated(relevant, 2, [2, 1]) == [1.0, 1.0]
    assert interpolated(relevant, 2, [1, 2]) == [1.0, 2 / 3]


def test_levels_are_minus_one_unjudged_and_minus_two_pooled():
    assert levels_by_rank(EXAMPLE) == [[2, -1, 0, 1, -2, 3, -1, 1], [0, 1], [-1]]


def test_a_topic_without_levels_keeps_those_of_the_topic_before():
    stale = with_stale_levels(ranked([1, 2], [-1], [3]))

    assert stale.judged_offsets.tolist() == [0, 2, 4, 5]
    assert stale.judged_grade.tolist() == [2, 1, 2, 1, 3]


@pytest.mark.parametrize("name", ["dcg", "ideal_dcg", "ndcg", "ndcg_rel", "rndcg", "g", "rbp"])
@pytest.mark.parametrize("gains", [(), ((1, 3.0), (2, 9.0)), ((0, 2.0), (3, 0.0))])
def test_tables_give_what_the_measures_do_in_usual_cases(name, gains):
    evaluation = Evaluation(EXAMPLE, 1, 0, TEN)
    slow = {
        "g": gain_table.cost_gain,
        "rbp": lambda table, levels: gain_table.rbp(table, levels, 0.9),
    }
    measure = slow.get(name) or getattr(gain_table, name)

    tabulated = graded._tabulated(evaluation, gains, measure)

    assert getattr(graded, name)(evaluation, Pairs(gains)) == pytest.approx(tabulated)


def test_gains_closer_than_1_keep_their_order_in_the_table():
    table = GainTable.from_pairs([(0, 0.3), (1, 0.9), (2, 0.1)], [0, 1, 2, 3])

    assert [entry.level for entry in table.entries] == [0, 1, 2, 3]
    assert list(table.ideal()) == [3.0, 0.1, 0.9, 0.3]


def test_the_first_of_two_gains_of_a_level_has_its_documents():
    table = GainTable.from_pairs([(1, 5.0), (1, 2.0)], [1, 1])

    assert list(table.ideal()) == [5.0, 5.0]
    assert table.gains([1, 0, -1]) == [2.0, 0.0, 0.0]


def test_unjudged_documents_gain_what_the_table_says():
    assert GainTable.from_pairs([(-1, 0.5), (-2, 2.0)], [1]).gains([-1, -2, 1]) == [0.5, 2.0, 1.0]
