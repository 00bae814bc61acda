"""Judge suites, one or several."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from rankeval.base.checked import checked
from rankeval.base.progress import counted
from rankeval.base.threads import in_order, usable_threads
from rankeval.commands.gate.judged import judged
from rankeval.commands.gate.loaded import GateRequest, loaded
from rankeval.commands.gate.report import GateFailure, GateReport, SuitesReport, failure_of
from rankeval.commands.gate.rules.measured_rules import require_every_topic, require_measures
from rankeval.commands.gate.suites.suite import Suite, expanded
from rankeval.errors import RankevalError, UsageError
from rankeval.evaluation.prepared import CostsLike, judgments_of, label_for
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.io.sources.parts import STDIN, one_state
from rankeval.ranking.qrels import Qrels

NO_VERDICT = 2
"""The exit code of a suite that cannot be judged, because an option or a file is wrong."""


@checked
@one_state()
def gate_suites(
    suites: Sequence[Suite],
    *,
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
) -> SuitesReport:
    r"""Judge suites, in threads, and return one report for all.

    Judgments that several suites name are read once. A suite that cannot be judged, because a file
    or a rule is wrong, has a GateFailure in the report, and the others are judged.

    ====== =================================================================================
    suites as `read_suites` returns them
    costs, run_names, jobs    as in `gate`
    ====== =================================================================================

    UsageError if there is no suite.

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
    every: list[Suite | GateFailure] = []
    for suite in suites:
        begun = perf_counter()
        try:
            every += expanded(suite)
        except (RankevalError, OSError) as error:
            every.append(failure_of(error, NO_VERDICT, suite.name, seconds=perf_counter() - begun))
    shared = _judgments([one for one in every if isinstance(one, Suite)])
    threads = usable_threads(jobs)
    each = 1 if len(every) > 1 else threads

    def report_of(number: int, _size: int) -> GateReport | GateFailure:
        one, begun = every[number], perf_counter()
        if isinstance(one, GateFailure):
            return one
        try:
            return _judged(one, shared, costs, run_names, each)
        except (RankevalError, OSError, MemoryError) as error:
            return failure_of(error, NO_VERDICT, one.name, seconds=perf_counter() - begun)

    done = in_order(report_of, ((number, 0) for number in range(len(every))), threads)
    return SuitesReport(tuple(counted(done, "suites", len(every))))


@checked
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
    if suite.collections is not None:
        raise UsageError(
            "the suite is over collections, so that it has several reports",
            place=suite.place,
            expected="gate_suites([suite])",
        )
    return _judged(suite, {}, costs, run_names, usable_threads(jobs))


def _judged(
    suite: Suite,
    judgments: Mapping[Hashable, Qrels],
    costs: CostsLike | None,
    run_names: RunNames,
    jobs: int,
) -> GateReport:
    """Judge a suite; MeasureError or UsageError, with its place, for measures that do not exist."""
    begun, settings, files = perf_counter(), suite.settings(), suite.files()
    require_every_topic(settings, suite.place)
    require_measures(suite.rules, suite.measures, suite.measures_place, settings)
    request = GateRequest(
        qrels=judgments.get(_key(suite), files.qrels),
        baseline=files.baseline,
        candidates=files.runs,
        rules=suite.rules,
        settings=settings,
        golden=suite.golden,
        groups=suite.groups(),
        measures=suite.measures,
        decision=suite.decision(),
        costs=costs,
        reading=suite.reading(),
        run_names=suite.names_of_runs(run_names),
        jobs=jobs,
    )
    return replace(judged(loaded(request)), suite=suite.name, seconds=perf_counter() - begun)


def _key(suite: Suite) -> Hashable:
    """Return a key of judgments: the file, how it is read, and the labels needed."""
    return suite.qrels, repr(suite.reading()), label_for(suite.measured)


def _judgments(suites: Sequence[Suite]) -> Mapping[Hashable, Qrels]:
    """Read the judgments that several suites share; those that cannot be read are left out."""
    found: dict[Hashable, Qrels] = {}
    seen: set[Hashable] = set()
    for suite in suites:
        try:
            key = _key(suite)
            if key in seen and key not in found and suite.qrels not in (None, STDIN):
                found[key] = judgments_of(suite.qrels or "", suite.measured, suite.reading())
            seen.add(key)
        except (RankevalError, OSError):  # judging the suite reports it
            continue
    return found
