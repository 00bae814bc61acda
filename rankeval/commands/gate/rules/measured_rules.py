"""Find the measures of rules, and refuse rules that a gate cannot judge, before scoring."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rankeval.base.frozen import frozen
from rankeval.base.wording import nearest
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.rule import Rule, place_of
from rankeval.commands.gate.rules.rule_kind import RuleKind
from rankeval.errors import MeasureError, UsageError, placed
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
    def identity(self) -> tuple[str, str, str]:
        """Return kind, measure and group; equal in all, rules are the same rule."""
        return self.rule.kind, self.name, self.rule.group


def measured(rule: Rule, settings: Settings) -> MeasuredRule:
    """Find the measure of a rule; UsageError or MeasureError unless it names exactly one."""
    try:
        named = parse_measures(rule.measure, settings.meanings)
        require_topics(named)
    except MeasureError as error:
        raise placed(error, rule.place or error.place) from error
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
        measured(rule, settings)
    try:
        parse_measures(names, settings.meanings)
    except MeasureError as error:
        raise placed(error, place or error.place) from error


def measured_rules(rules: Iterable[Rule], settings: Settings) -> list[MeasuredRule]:
    """Find the measures of rules, drop duplicates; UsageError for contradicting limits or no rule.

    Rules of the same kind and the same canonical measure are duplicates: a rule that is written
    twice must not enlarge the family over which p-values are corrected.
    """
    found: dict[tuple[str, str, str], MeasuredRule] = {}
    for rule in rules:
        one = measured(rule, settings)
        one.kind.require(rule, one.measure, settings)
        first = found.setdefault(one.identity, one)
        if (first.rule.limit, first.rule.relative) != (rule.limit, rule.relative):
            raise UsageError(
                f"'{first.rule}' and '{rule}' limit the same measure, {one.name}, differently",
                place=place_of(rule),
                remedy="keep one of the two",
            )
    if not found:
        raise UsageError(
            "no rule to judge the candidate by", expected="a rule such as max-drop nDCG@10=0.01"
        )
    return list(found.values())


def rules_in_groups(rules: Sequence[MeasuredRule], groups: Sequence[str]) -> list[MeasuredRule]:
    """Return the rules, and those that name no group again for each group.

    A rule that names a group replaces, in that group, the rule for the same measure that names
    none. UsageError for a group that does not exist.
    """
    named, known_groups = {one.identity for one in rules if one.rule.group}, set(groups)
    for rule in rules:
        if rule.rule.group and rule.rule.group not in known_groups:
            otherwise = "" if groups else "--group FILE, a file of groups"
            raise UsageError(
                f"the rule '{rule.rule}' names a group that no evaluated topic is in",
                place=place_of(rule.rule),
                expected=nearest(rule.rule.group, groups, otherwise),
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
    replaced = {measured(rule, settings).identity for rule in above}
    others = (rule for rule in below if measured(rule, settings).identity not in replaced)
    return (*others, *above)


def require_every_topic(settings: Settings, place: str = "") -> None:
    """Raise UsageError for conventions that leave out topics that a run lacks."""
    if settings.topics != "judged":
        raise UsageError(
            "a gate counts every judged topic, so that no topic can be left out unnoticed",
            place=place,
            expected="topics judged",
            remedy="add --topics judged, also in a file of suites; conventions of another "
            "tool (like) may have set it otherwise",
        )


def require_golden(rules: Iterable[Rule], golden: object) -> None:
    """Raise UsageError for a rule on the drift from a golden baseline that is not there."""
    drifting = [rule for rule in rules if kind_of(rule).golden]
    if drifting and golden is None:
        raise UsageError(
            "a rule limits the drift from a golden baseline, but there is none",
            place=place_of(drifting[0]),
            expected="--golden FILE, or golden in a suite",
        )


def require_one_run(rules: Sequence[MeasuredRule], systems: Iterable[object]) -> None:
    """Raise UsageError for a rule whose test does not count the spread of a system's runs."""
    seeded = next((path for path in map(file_given, systems) if SEED in path), None)
    for one in rules if seeded is not None else ():
        if one.kind.test is not None and not one.kind.corrected:
            raise UsageError(
                f"{seeded} is the mean of several runs, and '{one.rule}' does not count their "
                "spread",
                place=place_of(one.rule),
                expected="max-drop, or one run",
            )
