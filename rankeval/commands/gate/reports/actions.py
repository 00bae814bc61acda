"""The ends of `rankeval gate`: writing reports, exit codes, and updating baselines."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rankeval.base.endings import (
    BAD_INPUT,
    DONE,
    NOT_REPORTED,
    discard_unwritten,
    tell,
)
from rankeval.commands.gate.suites.suite import Suite
from rankeval.errors import RankevalError, ReaderLeftError, printable

if TYPE_CHECKING:
    from rankeval.commands.gate.report import GateReport, SuitesReport
    from rankeval.evaluation.prepared import CostsLike
    from rankeval.evaluation.run_names import RunNames


def failed_writes(writes: Iterable[Callable[[], None]]) -> list[Exception]:
    """Write one after the other, whatever fails, and return the errors.

    A bug in one report is an error of that report: the verdict, and the other reports, remain.
    """
    errors: list[Exception] = []
    for write_one in writes:
        try:
            write_one()
        except (RankevalError, OSError) as error:
            errors.append(error)
        except Exception as error:  # noqa: BLE001  it must not take the verdict with it
            errors.append(RankevalError(f"a bug kept a report from being written: {error!r}"))
    return errors


def ending(report: "GateReport | SuitesReport", errors: Sequence[Exception]) -> int:
    """Return the exit code of a gate that judged; print failed reports and the verdict.

    A reader who left, as `| head` does, must not let a failed gate pass: ReaderLeftError.
    """
    from rankeval.commands.gate.reports.gate_tables import headline

    left = next((one for one in errors if isinstance(one, BrokenPipeError)), None)
    unwritten = [one for one in errors if not isinstance(one, BrokenPipeError)]
    code = report.exit_code
    if unwritten:
        verdict = printable(headline(report))
        tell(f"rankeval: the gate has judged, but not all could be written: {verdict}\n")
        code = BAD_INPUT if code == BAD_INPUT else NOT_REPORTED
        discard_unwritten()
    for error in unwritten:
        said = str(error) if isinstance(error, RankevalError) else printable(str(error))
        tell(f"rankeval: {said}\n")
    if left is not None:
        raise ReaderLeftError(code, left) from left
    return code


def tell_unjudged(report: "SuitesReport") -> None:
    """Say on stderr which suites could not be judged, and why: the report may go to a file."""
    from rankeval.commands.gate.report import GateFailure

    for one in report.reports:
        if isinstance(one, GateFailure):
            lines = one.problem.replace("\n", "\n  ")
            tell(f"rankeval: suite {printable(one.suite)}: {lines}\n")


def update_baseline(
    suites: Sequence[Suite],
    costs: "CostsLike | None",
    names: "RunNames",
    *,
    warn: Callable[[Iterable[str]], None],
    allow_missing: bool,
    force: bool,
    jobs: int | None,
) -> int:
    """Write the values of each suite's candidate to its baseline, and show old and new means.

    All baselines are written, or none: where a candidate fails, and `force` is not given, the exit
    code is 1. `warn` is called with the warnings.
    """
    # These need numpy, which --help does not.
    from rankeval.commands.gate.reports.gate_tables import headline
    from rankeval.commands.gate.reports.new_baselines import (
        new_baseline,
        print_lines,
        told_apart,
        told_means,
        write_baselines,
    )
    from rankeval.commands.gate.task import renewed_baseline, verdict_on_candidate
    from rankeval.evaluation.notice_lines import notice_lines

    verdicts = [] if force else [verdict_on_candidate(one, run_names=names) for one in suites]
    failed = [verdict for verdict in verdicts if verdict is not None and not verdict.passed]
    if failed:
        lines = [printable(headline(one)) for one in failed]
        print_lines([*lines, "No baseline was changed; --force stores candidates that fail, too."])
        return failed[0].exit_code
    of_candidate = replace(names, given=names.given[1:])
    found = [
        new_baseline(
            one,
            renewed_baseline(
                one,
                costs=costs,
                run_names=of_candidate,
                jobs=jobs,
                allow_missing=allow_missing,
            ),
        )
        for one in suites
    ]
    warn(notice_lines([*told_apart(found)]))
    write_baselines(found)
    # Last, so that a reader who leaves early leaves no baseline behind.
    print_lines(told_means(found))
    return DONE
