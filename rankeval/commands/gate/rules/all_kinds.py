"""All kinds of rules, how they are judged and worded, and the notation of rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rankeval import stats
from rankeval.base.checked import checked
from rankeval.base.wording import confidence, count, number, p_words
from rankeval.choices import Bound, Correction, GatePolicy
from rankeval.commands.gate.rules.rule import IN, ROUNDING, Rule, place_of
from rankeval.commands.gate.rules.rule_kind import (
    RuleKind,
    changed,
    measure_words,
    require_difference,
    require_mean,
    require_value,
    worse_topics,
)
from rankeval.errors import UsageError

if TYPE_CHECKING:
    from rankeval.commands.gate.decision import Decision
    from rankeval.commands.gate.report import RuleOutcome, TopicDrop
    from rankeval.commands.gate.rules.rule_case import RuleCase
    from rankeval.evaluation.settings import Settings
    from rankeval.measures import Measure
    from rankeval.stats import GateVerdict
    from rankeval.stats.judging import GateOptions

Judged = Iterator[tuple[Sequence["RuleCase"], Sequence["GateVerdict"]]]
BOUNDED = {
    Bound.STUDENT_T: "by Student's t, a normal approximation,",
    Bound.BETTING: "by betting, which assumes nothing,",
}
"""The bound of a drop, and its assumptions on the differences."""


NO_TOPIC = "no topic has a value"


def _options_of(decision: Decision) -> GateOptions:
    """Return the options of a verdict; p-values are corrected later, for all of a candidate."""
    return {
        "correction": Correction.NONE,
        "bound": decision.bound,
        "alpha": decision.alpha,
        "power": decision.power,
    }


def _require(rule: Rule, measure: Measure, settings: Settings) -> None:
    require_mean(rule, measure, settings)
    require_difference(rule, measure, settings)


def _test_drops(cases: Sequence[RuleCase], decision: Decision) -> Judged:
    """Test drops: between means over seeds, whose spread counts, or else by group of topics."""
    import numpy as np

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
            **_options_of(decision),
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
    for case in cases:
        (found,) = stats.gate_verdicts(
            case.runs.old[:, None],
            case.runs.new[:, None],
            limits=[0.0],
            shares=[False],
            ranges=[case.runs.span],
            **_options_of(decision),
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
        return NO_TOPIC
    shown, low, high = found.verdict, found.low, found.high
    if shown in (stats.Verdict.NOT_WORSE, stats.Verdict.BETTER) and high is not None:
        return f"{_change_of(outcome, high, digits)} at worst"
    fallen = shown is stats.Verdict.WORSE and low is not None and low > 0
    if (fallen or shown is stats.Verdict.NOT_BETTER) and low is not None:
        return f"{_change_of(outcome, low, digits)} at best"
    return shown


def _glance_equivalent(outcome: RuleOutcome, digits: int) -> str:
    """Return the verdict with the interval of the change, where the topics show one."""
    found = outcome.verdict
    if found is None or not found.n_topics:
        return NO_TOPIC
    if found.verdict is stats.Verdict.CANNOT_TELL or found.low is None or found.high is None:
        return found.verdict
    ends = sorted((found.low, found.high), reverse=not outcome.loss)
    low, high = (_change_of(outcome, drop, digits) for drop in ends)
    return f"{found.verdict}: {low} to {high}"


def _change_of(outcome: RuleOutcome, drop: float, digits: int) -> str:
    """Return the change of the mean that is a drop, in the units of the rule's limit."""
    change = drop if outcome.loss else -drop
    if outcome.rule.relative and outcome.baseline:
        return f"{change / abs(outcome.baseline):+.1%}"
    return f"{change:+.{digits}f}"


def _say(
    outcome: RuleOutcome,
    digits: int,
    *,
    limit: str,
    verdict: Callable[[RuleOutcome, GateVerdict, int], str],
    against: str = "",
) -> list[str]:
    """Return the change, what it is limited by, the verdict in words, and where it is worse."""
    found = outcome.verdict
    parts = [f"{against}{changed(outcome, digits)}; {limit} is {_limit(outcome, digits)}"]
    if found and found.n_excluded:
        valued = count(found.n_topics, "topic")
        parts.append(f"Over the {valued} that both have a value for")
    if found is None or not found.n_topics:
        parts.append("No topic has a value on both sides")
    else:
        parts.append(verdict(outcome, found, digits))
    if outcome.topics:
        parts.append(f"Worse on {count(outcome.n_worse, 'topic')}: {worse_topics(outcome, digits)}")
    return parts


def _limit(outcome: RuleOutcome, digits: int) -> str:
    if not outcome.rule.relative:
        return f"{outcome.limit:.12g}"
    return f"{number(outcome.limit, digits)} ({100 * outcome.rule.limit:.12g}%)"


def _drop_verdict(outcome: RuleOutcome, found: GateVerdict, digits: int) -> str:
    from rankeval.stats.confidence_bounds import LEAST_TOPICS

    if found.verdict is stats.Verdict.NOT_WORSE:
        return f"Not worse: {_upper(found, digits)}{_grounds(outcome, found)}"
    tested = p_words(found.p_value, found.alpha)
    if found.verdict is stats.Verdict.WORSE:
        return f"Worse: {tested}{_lower(outcome, found, digits)}"
    upper = _unbounded(found) if found.high is None else _upper(found, digits)
    upper += _grounds(outcome, found) if found.high is not None else ""
    shown = found.low is not None and found.low > 0.0 and found.p_value >= found.alpha
    also = f", though {_least(found, digits)}" if shown else ""
    said = f"Cannot tell: {tested}{also}; {upper}"
    if found.n_topics < LEAST_TOPICS or found.topics_needed is None:  # too few to know a spread
        return said
    needed = count(found.topics_needed, "topic")
    return f"{said}; about {needed} would show an equal candidate to be not worse"


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
    say=partial(_say, limit="the limit", verdict=_drop_verdict),
)
MAX_DROP_FROM_GOLDEN = replace(
    MAX_DROP,
    name="max-drop-from-golden",
    help="Largest drop of the mean from --golden: nDCG@10=0.02, or 4%.",
    expected="a drop such as nDCG@10=0.02 or nDCG@10=4%",
    golden=True,
    say=partial(
        _say,
        limit="the limit",
        verdict=_drop_verdict,
        against="Against the golden baseline: ",
    ),
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
    say=partial(_say, limit="the margin", verdict=_equivalence),
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
    say=partial(_say, limit="the least gain", verdict=_gain_verdict),
)


def _require_floor(rule: Rule, measure: Measure, settings: Settings) -> None:
    """Raise UsageError for a floor that no value of the measure reaches, or needs."""
    if measure.definition.loss:
        raise UsageError(
            f"smaller values of {measure} are better, so a floor makes no sense",
            place=place_of(rule),
            remedy=f"set a ceiling: --max {rule.measure}=LIMIT",
        )
    require_value(rule, measure, settings)


def _say_mean(side: str, outcome: RuleOutcome, digits: int) -> list[str]:
    value = f"{measure_words(outcome)} is {number(outcome.candidate, digits)}"
    return [f"{value}; {side} is {outcome.rule.limit:.12g}", changed(outcome, digits)]


MIN = RuleKind(
    name="min",
    help="Lowest mean of the candidate: R@100=0.8.",
    expected="a floor such as R@100=0.8",
    accepts=lambda _limit, relative: not relative,
    require=_require_floor,
    golden=False,
    corrected=False,
    test=None,
    passes=lambda case, _policy: case.runs.after.aggregate >= case.limit - ROUNDING,
    breaks=None,
    glance=lambda _outcome, _digits: "",
    say=partial(_say_mean, "the least"),
)
MAX = replace(
    MIN,
    name="max",
    help="Highest mean of the candidate, for measures where less is better: Unjudged@10=0.1.",
    expected="a ceiling such as Unjudged@10=0.1",
    require=require_value,
    passes=lambda case, _policy: case.runs.after.aggregate <= case.limit + ROUNDING,
    say=partial(_say_mean, "the most"),
)


def _breaks(rule: Rule, drop: TopicDrop) -> bool:
    limit = rule.limit * (abs(drop.baseline) if rule.relative else 1.0)
    return drop.drop > limit + ROUNDING


def _keeps(case: RuleCase, _policy: GatePolicy) -> bool:
    return not (case.lost or any(_breaks(case.rule, drop) for drop in case.worse()))


def _say_topics(outcome: RuleOutcome, digits: int) -> list[str]:
    limit = str(outcome.rule).rpartition("=")[2]
    where = f" in {outcome.rule.group}" if outcome.rule.group else ""
    worse = f"{where} got worse by more than {limit}"
    if not outcome.topics:
        return [f"no topic{worse}"]
    return [f"{count(outcome.n_worse, 'topic')}{worse}: {worse_topics(outcome, digits)}"]


MAX_TOPIC_DROP = RuleKind(
    name="max-topic-drop",
    help="Largest drop on any topic: nDCG@10=0.5, or 50%.",
    expected="a drop such as nDCG@10=0.5 or nDCG@10=50%",
    accepts=lambda limit, _relative: limit >= 0,
    require=require_difference,
    golden=False,
    corrected=False,
    test=None,
    passes=_keeps,
    breaks=_breaks,
    glance=lambda outcome, _digits: count(outcome.n_worse, "topic") if outcome.topics else "",
    say=_say_topics,
)
KINDS = (MAX_DROP, MIN, MAX, MIN_GAIN, MAX_TOPIC_DROP, EQUIVALENT, MAX_DROP_FROM_GOLDEN)
"""All kinds, in the order of the options."""


def kind_of(rule: Rule) -> RuleKind:
    """Return the record of a rule's kind."""
    return kind_named(rule.kind)


def kind_named(name: str) -> RuleKind:
    """Return the record of a kind; UsageError for an unknown one."""
    for kind in KINDS:
        if name == kind.name:
            return kind
    raise UsageError(
        f"no kind of rule is called '{name}'",
        expected=f"one of {', '.join(kind.name for kind in KINDS)}, such as: max-drop nDCG@10=2%",
    )


@checked
def parse_rule(text: str, kind: str | None = None) -> Rule:
    """Read a rule such as `max-drop nDCG@10=2%`, or `nDCG@10=2%` if its kind is given.

    ==== ===================================================================================
    text the rule; without its first word, if its kind is given
    kind "max-drop", "min" or another kind of docs/ci.md
    ==== ===================================================================================

    `max-drop nDCG@10 in hard=5%` holds in the group of topics "hard" only.

    >>> from rankeval.gating import parse_rule
    >>> rule = parse_rule("max-drop nDCG@10=2%")
    >>> rule.measure, rule.limit, rule.relative
    ('nDCG@10', 0.02, True)
    """
    if kind is None:
        kind, text = [*text.split(None, 1), "", ""][:2]
    found = kind_named(kind)
    name, sign, amount = text.rpartition("=")
    if not sign or not name.strip():
        raise UsageError(
            f"'{text}' is not a rule", place=f"--{found.name}", expected=found.expected
        )
    return rule(found, name.strip(), amount)


def rule(kind: RuleKind, measure: str, amount: str | float, *, place: str = "") -> Rule:
    """Make a rule from a measure's name and a limit: a number, or a text such as 2%.

    The name may go on with a group of topics: nDCG@10 in hard.
    """
    measure, _, group = (part.strip() for part in measure.partition(IN))
    text = str(amount).strip()
    relative = text.endswith("%")
    try:
        limit = float(text.removesuffix("%")) / (100 if relative else 1)
    except ValueError:
        limit = math.nan
    if not (math.isfinite(limit) and kind.accepts(limit, relative)):
        raise UsageError(
            f"'{text}' is not a limit for {measure}",
            place=place or f"--{kind.name}",
            expected=kind.expected,
        )
    return Rule(kind.name, measure, limit, relative, group, place)
