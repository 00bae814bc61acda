"""A gate's verdict: is the candidate worse than the baseline by more than the limit?"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, record, replace
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import (
    NOISE,
    Ends,
    Floats,
    as_columns,
    as_vector,
    require_power,
    require_risk,
)
from rankeval.stats.choices import Bound, GatePolicy, TestName
from rankeval.stats.confidence_bounds import LEAST_TOPICS, Drop, Range, absolute, relative
from rankeval.stats.mean_tests import EstimatedMean, macro_mean, student_t
from rankeval.stats.paired import (
    FEW,
    Alternative,
    PairedTest,
    adjust_p_values,
    ordered_mean,
    paired_differences,
)
from rankeval.stats.power_of_tests import topics_to_clear


class GateOptions(TypedDict, total=False):
    """Keyword arguments of `gate_verdict` and `equivalence_verdict`."""

    bound: Bound | str
    alpha: float
    power: float


@frozen
class Judging:
    """The choices behind a verdict, with their defaults.

    ========== ===========================================================================
    bound      confidence bound of the drop, and test of "no drop": betting or t
    alpha      risk of a wrong verdict, below 0.5
    power      power of `topics_needed`, above alpha
    ========== ===========================================================================
    """

    bound: Bound | str = Bound.BETTING
    alpha: float = 0.05
    power: float = 0.8

    def __post_init__(self) -> None:
        require_risk(self.alpha, "alpha")
        if self.alpha >= 0.5:
            problem = f"alpha is {self.alpha}"
            raise UsageError(problem, expected="a risk below 0.5, usually 0.05")
        require_power(self.alpha, self.power)


class Verdict(StrEnum):
    """The verdicts on a candidate."""

    WORSE = "worse"
    NOT_WORSE = "not worse"
    INCONCLUSIVE = "inconclusive"
    EQUIVALENT = "equivalent"
    NOT_EQUIVALENT = "not equivalent"
    BETTER = "better"
    NOT_BETTER = "not better"


@frozen
class GateVerdict:
    """The drop from baseline to candidate, tested and bounded; above 0, the candidate is worse.

    =================  ============================================================================
    verdict            worse, not worse, or inconclusive; see `gate_verdict`; on equivalence
                       equivalent, not equivalent, or inconclusive; see `equivalence_verdict`
    limit              the tolerated drop, in the measure's own units
    alpha, power       the risks that the verdict and `topics_needed` are taken at
    bound              how the drop was bounded: as asked, but t for a measure without a range
    bounded            whether the measure has a range; without one every bound is by t, which is a
                       normal approximation
    n_topics           pairs that count
    n_excluded         pairs left out because a value is NaN
    n_changed          pairs that differ
    baseline_mean      None without topics
    candidate_mean     None without topics
    drop               mean of baseline - candidate; None without topics
    exceeds            whether the observed drop is above the limit
    low, high          one-sided confidence bounds of the drop, each at 1 - alpha; None where the
                       topics do not bound it. Of a relative limit they are bounds of the share,
                       times the baseline's mean
    interval           the two-sided confidence interval of the drop at 1 - alpha, likewise
    test               the one-sided test of "no drop", for its name, statistic and raw p-value
    p_value            its p-value, corrected for the measures that were judged together
    p_beyond_limit     one-sided p-value of "the drop is at most the limit", from the bound: below
                       alpha, the drop is shown to be beyond the limit and not merely to exist
    beyond             whether that is so, after correction for what was judged together
    topics_needed      about how many topics call an equal candidate not worse, or equivalent, with
                       this power; None for limit 0, or if unknown
    =================  ============================================================================
    """

    verdict: Verdict
    limit: float
    alpha: float
    power: float
    bound: Bound
    bounded: bool
    n_topics: int
    n_excluded: int
    n_changed: int
    baseline_mean: float | None
    candidate_mean: float | None
    drop: float | None
    exceeds: bool
    low: float | None
    high: float | None
    interval: Ends
    test: PairedTest
    p_value: float
    p_beyond_limit: float
    beyond: bool
    topics_needed: int | None = None


def called(*, exceeds: bool, p_value: float, within: bool, alpha: float) -> Verdict:
    """Return the verdict on a drop.

    `exceeds` is True if the drop is larger than the limit, `p_value` is that of "no drop", and
    `within` is True if the test has shown that the true drop is within the limit.
    """
    if exceeds:
        return Verdict.WORSE if p_value < alpha else Verdict.INCONCLUSIVE
    return Verdict.NOT_WORSE if within else Verdict.INCONCLUSIVE


def agreeing_bound(high: float | None, limit: float, *, within: bool) -> float | None:
    """Return an upper bound that a search has found, on the side of the limit that a test shows."""
    if high is None:
        return None
    return min(high, limit) if within else max(high, limit)


@checked
def gate_passes(verdict: GateVerdict, policy: GatePolicy | str) -> bool:
    """Return True if a gate with this policy opens for one verdict.

    ======================  =========================  ========  =========  ===========
    policy                  asks                       worse     not worse  inconclusive
    ======================  =========================  ========  =========  ===========
    observed                is the drop <= the limit?  closed    open       as observed
    not-shown-worse         is it not shown worse?     closed    open       open
    not-shown-beyond-limit  is it not shown to have    as shown  open       as shown
                            lost more than the limit?
    shown-not-worse         is it shown not worse?     closed    open       closed
    ======================  =========================  ========  =========  ===========

    Edge case: without any topic every policy keeps the gate closed.
    """
    if verdict.n_topics == 0:
        return False
    opens = {
        GatePolicy.OBSERVED: not verdict.exceeds,
        GatePolicy.NOT_SHOWN_WORSE: verdict.verdict is not Verdict.WORSE,
        GatePolicy.NOT_SHOWN_BEYOND_LIMIT: not verdict.beyond,
        GatePolicy.SHOWN_NOT_WORSE: verdict.verdict is Verdict.NOT_WORSE,
    }
    return opens[GatePolicy(policy)]


UNIT: Range = (0.0, 1.0)
"""The range of the values of most measures."""


@checked
def gate_verdict(
    baseline: npt.ArrayLike,
    candidate: npt.ArrayLike,
    *,
    limit: float,
    share: bool = False,
    span: Range | None = UNIT,
    **options: Unpack[GateOptions],
) -> GateVerdict:
    r"""Judge the drop from baseline to candidate in one measure.

    With D the mean over topics of baseline - candidate and L the limit, the verdict is

    worse
        if D > L, and the one-sided test rejects "no drop" at alpha;
    not worse
        if "the drop is L or more" is rejected at alpha: the upper confidence bound of the drop is
        within the limit;
    inconclusive
        otherwise. `topics_needed` says how many topics clear a candidate that is equal.

    "Not worse" is a noninferiority test: of candidates that truly lose L or more, at most alpha are
    called not worse. With `bound` betting this holds for every distribution of a measure with a
    range. With t it holds if the mean of n differences is nearly normal, which it is not where a
    few topics lose much (docs/statistics/verdicts.md has figures). "Not worse" is more than the
    absence of significance, which few topics always give.

    "Worse" combines two questions: is the drop above the limit L, and is it more than chance (the
    test)? A candidate that is as good as the baseline is called worse with at most the probability
    of a false rejection. The test is of the bound's own method, so that "no drop" is rejected
    exactly where the lower bound is above 0; with betting that is at most alpha for every
    distribution. "Worse" does not test "the drop is at most L": of candidates
    that truly lose exactly L, about half are called worse when there are many topics, and more
    where a few topics gain much, which most samples lack (docs/statistics/verdicts.md has figures).
    `p_beyond_limit` and `beyond` are the test of "the drop is at most L".

    With `share` the limit is a share r of the baseline's mean. That mean is estimated
    from the topics, as D is, so the test is of the mean of d_t - r b_t over topics.

    Several measures give tests more chances to reject by accident: `corrected` takes their p-values
    of "no drop" and of "beyond" as one family. "Not worse" needs no correction if all measures must
    be not worse.

    `options` are the fields of `Judging`; `topics_needed` is that of `topics_to_clear`.

    Shapes: baseline and candidate (n,). `span` is the least and greatest value, 0 and 1 by default,
    None for a measure that has none, which is bounded by t. For measures where less is better,
    negate the values and their range.

    Edge cases
        - No topic, or one: inconclusive.
        - A value outside the range: the measure counts as one without a range.
        - The same run twice: "not worse" only with enough topics, about log(0.05) / log(1 - L) or
          more, because other topics may differ.
        - Comparisons with the limit allow for rounding noise of 1e-12: a drop of 0.3 - 0.2 does not
          exceed 0.1.
        - A share of a baseline whose mean is 0: a limit of 0.
        - A limit below 0: UsageError.
        - NaN: the pair is left out.

    Source: for noninferiority, Walker and Nowacki, "Understanding equivalence and noninferiority
    testing", Journal of General Internal Medicine 26(2), 2011; for the bounds see `log_capital`;
    for ratios, Fieller, "Some problems in interval estimation", Journal of the Royal Statistical
    Society B 16(2), 1954.
    """
    how = Judging(**options)
    drop, factor, found = judged(baseline, candidate, limit, how, share=share, span=span)
    needed = topics_to_clear(drop, factor, alpha=how.alpha, power=how.power, bound=found.bound)
    return replace(found, topics_needed=needed)


def corrected(verdicts: Sequence[GateVerdict]) -> tuple[GateVerdict, ...]:
    """Correct the p-values of verdicts that are taken together, as one family, by Holm."""
    if not verdicts:
        return ()
    p_values = adjust_p_values([verdict.p_value for verdict in verdicts])
    beyond = adjust_p_values([one.p_beyond_limit for one in verdicts])
    return tuple(
        replace(
            one,
            verdict=called(
                exceeds=one.exceeds,
                p_value=p_value,
                within=one.verdict is Verdict.NOT_WORSE,
                alpha=one.alpha,
            ),
            p_value=p_value,
            beyond=p_beyond < one.alpha,
        )
        for one, p_value, p_beyond in zip(verdicts, p_values.tolist(), beyond.tolist(), strict=True)
    )


def drop_of(
    before: Floats, after: Floats, gains: Floats, *, share: bool, span: Range | None
) -> Drop:
    """Return the drop in one measure, over the topics that have both values, shape (n,) each."""
    valid = ~np.isnan(gains)
    values = np.concatenate((before[valid], after[valid]))
    if span is not None and values.size:
        low, high = span
        inside = values.min() >= low - NOISE and values.max() <= high + NOISE
        span = span if inside and np.isfinite(span).all() else None
    return relative(gains[valid], before[valid], span) if share else absolute(gains[valid], span)


def judged(
    baseline: npt.ArrayLike,
    candidate: npt.ArrayLike,
    limit: float,
    how: Judging,
    *,
    share: bool,
    span: Range | None,
) -> tuple[Drop, float, GateVerdict]:
    """Return the drop, the limit in units of its allowance, and the verdict without planning."""
    before, after = as_vector(baseline, "baseline"), as_vector(candidate, "candidate")
    gains = paired_differences(before, after)
    if not limit >= 0.0:
        raise UsageError(
            f"the limit is {limit}",
            expected="a tolerated drop of at least 0, in the measure's own units",
        )
    one = drop_of(before, after, gains, share=share, span=span)
    factor = 0.0 if one.sign is not None and not one.allowance.any() else limit
    bound = one.applicable(Bound(how.bound))
    (by_t,) = student_t(gains, alternative=Alternative.LESS)
    test, p_beyond = _as_bounded(one, bound, by_t), one.p_beyond(factor, bound)
    valid = ~np.isnan(before - after)
    unit = abs(ordered_mean(before[valid]) or 0.0) if one.sign is not None else 1.0
    limit = factor * unit
    mean = ordered_mean(one.gains)
    drop = None if mean is None else 0.0 - mean
    exceeds = drop is not None and drop > limit + NOISE
    within = one.p_within(factor, bound) <= how.alpha
    low, high = one.limits(how.alpha, bound) if unit else (None, None)
    ends = one.limits(how.alpha / 2, bound) if unit else (None, None)
    low, high = scaled((low, agreeing_bound(high, factor, within=within)), unit)
    found = GateVerdict(
        verdict=called(exceeds=exceeds, p_value=test.p_value, within=within, alpha=how.alpha),
        limit=limit,
        alpha=how.alpha,
        power=how.power,
        bound=bound,
        bounded=one.span is not None,
        n_topics=test.n_topics,
        n_excluded=test.n_excluded,
        n_changed=one.n_changed,
        baseline_mean=ordered_mean(before[valid]),
        candidate_mean=ordered_mean(after[valid]),
        drop=drop,
        exceeds=exceeds,
        low=low,
        high=high,
        interval=scaled(ends, unit),
        test=test,
        p_value=test.p_value,
        p_beyond_limit=p_beyond,
        beyond=p_beyond < how.alpha,
    )
    return one, factor, found


def _as_bounded(drop: Drop, way: Bound, by_t: PairedTest) -> PairedTest:
    """Test "no drop" as the bound does: it rejects where the lower bound is above 0."""
    p_value = drop.p_beyond(0.0, way)
    if way is Bound.STUDENT_T:
        return replace(by_t, p_value=p_value, note=by_t.note or ("" if drop.has_t else FEW))
    topics, excluded = by_t.n_topics, by_t.n_excluded
    return PairedTest(way, Alternative.LESS, topics, excluded, None, p_value)


def scaled(ends: Ends, unit: float) -> Any:
    """Return the ends of an interval in other units."""
    return tuple(None if end is None else end * unit for end in ends)


@checked
def equivalence_verdict(
    baseline: npt.ArrayLike,
    candidate: npt.ArrayLike,
    *,
    margin: float,
    share: bool = False,
    span: Range | None = UNIT,
    **options: Unpack[GateOptions],
) -> GateVerdict:
    r"""Judge whether a candidate is equivalent: neither worse nor better by the margin.

    equivalent
        if "worse by the margin or more" and "better by the margin or more" are both rejected at
        alpha: both confidence bounds of the drop, each at 1 - alpha, are within the margin;
    not equivalent
        if the drop, or the gain, is shown to be larger than the margin at alpha;
    inconclusive
        otherwise.

    Of candidates that differ by the margin or more at most alpha are called equivalent, under the
    conditions of the bound; see `gate_verdict`. `limit` is the margin, and p_value the larger one
    of the p-values of the two tests. `topics_needed` are topics with which a candidate that is
    equal is called equivalent with that power.

    Shapes: baseline and candidate (n,). Edge cases: as in `gate_verdict`; a margin that is not
    above 0: UsageError.

    Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach",
    Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987.

    >>> equivalence_verdict([0.5] * 100, [0.5] * 100, margin=0.05).verdict
    <Verdict.EQUIVALENT: 'equivalent'>
    """
    if not margin > 0.0:
        raise UsageError(f"the margin is {margin}", expected="a number above 0")
    how = Judging(**options)
    drop, _, found = judged(baseline, candidate, margin, how, share=share, span=span)
    way = found.bound
    p_value = max(drop.p_within(margin, way), drop.p_beyond(-margin, way))
    p_outside = min(drop.p_beyond(margin, way), drop.p_within(-margin, way))
    verdict = Verdict.INCONCLUSIVE
    if p_value <= how.alpha:
        verdict = Verdict.EQUIVALENT
    elif p_outside <= how.alpha:
        verdict = Verdict.NOT_EQUIVALENT
    return replace(
        found,
        verdict=verdict,
        exceeds=found.drop is not None and abs(found.drop) > found.limit,
        p_value=p_value,
        topics_needed=topics_to_clear(
            drop, margin, alpha=how.alpha, power=how.power, bound=way, two_sided=True
        ),
    )


LARGEST_SHARE = 1e6
"""The share of the baseline's mean up to which a bound is searched for."""


@record
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
        p_value = whole.p_positive()
        statistic = -whole.mean / whole.error if whole.error > NOISE else None
    p_beyond, p_within, low, high = _by_t(systems, factor, how.alpha)
    ends = _by_t(systems, factor, how.alpha / 2)[2:]
    within = p_within <= how.alpha
    low, high = scaled((low, agreeing_bound(high, factor, within=within)), unit)
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
        low=low,
        high=high,
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
    p_beyond = systems.estimate(factor).p_positive()
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
