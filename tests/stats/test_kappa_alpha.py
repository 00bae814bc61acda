import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from rankeval.stats import (
    KappaWeights,
    Level,
    cohen_kappa,
    gwet_ac,
    krippendorff_alpha,
)
from tests.support.oracles import other_tool

NO = float("nan")
FOUR_CODERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NO, NO, NO],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NO, 3],
        [NO, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NO],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NO],
    ]
).T
grades = st.integers(0, 4)
pairs = st.lists(st.tuples(grades, grades), min_size=1, max_size=30)
judged = st.integers(2, 5).flatmap(
    lambda judges: st.lists(
        st.lists(st.sampled_from([NO, 0, 1, 2, 4]), min_size=judges, max_size=judges),
        min_size=1,
        max_size=12,
    )
)


def sklearn_kappa(first, second, weights):
    """Cohen's kappa of scikit-learn, with all integers of the scale as its labels."""
    metrics = other_tool("sklearn.metrics")
    labels = np.arange(min(*first, *second), max(*first, *second) + 1)
    return metrics.cohen_kappa_score(first, second, labels=labels, weights=weights)


@pytest.mark.parametrize("weights", KappaWeights)
@given(values=pairs)
@settings(deadline=None)
def test_cohens_kappa_is_scikit_learns(weights, values):
    first, second = zip(*values, strict=True)
    found = cohen_kappa(first, second, weights=weights)

    if len({*first, *second}) == 1:
        assert found is None
    else:
        theirs = None if weights is KappaWeights.PLAIN else str(weights)
        expected = sklearn_kappa(first, second, theirs)
        assert found == pytest.approx(expected, abs=1e-12)


def test_cohens_kappa_worked_by_hand():
    """Agreement 35 / 50; by chance (25 * 30 + 25 * 20) / 50^2 = 1 / 2."""
    first = [1] * 25 + [0] * 25
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15

    assert cohen_kappa(first, second) == pytest.approx((0.7 - 0.5) / (1 - 0.5))


@pytest.mark.parametrize(("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815)])
def test_alpha_of_four_coders_is_as_published(level, expected):
    """Krippendorff, "Computing Krippendorff's alpha-reliability", 2011, section C and D."""
    assert krippendorff_alpha(FOUR_CODERS, level=level) == pytest.approx(expected, abs=5e-4)


def plain_alpha(units, level):
    """One less observed over expected disagreement, pair of values by pair of values."""
    kept = [[v for v in unit if not np.isnan(v)] for unit in units]
    kept = [unit for unit in kept if len(unit) >= 2]
    every = [v for unit in kept for v in unit]

    def apart(one, other):
        if level == "nominal":
            return float(one != other)
        low, high = min(one, other), max(one, other)
        between = sum(low <= v <= high for v in every)
        return (between - (every.count(low) + every.count(high)) / 2) ** 2 if low != high else 0.0

    seen = sum(apart(a, b) / (len(unit) - 1) for unit in kept for a in unit for b in unit)
    expected = sum(apart(a, b) for a in every for b in every)
    return 1 - (len(every) - 1) * seen / expected if expected else None


@pytest.mark.parametrize("level", Level)
@given(units=judged)
@settings(deadline=None)
def test_alpha_equals_a_plain_loop(level, units):
    expected = plain_alpha(units, level)

    found = krippendorff_alpha(units, level=level)

    assert found is None if expected is None else found == pytest.approx(expected, abs=1e-9)


def test_without_disagreement_by_chance_nothing_is_measured():
    for nothing in ([], [1, 1]):
        assert cohen_kappa(nothing, nothing) is None
    assert krippendorff_alpha([[1, NO], [NO, 2]]) is krippendorff_alpha([[1, 1]]) is None


@pytest.mark.parametrize("measure", [gwet_ac, krippendorff_alpha])
def test_one_judge_is_refused(measure):
    with pytest.raises(UsageError, match="the values of 1 judge"):
        measure([1, 2, 3])


IRR_CAC = json.loads(
    (Path(__file__).parents[1] / "data" / "tools" / "irrCAC.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", IRR_CAC)
def test_gwets_coefficient_agrees_with_irrcac(case):
    values = np.array(case["values"], dtype=np.float64)

    assert gwet_ac(values) == pytest.approx(case["plain"], abs=1e-9)
