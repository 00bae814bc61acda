"""Estimates from few human judgments and many of a machine, against ppi_py and by properties."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.stats.intervals import Sample, prediction_powered_mean, tuned_weight

RECORDED = Path(__file__).parents[1] / "data" / "tools" / "ppi_py.json"
CASES = json.loads(RECORDED.read_text(encoding="utf-8"))
VALUES = st.floats(0.0, 1.0).map(lambda value: round(value, 3))


def sample_of(case, **more):
    return Sample(*(np.array(case[name]) for name in ("human", "machine", "others")), **more)


@pytest.mark.parametrize("case", CASES)
def test_estimates_agree_with_ppi_py(case):
    found = prediction_powered_mean(sample_of(case))

    assert found.weight == pytest.approx(case["weight"], abs=1e-9)
    assert found.value == pytest.approx(case["value"], abs=1e-9)
    assert found.standard_error == pytest.approx(case["error"], abs=1e-9)


@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=30),
    st.lists(VALUES, min_size=1, max_size=60),
)
def test_a_finite_collection_gives_the_same_estimate_with_cochrans_error(both, others):
    human, machine = np.array(both).T
    sample = Sample(human, machine, np.array(others))

    endless = prediction_powered_mean(sample)
    finite = prediction_powered_mean(sample, finite=True)

    assert finite.value == pytest.approx(endless.value)
    assert finite.weight == endless.weight
    if not endless.weight:  # Cochran (1977), chapter 2: the share of topics that were not drawn
        left = len(others) / (len(both) + len(others))
        assert finite.standard_error == pytest.approx(endless.standard_error * left**0.5)


def test_all_samples_of_a_collection_average_to_its_mean_and_variance():
    """Cochran (1977), chapter 2: mean and variance of draws without replacement."""
    human = np.array([0.1, 0.4, 0.35, 0.8, 0.6, 0.2])
    means, variances = [], []
    for drawn in combinations(range(6), 3):
        judged = np.isin(np.arange(6), drawn)
        found = prediction_powered_mean(
            # A machine whose values are all the same has a lambda of 0.
            Sample(human[judged], np.zeros(3), np.zeros(3)),
            finite=True,
        )
        means.append(found.value)
        variances.append(found.standard_error**2 * 3 / 2)

    assert np.mean(means) == pytest.approx(human.mean())
    assert np.mean(variances) == pytest.approx(np.var(means))


def test_a_machine_that_is_always_right_has_lambda_near_1_and_little_error():
    rng = np.random.default_rng(3)
    values = rng.random(1000)

    found = prediction_powered_mean(Sample(values[:50], values[:50], values[50:]))

    assert found.weight == pytest.approx(0.95, abs=0.15)
    assert found.standard_error == pytest.approx(values.std() / np.sqrt(1000), rel=0.2)
    assert found.more == pytest.approx(950, rel=0.3)


def test_no_other_topics_and_a_constant_machine_leave_people_alone():
    human = np.array([0.2, 0.4, 0.9])
    nothing = np.zeros(0)

    for sample in (Sample(human, human, nothing), Sample(human, np.ones(3), np.ones(9))):
        found = prediction_powered_mean(sample)
        assert tuned_weight(sample) == 0.0
        assert found.value == pytest.approx(human.mean())
        # Student's t: 4.302653 is the 97.5% quantile of 2 degrees of freedom.
        margin = 4.302653 * human.std(ddof=1) / np.sqrt(3)
        assert found.high - found.value == pytest.approx(margin, rel=1e-6)
        assert found.more == pytest.approx(0.0, abs=1e-9)
