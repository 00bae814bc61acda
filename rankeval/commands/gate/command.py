"""`rankeval gate`: test a candidate against a baseline, by rules."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from time import process_time
from typing import TYPE_CHECKING, Annotated, cast

import typer

from rankeval.base.endings import BAD_INPUT, BUG, INTERRUPTED, harmless
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options.convention_options import AllConventions
from rankeval.cli.options.gate_options import DecisionOptions, ReportOptions, RuleOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput, ReportOutput, known_format
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions
from rankeval.cli.options.text_options import Queries
from rankeval.commands.gate.reports.actions import (
    ending,
    failed_writes,
    tell_unjudged,
    update_baseline,
)
from rankeval.commands.gate.suites.suite import Suite, expanded
from rankeval.errors import RankevalError, UsageError
from rankeval.io.sources.parts import places_of_equals
from rankeval.io.sources.seed_files import files_of_systems

if TYPE_CHECKING:
    from rankeval.commands.gate.report import GateFailure, GateReport, SuitesReport


@grouped
def gate(
    qrels: Annotated[
        str | None, typer.Argument(metavar="QRELS", help="Relevance judgments."), files.READ
    ] = None,
    baseline: Annotated[
        files.RunFile | None,
        typer.Argument(
            metavar="BASELINE",
            help="Run file, or JSON that rankeval eval -q -o FILE.json saved. NAME=FILE names it.",
        ),
    ] = None,
    candidates: Annotated[
        list[files.RunFile] | None,
        typer.Argument(metavar="CANDIDATE", help="Runs to test against BASELINE."),
    ] = None,
    *,
    rules: RuleOptions,
    decision: DecisionOptions,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            "Measures to show, and to save in a baseline, besides those of the rules."
        ),
    ] = None,
    plugins: measuring.Plugins = None,
    costs: measuring.Costs = None,
    conventions: AllConventions,
    reports: ReportOptions,
    run_names: files.RunNaming = "tag",
    queries: Queries = None,
    output: ReportOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> int:
    """Test whether CANDIDATE is worse than BASELINE, and exit with 1 if it breaks a rule.

    Without QRELS, BASELINE and CANDIDATE, a suite names them and the rules; see --suite.

    Examples:
        rankeval gate qrels.txt base.json new.run --max-drop 'nDCG@10=2%'
            fail if the mean drops by more
        rankeval gate --suite nightly --github
            files and rules of rankeval.toml
        rankeval gate --all-suites --junit gate.xml
            all suites, in one report
        rankeval gate --suite nightly --update-baseline
            accept the new values
    """
    measuring.load_plugins(plugins)
    reports.refuse_what_cannot_be(output)
    _refuse_reports(rules, reports, output)
    asked = Suite(
        qrels=qrels,
        baseline=baseline.path if baseline else None,
        runs=tuple(run.path for run in candidates or ()),
        measures=tuple(measures or ()),
        rules=rules.rules(),
        policy=rules.policy,
        golden=rules.golden,
        group=rules.group,
        group_by=rules.group_by,
        conventions=conventions.stated(),
        files_read=reading.stated(),
        **decision.stated(),
    )
    suites = _suites(rules, asked, with_files=bool(qrels))
    # Runs of a suite have no names of their own.
    names = files.run_names(run_names, [baseline or files.RunFile(""), *(candidates or ())])
    # A suite is a file itself, and names further files that are no options.
    members = [single for suite in suites for single in _singles_of(suite)]
    inputs = [*_inputs([*suites, *members]), rules.config, costs, *(plugins or ())]
    if rules.update_baseline:
        singles = [single for suite in suites for single in expanded(suite)]
        files.refuse_overwriting(read=inputs, written=[suite.files().baseline for suite in singles])
        return update_baseline(
            singles,
            costs,
            names,
            warn=running.warn,
            allow_missing=rules.allow_missing,
            force=rules.force,
            jobs=running.jobs,
        )
    written = [*reports.files(), reports.summary, output.output]
    from rankeval.commands.gate.report import with_queries
    from rankeval.commands.gate.suites.judged_suites import gate_suite, gate_suites

    systems = [*filter(None, (single.baseline for single in members))]
    files.refuse_overwriting(read=[*files_of_systems(systems), *inputs], written=written)
    if reports.append:
        from rankeval.commands.gate.reports.gate_history import require_history

        require_history(reports.append)
    report: GateReport | SuitesReport
    if rules.wants_several or any(suite.collections for suite in suites):
        report = gate_suites(suites, costs=costs, run_names=names, jobs=running.jobs)
        each = with_queries(report.reports, queries)
        report = replace(report, reports=each)
        tell_unjudged(report)
    else:
        report = gate_suite(suites[0], costs=costs, run_names=names, jobs=running.jobs)
        each = with_queries((report,), queries)
        report = cast("GateReport", each[0])
    return ending(report, _told(report, each, reports, output, running))


def _told(
    report: "GateReport | SuitesReport",
    each: "Sequence[GateReport | GateFailure]",
    reports: ReportOptions,
    output: ReportOutput,
    running: RunningOptions,
) -> list[Exception]:
    """Write the reports, print the warnings below, and return the errors of failed writes."""
    from rankeval.commands.gate.reports.gate_tables import (
        warning_lines,  # needs numpy, which --help does not
    )

    lines = warning_lines(report, output.style().decimals, running.of_runs)
    writes = reports.writes(report, each, output, verbose=running.verbose)
    unwritten = failed_writes(writes)
    running.warn(map(harmless, lines) if reports.github else lines)
    return unwritten


def _refuse_reports(rules: RuleOptions, reports: ReportOptions, output: ReportOutput) -> None:
    """Raise UsageError for reports of an update, which has none."""
    if rules.update_baseline and (
        any(reports.files()) or reports.github or output.form or output.file
    ):
        raise UsageError(
            "--update-baseline writes no report",
            remedy="drop --junit, --json, --comment, --append, --github, --format and --output",
        )


def _suites(rules: RuleOptions, asked: Suite, *, with_files: bool) -> list[Suite]:
    """Return the suites to judge, with the settings of the command line."""
    if with_files and not rules.wants_suite and not rules.wants_several:  # "" takes from a suite
        return [asked]
    from rankeval.commands.gate.suites.read_suites import read_suite, read_suites

    if rules.wants_several:
        named = None if rules.all_suites else rules.suite
        return [suite.overlaid(asked) for suite in read_suites(named, rules.config)]
    name = rules.suite[0] if rules.suite else None
    return [read_suite(name, rules.config).overlaid(asked)]


def _singles_of(suite: Suite) -> tuple[Suite, ...]:
    """Return the suites of a suite's collections; none for one that is wrong, as judging tells."""
    try:
        return expanded(suite)
    except (RankevalError, OSError):
        return ()


def _inputs(suites: Sequence[Suite]) -> list[str | None]:
    """Return the files that suites read, besides baselines."""
    return [
        path
        for one in suites
        for path in (
            *(one.collections, one.qrels, one.golden, one.group, one.source),
            *files_of_systems(one.runs),
        )
    ]


def report_failure(arguments: Sequence[str], error: BaseException) -> None:
    """Write the error that kept the gate from a verdict to the reports that a command line names.

    An OverwritingError goes to none of them, as one of them is an input or another report. The
    words are searched one by one, because parsing them as options may be what failed.
    """
    from rankeval.commands.gate.report import failure_of
    from rankeval.commands.gate.suites.read_suites import suite_words

    if isinstance(error, files.OverwritingError):
        return
    form = _last_value(arguments, "--format", "-f")
    output = _last_value(arguments, "--output", "-o")
    written = {
        name: _last_value(arguments, f"--{name}") for name in ("junit", "json", "comment", "append")
    }
    reports = ReportOptions(**written, github="--github" in arguments)
    printed = NumbersOutput(form=form if known_format(form) else None, output=output)
    named = (word[at + 1 :] for word in arguments for at in places_of_equals(word))
    inputs = [*arguments, *named]
    for path in filter(None, (*written.values(), output)):
        if path in inputs:
            inputs.remove(path)  # once: a second mention is another argument
    inputs += suite_words(_last_value(arguments, "--config"))
    code = BAD_INPUT if isinstance(error, RankevalError | OSError | MemoryError) else BUG
    if isinstance(error, KeyboardInterrupt):
        code = INTERRUPTED
    failure = failure_of(
        error, code, _last_value(arguments, "--suite") or "", seconds=process_time()
    )
    with suppress(OSError):  # the failure itself matters more
        reports.write_failure(failure, printed, inputs)


def _last_value(arguments: Sequence[str], *names: str) -> str | None:
    """Return the last value of an option: --name TEXT, --name=TEXT, -n TEXT or -nTEXT."""
    found = None
    for i, word in enumerate(arguments):
        for name in names:
            rest = word.removeprefix(name) if word.startswith(name) else None
            if rest == "" and i + 1 < len(arguments):
                found = arguments[i + 1]
            elif rest and (rest.startswith("=") or not name.startswith("--")):
                found = rest.removeprefix("=")
    return found
