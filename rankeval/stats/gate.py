"""A gate's verdict: is the candidate worse than the baseline by more than the limit?"""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.stats.arrays import NOISE, Floats, as_columns, as_vector, require_fraction
from rankeval.stats.bounds import Bound, Drop, Range, absolute, relative
from rankeval.stats.choice import paired_tests
from rankeval.stats.corrections import Correction, adjust_p_values
from rankeval.stats.differences import ordered_mean, paired_differences, standard_deviation
from rankeval.stats.gate_planning import smallest_drop, topics_to_clear, topics_to_show
from rankeval.stats.paired import Alternative, PairedTest, TestName
from rankeval.stats.randomization import PERMUTATIONS
from rankeval.support.frozen import frozen

UNIT: Range = (0.0, 1.0)
"""The range of the values of most measures."""


class Verdict(StrEnum):
    """The verdicts on a candidate."""

    WORSE = "worse"
    NOT_WORSE = "not worse"
    CANNOT_TELL = "cannot tell"
    EQUIVALENT = "equivalent"
    NOT_EQUIVALENT = "not equivalent"


@frozen
class GateVerdict:
    """The drop from baseline to candidate, tested and bounded; above 0, the candidate is worse.

    =================  ============================================================================
    verdict            worse, not worse, or cannot tell; see `gate_verdicts`; on equivalence
                       equivalent, not equivalent, or cannot tell; see `equivalence_verdict`
    limit              the tolerated drop, in the measure's own units
    alpha, power       the risks that the verdict and the planning figures below are taken at
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
    test               the one-sided test of "no drop", for its name, statistic and raw p-value
    p_value            its p-value, corrected for the measures that were judged together
    p_beyond_limit     one-sided p-value of "the drop is at most the limit", from the bound: below
                       alpha, the drop is shown to be beyond the limit and not merely to exist
    beyond             whether that is so, after correction for what was judged together
    smallest_drop      the smallest true drop that so many topics call worse with this power; None
                       with fewer than two topics or without spread
    topics_needed      topics with which a candidate that is equal is called not worse with this
                       power; None for limit 0, or if unknown
    planned_drop       twice the limit, or for limit 0 the observed drop; None if that is not
                       above 0
    topics_to_show     topics with which that true drop is called worse with this power
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
    test: PairedTest
    p_value: float
    p_beyond_limit: float
    beyond: bool
    smallest_drop: float | None
    topics_needed: int | None
    planned_drop: float | None
    topics_to_show: int | None


def gate_verdicts(
    baseline: npt.ArrayLike,
    candidate: npt.ArrayLike,
    *,
    limits: Sequence[float],
    shares: Sequence[bool] = (),
    ranges: Sequence[Range | None] | None = None,
    bound: Bound | str = Bound.BETTING,
    alpha: float = 0.05,
    power: float = 0.8,
    test: TestName | str = TestName.STUDENT_T,
    correction: Correction | str = Correction.HOLM,
    resamples: int = PERMUTATIONS,
    seed: int = 0,
) -> tuple[GateVerdict, ...]:
    r"""Judge the drop from baseline to candidate in each of m measures.

    With D the mean over topics of baseline - candidate and L the limit, the verdict is

    worse
        if D > L, and the one-sided test rejects "no drop" at alpha;
    not worse
        if "the drop is L or more" is rejected at alpha: the upper confidence bound of the drop is
        within the limit;
    cannot tell
        otherwise. `topics_needed` says how many topics clear a candidate that is equal.

    "Not worse" is a noninferiority test: of candidates that truly lose L or more, at most alpha are
    called not worse. With `bound` betting this holds for every distribution of a measure with a
    range. With t it holds if the mean of n differences is nearly normal, which it is not where a
    few topics lose much (docs/statistics.md has figures). "Not worse" is more than the absence of
    significance, which few topics always give.

    "Worse" combines two questions: is the drop above the limit L, and is it more than chance (the
    test)? A candidate that is as good as the baseline is called worse with at most the probability
    of a false rejection. "Worse" does not test "the drop is at most L": of candidates that truly
    lose exactly L, up to half are called worse when there are many topics. `p_beyond_limit` and
    `beyond` are the test of "the drop is at most L".

    Where `shares` is True, the limit is a share r of the baseline's mean. That mean is estimated
    from the topics, as D is, so the test is of the mean of d_t - r b_t over topics.

    Several measures give tests more chances to reject by accident, so p-values of "no drop" and of
    "beyond" are corrected as one family, and planned for as such. "Not worse" needs no correction
    if all measures must be not worse.

    Shapes: baseline and candidate (n, m), or (n,) for one measure; limits has m numbers, and so has
    `ranges`: least and greatest value, 0 and 1 by default, None for a measure that has none, which
    is bounded by t. For measures where less is better, negate the values and their range.

    Edge cases
        - No topic, or one: cannot tell.
        - A value outside the range: the measure counts as one without a range.
        - The same run twice: "not worse" only with enough topics, about log(0.05) / log(1 - L) or
          more, because other topics may differ.
        - Comparisons with the limit allow for rounding noise of 1e-12: a drop of 0.3 - 0.2 does not
          exceed 0.1.
        - A share of a baseline whose mean is 0: a limit of 0.
        - A limit below 0, or not one for each measure: UsageError.
        - NaN: the pair is left out.

    Source: for noninferiority, Walker and Nowacki, "Understanding equivalence and noninferiority
    testing", Journal of General Internal Medicine 26(2), 2011; for the bounds see `log_capital`;
    for ratios, Fieller, "Some problems in interval estimation", Journal of the Royal Statistical
    Society B 16(2), 1954.
    """
    before, after = as_columns(baseline, "baseline"), as_columns(candidate, "candidate")
    gains = paired_differences(before, after)
    tolerated = _checked_limits(limits, gains.shape[1])
    spans = [UNIT] * gains.shape[1] if ranges is None else list(ranges)
    as_share = list(shares) or [False] * gains.shape[1]
    require_fraction(alpha, "alpha")
    require_fraction(power, "power")
    if alpha >= 0.5:
        problem = f"alpha is {alpha}"
        raise UsageError(problem, expected="a risk below 0.5, usually 0.05")
    if power <= alpha:
        problem = f"power {power} is not above alpha {alpha}"
        raise UsageError(problem, expected="a power above alpha")
    tests = paired_tests(
        gains, test=test, alternative=Alternative.LESS, resamples=resamples, seed=seed
    )
    p_values = adjust_p_values([one.p_value for one in tests], correction=correction)
    drops = [
        drop_of(before[:, i], after[:, i], gains[:, i], share=as_share[i], span=spans[i])
        for i in range(gains.shape[1])
    ]
    factors = [
        0.0 if one.sign is not None and not one.allowance.any() else limit
        for one, limit in zip(drops, tolerated.tolist(), strict=True)
    ]
    ways = [one.applicable(Bound(bound)) for one in drops]
    beyond = [one.p_beyond(f, way) for one, f, way in zip(drops, factors, ways, strict=True)]
    shown = adjust_p_values(beyond, correction=correction) < alpha
    family = 1 if Correction(correction) is Correction.NONE else len(drops)
    return tuple(
        _verdict(
            one,
            factors[i],
            ways[i],
            before[:, i],
            after[:, i],
            tests[i],
            p_value=float(p_values[i]),
            p_beyond=beyond[i],
            beyond=bool(shown[i]),
            alpha=alpha,
            family=family,
            power=power,
        )
        for i, one in enumerate(drops)
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


def _verdict(
    one: Drop,
    factor: float,
    bound: Bound,
    before: Floats,
    after: Floats,
    test: PairedTest,
    *,
    p_value: float,
    p_beyond: float,
    beyond: bool,
    alpha: float,
    family: int,
    power: float,
) -> GateVerdict:
    valid = ~np.isnan(before - after)
    unit = abs(ordered_mean(before[valid]) or 0.0) if one.sign is not None else 1.0
    limit = factor * unit
    mean = ordered_mean(one.gains)
    drop = None if mean is None else 0.0 - mean
    exceeds = drop is not None and drop > limit + NOISE
    within = one.p_within(factor, bound) <= alpha
    verdict = Verdict.CANNOT_TELL
    if exceeds and p_value < alpha:
        verdict = Verdict.WORSE
    elif within and not exceeds:
        verdict = Verdict.NOT_WORSE
    low, high = one.limits(alpha, bound) if unit else (None, None)
    if high is not None:  # the bound is found by a search and must agree with the test
        high = min(high, factor) if within else max(high, factor)
    planned = 2.0 * limit or drop
    planned = planned if planned is not None and planned > NOISE else None
    deviation = standard_deviation(one.gains)
    risk = {"alpha": alpha / family, "power": power}
    return GateVerdict(
        verdict=verdict,
        limit=limit,
        alpha=alpha,
        power=power,
        bound=bound,
        bounded=one.span is not None,
        n_topics=test.n_topics,
        n_excluded=test.n_excluded,
        n_changed=one.n_changed,
        baseline_mean=ordered_mean(before[valid]),
        candidate_mean=ordered_mean(after[valid]),
        drop=drop,
        exceeds=exceeds,
        low=None if low is None else low * unit,
        high=None if high is None else high * unit,
        test=test,
        p_value=p_value,
        p_beyond_limit=p_beyond,
        beyond=beyond,
        smallest_drop=None
        if deviation is None
        else smallest_drop(one.gains.size, deviation, limit=limit, **risk),
        topics_needed=topics_to_clear(one, factor, alpha=alpha, power=power, bound=bound),
        planned_drop=planned,
        topics_to_show=None
        if deviation is None or planned is None
        else topics_to_show(planned, deviation, limit=limit, **risk),
    )


def gate_verdict(
    baseline: npt.ArrayLike,
    candidate: npt.ArrayLike,
    *,
    limit: float,
    share: bool = False,
    span: Range | None = UNIT,
    bound: Bound | str = Bound.BETTING,
    alpha: float = 0.05,
    power: float = 0.8,
    test: TestName | str = TestName.STUDENT_T,
    resamples: int = PERMUTATIONS,
    seed: int = 0,
) -> GateVerdict:
    """Judge the drop in one measure, values of shape (n,); see gate_verdicts."""
    (verdict,) = gate_verdicts(
        as_vector(baseline, "baseline"),
        as_vector(candidate, "candidate"),
        limits=[limit],
        shares=[share],
        ranges=[span],
        bound=bound,
        alpha=alpha,
        power=power,
        test=test,
        resamples=resamples,
        seed=seed,
    )
    return verdict


def _checked_limits(limits: Sequence[float], n_measures: int) -> Floats:
    tolerated = as_vector(limits, "limits")
    if tolerated.size != n_measures:
        problem = f"found {tolerated.size} limits for {n_measures} measures"
        raise UsageError(problem, expected="one limit for each measure")
    if not (tolerated >= 0.0).all():
        problem = f"found the limits {tolerated.tolist()}"
        raise UsageError(
            problem, expected="tolerated drops of at least 0, in the measure's own units"
        )
    return tolerated
