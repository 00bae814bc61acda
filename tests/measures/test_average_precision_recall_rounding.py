"""How a level of recall becomes a number of documents."""

import numpy as np
import pytest

from rankeval.measures import parse_measure
from rankeval.measures.average_precision import documents_needed
from tests.support.builders import ranked


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        ("ceiling", [1, 1, 1, 2, 2, 3, 5]),
        ("nearest", [0, 0, 1, 1, 2, 3, 5]),
        ("add 0.9", [0, 0, 1, 2, 2, 3, 5]),
    ],
)
def test_shares_of_five_documents_are_counted_by_each_rule(count, expected):
    shares = [0.0, 0.01, 0.1, 0.25, 0.4, 0.6, 1.0]
    needed = [int(documents_needed(np.array([5]), share, count)[0]) for share in shares]

    assert needed == expected


def test_the_nearest_number_rounds_halves_away_from_zero():
    assert documents_needed(np.array([1, 3, 5]), 0.5, "nearest").tolist() == [1, 2, 3]
    assert documents_needed(np.array([1, 3]), -0.5, "nearest").tolist() == [-1, -2]
    assert documents_needed(np.array([1]), 0.49999999999999994, "nearest").tolist() == [0]


def test_interpolated_precision_follows_the_rule_it_is_given():
    judged = ranked([1, 0, 0, 1, 0, 0, 1, 1, 1], missed=[[]])

    assert parse_measure("IPrec@0.25").values(judged) == pytest.approx([5 / 9])
    assert parse_measure("IPrec(count='nearest')@0.25").values(judged) == pytest.approx([1.0])
    assert parse_measure("IPrec(count='add 0.9')@0.25").values(judged) == pytest.approx([5 / 9])
