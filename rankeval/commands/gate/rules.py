"""Rules of a gate: their kinds, the statistics behind them, and how they are read and checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rankeval import stats
from rankeval.base.checked import checked
from rankeval.base.frozen import field, frozen, replace
from rankeval.base.wording import nearest
from rankeval.errors import MeasureError, UsageError, placed
from rankeval.stats.choices import Bound, GatePolicy

if TYPE_CHECKING:  # options are made of the kinds, and --help must not wait for numpy
    from rankeval.base.arrays import Booleans, Floats
    from rankeval.evaluation.results import Span
    from rankeval.evaluation.settings import Settings
    from rankeval.stats import GateVerdict

ROUNDING = 1e-12
"""Rounding error allowed in a comparison with a limit; as in `rankeval.stats`."""


@checked
@frozen
class Decision:
    """The statistical choices of a gate; docs/statistics/verdicts.md explains them.

    ====== ===============================================================================
    policy what decides: observed, not-shown-worse, not-shown-beyond-limit or shown-not-worse
    bound  test and interval of a change: t or betting
    alpha  significance level of tests
    ====== ===============================================================================
    """

    policy: GatePolicy = GatePolicy.OBSERVED
    bound: Bound = Bound.STUDENT_T
    alpha: float = 0.05

    def __post_init__(self) -> None:
        from rankeval.stats.checked_arrays import require_risk

        require_risk(self.alpha, "alpha")

    def options(self) -> dict[str, Any]:
        """Return the options of a test; p-values are corrected later, for all of a candidate."""
        return {"bound": self.bound, "alpha": self.alpha}


@frozen
class Rule:
    """One limit.

    ======== ==========================================================================
    kind     a name among `KINDS`, such as max-drop
    measure  name of the measure; of a rule that a gate judges, the canonical one
    limit    a number; a share, 0.02 for 2%, if the rule is relative
    relative True if the limit is a share of the baseline's value
    group    the group of topics in which the rule holds; "" for all topics
    place    file and table in which the rule is written, "" for rules from elsewhere; it does
             not count when rules are compared
    ======== ==========================================================================
    """

    kind: str
    measure: str
    limit: float
    relative: bool = False
    group: str = ""
    place: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.kind} {self.measured}={self.amount}"

    @property
    def measured(self) -> str:
        """The measure, and the group of topics."""
        return f"{self.measure} in {self.group}" if self.group else self.measure

    @property
    def identity(self) -> tuple[str, str, str]:
        """Kind, measure and group; equal in all, rules are the same rule."""
        return self.kind, self.measure, self.group

    @property
    def amount(self) -> str:
        """The limit, as in a rule: 0.02 or 2%."""
        return f"{100 * self.limit:.12g}%" if self.relative else f"{self.limit:.12g}"


class Values(NamedTuple):
    """Both runs in the measure of a rule, over its topics.

    ======== ===========================================================================
    topics   their names
    old, new values of baseline and candidate, shape (n,); greater is better
    old_runs, new_runs    those of their runs, shape (n, k); k is 1 but for systems of several
    means    their means as the measure has them, which may be better where they are smaller
    sign     the factor that makes greater values better ones: 1 or -1
    span     the least and greatest of the values; None for a measure without a range
    lost     topics for which only the baseline has a value
    gained   topics for which only the candidate has one
    ======== ===========================================================================
    """

    topics: Sequence[str]
    old: Floats
    new: Floats
    old_runs: Floats
    new_runs: Floats
    means: tuple[float, float]
    sign: float
    span: Span
    lost: tuple[str, ...]
    gained: tuple[str, ...]


class Kind(NamedTuple):
    """A kind of rule.

    ====== =============================================================================
    help   a sentence for --help, with an example of a limit
    passes True if a rule is kept: by its values, its verdict if it has a test, and the policy
    test   the test of a rule, if its kind has one
    golden True if candidates are compared with the golden baseline
    ====== =============================================================================
    """

    help: str
    passes: Callable[[Rule, Values, GateVerdict | None, GatePolicy], bool]
    test: Callable[[Rule, Values, Decision], GateVerdict] | None = None
    golden: bool = False


def drop_verdict(rule: Rule, at: Values, decision: Decision) -> GateVerdict:
    """Test the drop of the mean; the spread of several runs of a system counts."""
    limit: dict[str, Any] = {"limit": rule.limit, "share": rule.relative}
    if at.old_runs.shape[1] + at.new_runs.shape[1] > 2:
        from rankeval.stats.gate_decisions import seeded_verdict

        return seeded_verdict(at.old_runs, at.new_runs, **limit, **decision.options())
    return stats.gate_verdict(at.old, at.new, span=at.span, **limit, **decision.options())


def _require_one_run(rule: Rule, at: Values) -> None:
    """Raise UsageError for a system of several runs, whose spread the test does not count."""
    if at.old_runs.shape[1] + at.new_runs.shape[1] > 2:
        problem = f"'{rule}' does not count the spread of several runs of a system"
        raise UsageError(problem, place=rule.place, expected="max-drop, or one run")


def _test_equivalence(rule: Rule, at: Values, decision: Decision) -> GateVerdict:
    _require_one_run(rule, at)
    limit: dict[str, Any] = {"margin": rule.limit, "share": rule.relative, "span": at.span}
    return stats.equivalence_verdict(at.old, at.new, **limit, **decision.options())


def _test_gain(rule: Rule, at: Values, decision: Decision) -> GateVerdict:
    """Bound the gain: better if its lower bound is the least gain, not better if no bound is."""
    _require_one_run(rule, at)
    found = stats.gate_verdict(at.old, at.new, limit=0.0, span=at.span, **decision.options())
    verdict = stats.Verdict.INCONCLUSIVE
    if found.high is not None and -found.high >= limit_of(rule, at) - ROUNDING:
        verdict = stats.Verdict.BETTER
    elif found.low is not None and -found.low < limit_of(rule, at) - ROUNDING:
        verdict = stats.Verdict.NOT_BETTER
    return replace(found, verdict=verdict)


def limit_of(rule: Rule, at: Values) -> float:
    """Return the limit in the measure's units."""
    return rule.limit * (abs(at.means[0]) if rule.relative else 1.0)


def over(rule: Rule, at: Values) -> Booleans:
    """Return the topics that got worse by more than a limit on each topic."""
    allowed = rule.limit * (abs(at.old) if rule.relative else 1.0)
    found: Booleans = at.old - at.new > allowed + ROUNDING
    return found


def _drops_little(_: Rule, __: Values, found: GateVerdict | None, policy: GatePolicy) -> bool:
    return found is not None and stats.gate_passes(found, policy)


def _gains(rule: Rule, at: Values, found: GateVerdict | None, policy: GatePolicy) -> bool:
    if found is None or found.drop is None:
        return False
    if policy is GatePolicy.SHOWN_NOT_WORSE:
        return found.verdict is stats.Verdict.BETTER
    return -found.drop >= limit_of(rule, at) - ROUNDING


KINDS = {
    "max-drop": Kind(
        "Largest drop of the mean: AP=0.01 or nDCG@10=2%; 2% is of the baseline's mean. "
        "Repeatable, as all rules are.",
        _drops_little,
        drop_verdict,
    ),
    "min": Kind(
        "Lowest mean of the candidate: R@100=0.8.",
        lambda rule, at, *_: at.means[1] >= rule.limit - ROUNDING,
    ),
    "max": Kind(
        "Highest mean of the candidate, for measures where less is better: Unjudged@10=0.1.",
        lambda rule, at, *_: at.means[1] <= rule.limit + ROUNDING,
    ),
    "min-gain": Kind(
        "Smallest gain of the mean: nDCG@10=0.01 or 1%. With --policy shown-not-worse the "
        "interval must show it.",
        _gains,
        _test_gain,
    ),
    "max-topic-drop": Kind(
        "Largest drop on any topic: nDCG@10=0.5, or 50%.",
        lambda rule, at, *_: not over(rule, at).any(),
    ),
    "equivalent": Kind(
        "Largest difference of the means, up or down; the whole interval must be within it: "
        "nDCG@10=0.01, or 2%.",
        lambda _, __, found, ___: bool(found and found.verdict is stats.Verdict.EQUIVALENT),
        _test_equivalence,
    ),
    "max-drop-from-golden": Kind(
        "Largest drop of the mean from --golden: nDCG@10=0.02, or 4%.",
        _drops_little,
        drop_verdict,
        golden=True,
    ),
}
"""All kinds of rules by name, in the order of the options."""

OF_MEANS = ("min", "max")
"""Kinds whose limit is a value of the measure, and not a difference."""
OF_TOPICS = ("max-topic-drop",)
"""Kinds whose limit is one on every topic."""


@checked
def parse_rule(text: str, kind: str | None = None, *, place: str = "") -> Rule:
    """Read a rule such as `max-drop nDCG@10=2%`, or `nDCG@10=2%` if its kind is given.

    `max-drop nDCG@10 in hard=5%` holds in the group of topics "hard" only. `place` is where the
    rule is written, for errors.

    >>> from rankeval.options import parse_rule
    >>> rule = parse_rule("max-drop nDCG@10=2%")
    >>> rule.measure, rule.limit, rule.relative
    ('nDCG@10', 0.02, True)
    """
    if kind is None:
        kind, text = [*text.split(None, 1), "", ""][:2]
    if kind not in KINDS:
        expected = f"one of {', '.join(KINDS)}, such as: max-drop nDCG@10=2%"
        raise UsageError(f"unknown kind of rule '{kind}'", place=place, expected=expected)
    place, expected = place or f"--{kind}", KINDS[kind].help
    name, _, amount = (part.strip() for part in text.rpartition("="))
    measure, _, group = (part.strip() for part in name.partition(" in "))
    if not measure:
        raise UsageError(f"'{text}' is not a rule", place=place, expected=expected)
    relative = amount.endswith("%")
    try:
        limit = float(amount.removesuffix("%")) / (100 if relative else 1)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit) or (relative if kind in OF_MEANS else limit < 0):
        problem = f"'{amount}' is not a limit for {measure}"
        raise UsageError(problem, place=place, expected=expected)
    return Rule(kind, measure, limit, relative, group, place)


def canonical(rule: Rule, settings: Settings) -> Rule:
    """Return the rule with its measure's canonical name; UsageError or MeasureError for none."""
    from rankeval.evaluation.prepared import require_topics
    from rankeval.measures import parse_measures

    try:
        named = parse_measures(rule.measure, settings.meanings)
        require_topics(named)
    except MeasureError as error:
        raise placed(error, rule.place or error.place) from error
    if len(named) != 1:
        problem = f"the rule '{rule}' names {len(named)} measures"
        raise UsageError(problem, place=rule.place, expected="one measure")
    return replace(rule, measure=str(settings.apply_to(named[0])))


def known_rules(rules: Iterable[str | Rule], settings: Settings) -> list[Rule]:
    """Return the rules with canonical names; of several for the same kind and measure, the last.

    UsageError for limits that no value can reach, and for no rule.
    """
    found: dict[tuple[str, str, str], Rule] = {}
    for given in rules:
        rule = canonical(given if isinstance(given, Rule) else parse_rule(given), settings)
        _require_reachable(rule, settings)
        found[rule.identity] = rule
    if not found:
        raise UsageError("no rule is given", expected="a rule such as max-drop nDCG@10=0.01")
    return list(found.values())


def in_groups(rules: Sequence[Rule], groups: Sequence[str]) -> list[Rule]:
    """Return the rules, and those that name no group again for each group.

    A rule that names a group replaces the general one there. UsageError for an unknown group.
    """
    for rule in rules:
        if rule.group and rule.group not in groups:
            raise UsageError(
                f"the rule '{rule}' names a group that no evaluated topic is in",
                place=rule.place,
                expected=nearest(rule.group, groups, "" if groups else "--group FILE"),
            )
    named = {rule.identity for rule in rules}
    within = [replace(rule, group=group) for group in groups for rule in rules if not rule.group]
    return [*rules, *(rule for rule in within if rule.identity not in named)]


def _require_reachable(rule: Rule, settings: Settings) -> None:
    """Raise UsageError for a rule that makes no sense for its measure."""
    from rankeval.evaluation.aggregation import Aggregation
    from rankeval.measures import parse_measure

    measure = parse_measure(rule.measure)
    definition, (low, high) = measure.definition, measure.range
    aggregate = Aggregation(settings.aggregate, None, None).rule_for(definition).name
    if rule.kind == "min" and definition.loss:
        problem = f"smaller values of {rule.measure} are better, so a floor makes no sense"
        remedy = f"set a ceiling: --max {rule.measure}=LIMIT"
        raise UsageError(problem, place=rule.place, remedy=remedy)
    if KINDS[rule.kind].test and aggregate != "mean":
        problem = f"{rule.measure} is not averaged over topics, but aggregated by {aggregate}"
        raise UsageError(problem, place=rule.place, expected="a measure whose mean can be tested")
    of_mean = rule.kind in OF_MEANS
    least, most = (low, high) if of_mean else (0.0, high - low)
    if rule.relative:  # measures whose smaller values are better get worse by more than 100%
        most = math.inf if definition.loss or low < 0 else 1.0
    if aggregate != "sum" and not least - ROUNDING <= rule.limit <= most + ROUNDING:
        meant = f"{rule.limit / 100:.12g}" if of_mean else f"{rule.limit:.12g}%"
        raise UsageError(
            f"the limit of '{rule}' cannot be reached",
            place=rule.place,
            expected=f"a limit from {least:g} to {most:g}",
            remedy=f"did you mean {rule.measured}={meant}?" if 1 < rule.limit <= 100 else "",
        )
