"""Rules about the drop of the mean, which a test judges: max-drop, max-drift and equivalent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rankeval import stats
from rankeval.base.wording import confidence, count, number, p_words
from rankeval.choices import Bound, GatePolicy
from rankeval.commands.gate.rules.rule import ROUNDING, WORST_COLLECTION, Rule
from rankeval.commands.gate.rules.rule_kind import RuleKind, require_difference, require_mean
from rankeval.commands.gate.rules.rule_words import changed, named, some_worse, worse_topics
from rankeval.errors import UsageError

if TYPE_CHECKING:
    from rankeval.commands.gate.decision import Decision
    from rankeval.commands.gate.report import RuleOutcome
    from rankeval.commands.gate.rules.rule_case import RuleCase
    from rankeval.evaluation.settings import Settings
    from rankeval.measures import Measure
    from rankeval.stats import GateVerdict
    from rankeval.stats.judging import PlannedFor

Judged = Iterator[tuple[Sequence["RuleCase"], Sequence["GateVerdict"]]]
BOUNDED = {
    Bound.STUDENT_T: "by Student's t, a normal approximation,",
    Bound.BETTING: "by betting, which assumes nothing,",
    Bound.BOTH: "by betting and Student's t",
}
"""The bound of a drop, and its assumptions on the differences."""


def _require(rule: Rule, measure: Measure, settings: Settings) -> None:
    require_mean(rule, measure, settings)
    require_difference(rule, measure, settings)


def _test_drops(
    cases: Sequence[RuleCase], decision: Decision, family: int, planning: PlannedFor
) -> Judged:
    """Test drops: between means over seeds, whose spread counts, or else by group of topics."""
    import numpy as np

    from rankeval.commands.gate.decision import options_of

    by_group: dict[str, list[RuleCase]] = {}
    for case in cases:
        if case.runs.has_seeds:
            from rankeval.stats.macro_gate import seeded_verdict

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
    if by_group:
        _require_resolution(decision, family)
    for of_group in by_group.values():
        verdicts = stats.gate_verdicts(
            np.stack([case.runs.old for case in of_group], axis=1),
            np.stack([case.runs.new for case in of_group], axis=1),
            limits=[case.rule.limit for case in of_group],
            shares=[case.rule.relative for case in of_group],
            ranges=[case.runs.span for case in of_group],
            **options_of(decision, family, planning),
        )
        yield of_group, verdicts


def _require_resolution(decision: Decision, family: int) -> None:
    """Raise UsageError for a test whose draws cannot give a p-value below alpha.

    `family` is the number of drops that are corrected together.
    """
    from rankeval.stats.corrections import smallest_p_value
    from rankeval.stats.paired import PERMUTATIONS

    least = smallest_p_value(decision.test, family=family, correction=decision.correction)
    if least < decision.alpha:
        return
    corrected = "" if decision.correction == "none" else f" for {count(family, 'limited drop')}"
    raise UsageError(
        f"{PERMUTATIONS:,} draws give no p-value below {least:.2g}{corrected}, and alpha is "
        f"{decision.alpha:.2g}: no drop could be shown",
        place=f"test='{decision.test}'",
        expected="a test that can reach alpha",
        remedy="drop test=, or take test='t'; or limit fewer drops",
    )


def _test_equivalence(
    cases: Sequence[RuleCase], decision: Decision, _family: int, planning: PlannedFor
) -> Judged:
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
            seed=decision.seed,
            planning=planning,
        )
        yield [case], [verdict]


def _test_gains(
    cases: Sequence[RuleCase], decision: Decision, _family: int, _planning: PlannedFor
) -> Judged:
    """Bound gains: better if the least gain is within the bound, not better if it is beyond it."""
    from rankeval.commands.gate.decision import options_of
    from rankeval.stats.judging import PlannedFor

    for case in cases:
        (found,) = stats.gate_verdicts(
            case.runs.old[:, None],
            case.runs.new[:, None],
            limits=[0.0],
            shares=[False],
            ranges=[case.runs.span],
            **options_of(decision, 1, PlannedFor.NONE),
        )
        verdict = stats.Verdict.CANNOT_TELL
        if found.high is not None and -found.high >= case.limit - ROUNDING:
            verdict = stats.Verdict.BETTER
        elif found.low is not None and -found.low < case.limit - ROUNDING:
            verdict = stats.Verdict.NOT_BETTER
        yield [case], [replace(found, verdict=verdict)]


def _test_costs(
    cases: Sequence[RuleCase], decision: Decision, family: int, planning: PlannedFor
) -> Judged:
    """Test costs by topic; a run whose cost is one number has nothing to test."""
    for case in cases:
        if len(case.runs.old):
            yield from _test_drops([case], decision, family, planning)


def _gains(case: RuleCase, policy: GatePolicy) -> bool:
    """Return True if the least gain is shown, or else, by the policy, observed."""
    if case.verdict is None or case.verdict.drop is None or case.lost:
        return False
    if policy is GatePolicy.NONINFERIOR:
        return case.verdict.verdict is stats.Verdict.BETTER
    return -case.verdict.drop >= case.limit - ROUNDING


def _costs_little(case: RuleCase, policy: GatePolicy) -> bool:
    if case.verdict is not None:
        return _passes(case, policy)
    return case.runs.after.aggregate - case.runs.before.aggregate <= case.limit + ROUNDING


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


def _say_cost(outcome: RuleOutcome, digits: int) -> list[str]:
    """Return the change of a cost, and the verdict on it where it is known by topic."""
    if outcome.verdict is not None:
        return _say(outcome, digits)
    return [f"{changed(outcome, digits)}; the limit is {_limit(outcome, digits)}"]


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
    if outcome.collections:
        parts += _collections(outcome, digits)
    return parts


def _collections(outcome: RuleOutcome, digits: int) -> list[str]:
    """Return which collections are worse, and on which ones nothing is shown."""
    said = []
    worse = sorted((c for c in outcome.collections if c.drop), key=lambda c: -(c.drop or 0.0))
    if outcome.n_worse:
        named_worse = [(c.name, c) for c in worse[: outcome.n_worse]]
        names = some_worse(named_worse, outcome.n_worse, digits)
        said.append(f"Worse on {count(outcome.n_worse, 'collection')}: {names}")
    unclear = [c.name for c in outcome.collections if c.verdict is stats.Verdict.CANNOT_TELL]
    if unclear:
        said.append(f"Cannot tell on {count(len(unclear), 'collection')}: {named(unclear)}")
    return said


def _limit(outcome: RuleOutcome, digits: int) -> str:
    if not outcome.rule.relative:
        return f"{outcome.limit:.12g}"
    return f"{number(outcome.limit, digits)} ({100 * outcome.rule.limit:.12g}%)"


def _drop_verdict(outcome: RuleOutcome, found: GateVerdict, digits: int) -> str:
    if found.verdict is stats.Verdict.NOT_WORSE:
        return f"Not worse: {_upper(found, digits)}{_grounds(outcome, found)}"
    tested = p_words(found.p_value, found.alpha) + _over_nights(found)
    if found.verdict is stats.Verdict.WORSE:
        return f"Worse: {tested}{_lower(outcome, found, digits)}"
    upper = _unbounded(found) if found.high is None else _upper(found, digits)
    upper += _grounds(outcome, found) if found.high is not None else ""
    shown = found.low is not None and found.low > 0.0 and found.p_value >= found.alpha
    also = f", though {_least(found, digits)}" if shown else ""
    return "; ".join([f"Cannot tell: {tested}{also}; {upper}", *_plan(outcome, found, digits)])


def _lower(outcome: RuleOutcome, found: GateVerdict, digits: int) -> str:
    """Return the lower bound of a drop that the test shows, also where the two do not agree."""
    if found.low is None:
        return f"; {_unbounded(found)}"
    if found.low > 0.0 or found.nights is not None:
        return f"; {_least(found, digits)}{_grounds(outcome, found)}"
    low, level = number(found.low, digits), confidence(found.alpha)
    return f", but the {level} bound {BOUNDED[found.bound]} allows no drop: its lower end is {low}"


def _over_nights(found: GateVerdict) -> str:
    return "" if found.nights is None else f" over {count(found.nights, 'night')}"


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
        power = _power(found.power_of_needed)
        said.append(f"{needed} would show an equal candidate to be equivalent{power}")
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


def _plan(outcome: RuleOutcome, found: GateVerdict, digits: int) -> list[str]:
    """Return sentences on the topics needed for a verdict; none from too few to know a spread."""
    from rankeval.stats.confidence_bounds import LEAST_TOPICS

    said: list[str] = []
    if found.n_topics < LEAST_TOPICS:
        return said
    in_all = (
        " in all" if outcome.collections and outcome.rule.collection != WORST_COLLECTION else ""
    )
    if found.topics_needed is not None:
        needed = count(found.topics_needed, "topic") + in_all
        power = _power(found.power_of_needed)
        said.append(f"{needed} would show an equal candidate to be not worse{power}")
    if found.smallest_drop is not None:
        drop = number(found.smallest_drop, digits)
        power = _power(found.power_of_smallest)
        said.append(f"{count(found.n_topics, 'topic')} can show a true drop of {drop}{power}")
    if found.topics_to_show is not None and found.topics_to_show > found.n_topics:
        planned = number(found.planned_drop, digits)
        shown = count(found.topics_to_show, "topic") + in_all
        said.append(f"{shown} would show one of {planned}{_power(found.power_of_show)}")
    if found.test.test not in set(Bound):
        name = found.test.test
        said.append(f"no drop is planned for, because the test is {name} and not t or betting")
    return said


def _power(power: float | None) -> str:
    return "" if power is None else f" ({power:.0%} power)"


MAX_DROP = RuleKind(
    name="max-drop",
    help="Largest drop of the mean: AP=0.01 or nDCG@10=2%; 2% is of the baseline's mean. "
    "Repeatable, as all rules are.",
    expected="a drop such as nDCG@10=0.01 or nDCG@10=2%",
    accepts=lambda limit, _relative: limit >= 0,
    require=_require,
    golden=False,
    of_ties=False,
    corrected=True,
    test=_test_drops,
    passes=_passes,
    breaks=None,
    over=lambda case, *how: case.tested(*how),
    glance=_glance,
    say=_say,
)
MAX_DRIFT = replace(
    MAX_DROP,
    name="max-drift",
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
    over=None,
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
    over=None,
    glance=_glance_gain,
    say=_say_gain,
)
MAX_COST = replace(
    MAX_DROP,
    name="max-cost",
    help="Largest increase of a cost of --run-costs: latency_ms=5 or +10%.",
    expected="an increase such as latency_ms=5 or latency_ms=+10%",
    require=lambda _rule, _measure, _settings: None,
    corrected=False,
    test=_test_costs,
    passes=_costs_little,
    over=None,
    glance=lambda outcome, digits: _glance(outcome, digits) if outcome.verdict else "",
    say=_say_cost,
)
