"""A gate's verdict on systems of several runs, such as one for each random seed."""

from collections.abc import Callable
from functools import partial
from typing import Unpack

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.choices import Bound, TestName
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats, as_columns
from rankeval.stats.confidence_bounds import LEAST_TOPICS, Drop
from rankeval.stats.differences import ordered_mean
from rankeval.stats.gate_decisions import (
    GateOptions,
    GateVerdict,
    Judging,
    agreeing_bound,
    called,
    scaled,
)
from rankeval.stats.mean_tests import EstimatedMean, macro_mean
from rankeval.stats.paired import Alternative, PairedTest

LARGEST_SHARE = 1e6
"""The share of the baseline's mean up to which a bound is searched for."""


@frozen(eq=False)
class _Systems:
    """Two systems, over the topics that all their runs have values for.

    ====== =======================================================================================
    old    values of the baseline's runs, shape (n, k)
    new    those of the candidate's runs, shape (n, m)
    sign   of the baseline's mean; None for a limit that is no share of it
    ====== =======================================================================================
    """

    old: Floats
    new: Floats
    sign: float | None

    @property
    def before(self) -> Floats:
        """The baseline's mean over its runs by topic, shape (n,)."""
        return self.old.mean(axis=1)

    @property
    def after(self) -> Floats:
        """The candidate's, likewise."""
        return self.new.mean(axis=1)

    @property
    def drop(self) -> Drop:
        """The drop by topic; the measure's range is not used."""
        allowance = np.ones(len(self.old)) if self.sign is None else self.sign * self.before
        return Drop(self.after - self.before, allowance, self.sign, None)

    def estimate(self, factor: float) -> EstimatedMean:
        """Return the mean of topics' losses beyond `factor` times their allowance."""
        drop, of_runs = self.drop, []
        if self.old.shape[1] > 1:
            of_runs.append((1.0 - factor * (self.sign or 0.0)) * self.old.mean(axis=0))
        if self.new.shape[1] > 1:
            of_runs.append(self.new.mean(axis=0))
        return macro_mean([-drop.gains - factor * drop.allowance], [1.0], of_runs)


def seeded_verdict(
    baseline: npt.ArrayLike,
    seeds: npt.ArrayLike,
    *,
    limit: float,
    share: bool = False,
    **options: Unpack[GateOptions],
) -> GateVerdict:
    """Judge the drop from a baseline to a candidate, of which one or both have several runs.

    The verdicts are those of `gate_verdict`, and p-values and bounds are by Student's t with the
    variance of topics and of runs (`macro_mean`), so that a system is judged and not the seeds
    that were drawn. With two or three runs whose spread outweighs that of topics, a test at alpha
    0.05 errs more often than that. Rates of errors: docs/statistics/verdicts.md.

    A baseline of one run is taken as it is, also where its system has several seeds, and so is a
    candidate of one run. p-values are not corrected, and no topics are planned. For measures where
    less is better, negate the values.

    Shapes: (n,), or (n, k) of k runs.

    Edge cases
        - A topic with NaN in the baseline or in a run: left out.
        - Fewer topics than the t bound takes: inconclusive.
        - One run on both sides: UsageError, as it has no spread.
    """
    before, runs = as_columns(baseline, "baseline"), as_columns(seeds, "seeds")
    if max(before.shape[1], runs.shape[1]) < 2:
        raise UsageError(f"found {runs.shape[1]} run", expected="two runs or more of a system")
    how = Judging(**options)
    known = ~np.isnan(before.sum(axis=1) + runs.sum(axis=1))
    old, new = before[known], runs[known]
    mean = ordered_mean(old.mean(axis=1))
    sign = (-1.0 if (mean or 0.0) < 0 else 1.0) if share else None
    systems = _Systems(old, new, sign)
    n_topics, n_excluded = len(old), int(len(known) - len(old))
    unit = abs(mean or 0.0) if share else 1.0
    factor = limit if unit else 0.0
    after = ordered_mean(systems.after)
    lost = None if mean is None or after is None else mean - after
    exceeds = lost is not None and lost > factor * unit + NOISE
    p_value, statistic = 1.0, None
    if n_topics >= LEAST_TOPICS:
        whole = systems.estimate(0.0)
        p_value = whole.p_above(0.0)
        statistic = -whole.mean / whole.error if whole.error > NOISE else None
    p_beyond, p_within, low, high = _by_t(systems, factor, how.alpha)
    ends = _by_t(systems, factor, how.alpha / 2)[2:]
    within = p_within <= how.alpha
    high = agreeing_bound(high, factor, within=within)
    return GateVerdict(
        verdict=called(exceeds=exceeds, p_value=p_value, within=within, alpha=how.alpha),
        limit=factor * unit,
        alpha=how.alpha,
        power=how.power,
        bound=Bound.STUDENT_T,
        bounded=True,
        n_topics=n_topics,
        n_excluded=n_excluded,
        n_changed=systems.drop.n_changed,
        baseline_mean=mean,
        candidate_mean=after,
        drop=lost,
        exceeds=exceeds,
        low=None if low is None else low * unit,
        high=None if high is None else high * unit,
        interval=scaled(ends, unit),
        test=PairedTest(
            TestName.STUDENT_T, Alternative.LESS, n_topics, n_excluded, statistic, p_value
        ),
        p_value=p_value,
        p_beyond_limit=p_beyond,
        beyond=p_beyond < how.alpha,
    )


def _by_t(
    systems: _Systems, factor: float, alpha: float
) -> tuple[float, float, float | None, float | None]:
    """Return the p-values of "beyond" and "within" the limit, and the bounds in its units."""
    if not systems.drop.has_t:
        return 1.0, 1.0, None, None
    p_beyond = systems.estimate(factor).p_above(0.0)
    if systems.sign is None:
        found = systems.estimate(0.0)
        margin = found.margin(alpha)
        return p_beyond, 1.0 - p_beyond, found.mean - margin, found.mean + margin
    ends = [_root(partial(_beyond, systems, alpha, sign)) for sign in (-1.0, 1.0)]
    return p_beyond, 1.0 - p_beyond, ends[0], ends[1]


def _beyond(systems: _Systems, alpha: float, sign: float, factor: float) -> float:
    found = systems.estimate(factor)
    return found.mean + sign * found.margin(alpha)


def _root(function: Callable[[float], float]) -> float | None:
    """Return the share at which a bound is 0; None where no share is excluded."""
    from scipy.optimize import brentq

    if function(-LARGEST_SHARE) * function(LARGEST_SHARE) >= 0:
        return None  # the baseline's mean may be 0
    return float(brentq(function, -LARGEST_SHARE, LARGEST_SHARE))
