"""Means over topics, runs and collections, with Welch's standard error and degrees of freedom."""

import math
from collections.abc import Sequence

from rankeval.stats.arrays import NOISE, Floats
from rankeval.support.frozen import frozen


@frozen(eq=False)
class EstimatedMean:
    """A mean with its standard error and the degrees of freedom of that error."""

    mean: float
    error: float
    freedom: float

    def p_above(self, value: float) -> float:
        """Return the p-value of "the mean is at most `value`" against "it is above"."""
        from scipy.special import stdtr

        distance = self.mean - value
        if self.error <= NOISE:
            return 0.0 if distance > NOISE else 1.0
        return float(stdtr(self.freedom, -distance / self.error))

    def margin(self, alpha: float) -> float:
        """Return the distance of a one-sided confidence bound at 1 - alpha from the mean."""
        from scipy.special import stdtrit

        return -float(stdtrit(self.freedom, alpha)) * self.error


def macro_mean(
    collections: Sequence[Floats], weights: Sequence[float], runs: Sequence[Floats] = ()
) -> EstimatedMean:
    r"""Return the weighted mean of collections' means over topics, and over runs of systems.

    With :math:`s_c^2`, the variance over the n_c topics of collection c of the means over runs, and
    :math:`s_j^2`, the variance over the k_j runs of system j of their weighted means:

    .. math::
        V = \sum_c w_c^2 \frac{s_c^2}{n_c} + \sum_j \frac{s_j^2}{k_j}, \quad
        \nu = V^2 \Big/ \left(\sum_c \frac{(w_c^2 s_c^2/n_c)^2}{n_c-1} +
            \sum_j \frac{(s_j^2/k_j)^2}{k_j-1}\right)

    Topics and runs are samples, and the collections are those of the sum. What topics and runs have
    together enters both variances, which makes V slightly too large where runs differ by chance
    only.

    Shapes: for each collection the means over runs of its n_c >= 2 topics, shape (n_c,); for each
    system of several runs the weighted means of its runs, shape (k_j,), k_j >= 2.

    Source: Satterthwaite, "An approximate distribution of estimates of variance components",
    Biometrics Bulletin 2(6), 1946; for means of strata, Cochran, Sampling Techniques, 3rd edition,
    1977, section 5.4; for systems that are samples themselves, Brennan, Generalizability Theory,
    Springer, 2001, chapter 6.
    """
    of_topics = [(w, *_mean_and_error(one)) for w, one in zip(weights, collections, strict=True)]
    mean = sum(w * found for w, found, _, _ in of_topics)
    components = [(w**2 * squared, freedom) for w, _, squared, freedom in of_topics]
    components += [_mean_and_error(one)[1:] for one in runs]
    total = sum(variance for variance, _ in components)
    spread = sum(variance**2 / freedom for variance, freedom in components)
    topics = sum(map(len, collections))
    freedom = total**2 / spread if spread > 0.0 else float(topics - len(collections))
    return EstimatedMean(mean, math.sqrt(total), freedom)


def _mean_and_error(values: Floats) -> tuple[float, float, int]:
    """Return the mean, its squared standard error and the degrees of freedom.

    For few values `np.var` takes five times as long, and bounds are searched for by many calls.
    """
    n = len(values)
    mean = float(values.sum()) / n
    apart = values - mean
    return mean, float(apart @ apart) / (n - 1) / n, n - 1
