"""Find the measures of rules, and refuse rules that a gate cannot judge, before scoring."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rankeval.base.frozen import frozen
from rankeval.choices import GateTest, TestName
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.rule import Rule, place_of
from rankeval.commands.gate.rules.rule_kind import RuleKind
from rankeval.errors import MeasureError, RankevalError, UsageError
from rankeval.evaluation.prepared import require_topics
from rankeval.evaluation.settings import Settings
from rankeval.io.sources.parts import SEED
from rankeval.measures import Measure, parse_measures
from rankeval.ranking.run_source import file_given


@frozen
class MeasuredRule:
    """A rule and its measure under the conventions of the evaluation."""

    rule: Rule
    measure: Measure

    @property
    def name(self) -> str:
        """Return the canonical name of the measure, as in the results."""
        return str(self.measure)

    @property
    def kind(self) -> RuleKind:
        """Return the record of the rule's kind."""
        return kind_of(self.rule)

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """Return kind, measure, collection and group; equal in all, rules are the same rule."""
        return self.rule.kind, self.name, self.rule.collection, self.rule.group


def measured(rule: Rule, settings: Settings) -> MeasuredRule:
    """Find the measure of a rule; UsageError or MeasureError unless it names exactly one."""
    try:
        named = parse_measures(rule.measure, settings.meanings)
        require_topics(named)
    except MeasureError as error:
        raise _in_place(error, rule.place) from error
    if len(named) != 1:
        raise UsageError(
            f"the rule '{rule}' names {len(named)} measures",
            place=rule.place,
            expected="one measure",
            remedy="write one rule for each measure",
        )
    return MeasuredRule(rule, settings.apply_to(named[0]))


def require_measures(
    rules: Iterable[Rule], names: Sequence[str], place: str, settings: Settings
) -> None:
    """Raise MeasureError or UsageError, with their place, for measures that do not exist.

    `names` are shown in addition to the measures of rules, and `place` is where they are
    named; "" for the command line.
    """
    for rule in rules:
        if not rule.of_costs:
            measured(rule, settings)
    try:
        parse_measures(names, settings.meanings)
    except MeasureError as error:
        raise _in_place(error, place) from error


def measured_rules(rules: Iterable[Rule], settings: Settings) -> list[MeasuredRule]:
    """Find the measures of rules, drop duplicates; UsageError for contradicting limits or no rule.

    Rules of the same kind and the same canonical measure are duplicates: a rule that is written
    twice must not enlarge the family over which p-values are corrected.
    """
    found: dict[tuple[str, str, str, str], MeasuredRule] = {}
    for rule in (rule for rule in rules if not rule.of_costs):
        one = measured(rule, settings)
        one.kind.require(rule, one.measure, settings)
        first = found.setdefault(one.identity, one)
        _require_one_limit(first.rule, rule, one.name)
    if not found:
        raise UsageError(
            "no rule to judge the candidate by", expected="a rule such as max-drop nDCG@10=0.01"
        )
    return list(found.values())


def rules_on_costs(rules: Iterable[Rule], costs: object) -> list[Rule]:
    """Return the rules on costs, each once; UsageError without costs, and for impossible rules.

    They hold over all topics, and on each collection.
    """
    found: dict[tuple[str, str], Rule] = {}
    for rule in (rule for rule in rules if rule.of_costs):
        if costs is None:
            raise UsageError(
                f"'{rule}' limits a cost, but no costs are given",
                place=place_of(rule),
                expected="run_costs=FILE, or run-costs in a suite",
            )
        if rule.group:
            raise UsageError(
                f"'{rule}': a cost is limited over all topics",
                place=place_of(rule),
                expected=f"the rule without 'in {rule.group}'",
            )
        _require_one_limit(found.setdefault((rule.kind, rule.measure), rule), rule, rule.measure)
    return list(found.values())


def _require_one_limit(first: Rule, rule: Rule, name: str) -> None:
    """Raise UsageError for two rules of a kind that limit the same measure differently."""
    if (first.limit, first.relative) != (rule.limit, rule.relative):
        raise UsageError(
            f"'{first}' and '{rule}' limit the same measure, {name}, differently",
            place=place_of(rule),
            remedy="keep one of the two",
        )


def rules_in_groups(rules: Sequence[MeasuredRule], groups: Sequence[str]) -> list[MeasuredRule]:
    """Return the rules, and those that name no group again for each group.

    A rule that names a group replaces, in that group, the rule for the same measure that names
    none. UsageError for a group that does not exist.
    """
    named, known_groups = {one.identity for one in rules if one.rule.group}, set(groups)
    for rule in rules:
        if rule.rule.group and rule.rule.group not in known_groups:
            from difflib import get_close_matches  # an error may take its time

            close = get_close_matches(rule.rule.group, groups, n=1)
            known = f"one of {', '.join(groups)}" if groups else "groups=FILE, a file of groups"
            raise UsageError(
                f"the rule '{rule.rule}' names a group that no evaluated topic is in",
                place=place_of(rule.rule),
                expected=f"perhaps {close[0]}" if close else known,
            )
    general = [one for one in rules if not one.rule.group]
    within = (
        replace(one, rule=replace(one.rule, group=group)) for group in groups for one in general
    )
    return [*rules, *(one for one in within if one.identity not in named)]


def overlaid_rules(
    below: Sequence[Rule], above: Sequence[Rule], settings: Settings
) -> tuple[Rule, ...]:
    """Return the rules above, and those below that none of them replaces."""
    if not (below and above):
        return (*below, *above)
    replaced = {_identity(rule, settings) for rule in above}
    others = (rule for rule in below if _identity(rule, settings) not in replaced)
    return (*others, *above)


def _identity(rule: Rule, settings: Settings) -> tuple[str, str, str, str]:
    """Return the identity of a rule; that of a rule on costs has the name of the cost."""
    if rule.of_costs:
        return rule.kind, rule.measure, rule.collection, rule.group
    return measured(rule, settings).identity


def require_every_topic(settings: Settings, place: str = "") -> None:
    """Raise UsageError for conventions that leave out topics that a run lacks."""
    if settings.topics != "judged":
        raise UsageError(
            "a gate counts every judged topic, so that no topic can be left out unnoticed",
            place=place,
            expected="topics judged",
            remedy="add topics='judged', also in a file of suites; conventions of another "
            "tool (like) may have set it otherwise",
        )


def require_collection(rules: Iterable[Rule], collection: str) -> None:
    """Raise UsageError for a rule on another collection than the one that is judged."""
    for rule in rules:
        if rule.collection != collection:
            raise UsageError(
                "a rule names a collection, but the gate has none",
                place=place_of(rule),
                expected='a suite with collections = "FILE"',
            )


def require_golden(rules: Iterable[Rule], golden: object) -> None:
    """Raise UsageError for a rule on the drift from a golden baseline that is not there."""
    drifting = [rule for rule in rules if kind_of(rule).golden]
    if drifting and golden is None:
        raise UsageError(
            "a rule limits the drift from a golden baseline, but there is none",
            place=place_of(drifting[0]),
            expected="golden=FILE, or golden in a suite",
        )


def require_known_ties(rules: Iterable[MeasuredRule], saved: Sequence[str]) -> None:
    """Raise UsageError for a rule on orders of equal scores, which saved candidates do not have."""
    of_ties = [rule.rule for rule in rules if rule.kind.of_ties]
    if of_ties and saved:
        raise UsageError(
            f"'{of_ties[0]}' is about equal scores, and {saved[0]} holds values without scores",
            place=place_of(of_ties[0]),
            expected="a run as the candidate",
        )


def require_test(
    test: str, own: Sequence[Rule], over: Sequence[Rule], systems: Iterable[object]
) -> None:
    """Raise UsageError for a test that ignores a source of variance, such as seeds.

    `own` rules are on one collection, and `over` on several; `systems` are baseline and candidates.
    """
    tested = [rule for rule in over if kind_of(rule).corrected]
    if tested:
        from rankeval.stats.macro_gate import MACRO_TESTS

        if test not in MACRO_TESTS:
            raise UsageError(
                f"'{tested[0]}' is judged by bets or Student's t, and the test is {test}",
                place=place_of(tested[0]),
                expected="the test bound, betting or t",
            )
    seeded = next((path for path in map(file_given, systems) if SEED in path), None)
    if seeded is None:
        return
    for rule in (rule for rule in own if not rule.of_costs):
        kind = kind_of(rule)
        if kind.test is not None and not kind.corrected:
            raise UsageError(
                f"{seeded} is the mean of several runs, and '{rule}' does not count their spread",
                place=place_of(rule),
                expected="max-drop, or one run",
            )
        if kind.corrected and test not in (GateTest.BOUND, TestName.STUDENT_T):
            raise UsageError(
                f"{seeded} is the mean of several runs, and the test {test} does not count their "
                "spread",
                place=place_of(rule),
                expected="the test t, or one run",
            )


def _in_place(error: RankevalError, place: str) -> RankevalError:
    place = place or error.place
    return type(error)(error.problem, place=place, expected=error.expected, remedy=error.remedy)
