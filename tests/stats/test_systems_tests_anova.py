import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.stats import two_way_anova

value = st.floats(0, 1, allow_nan=False).map(lambda x: round(x, 3))
tables = st.tuples(st.integers(2, 8), st.integers(2, 5)).flatmap(
    lambda shape: st.lists(value, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]).map(
        lambda flat: np.array(flat).reshape(shape)
    )
)


def sample(n_topics, n_systems, seed=0):
    rng = np.random.default_rng(seed)
    topics = rng.uniform(0, 0.8, size=(n_topics, 1))
    return topics + rng.normal(0, 0.1, size=(n_topics, n_systems)) + 0.03 * np.arange(n_systems)


def test_an_analysis_of_variance_worked_by_hand():
    """Grand mean 4; systems 3, 4, 5; topics 2, 6; residuals +-0.5 and 0, in sum of squares 1."""
    anova = two_way_anova([[1.5, 2.0, 2.5], [4.5, 6.0, 7.5]])

    assert anova.means == (3.0, 4.0, 5.0)
    assert anova.sum_squares_systems == pytest.approx(2 * (1 + 0 + 1))
    assert anova.sum_squares_topics == pytest.approx(3 * (4 + 4))
    assert anova.sum_squares_error == pytest.approx(4 * 0.25)
    assert (anova.df_systems, anova.df_topics, anova.df_error) == (2, 1, 2)
    assert anova.f_systems == pytest.approx((4 / 2) / (1 / 2))
    # With 2 and 2 degrees of freedom, P(F > f) = 1 / (1 + f).
    assert anova.p_systems == pytest.approx(1 / (1 + 4))
    assert anova.f_topics == pytest.approx(24 / (1 / 2))
    assert anova.mean_square_error == pytest.approx(1 / 2)


@pytest.mark.parametrize(("n_topics", "n_systems"), [(2, 2), (10, 3), (50, 6)])
def test_anova_agrees_with_statsmodels(n_topics, n_systems):
    pytest.importorskip("statsmodels")
    import pandas as pd
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    values = sample(n_topics, n_systems)
    topics, systems = np.indices(values.shape)
    frame = pd.DataFrame({"x": values.ravel(), "t": topics.ravel(), "s": systems.ravel()})
    expected = anova_lm(ols("x ~ C(t) + C(s)", data=frame).fit())

    anova = two_way_anova(values)

    assert anova.sum_squares_systems == pytest.approx(expected.loc["C(s)", "sum_sq"])
    assert anova.sum_squares_topics == pytest.approx(expected.loc["C(t)", "sum_sq"])
    assert anova.sum_squares_error == pytest.approx(expected.loc["Residual", "sum_sq"])
    assert anova.mean_square_error == pytest.approx(expected.loc["Residual", "mean_sq"])
    assert anova.f_systems == pytest.approx(expected.loc["C(s)", "F"])
    assert anova.p_systems == pytest.approx(expected.loc["C(s)", "PR(>F)"])
    assert anova.p_topics == pytest.approx(expected.loc["C(t)", "PR(>F)"])


def test_a_topic_with_a_gap_is_left_out_for_all_systems():
    values = sample(10, 3)
    gaps = np.insert(values, 4, [0.1, np.nan, 0.9], axis=0)

    anova = two_way_anova(gaps)

    assert (anova.n_topics, anova.n_excluded) == (10, 1)
    assert anova.f_systems == two_way_anova(values).f_systems


def test_no_residual_variance_gives_the_limit_of_p():
    shifted = two_way_anova([[0.1, 0.2], [0.4, 0.5], [0.7, 0.8]])
    equal = two_way_anova(np.full((4, 3), 0.3))

    assert (shifted.sum_squares_error, shifted.f_systems, shifted.p_systems) == (0.0, None, 0.0)
    assert (equal.sum_squares_systems, equal.p_systems, equal.p_topics) == (0.0, 1.0, 1.0)


@given(values=tables)
@settings(deadline=None)
def test_the_sums_of_squares_add_up_and_the_order_of_systems_does_not_matter(values):
    anova, turned = two_way_anova(values), two_way_anova(values[::-1, ::-1])

    total = ((values - values.mean()) ** 2).sum()
    parts = anova.sum_squares_systems + anova.sum_squares_topics + anova.sum_squares_error
    assert parts == pytest.approx(total, abs=1e-12)
    assert 0.0 <= anova.p_systems <= 1.0
    assert turned.p_systems == pytest.approx(anova.p_systems, abs=1e-9)
