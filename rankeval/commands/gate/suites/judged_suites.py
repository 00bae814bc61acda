"""Judge suites, one or several side by side, and check them without scoring."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from time import perf_counter

from rankeval.base.frozen import frozen
from rankeval.base.progress import counted
from rankeval.base.threads import in_order, usable_threads
from rankeval.base.wording import count
from rankeval.choices import Family
from rankeval.commands.gate.gate_draft import GateDraft, finished, gate_draft
from rankeval.commands.gate.loaded import GateRequest, loaded
from rankeval.commands.gate.report import GateFailure, GateReport, SuitesReport, failure_of
from rankeval.commands.gate.rules.all_kinds import kind_of
from rankeval.commands.gate.rules.measured_rules import (
    measured_rules,
    require_collection,
    require_every_topic,
    require_golden,
    require_known_ties,
    require_measures,
    require_test,
    rules_in_groups,
    rules_on_costs,
)
from rankeval.commands.gate.rules.rule import Rule
from rankeval.commands.gate.suites.suite import Member, OpenedSuite, Suite
from rankeval.errors import InputError, RankevalError, UsageError
from rankeval.evaluation.comparable_runs import renewal, require_same_judgments
from rankeval.evaluation.prepared import (
    CostsLike,
    asked_measures,
    facts_of,
    judgments_of,
    label_for,
    require_topics,
)
from rankeval.evaluation.results import Results
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import results_of
from rankeval.io.formats.named_values import read_costs_of_runs
from rankeval.io.sources.blocks import first_bytes, is_rereadable
from rankeval.io.sources.parts import STDIN, files_of, is_remote, one_state
from rankeval.io.sources.seed_files import runs_of_system
from rankeval.measures import parse_measures
from rankeval.ranking.qrels import Qrels

NO_VERDICT = 2
"""The exit code of a suite that cannot be judged, because an option or a file is wrong."""


@one_state()
def gate_suites(
    suites: Sequence[Suite],
    *,
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
) -> SuitesReport:
    r"""Judge suites, side by side, and return one report for all.

    Judgments that several suites name are read once. A suite that cannot be judged, because a file
    or a rule is wrong, has a GateFailure in the report, and the others are judged. With the family
    `suites`, p-values are corrected over all suites that have it.

    ====== =================================================================================
    suites as `read_suites` returns them
    costs, run_names, jobs    as in `gate`
    ====== =================================================================================

    UsageError if there is no suite, or if suites of the family `suites` differ in alpha or
    correction.

    >>> from pathlib import Path
    >>> from rankeval.gating import gate_suites, read_suites
    >>> _ = Path("qrels.txt").write_text("q1 0 d1 1\n")
    >>> _ = Path("old.run").write_text("q1 Q0 d1 1 0.5 old\n")
    >>> _ = Path("new.run").write_text("q1 Q0 d7 1 0.7 new\nq1 Q0 d1 2 0.5 new\n")
    >>> _ = Path("rankeval.toml").write_text(
    ...     "qrels = 'qrels.txt'\nbaseline = 'old.run'\nruns = ['new.run']\n"
    ...     "[suite.rank.rules]\nmin = {'RR' = 0.9}\n[suite.recall.rules]\nmin = {'R@10' = 1}\n"
    ... )
    >>> report = gate_suites(read_suites())
    >>> [(one.suite, one.passed) for one in report.reports], report.exit_code
    ([('rank', False), ('recall', True)], 1)
    """
    if not suites:
        raise UsageError("no suite to judge", expected="one suite or more")
    every = [_opened(suite) for suite in suites]
    there = [one for one in every if isinstance(one, OpenedSuite)]
    threads = usable_threads(jobs)
    how = _How(costs, run_names, threads, _family(there))
    shared = _judgments(there)
    each = 1 if len(suites) > 1 else threads

    def drafted(number: int) -> GateDraft | GateFailure:
        one, begun = every[number], perf_counter()
        if isinstance(one, GateFailure):
            return one
        try:
            return _draft(one, shared, replace(how, jobs=each))
        except (RankevalError, OSError, MemoryError) as error:
            took = perf_counter() - begun
            return failure_of(error, NO_VERDICT, one.suite.name, seconds=took)

    found = _side_by_side(drafted, len(suites), threads, may_fork=_may_fork(there))
    reports = iter(finished([one for one in found if isinstance(one, GateDraft)]))
    return SuitesReport(
        tuple(one if isinstance(one, GateFailure) else next(reports) for one in found)
    )


def gate_suite(
    suite: Suite,
    *,
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
) -> GateReport:
    r"""Judge one suite; errors are raised.

    ===== ==================================================================================
    suite as `read_suite` returns it
    costs, run_names, jobs    as in `gate`
    ===== ==================================================================================

    >>> from pathlib import Path
    >>> from rankeval.gating import gate_suite, read_suite
    >>> _ = Path("qrels.txt").write_text("q1 0 d1 1\n")
    >>> _ = Path("new.run").write_text("q1 Q0 d1 1 0.5 new\n")
    >>> _ = Path("rankeval.toml").write_text(
    ...     "qrels = 'qrels.txt'\nbaseline = 'new.run'\nruns = 'new.run'\nrules.min = {'RR' = 1}\n"
    ... )
    >>> gate_suite(read_suite()).passed
    True
    """
    one = opened(suite)
    how = _How(costs, run_names, usable_threads(jobs), _family([one]))
    return finished([_draft(one, {}, how)])[0]


def with_members(suite: Suite) -> OpenedSuite:
    """Return a suite with its collections; one with judgments of its own is its only member."""
    if suite.collections is None:
        return OpenedSuite(suite, (Member("", "", suite),))
    from rankeval.commands.gate.suites.suite_members import opened_collections

    return opened_collections(suite)


def singles_of(suite: Suite) -> tuple[Suite, ...]:
    """Return the suites of the collections, or the suite itself; none for one that is wrong."""
    try:
        return with_members(suite).singles
    except (RankevalError, OSError):  # judging the suite reports it
        return ()


def with_baselines(suite: Suite) -> tuple[Suite, ...]:
    """Return the suites whose baselines are updated together, with all measures to save."""
    one = with_members(suite)
    names = tuple(rule.measure for rule in one.over)
    return tuple(replace(single, measures=(*names, *single.measures)) for single in one.singles)


def opened(suite: Suite) -> OpenedSuite:
    """Find the collections of a suite, if it names any.

    UsageError if topics may be left out, and MeasureError, with its place, for measures that do not
    exist.
    """
    if suite.collections is None:
        require_every_topic(suite.settings(), suite.place)
    one = with_members(suite)
    for single in one.singles:
        rules = (*single.rules, *one.over)
        require_measures(rules, single.measures, suite.measures_place, single.settings())
    return one


@frozen
class _How:
    """The arguments of `gate_suites`, and the number of drops that are corrected together."""

    costs: CostsLike | None
    run_names: RunNames
    jobs: int
    family: int


def _key(suite: OpenedSuite, single: Suite) -> Hashable:
    """Return a key of judgments: the file, how it is read, and the labels needed."""
    return single.qrels, repr(single.reading()), label_for(suite.names(single))


def _draft(one: OpenedSuite, judgments: Mapping[Hashable, Qrels], how: _How) -> GateDraft:
    """Judge a suite, but for the correction of p-values."""
    suite, begun = one.suite, perf_counter()
    files, decision, state = suite.files(), suite.decision(), suite.sequential
    sequence = None
    if state is not None:
        from rankeval.commands.gate.sequence import read_sequence

        sequence = read_sequence(state, decision.alpha)
    run_names = suite.names_of_runs(how.run_names)
    if suite.collections is not None:
        named = zip(run_names.given, (files.baseline, *files.runs), strict=True)
        run_names = RunNames(given=tuple(name or text for name, text in named))
    found = []
    for member in one.members:
        single = member.suite
        own = single.files()
        request = GateRequest(
            qrels=judgments.get(_key(one, single), own.qrels),
            baseline=own.baseline,
            candidates=own.runs,
            rules=single.rules,
            settings=single.settings(),
            golden=single.golden,
            groups=single.groups(),
            measures=single.measures,
            decision=decision,
            costs=how.costs,
            reading=single.reading(),
            run_names=run_names,
            jobs=how.jobs,
            collection=member.name,
            part_of=member.part_of,
            over=one.over,
            run_costs=single.run_costs,
        )
        found.append(loaded(request))
    together = how.family if decision.family is Family.SUITES else 0
    draft = gate_draft(found, sequence, together, files if suite.collections else None)
    golden = draft.report.golden and suite.collections and suite.golden
    report = replace(
        draft.report,
        suite=suite.name,
        golden=golden or draft.report.golden,
        seconds=perf_counter() - begun,
    )
    return replace(draft, report=report)


def _opened(suite: Suite) -> OpenedSuite | GateFailure:
    """Find the collections of a suite; a failure if they cannot be used."""
    begun = perf_counter()
    try:
        return opened(suite)
    except (RankevalError, OSError) as error:
        return failure_of(error, NO_VERDICT, suite.name, seconds=perf_counter() - begun)


def _side_by_side(
    work: Callable[[int], GateDraft | GateFailure], total: int, jobs: int, *, may_fork: bool
) -> list[GateDraft | GateFailure]:
    """Judge the suites in processes that share the judgments, or else in threads."""
    found: dict[int, GateDraft | GateFailure] = {}
    if jobs > 1 and total > 1 and may_fork:
        import scipy.special  # once here, and not again in every process  # noqa: F401

        from rankeval.base.processes import in_processes

        found |= counted(in_processes(work, total, min(jobs, total)), "suites", total)
    left = [number for number in range(total) if number not in found]
    done = in_order(lambda number, _: work(number), ((number, 0) for number in left), jobs)
    found |= zip(left, counted(done, "suites", len(left)), strict=True)
    return [found[number] for number in range(total)]


def _may_fork(suites: Sequence[OpenedSuite]) -> bool:
    """Return True unless a suite reads standard input, or remote files, which survive no fork."""
    from rankeval.base.processes import can_share

    singles = [single for suite in suites for single in suite.singles]
    paths = [p for one in singles for p in (one.qrels, one.baseline, one.golden, *one.runs) if p]
    return can_share() and not any(path == STDIN or is_remote(path) for path in paths)


def _family(suites: Sequence[OpenedSuite]) -> int:
    """Return the number of drops that all suites of the family `suites` limit, 0 without any."""
    opened_ones = [suite for suite in suites if suite.suite.decision().family is Family.SUITES]
    together = [one.suite for one in opened_ones]
    if len({(one.decision().alpha, one.decision().correction) for one in together}) > 1:
        raise UsageError(
            "suites whose p-values are corrected together differ in alpha or correction",
            place="family=",
            expected="one alpha and one correction for the family suites",
        )
    return sum(map(_n_drops, opened_ones))


def _n_drops(suite: OpenedSuite) -> int:
    """Return the number of drops that a suite limits, in all groups; 0 for one that is wrong."""
    try:
        found = sum(kind_of(rule).corrected for rule in suite.over)
        for single in suite.singles:
            groups = single.groups()
            names = sorted(set(groups.by_topic.values())) if groups else []
            if any(not rule.of_costs for rule in single.rules) or not suite.over:
                rules = rules_in_groups(measured_rules(single.rules, single.settings()), names)
                found += sum(rule.kind.corrected for rule in rules)
        return len(suite.suite.files().runs) * found
    except (RankevalError, OSError):  # judging the suite reports it
        return 0


def _judgments(suites: Sequence[OpenedSuite]) -> Mapping[Hashable, Qrels]:
    """Read the judgments that several suites share; those that cannot be read are left out."""
    found: dict[Hashable, Qrels] = {}
    seen: set[Hashable] = set()
    for suite, single in ((one, single) for one in suites for single in one.singles):
        try:
            key = _key(suite, single)
            if key in seen and key not in found and single.qrels not in (None, STDIN):
                found[key] = judgments_of(single.qrels or "", suite.names(single), single.reading())
            seen.add(key)
        except (RankevalError, OSError):  # judging the suite reports it
            continue
    return found


@frozen
class CheckedSuite:
    """A suite that can be judged: its name, and the numbers of rules, candidates and topics."""

    name: str
    rules: int
    candidates: int
    topics: int

    def __str__(self) -> str:
        """Say in one line that the suite is ready."""
        what = f"{count(self.rules, 'rule')} for {count(self.candidates, 'candidate')}"
        return f"{self.name or 'gate'}: ready: {what} over {count(self.topics, 'topic')}"


def check_suite(suite: Suite) -> CheckedSuite:
    r"""Check the files, measures and rules of a suite without scoring a run.

    The judgments and a saved baseline are read; of runs, the first bytes. InputError, MeasureError
    or UsageError for the first thing that is wrong: a file that is missing, empty or cannot be
    read, a baseline of other judgments or without a measure, a measure that does not exist, or a
    limit that no value can reach.

    >>> from pathlib import Path
    >>> from rankeval.gating import check_suite, read_suite
    >>> _ = Path("qrels.txt").write_text("q1 0 d1 1\n")
    >>> _ = Path("old.run").write_text("q1 Q0 d1 1 0.5 old\n")
    >>> _ = Path("rankeval.toml").write_text(
    ...     "qrels = 'qrels.txt'\nbaseline = 'old.run'\nruns = ['old.run']\n"
    ...     "rules.max-drop = {'RR' = 0.1}\n"
    ... )
    >>> print(check_suite(read_suite()))
    gate: ready: 1 rule for 1 candidate over 1 topic
    """
    one = opened(suite)
    if suite.sequential is not None:
        from rankeval.commands.gate.sequence import read_sequence

        read_sequence(suite.sequential, suite.decision().alpha)
    require_collection(suite.rules if suite.collections is None else (), "")
    checked = [_check_single(single, one.over) for single in one.singles]
    return CheckedSuite(
        suite.name,
        len(one.over) + sum(rules for rules, _ in checked),
        len(suite.files().runs),
        sum(topics for _, topics in checked),
    )


def _check_single(suite: Suite, over: Sequence[Rule]) -> tuple[int, int]:
    """Check a suite with one file of judgments; return the numbers of its rules and its topics."""
    files, settings = suite.files(), suite.settings()
    limited = [rule for rule in suite.rules if not rule.of_costs]
    own = measured_rules(limited, settings) if limited or not over else []
    on_costs = rules_on_costs(suite.rules, suite.run_costs)
    if on_costs and suite.run_costs is not None:
        read_costs_of_runs(suite.run_costs)
    rules = [*own, *(measured_rules(over, settings) if over else ())]
    groups = suite.groups()
    test = suite.decision().test
    require_golden([*suite.rules, *over], suite.golden)
    require_test(test, suite.rules, over, [files.baseline, *files.runs])
    names = " ".join([*(one.rule.measure for one in rules), *suite.measures])
    require_topics(parse_measures(names, settings.meanings))
    judgments = judgments_of(files.qrels, names, suite.reading())
    asked = asked_measures(names, judgments, settings)
    measures = [str(one.measure) for one in asked]
    if groups or any(one.rule.group for one in own):
        own = rules_in_groups(own, sorted(set(groups.by_topic.values())) if groups else [])
    drifts = [str(rule.measure) for rule in rules if rule.kind.golden]
    if drifts and suite.golden is not None:
        _require_readable(suite.golden, judgments, drifts)
    for path in runs_of_system(files.baseline):
        _require_readable(path, judgments, measures)
    candidates = [*chain(*map(runs_of_system, files.runs))]
    require_known_ties(
        rules, [candidate for candidate in candidates if isinstance(results_of(candidate), Results)]
    )
    for path in candidates:
        _require_readable(path, judgments, measures, "evaluate the run again, in the same way")
    return len(own) + len(on_costs), len(judgments.topics)


def _require_readable(path: str, judgments: Qrels, measures: list[str], remedy: str = "") -> None:
    """Raise InputError unless a run has data, or saved values are of these judgments.

    Without a remedy, the saved values are a baseline's.
    """
    saved = results_of(path)
    if isinstance(saved, Results):
        _require_usable(saved, judgments, measures, remedy)
    else:
        _require_data(path)


def _require_usable(saved: Results, judgments: Qrels, measures: list[str], remedy: str) -> None:
    """Raise InputError for saved values of other judgments, or without a measure."""
    now = facts_of(judgments)
    require_same_judgments(saved, now, remedy or renewal(saved, now, measures))
    run = saved.runs[0]
    held = {score.measure for score in run.scores}
    for name in measures:
        if name not in held:
            raise InputError(
                f"holds no values of {name}",
                place=run.path,
                expected=f"one of {', '.join(sorted(held))}",
                remedy=remedy or renewal(saved, now, measures, "drop the rule"),
            )


def _require_data(path: str) -> None:
    """Raise InputError unless the first bytes of a run can be read; leave pipes to their reader."""
    waits = path == STDIN or (os.path.exists(path) and not is_rereadable(path))  # noqa: PTH110  it takes any text; a Path does not
    if not waits and not any(first_bytes(file, 1) for file in files_of(path)):
        raise InputError("holds no data", place=path, expected="a run")
