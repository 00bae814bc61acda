"""The record of a kind of rule, and what several kinds require and say.

Names in words are as given: the writer of a format shows what does not print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, number
from rankeval.commands.gate.rules.rule import ROUNDING, Rule, place_of
from rankeval.errors import UsageError

if TYPE_CHECKING:  # options and suites read the records, and need no arithmetic
    from rankeval.choices import GatePolicy
    from rankeval.commands.gate.decision import Decision
    from rankeval.commands.gate.report import RuleOutcome, TopicDrop
    from rankeval.commands.gate.rules.rule_case import RuleCase
    from rankeval.evaluation.settings import Settings
    from rankeval.measures import Measure
    from rankeval.stats import GateVerdict


TOPICS_NAMED = 5
MISSING_NAMED = 50


@frozen(eq=False)
class RuleKind:
    """A kind of rule: all that options, suites, verdicts and reports read about it.

    ========= ============================================================================
    name      the kind in JSON, the name of the option, and the key in suites
    help      sentence about the option
    expected  a limit with an example, for errors
    accepts   True for a limit, and whether it is relative, that a rule can have
    require   raise UsageError for a rule that makes no sense for its measure, or whose limit no
              value can reach
    golden    True if candidates are compared with the golden baseline
    corrected True if its p-values are corrected together with those of other rules
    test      yield cases that are tested together and their verdicts, for a decision; None for
              a kind without a test
    passes    True if a case keeps the rule under a policy
    breaks    for a rule about single topics, True if one breaks it; else None
    glance    a few words on an outcome, with a number of decimals: the verdict and its bound
    say       sentences on an outcome, with a number of decimals
    ========= ============================================================================
    """

    name: str
    help: str
    expected: str
    accepts: Callable[[float, bool], bool]
    require: Callable[[Rule, Measure, Settings], None]
    golden: bool
    corrected: bool
    test: (
        Callable[
            [Sequence[RuleCase], Decision],
            Iterable[tuple[Sequence[RuleCase], Sequence[GateVerdict]]],
        ]
        | None
    )
    passes: Callable[[RuleCase, GatePolicy], bool]
    breaks: Callable[[Rule, TopicDrop], bool] | None
    glance: Callable[[RuleOutcome, int], str]
    say: Callable[[RuleOutcome, int], list[str]]

    @property
    def field(self) -> str:
        """Return the name of the option's value among those of a command."""
        return self.name.replace("-", "_")


def require_mean(rule: Rule, measure: Measure, settings: Settings) -> None:
    """Raise UsageError for a measure that is not a mean over topics, whose drop can be tested."""
    from rankeval.evaluation.aggregation import aggregation
    from rankeval.measures.declare.aggregates import MEAN

    over_topics = aggregation(settings.aggregate, None, None).rule_for(measure.definition)
    if over_topics.name != MEAN.name:
        raise UsageError(
            f"{measure} is not averaged over topics, but aggregated by {over_topics.name}",
            place=place_of(rule),
            expected="a measure with a mean, whose drop can be tested",
        )


def require_value(rule: Rule, measure: Measure, settings: Settings) -> None:
    """Raise UsageError for a limit that is no value of the measure."""
    low, high = measure.range
    percent = (low, high) == (0, 1) and 1 < rule.limit <= 100
    if not (low - ROUNDING <= rule.limit <= high + ROUNDING or _sums(measure, settings)):
        expected = f"a value of {measure}, from {low:g} to {high:g}"
        raise _unreachable(rule, expected, f"{rule.limit / 100:.12g}" if percent else "")


def require_difference(
    rule: Rule, measure: Measure, settings: Settings, *, share: bool = True
) -> None:
    """Raise UsageError for a limit that no difference of two values reaches.

    With `share`, the limit may have been meant as a share of the baseline's value.
    """
    low, high = measure.range
    percent = f"{rule.limit:.12g}%"
    if rule.relative:
        # A measure whose smaller values are better can get worse by more than 100%.
        reached = measure.definition.loss or low < 0 or rule.limit <= 1 + ROUNDING
        expected, meant = "at most 100%: no value falls below 0", percent
    else:
        reached = rule.limit <= high - low + ROUNDING
        expected = f"at most {high - low:g}: {measure} is from {low:g} to {high:g}"
        meant = percent if share and rule.limit <= 100 else ""
    if not (reached or _sums(measure, settings)):
        raise _unreachable(rule, expected, meant)


def _sums(measure: Measure, settings: Settings) -> bool:
    """Return True for a sum over topics, which has no range."""
    return "sum" in (settings.aggregate, measure.definition.aggregate.name)


def _unreachable(rule: Rule, expected: str, meant: str) -> UsageError:
    return UsageError(
        f"the limit of '{rule}' cannot be reached",
        place=place_of(rule),
        expected=expected,
        remedy=f"did you mean {rule.measure}={meant}?" if meant else "",
    )


def measure_words(outcome: RuleOutcome) -> str:
    """Return the measure, and the group of topics that it is taken over."""
    return outcome.measure + (f" in {outcome.rule.group}" if outcome.rule.group else "")


def changed(outcome: RuleOutcome, digits: int) -> str:
    """Return how the mean changed, and the means of the runs of systems of several."""
    said = [f"{measure_words(outcome)} {_change(outcome, digits)}"]
    if outcome.seeds:
        said.append(f"the means of {_runs(outcome.seeds, digits)}")
    if outcome.baseline_seeds:
        said.append(f"those of the baseline's {_runs(outcome.baseline_seeds, digits)}")
    return "; ".join(said)


def _runs(means: Sequence[float], digits: int) -> str:
    """Return the range of the means of the runs of one system, and their standard deviation."""
    from statistics import stdev

    least, greatest = (number(end(means), digits) for end in (min, max))
    spread = number(stdev(means), digits)
    return f"{count(len(means), 'run')} are {least} to {greatest}, with standard deviation {spread}"


def _change(outcome: RuleOutcome, digits: int) -> str:
    if outcome.drop is None or outcome.baseline is None or outcome.candidate is None:
        return "is undefined"
    ends = f"from {number(outcome.baseline, digits)} to {number(outcome.candidate, digits)}"
    if outcome.drop == 0:
        return f"stayed the same, {number(outcome.candidate, digits)}"
    share = f" ({abs(outcome.drop / outcome.baseline):.1%})" if outcome.baseline else ""
    way = "worse" if outcome.drop > 0 else "better"
    return f"got {way} by {number(abs(outcome.drop), digits)}{share}, {ends}"


def worse_topics(outcome: RuleOutcome, digits: int) -> str:
    """Return the topics that became worse with their values, the first few of many."""
    shown = [
        f"{drop.topic} ({number(drop.baseline, digits)} to {number(drop.candidate, digits)})"
        for drop in outcome.topics[:TOPICS_NAMED]
    ]
    more = outcome.n_worse - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def named(topics: Sequence[str]) -> str:
    """Return the names of topics, the first few of many; JSON has them all."""
    more = len(topics) - MISSING_NAMED
    shown = ", ".join(topics[:MISSING_NAMED])
    return shown + (f" and {more} more" if more > 0 else "")
