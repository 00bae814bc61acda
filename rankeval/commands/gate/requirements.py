"""Refuse what a gate cannot judge, before anything is scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rankeval.base.wording import count
from rankeval.choices import GateTest, TestName
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.measures import MeasuredRule
from rankeval.commands.gate.rules import CORRECTED, Rule, RuleKind
from rankeval.errors import UsageError
from rankeval.evaluation.settings import Settings
from rankeval.io.sources.parts import SEED
from rankeval.ranking.run_source import file_given
from rankeval.stats.macro_gate import MACRO_TESTS
from rankeval.stats.paired import PERMUTATIONS
from rankeval.stats.power_of_tests import smallest_p_value


def require_every_topic(settings: Settings, place: str = "") -> None:
    """Raise UsageError for conventions that leave out topics that a run lacks."""
    if settings.topics != "judged":
        raise UsageError(
            "a gate counts every judged topic, so that no topic can be left out unnoticed",
            place=place,
            expected="topics judged",
            remedy='add --topics judged, or topics = "judged" in the file; conventions of another '
            "tool (like) may have set it otherwise",
        )


def require_collection(rules: Iterable[Rule], collection: str) -> None:
    """Raise UsageError for a rule on another collection than the one that is judged."""
    for rule in rules:
        if rule.collection != collection:
            raise UsageError(
                "a rule names a collection, but the gate has none",
                place=_place(rule),
                expected='a suite with collections = "FILE"',
            )


def require_golden(rules: Iterable[Rule], golden: object) -> None:
    """Raise UsageError for a rule on the drift from a golden baseline that is not there."""
    drifting = [rule for rule in rules if rule.kind is RuleKind.MAX_DRIFT]
    if drifting and golden is None:
        raise UsageError(
            "a rule limits the drift from a golden baseline, but there is none",
            place=_place(drifting[0]),
            expected="golden=FILE, or golden in a suite",
        )


def require_known_ties(rules: Iterable[MeasuredRule], saved: Sequence[str]) -> None:
    """Raise UsageError for a rule on orders of equal scores, which saved candidates do not have."""
    of_ties = [one.rule for one in rules if one.rule.kind is RuleKind.MAX_TIE_GAP]
    if of_ties and saved:
        raise UsageError(
            f"'{of_ties[0]}' is about equal scores, and {saved[0]} holds values without scores",
            place=_place(of_ties[0]),
            expected="a run as the candidate",
        )


def require_test(
    test: str, own: Sequence[Rule], over: Sequence[Rule], systems: Iterable[object]
) -> None:
    """Raise UsageError for a test that does not count what varies, as the spread of seeds does.

    `own` rules are on one collection, and `over` on several; `systems` are baseline and candidates.
    """
    tested = [rule for rule in over if rule.kind in CORRECTED]
    if tested and test not in MACRO_TESTS:
        raise UsageError(
            f"'{tested[0]}' is judged by bets or Student's t, and the test is {test}",
            place=_place(tested[0]),
            expected="the test bound, betting or t",
        )
    seeded = next((path for path in map(file_given, systems) if SEED in path), None)
    if seeded is None:
        return
    for rule in own:
        if rule.kind is RuleKind.EQUIVALENT:
            raise UsageError(
                f"{seeded} is the mean of several runs, and '{rule}' does not count their spread",
                place=_place(rule),
                expected="max-drop, or one run",
            )
        if rule.kind in CORRECTED and test not in (GateTest.BOUND, TestName.STUDENT_T):
            raise UsageError(
                f"{seeded} is the mean of several runs, and the test {test} does not count their "
                "spread",
                place=_place(rule),
                expected="the test t, or one run",
            )


def require_resolution(decision: Decision, family: int) -> None:
    """Raise UsageError for a test whose draws cannot give a p-value below alpha.

    `family` is the number of drops that are corrected together. In a sequence, alpha is that of the
    look, and shrinks with each one.
    """
    least = smallest_p_value(decision.test, family=family, correction=decision.correction)
    if least < decision.alpha:
        return
    corrected = "" if decision.correction == "none" else f" for {count(family, 'limited drop')}"
    raise UsageError(
        f"{PERMUTATIONS:,} draws give no p-value below {least:.2g}{corrected}, and alpha is "
        f"{decision.alpha:.2g}: no drop could be shown",
        place=f"test='{decision.test}'",
        expected="a test that can reach alpha; with sequence= each look has a smaller one",
        remedy="drop test=, or take test='t'; or limit fewer drops, or begin a new sequence",
    )


def _place(rule: Rule) -> str:
    return rule.place or f"--{rule.kind}"
