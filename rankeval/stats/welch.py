"""Means over topics, runs and collections, with Welch's standard error and degrees of freedom."""

import math
from collections.abc import Sequence

import numpy as np

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

        return float(stdtrit(self.freedom, 1 - alpha)) * self.error


def macro_mean(collections: Sequence[Floats], weights: Sequence[float]) -> EstimatedMean:
    r"""Return the weighted mean of collections' means over topics, in one run or in k runs.

    With :math:`s_c^2`, the variance over the n_c topics of collection c of the means over runs, and
    :math:`s_S^2`, the variance over runs of the weighted means, which is 0 for one run:

    .. math::
        V = \sum_c w_c^2 \frac{s_c^2}{n_c} + \frac{s_S^2}{k}, \quad
        \nu = V^2 \Big/ \left(\sum_c \frac{(w_c^2 s_c^2/n_c)^2}{n_c-1} +
            \frac{(s_S^2/k)^2}{k-1}\right)

    Topics and runs are samples, and the collections are those of the sum. What topics and runs have
    together enters both variances, which makes V slightly too large where runs differ by chance
    only.

    Shapes: for each collection n_c >= 2 topics by k runs, shape (n_c, k), with the same k runs.

    Source: Satterthwaite, "An approximate distribution of estimates of variance components",
    Biometrics Bulletin 2(6), 1946; for means of strata, Cochran, Sampling Techniques, 3rd edition,
    1977, section 5.4; for systems that are samples themselves, Brennan, Generalizability Theory,
    Springer, 2001, chapter 6.
    """
    means = [values.mean(axis=0) for values in collections]
    of_runs = np.sum([w * mean for w, mean in zip(weights, means, strict=True)], axis=0)
    components = [
        (w**2 * float(values.mean(axis=1).var(ddof=1)) / len(values), len(values) - 1)
        for w, values in zip(weights, collections, strict=True)
    ]
    k = len(of_runs)
    if k > 1:
        components.append((float(of_runs.var(ddof=1)) / k, k - 1))
    total = sum(variance for variance, _ in components)
    spread = sum(variance**2 / freedom for variance, freedom in components)
    topics = sum(map(len, collections))
    freedom = total**2 / spread if spread > 0.0 else float(topics - len(collections))
    return EstimatedMean(float(of_runs.mean()), math.sqrt(total), freedom)
