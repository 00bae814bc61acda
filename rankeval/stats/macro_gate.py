"""A gate's verdict on the macro mean over collections, and on systems of several runs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Unpack

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.choices import Bound, GateTest, TestName
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats, as_columns
from rankeval.stats.confidence_bounds import LEAST_TOPICS, Drop, Range
from rankeval.stats.differences import ordered_mean
from rankeval.stats.gate_decisions import Judged, planned
from rankeval.stats.judging import GateOptions, GateVerdict, Judging, agreeing_bound, called
from rankeval.stats.mean_tests import EstimatedMean, macro_mean
from rankeval.stats.paired import Alternative, PairedTest

MACRO_TESTS = frozenset({GateTest.BOUND, GateTest.BETTING, TestName.STUDENT_T})
"""The tests of "no drop" that a macro mean can have."""
LARGEST_SHARE = 1e6
"""The share of the baseline's mean up to which a bound is searched for."""


@frozen(eq=False)
class Strata:
    """Values of collections, over the topics that have all of them.

    ======= =======================================================================================
    weights of the collections in the macro mean; they add up to 1
    old     of the baseline, means over its runs, shape (n_c,) each
    new     of the candidate, likewise
    runs    of both, the runs by topic, shape (n_c, k) each, where there are several; else None
    sign    of the baseline's macro mean; None for a limit that is no share of it
    ======= =======================================================================================
    """

    weights: tuple[float, ...]
    old: tuple[Floats, ...]
    new: tuple[Floats, ...]
    runs: tuple[tuple[Floats, ...] | None, tuple[Floats, ...] | None]
    sign: float | None

    @property
    def n_topics(self) -> int:
        """The number of topics; 0 if some collection has none, for there is no macro mean then."""
        sizes = [len(values) for values in self.old]
        return sum(sizes) if all(sizes) else 0

    @property
    def seeded(self) -> bool:
        """True if one of the systems has several runs."""
        return any(runs is not None for runs in self.runs)

    @cached_property
    def losses(self) -> list[Floats]:
        """Baseline - candidate of each collection, shape (n_c,)."""
        return [old - new for old, new in zip(self.old, self.new, strict=True)]

    @cached_property
    def allowances(self) -> list[Floats]:
        """The allowance of each topic for a unit of the limit, shape (n_c,)."""
        return [np.ones_like(old) if self.sign is None else self.sign * old for old in self.old]

    def estimate(self, factor: float) -> EstimatedMean:
        """Return the macro mean of topics' losses beyond `factor` times their allowance."""
        pairs = zip(self.losses, self.allowances, strict=True)
        beyond = [lost - factor * allowed for lost, allowed in pairs]
        before, after = self.runs
        of_runs = []
        if before is not None:
            of_runs.append((1.0 - factor * (self.sign or 0.0)) * self._means_of_runs(before))
        if after is not None:
            of_runs.append(self._means_of_runs(after))
        return macro_mean(beyond, self.weights, of_runs)

    def _means_of_runs(self, runs: Sequence[Floats]) -> Floats:
        """Return the macro mean of each run."""
        means = [w * one.mean(axis=0) for w, one in zip(self.weights, runs, strict=True)]
        return np.sum(means, axis=0, dtype=np.float64)

    def mean(self, values: Sequence[Floats]) -> float | None:
        """Return the macro mean of values by topic."""
        if not self.n_topics:
            return None
        means = [ordered_mean(value) or 0.0 for value in values]
        return sum(w * mean for w, mean in zip(self.weights, means, strict=True))

    def drop(self, spans: Sequence[Range | None], *, centred: bool = False) -> Drop:
        r"""Return the drop whose mean over all N topics is the macro mean.

        A topic of collection c counts :math:`N w_c / n_c` times, and its range grows as much.
        Where each collection is `centred`, its mean is that of all.
        """
        gains = [-lost for lost in self.losses]
        times = [self.n_topics * w / len(one) for w, one in zip(self.weights, gains, strict=True)]

        def weighted(values: Sequence[Floats]) -> Floats:
            whole = self.mean(values) or 0.0
            return np.concatenate(
                [
                    factor * (one - one.mean()) + whole if centred else factor * one
                    for factor, one in zip(times, values, strict=True)
                ]
            )

        found = [span for span in spans if span is not None]
        span = (min(low for low, _ in found), max(high for _, high in found)) if found else None
        known = len(found) == len(spans)
        return Drop(
            weighted(gains),
            weighted(self.allowances),
            self.sign,
            span if known else None,
            max(times),
        )


def macro_drop(
    baseline: Sequence[npt.ArrayLike],
    candidate: Sequence[npt.ArrayLike],
    weights: Sequence[float] | None,
    *,
    share: bool,
    spans: Sequence[Range | None],
) -> Drop | None:
    """Return the drop whose mean over all topics is that of the macro mean; None without topics.

    The arguments are those of `macro_verdict`.
    """
    strata, _ = _strata(baseline, candidate, weights, share=share)
    return strata.drop(spans) if strata.n_topics else None


def macro_verdict(
    baseline: Sequence[npt.ArrayLike],
    candidate: Sequence[npt.ArrayLike],
    *,
    limit: float,
    weights: Sequence[float] | None = None,
    share: bool = False,
    spans: Sequence[Range | None] | None = None,
    **options: Unpack[GateOptions],
) -> GateVerdict:
    r"""Judge the drop of the macro mean from a baseline to a candidate over C collections.

    .. math:: D = \sum_{c=1}^{C} w_c \frac{1}{n_c} \sum_{t=1}^{n_c} (b_{ct} - a_{ct}),
        \qquad w_c = 1 / C

    The verdicts are those of `gate_verdicts`. The collections are taken as they are, and the topics
    of each as a sample: D varies as the means of the collections do, each with its own topics.

    Test and bound by t rest on the standard error and the degrees of freedom of `macro_mean`.
    Betting multiplies each difference by N w_c / n_c, with N the number of
    all topics, so that D is the mean of all. The capital remains a fair game, because the expected
    factors of topics whose stakes are proportional to these multiples have a product of at most
    exp(0). The range of a topic grows by the largest multiple, so that bets are as cautious as if
    every collection had no more topics than the smallest one has.

    A candidate or a baseline of several runs of one system, such as one per seed, is judged by t
    with the variance over runs, too. No topics are planned for then.

    Shapes: for each collection a baseline and a candidate (n_c,), or (n_c, k) of k runs; weights
    and spans have C items. `spans` are least and greatest value, 0 and 1 by default, None for a
    measure that has none. For measures where less is better, negate values and spans.

    Edge cases
        - A topic with a NaN in the baseline or a run: left out.
        - A collection without a topic that has values: no macro mean, cannot tell.
        - A collection with one topic has no variance: t shows nothing.
        - Fewer topics than the t bound takes, or that differ: t bounds nothing.
        - A test by ranks, signs or draws, or not as many runs for every collection: UsageError.

    Source: as `macro_mean` and `log_capital`.

    >>> old, new = [[0.5] * 300, [0.6] * 500], [[0.5] * 300, [0.6] * 500]
    >>> macro_verdict(old, new, limit=0.02).verdict
    <Verdict.NOT_WORSE: 'not worse'>
    """
    how = Judging(**options)
    if how.test not in MACRO_TESTS:
        raise UsageError(
            f"the test is {how.test}", expected="bound, betting or t, for means over collections"
        )
    strata, n_excluded = _strata(baseline, candidate, weights, share=share)
    seeded = strata.seeded
    ranges = [(0.0, 1.0)] * len(strata.old) if spans is None else list(spans)
    drop = strata.drop(ranges) if strata.n_topics else None
    bound = Bound.STUDENT_T if seeded or drop is None else drop.applicable(Bound(how.bound))
    found = _verdict(strata, drop, bound, how, limit, n_excluded)
    if drop is None or seeded:
        return found
    even = Judged(strata.drop(ranges, centred=True), limit, found)
    return planned(even, how, how.family or 1)


def _strata(
    baseline: Sequence[npt.ArrayLike],
    candidate: Sequence[npt.ArrayLike],
    weights: Sequence[float] | None,
    *,
    share: bool,
) -> tuple[Strata, int]:
    """Return the topics that have all values, and the number of the others."""
    sides = [[as_columns(one, "values") for one in side] for side in (baseline, candidate)]
    before, after = sides
    shapes = [{one.shape[1] for one in side} for side in sides]
    if not before or len(before) != len(after) or any(len(found) > 1 for found in shapes):
        raise UsageError(
            f"found baselines of {[one.shape for one in before]} and candidates of "
            f"{[one.shape for one in after]}",
            expected="both for every collection, and as many runs for each",
        )
    valid = [
        ~np.isnan(old.sum(axis=1) + new.sum(axis=1)) for old, new in zip(before, after, strict=True)
    ]
    kept = [tuple(one[rows] for one, rows in zip(side, valid, strict=True)) for side in sides]
    old, new = (tuple(one.mean(axis=1) for one in side) for side in kept)
    runs = tuple(side if side[0].shape[1] > 1 else None for side in kept)
    even = tuple(weights) if weights is not None else (1.0 / len(old),) * len(old)
    strata = Strata(even, old, new, (runs[0], runs[1]), None)
    mean = strata.mean(old) or 0.0
    sign = (-1.0 if mean < 0 else 1.0) if share else None
    return replace(strata, sign=sign), sum(map(len, before)) - sum(map(len, old))


def _verdict(
    strata: Strata, drop: Drop | None, bound: Bound, how: Judging, limit: float, n_excluded: int
) -> GateVerdict:
    before, after = strata.mean(strata.old), strata.mean(strata.new)
    unit = abs(before or 0.0) if strata.sign is not None else 1.0
    factor = limit if unit else 0.0
    lost = None if before is None or after is None else before - after
    exceeds = lost is not None and lost > factor * unit + NOISE
    testable = min(map(len, strata.old)) > 1
    test = _test(strata, drop, bound, how, n_excluded, testable=testable)
    p_beyond, p_within, low, high = 1.0, 1.0, None, None
    if drop is not None:
        ways = []
        if bound is not Bound.BETTING:
            ways.append(_by_t(strata, drop, factor, how.alpha, testable=testable))
        if bound is not Bound.STUDENT_T:
            lows, highs = drop.limits(how.alpha, Bound.BETTING) if unit else (None, None)
            p_values = (drop.p_beyond(factor, Bound.BETTING), drop.p_within(factor, Bound.BETTING))
            ways.append((*p_values, lows, highs))
        p_beyond, p_within = max(way[0] for way in ways), max(way[1] for way in ways)
        lowest, highest = [way[2] for way in ways], [way[3] for way in ways]
        low = None if None in lowest else min(lowest)  # type: ignore[type-var]
        high = None if None in highest else max(highest)  # type: ignore[type-var]
    within = p_within <= how.alpha
    high = agreeing_bound(high, factor, within=within)
    return GateVerdict(
        verdict=called(exceeds=exceeds, p_value=test.p_value, within=within, alpha=how.alpha),
        limit=factor * unit,
        alpha=how.alpha,
        power=how.power,
        bound=bound,
        bounded=strata.seeded or drop is None or drop.span is not None,
        n_topics=strata.n_topics,
        n_excluded=n_excluded,
        n_changed=sum(int(np.count_nonzero(lost)) for lost in strata.losses),
        baseline_mean=before,
        candidate_mean=after,
        drop=lost,
        exceeds=exceeds,
        low=None if low is None else low * unit,
        high=None if high is None else high * unit,
        test=test,
        p_value=test.p_value,
        p_beyond_limit=p_beyond,
        beyond=p_beyond < how.alpha,
    )


def _test(
    strata: Strata,
    drop: Drop | None,
    bound: Bound,
    how: Judging,
    n_excluded: int,
    *,
    testable: bool,
) -> PairedTest:
    """Test "no drop", by the method of the bound or as asked; several runs always by t."""
    ways: dict[str, Bound] = {GateTest.BOUND: bound, TestName.STUDENT_T: Bound.STUDENT_T}
    way = ways.get(how.test, Bound.BETTING)
    if drop is None or strata.seeded:
        way = Bound.STUDENT_T
    way = way if drop is None else drop.applicable(way)
    p_values, statistic = [0.0], None
    if way is not Bound.BETTING:
        as_bound = how.test == GateTest.BOUND
        few = strata.n_topics < LEAST_TOPICS and (strata.seeded or as_bound)
        few = few or (as_bound and drop is not None and not drop.has_t)
        p_values.append(1.0)
        if testable and not few:
            whole = strata.estimate(0.0)
            p_values[-1] = whole.p_above(0.0)
            statistic = -whole.mean / whole.error if whole.error > NOISE else None
    if way is not Bound.STUDENT_T and drop is not None:
        p_values.append(drop.p_beyond(0.0, Bound.BETTING))
    name = TestName.STUDENT_T if way is Bound.STUDENT_T else way
    statistic = statistic if way is Bound.STUDENT_T else None
    return PairedTest(name, Alternative.LESS, strata.n_topics, n_excluded, statistic, max(p_values))


def _by_t(
    strata: Strata, drop: Drop, factor: float, alpha: float, *, testable: bool
) -> tuple[float, float, float | None, float | None]:
    """Return the p-values of "beyond" and "within" the limit, and the bounds in its units."""
    if not (drop.has_t and testable):
        return 1.0, 1.0, None, None
    p_beyond = strata.estimate(factor).p_above(0.0)
    if strata.sign is None:
        found = strata.estimate(0.0)
        margin = found.margin(alpha)
        return p_beyond, 1.0 - p_beyond, found.mean - margin, found.mean + margin
    ends = [_root(partial(_beyond, strata, alpha, sign)) for sign in (-1.0, 1.0)]
    return p_beyond, 1.0 - p_beyond, ends[0], ends[1]


def _beyond(strata: Strata, alpha: float, sign: float, factor: float) -> float:
    found = strata.estimate(factor)
    return found.mean + sign * found.margin(alpha)


def _root(function: Callable[[float], float]) -> float | None:
    """Return the share at which a bound is 0; None where no share is excluded."""
    from scipy.optimize import brentq

    if function(-LARGEST_SHARE) * function(LARGEST_SHARE) >= 0:
        return None  # the baseline's mean may be 0
    return float(brentq(function, -LARGEST_SHARE, LARGEST_SHARE))


def seeded_verdict(
    baseline: npt.ArrayLike,
    seeds: npt.ArrayLike,
    *,
    limit: float,
    share: bool = False,
    **options: Unpack[GateOptions],
) -> GateVerdict:
    """Judge the drop from a baseline to a candidate, of which one or both have several runs.

    The verdicts are those of `gate_verdicts`, and p-values and bounds are by Student's t with the
    variance of topics and of runs (`macro_mean`), so that a system is judged and not the seeds
    that were drawn. With two or three runs whose spread outweighs that of topics, a test at alpha
    0.05 errs more often than that. Rates of errors: docs/statistics/seeds.md.

    A baseline of one run is taken as it is, also where its system has several seeds, and so is a
    candidate of one run. p-values are not corrected, and no topics are planned. For measures where
    less is better, negate the values.

    Shapes: (n,), or (n, k) of k runs.

    Edge cases
        - A topic with NaN in the baseline or in a run: left out.
        - Fewer topics than the t bound takes: cannot tell.
        - One run on both sides: UsageError, as it has no spread.
    """
    before, runs = as_columns(baseline, "baseline"), as_columns(seeds, "seeds")
    if max(before.shape[1], runs.shape[1]) < 2:
        raise UsageError(f"found {runs.shape[1]} run", expected="two runs or more of a system")
    return macro_verdict([before], [runs], limit=limit, share=share, **options)
