import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.stats import cohens_dz, paired_test

value = st.floats(-1, 1, allow_nan=False).map(lambda x: round(x, 3))
differences = st.lists(value, min_size=3, max_size=20)


def test_an_effect_size_worked_by_hand():
    """Differences 0.1, 0.2, 0.3: mean 0.2, deviation 0.1."""
    assert cohens_dz([0.1, 0.2, 0.3]) == pytest.approx(0.2 / 0.1)


@pytest.fixture(scope="module")
def pingouin():
    return pytest.importorskip("pingouin")


@given(values=differences)
@settings(deadline=None)
def test_effect_sizes_agree_with_pingouin(pingouin, values):
    found = cohens_dz(values)
    if found is not None and any(values):
        # Against a constant, pingouin standardizes by the deviation of the sample itself.
        assert found == pytest.approx(pingouin.compute_effsize(values, 0.0, eftype="cohen"))


def test_effect_sizes_without_variance_have_decided_values():
    assert cohens_dz([0.0, 0.0, 0.0]) == 0.0
    assert cohens_dz([0.1, 0.1, 0.1]) is None


@pytest.mark.parametrize("values", [[], [0.3], [np.nan, 0.3]])
def test_fewer_than_two_topics_have_no_effect_size(values):
    assert cohens_dz(values) is None


@given(differences)
@settings(deadline=None)
def test_effect_sizes_turn_with_the_systems_and_give_students_t(values):
    forth, back = cohens_dz(values), cohens_dz([-value for value in values])

    if forth is not None:
        assert forth == pytest.approx(-back)
        assert forth * np.sqrt(len(values)) == pytest.approx(paired_test(values).statistic)
