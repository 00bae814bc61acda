"""Normalisations of scores, worked by hand."""

import numpy as np
import pytest

from rankeval.choices import NORMALISATION_NAMES
from rankeval.errors import InputError
from rankeval.fusion.methods import NORMALISATIONS
from tests.support.fused import candidates, names_of

RUNS = [{"q": {"a": 4.0, "b": 3.0, "c": 1.0}}, {"q": {"b": 5.0, "d": -5.0}, "r": {"e": 2.0}}]


def normalised(name, runs=RUNS):
    """{docno: score} of each run."""
    found = NORMALISATIONS[name](candidates(runs))
    docnos = [docno for _, docno in names_of(runs)]
    return [
        {d: s for d, s in zip(docnos, row.tolist(), strict=True) if not np.isnan(s)}
        for row in found
    ]


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("none", {"a": 4, "b": 3, "c": 1}, {"b": 5, "d": -5, "e": 2}),
        ("min-max", {"a": 1, "b": 2 / 3, "c": 0}, {"b": 1, "d": 0, "e": 0}),
        ("max", {"a": 1, "b": 3 / 4, "c": 1 / 4}, {"b": 1, "d": -1, "e": 1}),
        ("sum", {"a": 3 / 5, "b": 2 / 5, "c": 0}, {"b": 1, "d": 0, "e": 0}),
        ("rank", {"a": 1, "b": 2 / 3, "c": 1 / 3}, {"b": 1, "d": 1 / 2, "e": 1}),
    ],
)
def test_scores_of_a_topic_are_normalised_by_themselves(name, first, second):
    assert normalised(name) == [pytest.approx(first), pytest.approx(second)]


def test_z_scores_have_the_deviation_of_the_population():
    """The mean of 4, 3 and 1 is 8/3, their variance ((4/3)² + (1/3)² + (5/3)²) / 3 = 14/9."""
    deviation = (14 / 9) ** 0.5

    first, second = normalised("z-score")

    expected = {"a": 4 / 3 / deviation, "b": 1 / 3 / deviation, "c": -5 / 3 / deviation}
    assert first == pytest.approx(expected)
    assert second == pytest.approx({"b": 1, "d": -1, "e": 0})


def test_bordas_points_go_to_absent_candidates_as_well():
    """Topic q has the candidates a b c d; the first run lacks d, the second a and c."""
    first, second = normalised("borda")

    assert first == pytest.approx({"a": 1, "b": 3 / 4, "c": 1 / 2, "d": 1 / 2 - 2 / 8, "e": 1})
    assert second == pytest.approx({"a": 3 / 8, "b": 1, "c": 3 / 8, "d": 3 / 4, "e": 1})


@pytest.mark.parametrize("name", ["min-max", "sum", "z-score"])
@pytest.mark.parametrize("scores", [{"a": 0.1, "b": 0.1, "c": 0.1}, {"a": -7.3}])
def test_equal_scores_and_a_single_one_become_0(name, scores):
    other = {"q": {"a": 1.0, "z": 2.0}}

    assert normalised(name, [{"q": scores}, other])[0] == dict.fromkeys(scores, 0)


@pytest.mark.parametrize("best", [0.0, -2.0])
def test_a_best_score_that_is_not_positive_is_an_error(best):
    with pytest.raises(InputError, match=f'the best score of topic "q" is {best} in run 1'):
        normalised("max", [{"q": {"a": best, "b": -3.0}}])


def test_the_names_are_those_of_the_options():
    assert tuple(NORMALISATIONS) == NORMALISATION_NAMES
