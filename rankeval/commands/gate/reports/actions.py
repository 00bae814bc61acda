"""The actions of `rankeval gate` that print no report: a dry run, and updating a baseline."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rankeval.base.endings import (
    BAD_INPUT,
    DONE,
    NOT_REPORTED,
    as_options,
    discard_unwritten,
    tell,
    told,
)
from rankeval.commands.gate.suites.suite import Suite
from rankeval.errors import RankevalError, ReaderLeftError, UsageError, printable
from rankeval.output.writing import write_pieces

if TYPE_CHECKING:
    from rankeval.commands.gate.report import GateFailure, GateReport, SuitesReport
    from rankeval.evaluation.prepared import CostsLike
    from rankeval.evaluation.run_names import RunNames
    from rankeval.output.style import Style


def sequence_writes(
    suites: Sequence[Suite], reports: "Sequence[GateReport | GateFailure]"
) -> Iterator[Callable[[], None]]:
    """Yield functions that write the states of sequences for the next gates."""
    from rankeval.commands.gate.report import GateReport

    for suite, report in zip(suites, reports, strict=True):
        if (
            suite.sequential is not None
            and isinstance(report, GateReport)
            and report.sequence is not None
        ):
            from rankeval.commands.gate.sequence import write_sequence

            yield partial(write_sequence, report.sequence, suite.sequential)


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
        said = told(error) if isinstance(error, RankevalError) else printable(str(error))
        tell(f"rankeval: {said}\n")
    if left is not None:
        raise ReaderLeftError(code, left) from left
    return code


def tell_unjudged(report: "SuitesReport") -> None:
    """Say on stderr which suites could not be judged, and why: the report may go to a file."""
    from rankeval.commands.gate.report import GateFailure

    for one in report.reports:
        if isinstance(one, GateFailure):
            lines = as_options(one.problem).replace("\n", "\n  ")
            tell(f"rankeval: suite {printable(one.suite)}: {lines}\n")


def check_suites(suites: Sequence[Suite]) -> int:
    """Check suites without scoring, print a line for each, and return the exit code."""
    from rankeval.commands.gate.suites.judged_suites import (
        check_suite,  # needs numpy, which --help does not
    )

    code = DONE
    for suite in suites:
        try:
            said = printable(str(check_suite(suite)))
        except RankevalError as error:
            if len(suites) == 1:
                raise
            tell(f"rankeval: suite {printable(suite.name)}: {told(error)}\n")
            code = BAD_INPUT
        else:
            write_pieces(partial(_line, said))
    return code


def update_baseline(
    suites: Sequence[Suite],
    costs: "CostsLike | None",
    names: "RunNames",
    *,
    refuse_overwriting: Callable[[Sequence[str]], None],
    warn: Callable[[Iterable[str]], None],
    allow_missing: bool,
    jobs: int | None,
) -> int:
    """Write the values of a suite's candidate to its baseline, and show old and new means.

    A suite over collections has a baseline for each. `refuse_overwriting` is called with the
    baselines before anything is evaluated, and `warn` with the warnings.
    """
    # These need numpy, which --help does not.
    from rankeval.commands.gate.new_baselines import new_baseline, told_apart
    from rankeval.commands.gate.reports.written_baselines import (
        print_lines,
        told_means,
        write_baselines,
    )
    from rankeval.commands.gate.suites.judged_suites import with_baselines
    from rankeval.commands.gate.task import renewed_baseline
    from rankeval.output.notice_lines import notice_lines

    if len(suites) > 1:
        raise UsageError(
            f"{len(suites)} suites cannot be updated at once",
            place="--update-baseline",
            expected="one --suite",
        )
    singles = with_baselines(suites[0])
    refuse_overwriting([suite.files().baseline for suite in singles])
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
        for one in singles
    ]
    warn(notice_lines([*told_apart(found)]))
    write_baselines(found)
    # Last, so that a reader who leaves early leaves no baseline behind.
    print_lines(told_means(found))
    return DONE


def _line(text: str, _: "Style") -> list[str]:
    return [f"{text}\n"]
