"""Sentences on a gate that its document, its table and all its reports share.

Names are as given: the writer of a format shows what does not print.
"""

import math
from collections.abc import Sequence
from statistics import stdev

from rankeval.base.numbers import confidence, number, p_words
from rankeval.base.wording import count
from rankeval.choices import Bound
from rankeval.commands.gate.report import (
    GateFailure,
    GateReport,
    RuleOutcome,
    SuitesReport,
    TopicDrop,
)
from rankeval.commands.gate.rules import MACRO_MEAN, TESTED, WORST_COLLECTION, RuleKind
from rankeval.output.notice_lines import notice_lines
from rankeval.output.values import topics_of
from rankeval.stats import GateVerdict, Verdict
from rankeval.stats.confidence_bounds import LEAST_CHANGED, LEAST_TOPICS

TOPICS_NAMED = 5
BOUNDED = {
    Bound.STUDENT_T: "by Student's t, a normal approximation,",
    Bound.BETTING: "by betting, which assumes nothing,",
    Bound.BOTH: "by betting and Student's t",
}
"""How a drop was bounded, and what that assumes of the differences."""
MISSING_NAMED = 50


def headline(report: GateReport) -> str:
    """Return the verdict in one line."""
    who = " and ".join(report.candidates)
    against = f"{who} against {report.baseline} over {_topics_of(report)}"
    if report.collections:
        wholes = {one.part_of or one.name for one in report.collections}
        against += f" of {count(len(wholes), 'collection')}"
    n_rules = len(report.outcomes)
    several = len(report.candidates) > 1
    if report.passed:
        rules = f"all {n_rules} rules" if n_rules > 1 else "the rule"
        return f"PASS: {against} {'keep' if several else 'keeps'} {rules}"
    rules = f"{len(report.broken)} of {n_rules} rules" if n_rules > 1 else "the rule"
    return f"FAIL: {against} {'break' if several else 'breaks'} {rules}"


def _topics_of(report: GateReport) -> str:
    judged = 0 if report.collections else report.qrels.topics
    return topics_of(report.topics, judged)


def label(one: RuleOutcome, report: GateReport) -> str:
    """Return the name of a rule, with its candidate if there are several."""
    rule = str(one.rule)
    return f"{one.run}, {rule}" if len(report.candidates) > 1 else rule


def sentence(one: RuleOutcome, digits: int) -> str:
    """Return the outcome of a rule: the change, its confidence bound, and the topics."""
    if one.rule.kind in TESTED:
        parts = _tested(one, digits)
    elif one.tie_range is not None:
        parts = [_tie_gap(one, one.tie_range, digits), _changed(one, digits)]
    elif one.rule.kind is RuleKind.MAX_TOPIC_DROP:
        limit = str(one.rule).rpartition("=")[2]
        where = f" in {one.rule.group}" if one.rule.group else ""
        if one.topics:
            who = f"{count(one.n_worse, 'topic')}{where} got worse by more than {limit}"
            parts = [f"{who}: {_topics(one, digits)}"]
        else:
            parts = [f"no topic{where} got worse by more than {limit}"]
    else:
        side = "the least" if one.rule.kind is RuleKind.MIN else "the most"
        value = number(one.candidate, digits)
        parts = [
            f"{_measure(one)} is {value}; {side} is {one.rule.limit:.12g}",
            _changed(one, digits),
        ]
    for topics, side in ((one.lost, "baseline"), (one.gained, "candidate")):
        if topics:
            parts.append(
                f"For {count(len(topics), 'topic')} only the {side} has a value: {named(topics)}"
            )
    if one.doubt:
        parts.append(one.doubt)
    if one.tied:
        parts.append("Another order of equal scores could turn this")
    return ". ".join(parts) + "."


def _tie_gap(one: RuleOutcome, ends: tuple[float, float], digits: int) -> str:
    """Return the values that orders of equal scores give, and how far they are apart."""
    if not all(map(math.isfinite, ends)):
        return f"{_measure(one)} is undefined"
    limit = f"the most is {one.rule.limit:.12g}"
    if ends[0] == ends[1]:
        return f"{_measure(one)} is {number(ends[0], digits)} in any order of equal scores; {limit}"
    low, high = (number(end, digits) for end in sorted(ends))
    gap = number(abs(ends[1] - ends[0]), digits)
    return f"{_measure(one)} is {low} to {high} as equal scores are ordered, {gap} apart; {limit}"


def _tested(one: RuleOutcome, digits: int) -> list[str]:
    """Return the sentences of a rule that has a verdict."""
    limited = "margin" if one.rule.kind is RuleKind.EQUIVALENT else "limit"
    golden = "Against the golden baseline: " if one.rule.kind is RuleKind.MAX_DRIFT else ""
    change = f"{golden}{_changed(one, digits)}; the {limited} is {_limit(one, digits)}"
    parts = [change, _verdict(one, digits)]
    if one.verdict and one.verdict.n_excluded:
        valued = count(one.verdict.n_topics, "topic")
        parts.insert(1, f"Over the {valued} that both have a value for")
    if one.topics:
        parts.append(f"Worse on {count(one.n_worse, 'topic')}: {_topics(one, digits)}")
    if one.collections:
        parts += _collections(one, digits)
    return parts


def _collections(one: RuleOutcome, digits: int) -> list[str]:
    """Return which collections are worse, and on which ones nothing is shown."""
    said = []
    worse = sorted((c for c in one.collections if c.drop), key=lambda c: -(c.drop or 0.0))
    if one.n_worse:
        shown = [
            f"{c.name} ({number(c.baseline, digits)} to {number(c.candidate, digits)})"
            for c in worse[: min(one.n_worse, TOPICS_NAMED)]
        ]
        more = one.n_worse - len(shown)
        names = ", ".join(shown) + (f" and {more} more" if more else "")
        said.append(f"Worse on {count(one.n_worse, 'collection')}: {names}")
    unclear = [c.name for c in one.collections if c.verdict is Verdict.CANNOT_TELL]
    if unclear:
        said.append(f"Cannot tell on {count(len(unclear), 'collection')}: {named(unclear)}")
    return said


def _measure(one: RuleOutcome) -> str:
    """Return the measure, and the collections and the group of topics that it is taken over."""
    measure, every = one.measure, count(len(one.collections), "collection")
    if one.rule.collection == MACRO_MEAN:
        return f"Macro mean {measure} over {every}"
    if one.rule.collection == WORST_COLLECTION:
        exceeds = one.verdict is not None and one.verdict.exceeds
        why = "the surest loss" if exceeds else "the worst"
        return f"{measure} on {one.collections[0].name}, {why} of {every},"
    if one.collections:
        parts = count(len(one.collections), "part")
        return f"{measure} on {one.rule.collection}, the mean of {parts},"
    named_here = f" on {one.rule.collection}" if one.rule.collection else ""
    return measure + named_here + (f" in {one.rule.group}" if one.rule.group else "")


def _changed(one: RuleOutcome, digits: int) -> str:
    change = f"{_measure(one)} {_change(one, digits)}"
    said = [change]
    if one.seeds:
        said.append(f"the means of {_runs(one.seeds, digits)}")
    if one.baseline_seeds:
        said.append(f"those of the baseline's {_runs(one.baseline_seeds, digits)}")
    return "; ".join(said)


def _runs(means: Sequence[float], digits: int) -> str:
    """Return the range of the means of the runs of one system, and their standard deviation."""
    least, greatest = (number(end(means), digits) for end in (min, max))
    spread = number(stdev(means), digits)
    return f"{count(len(means), 'run')} are {least} to {greatest}, with standard deviation {spread}"


def _change(one: RuleOutcome, digits: int) -> str:
    if one.drop is None or one.baseline is None or one.candidate is None:
        return "is undefined"
    ends = f"from {number(one.baseline, digits)} to {number(one.candidate, digits)}"
    if one.drop == 0:
        return f"stayed the same, {number(one.candidate, digits)}"
    share = f" ({abs(one.drop / one.baseline):.1%})" if one.baseline else ""
    way = "worse" if one.drop > 0 else "better"
    return f"got {way} by {number(abs(one.drop), digits)}{share}, {ends}"


def _limit(one: RuleOutcome, digits: int) -> str:
    if not one.rule.relative:
        return f"{one.limit:.12g}"
    return f"{number(one.limit, digits)} ({100 * one.rule.limit:.12g}%)"


def _verdict(one: RuleOutcome, digits: int) -> str:
    found = one.verdict
    if found is None or not found.n_topics:
        return "No topic has a value on both sides"
    if one.rule.kind is RuleKind.EQUIVALENT:
        return _equivalence(one, found, digits)
    if found.verdict is Verdict.NOT_WORSE:
        return f"Not worse: {_upper(found, digits)}{_grounds(one, found)}"
    tested = p_words(found.p_value, found.alpha)
    if found.verdict is Verdict.WORSE:
        return f"Worse: {tested}{_lower(one, found, digits)}"
    upper = _unbounded(found) if found.high is None else _upper(found, digits)
    upper += _grounds(one, found) if found.high is not None else ""
    shown = found.low is not None and found.low > 0.0 and found.p_value >= found.alpha
    also = f", though {_least(found, digits)}" if shown else ""
    return "; ".join([f"Cannot tell: {tested}{also}; {upper}", *_plan(one, found, digits)])


def _lower(one: RuleOutcome, found: GateVerdict, digits: int) -> str:
    """Return the lower bound of a drop that the test shows, also where the two do not agree."""
    if found.low is None:
        return f"; {_unbounded(found)}"
    if found.low > 0.0:
        return f"; {_least(found, digits)}{_grounds(one, found)}"
    low, level = number(found.low, digits), confidence(found.alpha)
    return f", but the {level} bound {BOUNDED[found.bound]} allows no drop: its lower end is {low}"


def _least(found: GateVerdict, digits: int) -> str:
    level, low = confidence(found.alpha), number(found.low, digits)
    return f"the {level} lower confidence bound of the drop is {low}"


def _unbounded(found: GateVerdict) -> str:
    """Say why there is no bound."""
    few = found.n_topics < LEAST_TOPICS or found.n_changed < LEAST_CHANGED
    if found.bound is not Bound.BETTING and few:
        needed = f"{LEAST_TOPICS} topics of which {LEAST_CHANGED} differ"
        return f"no confidence bound, for Student's t needs {needed}"
    return "no confidence bound, for these topics exclude no drop"


def _equivalence(one: RuleOutcome, found: GateVerdict, digits: int) -> str:
    """Return the verdict, and the interval of the mean's change from two one-sided bounds."""
    said = [found.verdict.capitalize()]
    if found.low is None or found.high is None:
        said[0] += f": {_unbounded(found)}"
    else:
        low, high = number(0.0 - found.high, digits), number(0.0 - found.low, digits)
        level = confidence(2 * found.alpha)
        way = ", more being worse" if one.loss else ""
        if one.loss:
            low, high = number(found.low, digits), number(found.high, digits)
        said[0] += (
            f": the {level} confidence interval of the change is {low} to {high}{way}"
            f"{_grounds(one, found)}"
        )
    if found.verdict is Verdict.CANNOT_TELL and found.topics_needed is not None:
        needed = count(found.topics_needed, "topic")
        power = _power(found.power_of_needed)
        said.append(f"{needed} would show an equal candidate to be equivalent{power}")
    return "; ".join(said)


def _upper(found: GateVerdict, digits: int) -> str:
    """Return the bound of the drop; a drop of at most -0.01 is a gain of at least 0.01."""
    if found.high is not None and found.high < 0:
        gain = number(-found.high, digits)
        return f"the {confidence(found.alpha)} lower confidence bound of the gain is {gain}"
    high = number(found.high, digits)
    return f"the {confidence(found.alpha)} upper confidence bound of the drop is {high}"


def _grounds(one: RuleOutcome, found: GateVerdict) -> str:
    """Return the assumption behind the bound; "" if the measure's range is all it needs."""
    if found.bound is not Bound.STUDENT_T:
        return ""
    why = "" if found.bounded else f", for {one.measure} has no range"
    return f" (by a normal approximation{why})"


def _plan(one: RuleOutcome, found: GateVerdict, digits: int) -> list[str]:
    """Return sentences on the topics needed for a verdict; none from too few to know a spread."""
    said: list[str] = []
    if found.n_topics < LEAST_TOPICS:
        return said
    in_all = " in all" if one.collections and one.rule.collection != WORST_COLLECTION else ""
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


def _topics(one: RuleOutcome, digits: int) -> str:
    shown = one.topics[:TOPICS_NAMED]
    more = one.n_worse - len(shown)
    return ", ".join(_topic(t, digits) for t in shown) + (f" and {more} more" if more else "")


def _topic(one: TopicDrop, digits: int) -> str:
    change = f"{number(one.baseline, digits)} to {number(one.candidate, digits)}"
    return f"{one.topic} ({change})"


def named(topics: Sequence[str]) -> str:
    """Return the names of topics, the first few of many; JSON has them all."""
    more = len(topics) - MISSING_NAMED
    shown = ", ".join(topics[:MISSING_NAMED])
    return shown + (f" and {more} more" if more > 0 else "")


def failure_headline(failure: GateFailure) -> str:
    """Return in one line why a gate could not judge."""
    return f"ERROR: {failure.lines[0]}"


def suites_headline(report: SuitesReport) -> str:
    """Return the verdict on several suites in one line, which names those that did not pass."""
    n_suites = len(report.reports)
    failed = [one.suite for one in report.judged if not one.passed]
    unjudged = [one.suite for one in report.reports if isinstance(one, GateFailure)]
    if not failed and not unjudged:
        return f"PASS: {'all ' if n_suites > 1 else ''}{count(n_suites, 'suite')}"
    said = []
    if failed:
        breaks = "break" if len(failed) > 1 else "breaks"
        said.append(f"{len(failed)} of {count(n_suites, 'suite')} {breaks} rules: {named(failed)}")
    if unjudged:
        said.append(f"{len(unjudged)} could not be judged: {named(unjudged)}")
    return f"{'ERROR' if unjudged else 'FAIL'}: {'; '.join(said)}"


def warning_lines(report: GateReport | SuitesReport, digits: int) -> list[str]:
    """Return the warnings about the runs and the verdicts, each once."""
    judged = report.judged if isinstance(report, SuitesReport) else (report,)
    of_runs = [line for one in judged for line in notice_lines(one.runs, digits)]
    return list(dict.fromkeys([*of_runs, *report.warnings]))


def outcome_word(one: GateReport | GateFailure) -> str:
    """Return the outcome of a suite in a word."""
    if isinstance(one, GateFailure):
        return "ERROR"
    return "pass" if one.passed else "FAIL"
