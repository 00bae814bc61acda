"""Practical equivalence of two systems: two one-sided t tests, and the Bayesian posterior."""

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import (
    Floats,
    as_vector,
    is_constant,
    require_fraction,
    require_margin,
    require_risk,
)
from rankeval.stats.intervals import confidence_interval
from rankeval.stats.mean_tests import student_t, t_lower_tail, t_quantile
from rankeval.stats.paired import Alternative


@frozen
class Equivalence:
    """The outcome of two one-sided tests of equivalence.

    ===========  ==================================================================================
    margin       the mean difference from which on systems are not equivalent
    alpha        the risk that the interval is taken at
    n_topics     pairs that count
    n_excluded   pairs left out because a value is NaN
    p_value      below alpha, the true mean difference is shown to be between -margin and margin;
                 the larger one of the next two
    p_low        of the test whether the mean difference is above -margin
    p_high       of the test whether it is below margin
    low, high    interval of the mean difference at level 1 - 2 alpha, within the margins exactly if
                 the p-value is below alpha; None with fewer than two topics
    note         "" or, in a few words, why the outcome was decided rather than computed
    ===========  ==================================================================================
    """

    margin: float
    alpha: float
    n_topics: int
    n_excluded: int
    p_value: float
    p_low: float
    p_high: float
    low: float | None
    high: float | None
    note: str = ""


@checked
def equivalence_test(
    differences: npt.ArrayLike, *, margin: float, alpha: float = 0.05
) -> Equivalence:
    r"""Test whether the mean difference is shown to be within a margin on either side of 0.

    .. math::
        p = \max\Bigl( \Pr\bigl(T \ge \tfrac{\bar d + \delta}{s_d / \sqrt n}\bigr),\
        \Pr\bigl(T \le \tfrac{\bar d - \delta}{s_d / \sqrt n}\bigr) \Bigr)

    with T of Student's t distribution with n - 1 degrees of freedom and the margin delta. A t test
    that does not reject is no proof of equivalence, because with few topics it rarely rejects. This
    test is a proof, if the differences are near enough to normal for their mean to be normal.

    Shapes: differences (n,).

    Edge cases
        - No topic, or one topic: p = 1.0, no interval.
        - Every difference the same c: p is its limit, 0.0 for |c| < margin, else 1.0. The note
          warns that few topics may show no variance by chance.
        - A mean of exactly the margin: p = 0.5 or more.
        - NaN: the pair is left out.
        - A margin that is not above 0: UsageError.

    Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach",
    Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987.

    >>> found = equivalence_test([0.01, -0.02, 0.0, 0.01, -0.01, 0.02], margin=0.05)
    >>> round(found.p_value, 5), round(found.high, 4)
    (0.00024, 0.0138)
    """
    values = as_vector(differences, "differences")
    require_margin(margin)
    if not 0.0 < require_risk(alpha, "alpha") < 0.5:
        raise UsageError(f"alpha is {alpha}", expected="a risk below 0.5, usually 0.05")
    above = _one_sided(values + margin, Alternative.GREATER)
    below = _one_sided(values - margin, Alternative.LESS)
    interval = confidence_interval(values, level=1.0 - 2.0 * alpha)
    (plain,) = student_t(values)
    return Equivalence(
        margin=float(margin),
        alpha=alpha,
        n_topics=plain.n_topics,
        n_excluded=plain.n_excluded,
        p_value=max(above, below),
        p_low=above,
        p_high=below,
        low=interval.low,
        high=interval.high,
        note=plain.note,
    )


def _one_sided(shifted: Floats, alternative: Alternative) -> float:
    (outcome,) = student_t(shifted, alternative=alternative)
    return outcome.p_value


@frozen
class Posterior:
    """The posterior distribution of the true mean difference, given the topics.

    ===================  ==========================================================================
    margin               half the width of the region of practical equivalence around 0
    n_topics             pairs that count
    n_excluded           pairs left out because a value is NaN
    worse, equal, better probabilities that the true mean difference is below that region, in it and
                         above it; they add up to 1, and are None with fewer than two topics
    low, high            credible interval of the mean difference; None with fewer than two topics
    level                probability of the interval
    ===================  ==========================================================================
    """

    margin: float
    n_topics: int
    n_excluded: int
    worse: float | None
    equal: float | None
    better: float | None
    low: float | None
    high: float | None
    level: float


@checked
def posterior_probabilities(
    differences: npt.ArrayLike,
    *,
    margin: float = 0.01,
    correlation: float = 0.0,
    level: float = 0.95,
) -> Posterior:
    r"""Give the probabilities that the candidate is worse than, equal to and better than the other.

    With the prior 1 / variance for mean and variance of normal differences, the mean difference has
    the posterior

    .. math::
        \mu \sim t_{n-1}\Bigl(\bar d,\ \bigl(\tfrac1n + \tfrac{\rho}{1 - \rho}\bigr)\, s_d^2\Bigr)

    a Student distribution with n - 1 degrees of freedom, location and squared scale; with the
    region of practical equivalence of half width r ("rope"), worse is P(mu < -r), equal is
    P(-r <= mu <= r) and better is P(mu > r). `correlation`, rho, is between the differences: 0 for
    separate topics; for k folds of a cross validation 1/k.

    Unlike a p-value this is a probability of the systems' order, if one accepts the prior and
    normal differences. The number of other comparisons does not change it.

    Shapes: differences (n,).

    Edge cases
        - No topic, or one: nothing is known, all None.
        - Every difference the same c: all probability lies in the region that holds c.
        - A mean of exactly -r or r counts as equal.
        - NaN: the pair is left out.
        - A margin that is not above 0, or a correlation outside 0 <= rho < 1: UsageError.

    Source: Benavoli, Corani, Demsar and Zaffalon, "Time for a change: a tutorial for comparing
    multiple classifiers through Bayesian analysis", Journal of Machine Learning Research 18, 2017;
    for retrieval, Carterette, "Bayesian inference for information retrieval evaluation", ICTIR
    2015.

    >>> found = posterior_probabilities([0.05, 0.02, -0.01, 0.04, 0.03, 0.0], margin=0.01)
    >>> round(found.worse, 4), round(found.equal, 4), round(found.better, 4)
    (0.0102, 0.1259, 0.8639)
    """
    values = as_vector(differences, "differences")
    require_margin(margin)
    require_fraction(level, "level")
    if not 0.0 <= correlation < 1.0:
        raise UsageError(f"the correlation is {correlation}", expected="0 or more, and below 1")
    kept = values[~np.isnan(values)]
    n_excluded = values.size - kept.size
    if kept.size < 2:
        return Posterior(margin, kept.size, n_excluded, None, None, None, None, None, level)
    mean = float(kept.mean())
    if is_constant(kept[:, np.newaxis])[0]:
        worse, better = float(mean < -margin), float(mean > margin)
        equal = 1.0 - worse - better
        return Posterior(margin, kept.size, n_excluded, worse, equal, better, mean, mean, level)
    degrees = kept.size - 1
    scale = float(kept.std(ddof=1)) * (1.0 / kept.size + correlation / (1.0 - correlation)) ** 0.5
    worse = t_lower_tail(degrees, (-margin - mean) / scale)
    better = t_lower_tail(degrees, (mean - margin) / scale)
    reach = t_quantile(degrees, (1.0 + level) / 2.0) * scale
    return Posterior(
        margin=float(margin),
        n_topics=kept.size,
        n_excluded=n_excluded,
        worse=worse,
        equal=max(0.0, 1.0 - worse - better),
        better=better,
        low=mean - reach,
        high=mean + reach,
        level=level,
    )
