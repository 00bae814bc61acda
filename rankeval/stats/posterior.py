"""Bayesian comparison of two systems: the probabilities of worse, equal and better."""

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import as_vector, is_constant, require_fraction, require_margin
from rankeval.stats.students_distribution import t_lower_tail, t_quantile


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
