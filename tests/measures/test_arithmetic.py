"""The mean over all orders of equal scores, against all orders one after the other."""

import math
from dataclasses import replace
from itertools import groupby, permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.errors import MeasureError
from rankeval.measures import definitions
from rankeval.measures.arithmetic import log, log2
from tests.support.builders import judgments
from tests.support.samples import aligned, batches
from tests.support.settings import ALL_SETTINGS

ABLE = [setting for setting in ALL_SETTINGS if setting.definition.expected]
MOST_ORDERS = 800


def orders(ranking):
    """Every order that a ranking of (score, grade) with equal scores may have."""
    groups = [[*members] for _, members in groupby(ranking, key=lambda document: document[0])]
    for arranged in product(*(permutations(group) for group in groups)):
        yield [document for group in arranged for document in group]


def mean_over_orders(measure, batch, highest_grade):
    """The mean value of each topic over all its orders; None where there are too many."""
    means = []
    for ranking, missed in batch:
        every = []
        for order in orders(ranking):
            every.append(order)
            if len(every) > MOST_ORDERS:
                return None
        settled = judgments(every, [missed] * len(every))
        means.append(measure.values(replace(settled, highest_grade=highest_grade)).mean())
    return means


@examples(max_examples=400, deadline=None)
@given(batches(), st.sampled_from(ABLE))
def test_the_expected_value_is_the_mean_over_all_orders(batch, measure):
    settled = aligned(batch)
    try:
        values = measure.values(replace(settled, ties_open=True))
        means = mean_over_orders(measure, batch, settled.highest_grade)
    except MeasureError:
        return
    assume(means is not None)

    np.testing.assert_allclose(values, means, rtol=1e-11, atol=1e-12, err_msg=str(measure))


@pytest.mark.parametrize("name", [n for n, d in definitions().items() if d.expected])
def test_each_measure_that_can_is_exact_in_a_group_that_a_cutoff_of_three_cuts(name):
    batch = [
        ([(9, 0), (5, 1), (5, None), (5, 2), (5, -1), (1, 1), (1, None)], [1, 0]),
        ([(7, None), (7, 2), (7, 1), (7, 1)], []),
        ([(3, 0), (2, 0)], [2]),
    ]
    settled = aligned(batch)
    compared = 0

    for measure in (setting for setting in ABLE if setting.name == name):
        try:
            values = measure.values(replace(settled, ties_open=True))
            means = mean_over_orders(measure, batch, settled.highest_grade)
        except MeasureError:
            continue
        np.testing.assert_allclose(values, means, rtol=1e-11, atol=1e-12, err_msg=str(measure))
        compared += 1

    assert compared


def test_logarithms_are_those_of_the_c_library():
    ranks = np.arange(1, 3000)

    assert log2(ranks).tolist() == [math.log2(rank) for rank in range(1, 3000)]
    assert log(ranks / 7).tolist() == [math.log(rank / 7) for rank in range(1, 3000)]


def test_logarithms_outside_their_domain_are_infinite_or_undefined():
    values = log(np.array([0.0, -1.0]))

    assert values[0] == -math.inf
    assert math.isnan(values[1])
    assert log2(np.array([])).tolist() == []
