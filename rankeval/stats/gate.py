"""A gate's verdict: is the candidate worse than the baseline by more than is tolerated?"""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.frozen import frozen
from rankeval.stats._arrays import NOISE, Floats, as_columns, as_vector, require_fraction
from rankeval.stats.choice import paired_tests
from rankeval.stats.corrections import Correction, adjust_p_values
from rankeval.stats.differences import ordered_mean, paired_differences, standard_deviation
from rankeval.stats.intervals import confidence_intervals
from rankeval.stats.paired import Alternative, PairedTest, TestName
from rankeval.stats.power import smallest_difference, topics_needed
from rankeval.stats.randomization import PERMUTATIONS


class Verdict(StrEnum):
    """What the topics say about the candidate."""

    WORSE = "worse"
    NOT_WORSE = "not worse"
    CANNOT_TELL = "cannot tell"


class GatePolicy(StrEnum):
    """What a gate demands before it opens."""

    OBSERVED = "observed"  # the observed drop is within the limit, chance or not
    SIGNIFICANT = "significant"  # the candidate is not shown to be worse
    NONINFERIOR = "noninferior"  # the candidate is shown not to be worse


@frozen
class GateVerdict:
    """What is known about the drop from baseline to candidate; above 0, the candidate is worse.

    =================  ============================================================================
    verdict            worse, not worse, or cannot tell; see `gate_verdicts`
    limit              the tolerated drop, in the measure's own units
    alpha, power       the risks that the verdict and the planning figures below are taken at
    n_topics           pairs that count
    n_excluded         pairs left out because a value is NaN
    baseline_mean      None without topics
    candidate_mean     None without topics
    drop               mean of baseline - candidate; None without topics
    exceeds            whether the observed drop is above the limit
    low, high          one-sided confidence bounds of the drop, each at 1 - alpha; None where the
                       topics do not bound it
    test               the one-sided test of "no drop", for its name, statistic and raw p-value
    p_value            its p-value, corrected for the measures that were judged together
    p_beyond_limit     one-sided p-value of Student's t for "the drop is at most the limit": below
                       alpha, the drop is shown to be beyond the limit and not merely to exist
    smallest_drop      the smallest true drop that this many topics show with this power; None
                       with fewer than two topics
    topics_needed      topics that would show a drop of `planned_drop`, or show a candidate that
                       is equal to be within a limit of it, with this power; None if unknown
    planned_drop       the limit, or for limit 0 the observed drop; None if that is not above 0
    =================  ============================================================================
    """

    verdict: Verdict
    limit: float
    alpha: float
    power: float
    n_topics: int
    n_excluded: int
    baseline_mean: float | None
    candidate_mean: float | None
    drop: float | None
    exceeds: bool
    low: float | None
    high: float | None
    test: PairedTest
    p_value: float
    p_beyond_limit: float
    smallest_drop: float | None
    topics_needed: int | None
    planned_drop: float | None


def gate_verdicts(
    baseline: npt.ArrayLike,
    candidate: npt.ArrayLike,
    *,
    limits: Sequence[float],
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
        if the upper confidence bound of the drop is at most L:
        :math:`D + t_{1-\alpha,\,n-1}\, s_d / \sqrt n \le L`;
    cannot tell
        otherwise. `smallest_drop` says what so many topics could show, `topics_needed` how many it
        takes to see a drop of the limit.

    The first two exclude each other, for the bound is never below D.

    "Worse" combines two questions: is the drop more than is tolerated (L), and is it more than
    chance (the test)? A candidate that is as good as the baseline is called worse with
    probability alpha at most. The test is not of "the drop is at most L", which asks for proof
    beyond the limit: with it, a significant drop of twice the limit passes as long as its lower
    bound is within. `p_beyond_limit` answers that question all the same; with limit 0 the two are
    one. The price: of candidates that truly lose exactly L, up to half are called worse when
    there are topics enough.

    "Not worse" is a noninferiority test at level alpha: of candidates that truly lose L or more,
    at most alpha are called not worse. It is not the absence of significance, which few topics
    always give.

    Measures judged together give the test more chances to reject by accident; its p-values are
    corrected as one family. "Not worse" needs no correction where all measures must be so.

    Shapes: baseline and candidate (n, m), or (n,) for one measure; limits has m numbers. Give
    measures where less is better with their sign turned.

    Edge cases
        - No topic, or one: cannot tell.
        - Every difference the same c: the bounds are the drop itself; for c = 0 "not worse".
        - Comparisons with the limit allow for rounding noise of 1e-12: a drop of 0.3 - 0.2 does not
          exceed 0.1.
        - A limit below 0, or not one for each measure: UsageError.
        - NaN: the pair is left out.

    Source: for the bound, Walker and Nowacki, "Understanding equivalence and noninferiority
    testing", Journal of General Internal Medicine 26(2), 2011; for the planning figures, Sakai,
    "Topic set size design", Information Retrieval Journal 19(3), 2016.
    """
    before, after = as_columns(baseline, "baseline"), as_columns(candidate, "candidate")
    gains = paired_differences(before, after)
    tolerated = _checked_limits(limits, gains.shape[1])
    require_fraction(alpha, "alpha")
    if alpha >= 0.5:
        problem = f"alpha is {alpha}"
        raise UsageError(problem, expected="a risk below 0.5, usually 0.05")
    tests = paired_tests(
        gains, test=test, alternative=Alternative.LESS, resamples=resamples, seed=seed
    )
    p_values = adjust_p_values([one.p_value for one in tests], correction=correction)
    beyond = paired_tests(_without_noise(gains + tolerated), alternative=Alternative.LESS)
    intervals = confidence_intervals(gains, level=1.0 - 2.0 * alpha)
    verdicts = []
    for i, limit in enumerate(tolerated.tolist()):
        valid = ~np.isnan(gains[:, i])
        mean = ordered_mean(gains[valid, i])
        drop = None if mean is None else 0.0 - mean
        low, high = intervals[i].low, intervals[i].high
        exceeds = drop is not None and drop > limit + NOISE
        upper = None if low is None else 0.0 - low
        verdict = Verdict.CANNOT_TELL
        if exceeds and p_values[i] < alpha:
            verdict = Verdict.WORSE
        elif upper is not None and upper <= limit + NOISE:
            verdict = Verdict.NOT_WORSE
        # With limit 0 the drop that was seen is the only one there is to plan for.
        planned = limit or drop
        planned = planned if planned is not None and planned > NOISE else None
        deviation = standard_deviation(gains[valid, i])
        verdicts.append(
            GateVerdict(
                verdict=verdict,
                limit=limit,
                alpha=alpha,
                power=power,
                n_topics=tests[i].n_topics,
                n_excluded=tests[i].n_excluded,
                baseline_mean=ordered_mean(before[valid, i]),
                candidate_mean=ordered_mean(after[valid, i]),
                drop=drop,
                exceeds=exceeds,
                low=None if high is None else 0.0 - high,
                high=upper,
                test=tests[i],
                p_value=float(p_values[i]),
                p_beyond_limit=beyond[i].p_value,
                smallest_drop=None
                if deviation is None
                else smallest_difference(
                    tests[i].n_topics,
                    deviation,
                    alpha=alpha,
                    power=power,
                    alternative=Alternative.GREATER,
                ),
                topics_needed=None
                if deviation is None or planned is None
                else topics_needed(
                    planned,
                    deviation,
                    alpha=alpha,
                    power=power,
                    alternative=Alternative.GREATER,
                ),
                planned_drop=planned,
            )
        )
    return tuple(verdicts)


def gate_verdict(
    baseline: npt.ArrayLike,
    candidate: npt.ArrayLike,
    *,
    limit: float,
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
        alpha=alpha,
        power=power,
        test=test,
        resamples=resamples,
        seed=seed,
    )
    return verdict


def gate_passes(verdict: GateVerdict, policy: GatePolicy | str) -> bool:
    """Tell whether a gate with that policy opens for one verdict.

    ===========  =========================  =======  =======  ============
    policy       asks                       worse    not      cannot tell
                                                     worse
    ===========  =========================  =======  =======  ============
    observed     is the drop <= the limit?  closed   open     as observed
    significant  is it not shown worse?     closed   open     open
    noninferior  is it shown not worse?     closed   open     closed
    ===========  =========================  =======  =======  ============

    Edge case: without any topic every policy keeps the gate closed, for it has seen nothing.
    """
    if verdict.n_topics == 0:
        return False
    opens = {
        GatePolicy.OBSERVED: not verdict.exceeds,
        GatePolicy.SIGNIFICANT: verdict.verdict is not Verdict.WORSE,
        GatePolicy.NONINFERIOR: verdict.verdict is Verdict.NOT_WORSE,
    }
    return opens[GatePolicy(policy)]


def gate_exit_code(verdicts: Sequence[GateVerdict], policy: GatePolicy | str) -> int:
    """Return 0 if the gate opens for every verdict, else 1; no verdict at all is 1."""
    return 0 if verdicts and all(gate_passes(one, policy) for one in verdicts) else 1


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


def _without_noise(differences: Floats) -> Floats:
    return np.where(np.abs(differences) <= NOISE, 0.0, differences)
