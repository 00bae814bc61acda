"""A gate's verdict on equivalence: two one-sided tests with a margin."""

from dataclasses import replace
from typing import Unpack

import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.stats.arrays import as_vector
from rankeval.stats.bounds import Range
from rankeval.stats.gate import UNIT, judged
from rankeval.stats.gate_planning import Plan
from rankeval.stats.judging import GateOptions, Judging, PlannedFor
from rankeval.stats.verdicts import GateVerdict, Verdict


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
    cannot tell
        otherwise.

    Of candidates that differ by the margin or more at most alpha are called equivalent, under the
    conditions of the bound; see `gate_verdicts`. `limit` is the margin, and p_value the larger one
    of the p-values of the two tests. `topics_needed` are topics with which a candidate that is
    equal is called equivalent with that power: both tests show it.

    Shapes: baseline and candidate (n,). Edge cases: as in `gate_verdicts`; a margin that is not
    above 0: UsageError.

    Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach",
    Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987.

    >>> equivalence_verdict([0.5] * 100, [0.5] * 100, margin=0.05).verdict
    <Verdict.EQUIVALENT: 'equivalent'>
    """
    before, after = as_vector(baseline, "baseline"), as_vector(candidate, "candidate")
    if not margin > 0.0:
        raise UsageError(f"the margin is {margin}", expected="a number above 0")
    how = Judging(**options)
    (one,) = judged(before, after, [margin], [share], [span], how)
    drop, found, way = one.drop, one.verdict, one.verdict.bound
    p_value = max(drop.p_within(margin, way), drop.p_beyond(-margin, way))
    p_outside = min(drop.p_beyond(margin, way), drop.p_within(-margin, way))
    verdict = Verdict.CANNOT_TELL
    if p_value <= how.alpha:
        verdict = Verdict.EQUIVALENT
    elif p_outside <= how.alpha:
        verdict = Verdict.NOT_EQUIVALENT
    needed = None
    if how.planning is PlannedFor.ALL or (
        how.planning is PlannedFor.OPEN and verdict is Verdict.CANNOT_TELL
    ):
        plan = Plan(drop, power=how.power, seed=how.seed)
        needed = plan.topics_to_clear(margin, alpha=how.alpha, bound=way, two_sided=True)
    return replace(
        found,
        verdict=verdict,
        exceeds=found.drop is not None and abs(found.drop) > found.limit,
        p_value=p_value,
        topics_needed=None if needed is None else int(needed.value),
        power_of_needed=None if needed is None else needed.power,
    )
