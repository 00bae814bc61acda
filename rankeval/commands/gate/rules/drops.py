"""Rules about the drop of the mean, which a test judges: max-drop, min-gain, equivalent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rankeval import stats
from rankeval.base.wording import confidence, count, number, p_words
from rankeval.choices import Bound, GatePolicy
from rankeval.commands.gate.rules.rule import ROUNDING, Rule
from rankeval.commands.gate.rules.rule_kind import RuleKind, require_difference, require_mean
from rankeval.commands.gate.rules.rule_words import changed, worse_topics

if TYPE_CHECKING:
    from rankeval.commands.gate.decision import Decision
    from rankeval.commands.gate.report import RuleOutcome
    from rankeval.commands.gate.rules.rule_case import RuleCase
    from rankeval.evaluation.settings import Settings
    from rankeval.measures import Measure
    from rankeval.stats import GateVerdict

Judged = Iterator[tuple[Sequence["RuleCase"], Sequence["GateVerdict"]]]
BOUNDED = {
    Bound.STUDENT_T: "by Student's t, a normal approximation,",
    Bound.BETTING: "by betting, which assumes nothing,",
}
"""The bound of a drop, and its assumptions on the differences."""


def _require(rule: Rule, measure: Measure, settings: Settings) -> None:
    require_mean(rule, measure, settings)
    require_difference(rule, measure, settings)


def _test_drops(cases: Sequence[RuleCase], decision: Decision) -> Judged:
    """Test drops: between means over seeds, whose spread counts, or else by group of topics."""
    import numpy as np

    from rankeval.commands.gate.decision import options_of

    by_group: dict[str, list[RuleCase]] = {}
    for case in cases:
        if case.runs.has_seeds:
            from rankeval.stats.seeded_gate import seeded_verdict

            verdict = seeded_verdict(
                case.runs.old_by_run,
                case.runs.new_by_run,
                limit=case.rule.limit,
                share=case.rule.relative,
                alpha=decision.alpha,
                power=decision.power,
            )
            yield [case], [verdict]
        else:
            by_group.setdefault(case.rule.group, []).append(case)
    for of_group in by_group.values():
        verdicts = stats.gate_verdicts(
            np.stack([case.runs.old for case in of_group], axis=1),
            np.stack([case.runs.new for case in of_group], axis=1),
            limits=[case.rule.limit for case in of_group],
            shares=[case.rule.relative for case in of_group],
            ranges=[case.runs.span for case in of_group],
            **options_of(decision),
        )
        yield of_group, verdicts


def _test_equivalence(cases: Sequence[RuleCase], decision: Decision) -> Judged:
    """Test if candidates differ by less than the margin."""
    for case in cases:
        verdict = stats.equivalence_verdict(
            case.runs.old,
            case.runs.new,
            margin=case.rule.limit,
            share=case.rule.relative,
            span=case.runs.span,
            bound=decision.bound,
            alpha=decision.alpha,
            power=decision.power,
        )
        yield [case], [verdict]


def _test_gains(cases: Sequence[RuleCase], decision: Decision) -> Judged:
    """Bound gains: better if the least gain is within the bound, not better if it is beyond it."""
    from rankeval.commands.gate.decision import options_of

    for case in cases:
        (found,) = stats.gate_verdicts(
            case.runs.old[:, None],
            case.runs.new[:, None],
            limits=[0.0],
            shares=[False],
            ranges=[case.runs.span],
            **options_of(decision),
        )
        verdict = stats.Verdict.CANNOT_TELL
        if found.high is not None and -found.high >= case.limit - ROUNDING:
            verdict = stats.Verdict.BETTER
        elif found.low is not None and -found.low < case.limit - ROUNDING:
            verdict = stats.Verdict.NOT_BETTER
        yield [case], [replace(found, verdict=verdict)]


def _gains(case: RuleCase, policy: GatePolicy) -> bool:
    """Return True if the least gain is shown, or else, by the policy, observed."""
    if case.verdict is None or case.verdict.drop is None or case.lost:
        return False
    if policy is GatePolicy.SHOWN_NOT_WORSE:
        return case.verdict.verdict is stats.Verdict.BETTER
    return -case.verdict.drop >= case.limit - ROUNDING


def _passes(case: RuleCase, policy: GatePolicy) -> bool:
    passes = case.verdict is not None and stats.gate_passes(case.verdict, policy)
    return passes and not case.lost


def _is_equivalent(case: RuleCase, _policy: GatePolicy) -> bool:
    shown = case.verdict is not None and case.verdict.verdict is stats.Verdict.EQUIVALENT
    return shown and not case.lost


def _glance(outcome: RuleOutcome, digits: int) -> str:
    """Return the bound of the change that the verdict rests on, or the verdict without one."""
    found = outcome.verdict
    if found is None or not found.n_topics:
        return "no topic has a value"
    if found.verdict is stats.Verdict.WORSE and found.low is not None and found.low > 0:
        return f"{_change_of(outcome, found.low, digits)} at best"
    if found.verdict is stats.Verdict.NOT_WORSE and found.high is not None:
        return f"{_change_of(outcome, found.high, digits)} at worst"
    return found.verdict


def _glance_equivalent(outcome: RuleOutcome, digits: int) -> str:
    """Return the verdict with the interval of the change, where the topics show one."""
    found = outcome.verdict
    if found is None or not found.n_topics:
        return "no topic has a value"
    if found.verdict is stats.Verdict.CANNOT_TELL or found.low is None or found.high is None:
        return found.verdict
    ends = sorted((found.low, found.high), reverse=not outcome.loss)
    low, high = (_change_of(outcome, drop, digits) for drop in ends)
    return f"{found.verdict}: {low} to {high}"


def _glance_gain(outcome: RuleOutcome, digits: int) -> str:
    """Return the bound of the gain that the verdict rests on, or the verdict without one."""
    found = outcome.verdict
    if found is None or not found.n_topics:
        return "no topic has a value"
    if found.verdict is stats.Verdict.BETTER and found.high is not None:
        return f"{_change_of(outcome, found.high, digits)} at worst"
    if found.verdict is stats.Verdict.NOT_BETTER and found.low is not None:
        return f"{_change_of(outcome, found.low, digits)} at best"
    return found.verdict


def _change_of(outcome: RuleOutcome, drop: float, digits: int) -> str:
    """Return the change of the mean that is a drop, in the units of the rule's limit."""
    change = drop if outcome.loss else -drop
    if outcome.rule.relative and outcome.baseline:
        return f"{change / abs(outcome.baseline):+.1%}"
    return f"{change:+.{digits}f}"


def _say(outcome: RuleOutcome, digits: int, *, against: str = "") -> list[str]:
    """Return the change, the verdict on the drop, and where it is worse."""
    change = f"{against}{changed(outcome, digits)}; the limit is {_limit(outcome, digits)}"
    return _tested(outcome, digits, change, _drop_verdict)


def _say_equivalent(outcome: RuleOutcome, digits: int) -> list[str]:
    change = f"{changed(outcome, digits)}; the margin is {_limit(outcome, digits)}"
    return _tested(outcome, digits, change, _equivalence)


def _say_gain(outcome: RuleOutcome, digits: int) -> list[str]:
    change = f"{changed(outcome, digits)}; the least gain is {_limit(outcome, digits)}"
    return _tested(outcome, digits, change, _gain_verdict)


def _tested(
    outcome: RuleOutcome,
    digits: int,
    change: str,
    words: Callable[[RuleOutcome, GateVerdict, int], str],
) -> list[str]:
    """Return the sentences of a rule that has a verdict, which is put in words."""
    if outcome.verdict is None or not outcome.verdict.n_topics:
        parts = [change, "No topic has a value on both sides"]
    else:
        parts = [change, words(outcome, outcome.verdict, digits)]
    if outcome.verdict and outcome.verdict.n_excluded:
        valued = count(outcome.verdict.n_topics, "topic")
        parts.insert(1, f"Over the {valued} that both have a value for")
    if outcome.topics:
        parts.append(f"Worse on {count(outcome.n_worse, 'topic')}: {worse_topics(outcome, digits)}")
    return parts


def _limit(outcome: RuleOutcome, digits: int) -> str:
    if not outcome.rule.relative:
        return f"{outcome.limit:.12g}"
    return f"{number(outcome.limit, digits)} ({100 * outcome.rule.limit:.12g}%)"


def _drop_verdict(outcome: RuleOutcome, found: GateVerdict, digits: int) -> str:
    if found.verdict is stats.Verdict.NOT_WORSE:
        return f"Not worse: {_upper(found, digits)}{_grounds(outcome, found)}"
    tested = p_words(found.p_value, found.alpha)
    if found.verdict is stats.Verdict.WORSE:
        return f"Worse: {tested}{_lower(outcome, found, digits)}"
    upper = _unbounded(found) if found.high is None else _upper(found, digits)
    upper += _grounds(outcome, found) if found.high is not None else ""
    shown = found.low is not None and found.low > 0.0 and found.p_value >= found.alpha
    also = f", though {_least(found, digits)}" if shown else ""
    return "; ".join([f"Cannot tell: {tested}{also}; {upper}", *_plan(found)])


def _lower(outcome: RuleOutcome, found: GateVerdict, digits: int) -> str:
    """Return the lower bound of a drop that the test shows, also where the two do not agree."""
    if found.low is None:
        return f"; {_unbounded(found)}"
    if found.low > 0.0:
        return f"; {_least(found, digits)}{_grounds(outcome, found)}"
    low, level = number(found.low, digits), confidence(found.alpha)
    return f", but the {level} bound {BOUNDED[found.bound]} allows no drop: its lower end is {low}"


def _least(found: GateVerdict, digits: int) -> str:
    level, low = confidence(found.alpha), number(found.low, digits)
    return f"the {level} lower confidence bound of the drop is {low}"


def _unbounded(found: GateVerdict) -> str:
    """Say why there is no bound."""
    from rankeval.stats.confidence_bounds import LEAST_CHANGED, LEAST_TOPICS

    few = found.n_topics < LEAST_TOPICS or found.n_changed < LEAST_CHANGED
    if found.bound is not Bound.BETTING and few:
        needed = f"{LEAST_TOPICS} topics of which {LEAST_CHANGED} differ"
        return f"no confidence bound, for Student's t needs {needed}"
    return "no confidence bound, for these topics exclude no drop"


def _equivalence(outcome: RuleOutcome, found: GateVerdict, digits: int) -> str:
    """Return the verdict, and the interval of the mean's change from two one-sided bounds."""
    said = [found.verdict.capitalize()]
    if found.low is None or found.high is None:
        said[0] += f": {_unbounded(found)}"
    else:
        low, high = number(0.0 - found.high, digits), number(0.0 - found.low, digits)
        level = confidence(2 * found.alpha)
        way = ", more being worse" if outcome.loss else ""
        if outcome.loss:
            low, high = number(found.low, digits), number(found.high, digits)
        said[0] += (
            f": the {level} confidence interval of the change is {low} to {high}{way}"
            f"{_grounds(outcome, found)}"
        )
    if found.verdict is stats.Verdict.CANNOT_TELL and found.topics_needed is not None:
        needed = count(found.topics_needed, "topic")
        said.append(f"about {needed} would show an equal candidate to be equivalent")
    return "; ".join(said)


def _gain_verdict(outcome: RuleOutcome, found: GateVerdict, digits: int) -> str:
    """Return the verdict on a gain, with its confidence bounds."""
    level, said = confidence(found.alpha), found.verdict.capitalize()
    if found.low is None or found.high is None:
        return f"{said}: {_unbounded(found)}"
    if found.verdict is stats.Verdict.CANNOT_TELL:
        ends = f"{number(0.0 - found.high, digits)} and {number(0.0 - found.low, digits)}"
        what = f"the {level} confidence bounds of the gain are {ends}"
    else:
        shown = found.verdict is stats.Verdict.BETTER
        end = number(0.0 - (found.high if shown else found.low), digits)
        side = "lower" if shown else "upper"
        what = f"the {level} {side} confidence bound of the gain is {end}"
    return f"{said}: {what}{_grounds(outcome, found)}"


def _upper(found: GateVerdict, digits: int) -> str:
    """Return the bound of the drop; a drop of at most -0.01 is a gain of at least 0.01."""
    if found.high is not None and found.high < 0:
        gain = number(-found.high, digits)
        return f"the {confidence(found.alpha)} lower confidence bound of the gain is {gain}"
    high = number(found.high, digits)
    return f"the {confidence(found.alpha)} upper confidence bound of the drop is {high}"


def _grounds(outcome: RuleOutcome, found: GateVerdict) -> str:
    """Return the assumption behind the bound; "" if the measure's range is all it needs."""
    if found.bound is not Bound.STUDENT_T:
        return ""
    why = "" if found.bounded else f", for {outcome.measure} has no range"
    return f" (by a normal approximation{why})"


def _plan(found: GateVerdict) -> list[str]:
    """Say how many topics a verdict needs; nothing from too few to know a spread."""
    from rankeval.stats.confidence_bounds import LEAST_TOPICS

    if found.n_topics < LEAST_TOPICS or found.topics_needed is None:
        return []
    needed = count(found.topics_needed, "topic")
    return [f"about {needed} would show an equal candidate to be not worse"]


MAX_DROP = RuleKind(
    name="max-drop",
    help="Largest drop of the mean: AP=0.01 or nDCG@10=2%; 2% is of the baseline's mean. "
    "Repeatable, as all rules are.",
    expected="a drop such as nDCG@10=0.01 or nDCG@10=2%",
    accepts=lambda limit, _relative: limit >= 0,
    require=_require,
    golden=False,
    corrected=True,
    test=_test_drops,
    passes=_passes,
    breaks=None,
    glance=_glance,
    say=_say,
)
MAX_DROP_FROM_GOLDEN = replace(
    MAX_DROP,
    name="max-drop-from-golden",
    help="Largest drop of the mean from --golden: nDCG@10=0.02, or 4%.",
    expected="a drop such as nDCG@10=0.02 or nDCG@10=4%",
    golden=True,
    say=partial(_say, against="Against the golden baseline: "),
)
EQUIVALENT = replace(
    MAX_DROP,
    name="equivalent",
    help="Largest difference of the means in either direction, which the topics must show: "
    "nDCG@10=0.01, or 2%.",
    expected="a margin above 0 such as nDCG@10=0.01 or nDCG@10=2%",
    accepts=lambda limit, _relative: limit > 0,
    corrected=False,
    test=_test_equivalence,
    passes=_is_equivalent,
    glance=_glance_equivalent,
    say=_say_equivalent,
)
MIN_GAIN = replace(
    MAX_DROP,
    name="min-gain",
    help="Smallest gain of the mean: nDCG@10=0.01 or 1%. Shown under --policy shown-not-worse, "
    "observed under the others.",
    expected="a gain above 0 such as nDCG@10=0.01 or nDCG@10=1%",
    accepts=lambda limit, _relative: limit > 0,
    corrected=False,
    test=_test_gains,
    passes=_gains,
    glance=_glance_gain,
    say=_say_gain,
)
