import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.stats import effect_sizes, paired_differences, paired_test
from rankeval.stats.differences import small_sample_factor

value = st.floats(0, 1, allow_nan=False).map(lambda x: round(x, 3))
pairs = st.lists(st.tuples(value, value), min_size=3, max_size=20)


def test_effect_sizes_worked_by_hand():
    """Differences 0.1, 0.2, 0.3: mean 0.2, deviation 0.1; baseline 0.1, 0.3, 0.5: deviation 0.2."""
    sizes = effect_sizes([0.1, 0.3, 0.5], [0.2, 0.5, 0.8])

    assert sizes.cohens_dz == pytest.approx(0.2 / 0.1)
    assert sizes.glass_delta == pytest.approx(0.2 / 0.2)
    # J(2) = Gamma(1) / (sqrt(1) Gamma(1/2)) = 1 / sqrt(pi)
    assert sizes.hedges_gz == pytest.approx(2 / np.sqrt(np.pi))


@pytest.mark.parametrize(
    ("degrees", "published"), [(2, 0.5642), (5, 0.8408), (10, 0.9228), (20, 0.9619), (50, 0.9849)]
)
def test_the_small_sample_factor_is_hedges_table(degrees, published):
    """Hedges (1981), table 1."""
    assert small_sample_factor(degrees) == pytest.approx(published, abs=1e-4)


def test_the_small_sample_factor_makes_the_effect_size_unbiased():
    d = np.random.default_rng(0).normal(0.5, 1.0, size=(200_000, 6))
    standardized = d.mean(axis=1) / d.std(axis=1, ddof=1)

    assert small_sample_factor(5) * standardized.mean() == pytest.approx(0.5, abs=0.01)


@pytest.fixture(scope="module")
def pingouin():
    return pytest.importorskip("pingouin")


@given(values=pairs)
@settings(deadline=None)
def test_effect_sizes_agree_with_pingouin(pingouin, values):
    one, other = np.array(values).T
    d = paired_differences(one, other)
    sizes = effect_sizes(one, other)
    if sizes.cohens_dz is None or not d.any() or sizes.glass_delta is None:
        return

    # Against a constant, pingouin standardizes by the deviation of the sample itself.
    assert sizes.cohens_dz == pytest.approx(pingouin.compute_effsize(d, 0.0, eftype="cohen"))
    # It takes Hedges' approximation 1 - 3 / (4 f - 1) for J(f); here f = n - 1.
    approximate = pingouin.convert_effsize(sizes.cohens_dz, "cohen", "hedges", nx=len(d), ny=1)
    assert sizes.hedges_gz == pytest.approx(approximate, rel=0.15)


def test_effect_sizes_without_variance_have_decided_values():
    equal = effect_sizes([0.1, 0.1, 0.4], [0.1, 0.1, 0.4])
    same_shift = effect_sizes([0.1, 0.2, 0.3], [0.2, 0.3, 0.4])
    flat_baseline = effect_sizes([0.5, 0.5, 0.5], [0.6, 0.7, 0.9])

    assert (equal.cohens_dz, equal.hedges_gz, equal.glass_delta) == (0.0, 0.0, 0.0)
    assert (same_shift.cohens_dz, same_shift.hedges_gz) == (None, None)
    assert same_shift.glass_delta == pytest.approx(1.0)
    assert flat_baseline.glass_delta is None
    assert flat_baseline.cohens_dz is not None


@pytest.mark.parametrize("values", [[], [0.3], [np.nan, 0.3]])
def test_fewer_than_two_topics_have_no_effect_size(values):
    sizes = effect_sizes(values, [0.5] * len(values))

    assert sizes.cohens_dz is sizes.hedges_gz is sizes.glass_delta is None


def test_two_topics_cannot_be_corrected():
    assert effect_sizes([0.1, 0.2], [0.2, 0.4]).hedges_gz == 0.0


def test_a_missing_pair_is_left_out_of_the_baselines_deviation_too():
    with_gap = effect_sizes([0.1, 0.3, 0.5, 0.9], [0.2, 0.5, 0.8, np.nan])

    assert with_gap == effect_sizes([0.1, 0.3, 0.5], [0.2, 0.5, 0.8])


@given(pairs)
@settings(deadline=None)
def test_effect_sizes_turn_with_the_systems_and_give_students_t(values):
    one, other = np.array(values).T
    forth, back = effect_sizes(one, other), effect_sizes(other, one)
    t = paired_test(paired_differences(one, other)).statistic

    if forth.cohens_dz is not None:
        assert forth.cohens_dz == pytest.approx(-back.cohens_dz)
        assert forth.cohens_dz * np.sqrt(len(values)) == pytest.approx(t)
        assert abs(forth.hedges_gz) <= abs(forth.cohens_dz)
