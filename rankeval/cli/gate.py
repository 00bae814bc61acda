"""`rankeval gate`: test a candidate against a baseline, by rules."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

import rankeval
from rankeval.cli.gate_reports import Reports
from rankeval.cli.options import files
from rankeval.cli.options import measures as measuring
from rankeval.cli.options.conventions import Conventions
from rankeval.cli.options.gate import DecisionOptions, RuleOptions
from rankeval.cli.options.groups import grouped
from rankeval.cli.options.output import ReportOutput
from rankeval.cli.options.reading import ReadingOptions
from rankeval.cli.options.running import RunningOptions
from rankeval.errors import ReaderLeftError, UsageError, printable
from rankeval.render import Format, Style, notice_lines, write
from rankeval.support.workflow import harmless, in_workflow
from rankeval.tasks.gate.suites import Suite, read_suite

if TYPE_CHECKING:
    from rankeval.evaluation.results import Results
    from rankeval.evaluation.run_names import RunNames


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
    conventions: Conventions,
    reports: Reports,
    run_names: files.RunNaming = files.NamingRule.TAG,
    output: ReportOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> int:
    """Test whether CANDIDATE is worse than BASELINE, and exit with 1 if it breaks a rule.

    Without QRELS, BASELINE and CANDIDATE, a suite names them and the rules; see --suite.
    """
    measuring.load_plugins(plugins)
    reports.refuse_mixed(output)
    if reports.html:
        from rankeval.report.page import require_jinja

        require_jinja()
    if rules.update_baseline and (
        any(reports.files()) or reports.github or output.form or output.file
    ):
        raise UsageError(
            "--update-baseline tests nothing, so there is nothing to report",
            remedy="drop --junit, --json, --html, --github, --format and --output",
        )
    asked = Suite(
        qrels=qrels,
        baseline=baseline.path if baseline else None,
        runs=tuple(run.path for run in candidates or ()),
        measures=tuple(measures or ()),
        rules=rules.rules(),
        policy=rules.policy,
        conventions=conventions.stated(),
        files_read=reading.stated(),
        **decision.stated(),
    )
    if rules.wants_suite or not qrels:  # "" takes a file from the suite
        asked = read_suite(rules.suite, rules.config).overlaid(asked)
    named = asked.files()
    names = _names(run_names, baseline, candidates, len(named.runs))
    # The suite is a file itself, and names further files that are no options.
    inputs = [named.qrels, *named.runs, asked.source, rules.config, costs, *(plugins or ())]
    if rules.update_baseline:
        files.refuse_overwriting(read=inputs, written=[named.baseline])
        of_candidate = replace(names, given=names.given[1:])
        results = rankeval.renewed_baseline(
            asked, costs=costs, run_names=of_candidate, jobs=running.jobs
        )
        running.warn(notice_lines(results.runs))
        write(results, Format.JSON, named.baseline, Style(per_topic=True))
        said = f"{printable(named.baseline)}: now holds the values of {_named(results)}"
        typer.echo(harmless(said) if in_workflow() else said)
        return 0
    written = [*reports.files(), reports.summary, output.output, asked.sequential]
    files.refuse_overwriting(read=[named.baseline, *inputs], written=written)
    settled, sequence = asked.decision(), None
    if asked.sequential is not None:
        from rankeval.tasks.gate.sequence import read_sequence, write_sequence

        sequence = read_sequence(asked.sequential, settled.alpha)
    report = rankeval.gate(
        named.qrels,
        named.baseline,
        named.runs,
        asked.rules,
        asked.settings(),
        measures=asked.measures,
        decision=settled,
        sequence=sequence,
        costs=costs,
        reading=asked.reading(),
        run_names=names,
        jobs=running.jobs,
    )
    if asked.sequential is not None and report.sequence is not None:
        write_sequence(report.sequence, asked.sequential)
    lines = [*notice_lines(report.runs, output.style().decimals), *report.warnings]
    running.warn(map(harmless, lines) if reports.github else lines)
    try:
        reports.write(replace(report, suite=asked.name), output)
    except BrokenPipeError as closed:  # `| head` must not let a failed gate pass
        raise ReaderLeftError(report.exit_code, closed) from closed
    return report.exit_code


def _names(
    rule: files.NamingRule,
    baseline: files.RunFile | None,
    candidates: Sequence[files.RunFile] | None,
    number: int,
) -> "RunNames":
    """Return the names of baseline and candidates; those of a suite have none of their own."""
    stated = candidates or [files.RunFile("")] * number
    return files.run_names(rule, [baseline or files.RunFile(""), *stated])


def _named(results: "Results") -> str:
    from rankeval.support.wording import count

    (run,) = results.runs
    measures = ", ".join(dict.fromkeys(score.measure for score in run.scores))
    return printable(f"{run.name} for {measures} over {count(len(run.topics), 'topic')}")
