"""Judge one suite, on its judgments or on each of its collections."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from time import perf_counter

from rankeval.base.frozen import frozen
from rankeval.choices import Family
from rankeval.commands.gate.draft import GateDraft
from rankeval.commands.gate.over_collections import LoadedCollection, collections_draft
from rankeval.commands.gate.request import GateRequest, loaded
from rankeval.commands.gate.requirements import require_every_topic
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.measured_rules import (
    measured_rules,
    require_measures,
    rules_in_groups,
)
from rankeval.commands.gate.rules.rule import Rule
from rankeval.commands.gate.sequence import read_sequence
from rankeval.commands.gate.suite import Suite
from rankeval.commands.gate.suite_members import Members, members_of
from rankeval.commands.gate.task import gate_draft
from rankeval.evaluation.prepared import CostsLike, label_for
from rankeval.evaluation.run_names import RunNames
from rankeval.ranking.qrels import Qrels


@frozen
class OpenedSuite:
    """A suite, and its collections; None for a suite with judgments of its own."""

    suite: Suite
    members: Members | None

    @property
    def singles(self) -> tuple[Suite, ...]:
        """The suites of the collections, or the suite itself: each has one file of judgments."""
        if self.members is None:
            return (self.suite,)
        return tuple(one.suite for one in self.members.each)

    @property
    def over(self) -> tuple[Rule, ...]:
        """The rules on several collections."""
        return () if self.members is None else self.members.over

    def names(self, single: Suite) -> str:
        """Return the names of all measures that are evaluated for one of the singles."""
        rules = (*single.rules, *self.over)
        return " ".join(dict.fromkeys([*(rule.measure for rule in rules), *single.measures]))

    def key(self, single: Suite) -> Hashable:
        """Return what tells judgments apart: the file, how it is read, and the labels needed."""
        return single.qrels, repr(single.reading()), label_for(self.names(single))

    def n_drops(self) -> int:
        """Return the number of drops that the suite limits, in all groups and collections."""
        found = sum(kind_of(rule).corrected for rule in self.over)
        for one in self.singles:
            groups = one.groups()
            names = sorted(set(groups.by_topic.values())) if groups else []
            if one.rules or not self.over:
                rules = rules_in_groups(measured_rules(one.rules, one.settings()), names)
                found += sum(each.kind.corrected for each in rules)
        return len(self.suite.files().runs) * found


def opened(suite: Suite) -> OpenedSuite:
    """Find the collections of a suite, if it names any.

    UsageError if topics may be left out, and MeasureError, with its place, for measures that do not
    exist.
    """
    if suite.collections is None:
        require_every_topic(suite.settings(), suite.place)
    one = OpenedSuite(suite, members_of(suite) if suite.collections is not None else None)
    for single in one.singles:
        rules = (*single.rules, *one.over)
        require_measures(rules, single.measures, suite.measures_place, single.settings())
    return one


def suite_draft(
    one: OpenedSuite,
    judgments: Mapping[Hashable, Qrels],
    costs: CostsLike | None,
    run_names: RunNames,
    jobs: int,
    family: int,
) -> GateDraft:
    """Judge a suite, but for the correction of p-values."""
    suite, begun = one.suite, perf_counter()
    files, decision = suite.files(), suite.decision()
    state = suite.sequential
    sequence = None if state is None else read_sequence(state, decision.alpha)
    together = family if decision.family is Family.SUITES else 0

    def request(single: Suite) -> GateRequest:
        own = single.files()
        return GateRequest(
            qrels=judgments.get(one.key(single), own.qrels),
            baseline=own.baseline,
            candidates=own.runs,
            rules=single.rules,
            settings=single.settings(),
            golden=single.golden,
            groups=single.groups(),
            measures=single.measures,
            decision=decision,
            sequence=sequence,
            costs=costs,
            reading=single.reading(),
            run_names=run_names,
            jobs=jobs,
        )

    if one.members is None:
        draft = gate_draft(request(suite), together)
    else:
        given = run_names.given_for(1 + len(files.runs))
        named = [
            name or text for name, text in zip(given, (files.baseline, *files.runs), strict=True)
        ]
        names = RunNames(given=tuple(named))
        found = [
            LoadedCollection(
                each.name,
                each.part_of,
                loaded(
                    replace(
                        request(each.suite),
                        run_names=names,
                        collection=each.name,
                        over=one.members.over,
                    )
                ),
            )
            for each in one.members.each
        ]
        systems = files._replace(baseline=named[0], runs=tuple(named[1:]))
        golden = suite.golden or ""
        draft = collections_draft(
            found, files, systems, decision, sequence, together, golden=golden
        )
    report = replace(draft.report, suite=suite.name, seconds=perf_counter() - begun)
    return replace(draft, report=report)
