"""Estimates from few human judgments and many of a machine, against ppi_py and by properties."""

import json
from pathlib import Path

import numpy as np
import pytest

from rankeval.stats.intervals import Sample, prediction_powered_mean, tuned_weight

RECORDED = Path(__file__).parents[1] / "data" / "tools" / "ppi_py.json"
CASES = json.loads(RECORDED.read_text(encoding="utf-8"))


def sample_of(case):
    return Sample(*(np.array(case[name]) for name in ("human", "machine", "others")))


@pytest.mark.parametrize("case", CASES)
def test_estimates_agree_with_ppi_py(case):
    found = prediction_powered_mean(sample_of(case))

    assert found.weight == pytest.approx(case["weight"], abs=1e-9)
    assert found.value == pytest.approx(case["value"], abs=1e-9)
    assert found.standard_error == pytest.approx(case["error"], abs=1e-9)


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
