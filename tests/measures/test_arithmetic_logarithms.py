"""Logarithms are those of the C library, to the last bit."""

import math

import numpy as np

from rankeval.measures.arithmetic import log, log2


def test_logarithms_are_those_of_the_c_library():
    ranks = np.arange(1, 3000)

    assert log2(ranks).tolist() == [math.log2(rank) for rank in range(1, 3000)]
    assert log(ranks / 7).tolist() == [math.log(rank / 7) for rank in range(1, 3000)]


def test_logarithms_keep_order_and_repetitions():
    assert log2(np.array([8, 2, 8, 1])).tolist() == [3.0, 1.0, 3.0, 0.0]


def test_logarithms_outside_their_domain_are_infinite_or_undefined():
    values = log(np.array([0.0, -1.0]))

    assert values[0] == -math.inf
    assert math.isnan(values[1])
    assert log2(np.array([])).tolist() == []
