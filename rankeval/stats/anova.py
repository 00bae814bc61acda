"""Two-way analysis of variance: topics by systems, without interaction."""

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats, as_columns


@frozen
class Anova:
    """The analysis of variance of values of n topics by m systems.

    ============  =================================================================================
    n_topics      topics with a value for every system
    n_excluded    topics left out because a value is NaN
    means         mean of each system over these topics; None without topics
    sum_squares_systems, sum_squares_topics, sum_squares_error
    df_systems, df_topics, df_error     m - 1, n - 1, (m - 1)(n - 1)
    f_systems, f_topics                 None where the error is 0 or unknown
    p_systems, p_topics                 always a number from 0 to 1
    ============  =================================================================================
    """

    n_topics: int
    n_excluded: int
    means: tuple[float, ...] | None
    sum_squares_systems: float
    sum_squares_topics: float
    sum_squares_error: float
    df_systems: int
    df_topics: int
    df_error: int
    f_systems: float | None
    f_topics: float | None
    p_systems: float
    p_topics: float

    @property
    def mean_square_error(self) -> float | None:
        """Variance that neither topic nor system explains; None without degrees of freedom."""
        return self.sum_squares_error / self.df_error if self.df_error > 0 else None


@checked
def two_way_anova(values: npt.ArrayLike) -> Anova:
    r"""Split the variance of values (topics by systems) into systems, topics and the rest.

    .. math::
        x_{ts} = \mu + \alpha_t + \beta_s + \varepsilon_{ts}, \qquad
        F = \frac{\mathit{SS}_\mathrm{systems} / (m-1)}{\mathit{SS}_\mathrm{error} / ((m-1)(n-1))}

    Shapes: values (n, m), one row per topic, one column per system, m >= 2.

    Edge cases
        - A topic with a NaN is left out for all systems: the design stays balanced.
        - Fewer than two topics: no F, p = 1.0.
        - No residual variance: no F; p is its limit, 0.0, or 1.0 if the means are equal too.
        - Two systems: F is the square of the paired t, with the same p.

    Source: Sakai, Laboratory Experiments in Information Retrieval, 2018, chapter 3.
    """
    complete, n_excluded = complete_topics(values)
    n_topics, n_systems = complete.shape
    if n_topics == 0:
        return Anova(0, n_excluded, None, 0.0, 0.0, 0.0, n_systems - 1, 0, 0, None, None, 1.0, 1.0)
    means = complete.mean(axis=0)
    systems = means - complete.mean()
    topics = complete.mean(axis=1) - complete.mean()
    residuals = complete - complete.mean() - systems - topics[:, np.newaxis]
    # Below this a sum of squares is the rounding of the means and not a variance.
    noise = complete.size * (NOISE * float(np.abs(complete).max())) ** 2
    between, across, rest = (
        0.0 if total <= noise else total
        for total in (
            n_topics * float((systems**2).sum()),
            n_systems * float((topics**2).sum()),
            float((residuals**2).sum()),
        )
    )
    df_systems, df_topics = n_systems - 1, n_topics - 1
    df_error = df_systems * df_topics
    f_systems, p_systems = _f_test(between, df_systems, rest, df_error)
    f_topics, p_topics = _f_test(across, df_topics, rest, df_error)
    return Anova(
        n_topics=n_topics,
        n_excluded=n_excluded,
        means=tuple(means.tolist()),
        sum_squares_systems=between,
        sum_squares_topics=across,
        sum_squares_error=rest,
        df_systems=df_systems,
        df_topics=df_topics,
        df_error=df_error,
        f_systems=f_systems,
        f_topics=f_topics,
        p_systems=p_systems,
        p_topics=p_topics,
    )


def complete_topics(values: npt.ArrayLike) -> tuple[Floats, int]:
    """Return the rows without NaN of values (topics, systems), and how many others there are."""
    table = as_columns(values, "values")
    if table.shape[1] < 2:
        problem = f"found {table.shape[1]} system to compare"
        raise UsageError(problem, expected="at least two systems, one column each")
    complete = table[~np.isnan(table).any(axis=1)]
    return complete, len(table) - len(complete)


def _f_test(
    effect: float, df_effect: int, error: float, df_error: int
) -> tuple[float | None, float]:
    from scipy.special import fdtrc

    if df_error == 0:
        return None, 1.0
    if error == 0.0:
        return None, 1.0 if effect == 0.0 else 0.0
    ratio = (effect / df_effect) / (error / df_error)
    return ratio, float(fdtrc(df_effect, df_error, ratio))
