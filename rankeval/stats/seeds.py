"""A gate's verdict on a system of several runs, such as one per random seed."""

import math

import numpy as np
import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.stats.arrays import NOISE, Floats, as_columns, as_vector
from rankeval.stats.bounds import LEAST_TOPICS, Bound
from rankeval.stats.differences import ordered_mean
from rankeval.stats.paired import Alternative, PairedTest, TestName
from rankeval.stats.verdicts import GateVerdict, Verdict
from rankeval.support.frozen import frozen

LARGEST_SHARE = 1e6
"""The share of the baseline's mean up to which a bound is searched for."""


@frozen(eq=False)
class SeededMean:
    """A mean over topics and seeds, with its standard error and degrees of freedom."""

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


def seeded_mean(values: npt.ArrayLike) -> SeededMean:
    r"""Return the mean of values, shape (n, k), of n topics in k runs, both taken as samples.

    With :math:`s_T^2`, the variance over topics of the means over runs, and :math:`s_S^2`, the
    variance over runs of the means over topics, the variance of the mean and its degrees of freedom
    are those of Welch's test:

    .. math::
        V = \frac{s_T^2}{n} + \frac{s_S^2}{k}, \quad
        \nu = V^2 \Big/ \left(\frac{(s_T^2/n)^2}{n-1} + \frac{(s_S^2/k)^2}{k-1}\right)

    What topics and runs have together enters both variances, which makes V slightly too large where
    runs differ by chance only. With two or three runs whose spread outweighs that of topics, a test
    at alpha 0.05 errs more often than that. Rates of errors: docs/statistics.md.

    Source: Satterthwaite, "An approximate distribution of estimates of variance components",
    Biometrics Bulletin 2(6), 1946; for systems that are samples themselves, Brennan,
    Generalizability Theory, Springer, 2001, chapter 6.
    """
    found = np.asarray(values, dtype=np.float64)
    n, k = found.shape
    of_topics = float(found.mean(axis=1).var(ddof=1)) / n
    of_runs = float(found.mean(axis=0).var(ddof=1)) / k
    total = of_topics + of_runs
    spread = of_topics**2 / (n - 1) + of_runs**2 / (k - 1)
    freedom = total**2 / spread if spread > 0.0 else float(n - 1)
    return SeededMean(float(found.mean()), math.sqrt(total), freedom)


def seeded_verdict(
    baseline: npt.ArrayLike,
    seeds: npt.ArrayLike,
    *,
    limit: float,
    share: bool = False,
    alpha: float = 0.05,
    power: float = 0.8,
) -> GateVerdict:
    """Judge the drop from a baseline, shape (n,), to the mean of k runs, shape (n, k).

    The verdicts are those of `gate_verdicts`, and p-values and bounds are by Student's t with the
    variance of topics and of seeds (`seeded_mean`), so that a system is judged and not the seeds
    that were drawn. The baseline is taken as it is, also where it is one run of several seeds.
    p-values are not corrected, and no topics are planned. For measures where less
    is better, negate the values.

    Edge cases
        - A topic with NaN in the baseline or in a run: left out.
        - Fewer topics than the t bound takes: cannot tell.
        - One run: UsageError, as it has no spread.
    """
    before, runs = as_vector(baseline, "baseline"), as_columns(seeds, "seeds")
    if runs.shape[1] < 2:
        raise UsageError(f"found {runs.shape[1]} run", expected="two runs or more of a system")
    valid = ~np.isnan(before + runs.sum(axis=1))
    n_topics = int(np.count_nonzero(valid))
    old, new = before[valid], runs[valid]
    losses = old[:, None] - new
    of_old, of_new = ordered_mean(old), ordered_mean(new.mean(axis=1))
    unit = abs(of_old or 0.0) if share else 1.0
    allowance = np.sign(of_old or 0.0) * old if share else np.ones(n_topics)
    drop = None if of_old is None or of_new is None else of_old - of_new
    exceeds = drop is not None and drop > limit * unit + NOISE
    enough = n_topics >= LEAST_TOPICS
    p_value = seeded_mean(losses).p_above(0.0) if enough else 1.0
    p_beyond, p_within, low, high = 1.0, 1.0, None, None
    if enough:
        beyond = seeded_mean(losses - limit * allowance[:, None])
        p_beyond = beyond.p_above(0.0)
        p_within = 1.0 - p_beyond
        if unit:
            low, high = _bounds(losses, allowance, alpha, share=share)
    within = p_within <= alpha
    verdict = Verdict.CANNOT_TELL
    if exceeds and p_value < alpha:
        verdict = Verdict.WORSE
    elif within and not exceeds:
        verdict = Verdict.NOT_WORSE
    return GateVerdict(
        verdict=verdict,
        limit=limit * unit,
        alpha=alpha,
        power=power,
        bound=Bound.STUDENT_T,
        bounded=True,
        n_topics=n_topics,
        n_excluded=len(before) - n_topics,
        n_changed=int(np.count_nonzero(losses.any(axis=1))),
        baseline_mean=of_old,
        candidate_mean=of_new,
        drop=drop,
        exceeds=exceeds,
        low=None if low is None else low * unit,
        high=None if high is None else high * unit,
        test=PairedTest(
            TestName.STUDENT_T,
            Alternative.LESS,
            n_topics,
            len(before) - n_topics,
            _statistic(losses) if enough else None,
            p_value,
        ),
        p_value=p_value,
        p_beyond_limit=p_beyond,
        beyond=p_beyond < alpha,
    )


def _statistic(losses: Floats) -> float | None:
    found = seeded_mean(losses)
    return -found.mean / found.error if found.error > NOISE else None


def _bounds(
    losses: Floats, allowance: Floats, alpha: float, *, share: bool
) -> tuple[float | None, float | None]:
    """Return the one-sided bounds of the drop, in units of the allowance."""
    if not share:
        found = seeded_mean(losses)
        margin = found.margin(alpha)
        return found.mean - margin, found.mean + margin
    from scipy.optimize import brentq

    def beyond(factor: float, sign: float) -> float:
        found = seeded_mean(losses - factor * allowance[:, None])
        return found.mean + sign * found.margin(alpha)

    ends: list[float | None] = []
    for sign in (-1.0, 1.0):
        if beyond(-LARGEST_SHARE, sign) * beyond(LARGEST_SHARE, sign) >= 0:
            ends.append(None)  # the baseline's mean may be 0, so no share is excluded
            continue
        ends.append(float(brentq(beyond, -LARGEST_SHARE, LARGEST_SHARE, args=(sign,))))
    return ends[0], ends[1]
