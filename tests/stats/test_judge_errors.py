"""Dawid and Skene's consensus, against a plain EM, simulated truth, and few judgments."""

import math
import time

import numpy as np
import pytest

from rankeval.errors import UsageError
from rankeval.stats.judge_errors import dawid_skene

JUDGES = np.array(
    [
        [[0.9, 0.08, 0.02], [0.1, 0.8, 0.1], [0.02, 0.08, 0.9]],
        [[0.6, 0.3, 0.1], [0.1, 0.6, 0.3], [0.05, 0.15, 0.8]],
        [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.2, 0.2, 0.6]],
    ]
)


def drawn(n_units, seed):
    """True grades, and those that three judges give."""
    rng = np.random.default_rng(seed)
    true = rng.choice(3, n_units, p=[0.5, 0.3, 0.2])
    values = np.stack(
        [[rng.choice(3, p=judge[grade]) for grade in true] for judge in JUDGES], axis=1
    ).astype(np.float64)
    return true, values


def plain_em(values, steps=2000):
    """The formulas of Dawid and Skene (1979), 2.3 to 2.5, one unit and one judge at a time."""
    m = values.shape[1]
    belief = np.array([[np.nanmean(row == k) for k in range(3)] for row in values])
    for _ in range(steps):
        prevalence = belief.mean(axis=0)
        confusion = np.zeros((m, 3, 3))
        for judge in range(m):
            for given in range(3):
                confusion[judge, :, given] = belief[values[:, judge] == given].sum(axis=0)
            confusion[judge] /= confusion[judge].sum(axis=1, keepdims=True)
        after = np.array(
            [
                prevalence * np.prod([confusion[j, :, int(row[j])] for j in range(m)], axis=0)
                for row in values
            ]
        )
        after /= after.sum(axis=1, keepdims=True)
        if np.abs(after - belief).max() < 1e-9:
            break
        belief = after
    return prevalence, confusion


@pytest.mark.parametrize("seed", range(1, 7))
def test_the_estimates_are_those_of_a_plain_em_with_a_thousand_pairs(seed):
    _, values = drawn(1000, seed)
    prevalence, confusion = plain_em(values)

    found = dawid_skene(values)

    assert found.prevalence == pytest.approx(prevalence, abs=0.01)
    assert found.confusion == pytest.approx(confusion, abs=0.01)


def test_the_consensus_is_right_more_often_than_any_judge_or_their_majority():
    true, values = drawn(3000, 1)
    majority = np.median(values, axis=1)

    found = dawid_skene(values).grades

    assert (found == true).mean() > max((values == true[:, None]).mean(axis=0))
    assert (found == true).mean() > (majority == true).mean()


def test_few_judgments_make_no_judge_perfect():
    found = dawid_skene([[1, 1, 0], [0, 0, 0]])

    assert (found.confusion > 0.0).all()
    assert (found.confusion < 1.0).all()
    assert found.confusion.sum(axis=2) == pytest.approx(np.ones((3, 2)))
    assert found.grades.tolist() == [1.0, 0.0]


def test_two_topics_of_few_documents_give_estimates_near_the_judges():
    """With 20 documents a judge who never erred on them is not taken for one who cannot err."""
    true, values = drawn(20, 2)
    values[:, 0] = true

    found = dawid_skene(values)

    assert (found.grades == true).mean() >= 0.9
    assert (found.confusion[0].diagonal() > 0.8).all()
    assert (found.confusion[0].diagonal() < 1.0).all()


def test_repeating_the_units_gives_each_the_same_grade():
    _, values = drawn(50, 6)

    once, often = dawid_skene(values), dawid_skene(np.tile(values, (40, 1)))

    assert often.grades.reshape(40, 50).std(axis=0) == pytest.approx(np.zeros(50))
    assert often.prevalence == pytest.approx(once.prevalence, abs=0.1)


@pytest.mark.slow
def test_time_hardly_grows_with_the_number_of_units():
    """Three judges and three grades have 27 patterns of values, however many units there are."""

    def seconds(times):
        values = np.tile(drawn(2_000, 3)[1], (times, 1))
        best = math.inf
        for _ in range(3):
            begun = time.process_time()
            dawid_skene(values)
            best = min(best, time.process_time() - begun)
        return best

    assert seconds(32) < 32 * seconds(1)


def test_units_without_a_value_and_one_category_are_kept():
    found = dawid_skene([[2, 2, 2], [np.nan] * 3])

    assert found.grades[0] == 2.0
    assert np.isnan(found.grades[1])


@pytest.mark.parametrize("values", [[[1, 0], [0, 0]], [[np.nan] * 3]])
def test_two_judges_and_no_value_are_refused(values):
    with pytest.raises(UsageError, match="three judges or more"):
        dawid_skene(values)
