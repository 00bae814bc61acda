"""Measures of answers by nuggets, against their definitions, nugget by nugget."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.errors import MeasureError
from rankeval.measures import answers
from rankeval.measures.measure_catalogue import CATALOGUE

ANSWERS = [*CATALOGUE["answers"]]
IMPORTANCES, ASSIGNMENTS = ("vital", "okay", "failed"), ("support", "partial_support", "other")
NUGGETS = st.lists(st.tuples(st.sampled_from(IMPORTANCES), st.sampled_from(ASSIGNMENTS)))


def counts(nuggets, length=np.nan):
    """The counts of one answer's nuggets."""
    number = Counter(nuggets)
    by_assignment = [
        np.array([[float(number[one, assigned]) for one in IMPORTANCES]])
        for assigned in ASSIGNMENTS
    ]
    return answers.NuggetCounts(
        sum(by_assignment), by_assignment[0], by_assignment[1], np.array([float(length)])
    )


def plain(nuggets, *, weights, partial):
    """The weight of what is supported, divided by the weight of all, nugget by nugget."""
    worth = {"support": 1.0, "partial_support": partial, "other": 0.0}
    whole = sum(weights[one] for one, _ in nuggets)
    good = sum(weights[one] * worth[assigned] for one, assigned in nuggets)
    return good / whole if whole else 0.0


WEIGHTS = {
    "vital_score": {"vital": 1, "okay": 0, "failed": 0},
    "all_score": {"vital": 1, "okay": 1, "failed": 1},
    "weighted_score": {"vital": 1, "okay": 0.5, "failed": 0},
}


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("strict", [False, True])
@given(nuggets=NUGGETS)
def test_scores_are_shares_of_the_weight_of_nuggets(name, strict, nuggets):
    function = getattr(answers, f"{'strict_' * strict}{name}")

    (found,) = function(counts(nuggets))

    expected = plain(nuggets, weights=WEIGHTS[name], partial=0 if strict else 0.5)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("length", "supported", "expected"),
    [(250, 2, 200 / 250), (200, 2, 1.0), (10, 0, 0.0), (0, 0, 0.0), (0, 3, 0.0)],
)
def test_precision_is_the_share_of_the_length_that_nuggets_allow(length, supported, expected):
    nuggets = [("okay", "support")] * supported + [("vital", "partial_support")]

    (found,) = answers.nugget_precision(counts(nuggets, length))

    assert found == pytest.approx(expected)


def test_f_is_the_weighted_mean_of_precision_and_strict_recall():
    """P = 200 / 250, R = 1 / 2, beta = 3: 10 P R / (9 P + R)."""
    nuggets = [("vital", "support"), ("vital", "other"), ("okay", "support")]
    p, r = 200 / 250, 1 / 2

    (found,) = answers.nugget_f_score(counts(nuggets, 250))
    (older,) = answers.nugget_f_score(counts(nuggets, 250), beta=5)

    assert found == pytest.approx(10 * p * r / (9 * p + r))
    assert older == pytest.approx(26 * p * r / (25 * p + r))


def test_answers_without_their_text_have_no_precision():
    assert np.isnan(answers.nugget_precision(counts([("vital", "support")]))).all()
    assert np.isnan(answers.nugget_f_score(counts([("vital", "support")]))).all()


def test_support_of_a_small_answer():
    """Four sentences: full; partial and none; none; no citation at all."""
    counts = answers.SupportCounts(*(np.array([n]) for n in (4.0, 3.0, 4.0, 1.5, 1.5)))

    assert answers.support_precision(counts) == pytest.approx([(1 + 0.5 + 0 + 0) / 4])
    assert answers.support_recall(counts) == pytest.approx([(1 + 0.5 + 0 + 0) / 4])
    assert answers.sentence_coverage(counts) == pytest.approx([3 / 4])


@pytest.mark.parametrize("name", ANSWERS)
def test_rankings_have_neither_nuggets_nor_answers(name):
    with pytest.raises(MeasureError, match=f"{name}.* needs (nuggets|citations)") as raised:
        rankeval.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, name)

    assert "rankeval nuggets FILE" in str(raised.value)
