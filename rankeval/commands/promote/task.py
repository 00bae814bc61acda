"""Judge the candidates of suites, and evaluate them as the new baselines."""

from __future__ import annotations

from collections.abc import Sequence

from rankeval.base.frozen import frozen
from rankeval.commands.gate.new_baselines import NewBaseline, chosen_suites, new_baseline
from rankeval.commands.gate.report import GateFailure, SuitesReport
from rankeval.commands.gate.suites.judged_suites import gate_suites, with_baselines
from rankeval.commands.gate.task import renewed_baseline
from rankeval.errors import InputError
from rankeval.io.sources.parts import one_state


@frozen(eq=False)
class Promotion:
    """The verdicts on the candidates of suites, and the baselines that they become.

    ========= ============================================================================
    report    the report of the gates
    baselines the new baselines of all suites; empty if a candidate failed and was not to pass
    ========= ============================================================================
    """

    report: SuitesReport
    baselines: tuple[NewBaseline, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the suites whose candidate breaks a rule."""
        return tuple(report.suite for report in self.report.reports if not report.passed)


@one_state()
def promote(
    suites: Sequence[str] = (),
    config: str | None = None,
    *,
    allow_failing: bool = False,
    allow_missing: bool = False,
    jobs: int | None = None,
) -> Promotion:
    r"""Judge the candidates of suites, and evaluate them as the new baselines; write nothing.

    ============= ==========================================================================
    suites        names of suites; all of the file by default
    config        file of suites; by default the nearest one
    allow_failing make new baselines of candidates that break a rule, too
    allow_missing make new baselines of candidates that lack judged topics, too
    jobs          threads; all processors by default
    ============= ==========================================================================

    A new baseline has the measures of the suite and those that the baseline holds. If a candidate
    breaks a rule, there is no new baseline at all. InputError if a suite cannot be judged, if its
    baseline is no .json file, and if its candidate lacks judged topics.

    >>> from pathlib import Path
    >>> from rankeval import evaluate, promote
    >>> _ = Path("qrels.txt").write_text("q1 0 d1 1\n")
    >>> _ = Path("old.run").write_text("q1 Q0 d7 1 0.7 old\nq1 Q0 d1 2 0.5 old\n")
    >>> _ = Path("new.run").write_text("q1 Q0 d1 1 0.5 new\n")
    >>> _ = evaluate("qrels.txt", "old.run", "RR").save("old.json")
    >>> _ = Path("rankeval.toml").write_text(
    ...     "qrels = 'qrels.txt'\nbaseline = 'old.json'\nruns = 'new.run'\n"
    ...     "rules.max-drop = {'RR' = 0.1}\n"
    ... )
    >>> [(new.path, new.run["RR"].aggregate) for new in promote().baselines]
    [('old.json', 1.0)]
    """
    chosen = chosen_suites(suites, config)
    report = gate_suites(chosen, jobs=jobs)
    for one in report.reports:
        if isinstance(one, GateFailure):
            raise InputError(
                one.problem, place=f"suite {one.suite}" if one.suite else "", expected=""
            )
    if not (report.passed or allow_failing):
        return Promotion(report, ())
    baselines = tuple(
        new_baseline(single, renewed_baseline(single, jobs=jobs, allow_missing=allow_missing))
        for suite in chosen
        for single in with_baselines(suite)
    )
    return Promotion(report, baselines)
