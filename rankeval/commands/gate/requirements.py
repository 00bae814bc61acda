"""Refuse what a gate cannot judge, before anything is scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rankeval.choices import GateTest, TestName
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.measured_rules import MeasuredRule
from rankeval.commands.gate.rules.rule import Rule, place_of
from rankeval.errors import UsageError
from rankeval.evaluation.settings import Settings
from rankeval.io.sources.parts import SEED
from rankeval.ranking.run_source import file_given
from rankeval.stats.macro_gate import MACRO_TESTS


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
    of_ties = [one.rule for one in rules if one.kind.of_ties]
    if of_ties and saved:
        raise UsageError(
            f"'{of_ties[0]}' is about equal scores, and {saved[0]} holds values without scores",
            place=place_of(of_ties[0]),
            expected="a run as the candidate",
        )


def require_test(
    test: str, own: Sequence[Rule], over: Sequence[Rule], systems: Iterable[object]
) -> None:
    """Raise UsageError for a test that does not count what varies, as the spread of seeds does.

    `own` rules are on one collection, and `over` on several; `systems` are baseline and candidates.
    """
    tested = [rule for rule in over if kind_of(rule).corrected]
    if tested and test not in MACRO_TESTS:
        raise UsageError(
            f"'{tested[0]}' is judged by bets or Student's t, and the test is {test}",
            place=place_of(tested[0]),
            expected="the test bound, betting or t",
        )
    seeded = next((path for path in map(file_given, systems) if SEED in path), None)
    if seeded is None:
        return
    for rule in own:
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
