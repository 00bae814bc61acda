"""`rankeval gate`: test a candidate against a baseline, by rules."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from rankeval.base.endings import BAD_INPUT, BUG, DONE, INTERRUPTED, harmless, tell
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options.evaluating_options import Queries, WarningOptions
from rankeval.cli.options.option_groups import grouped, stated
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.commands.gate.options import KindOptions, ReportOptions, RuleOptions, SomeConventions
from rankeval.commands.gate.rules import KINDS, parse_rule
from rankeval.errors import RankevalError, UsageError, printable
from rankeval.io.sources.parts import files_of_systems

if TYPE_CHECKING:  # --help reads no TOML
    from rankeval.commands.gate.suites import Suite


@partial(grouped, needs={"--measure": "--update-baseline"})
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
    kinds: KindOptions,
    rules: RuleOptions,
    measures: Annotated[
        list[str] | None,
        measuring.option("Measures that --update-baseline saves, besides those of the rules."),
    ] = None,
    conventions: SomeConventions,
    reports: ReportOptions,
    queries: Queries = None,
    output: NumbersOutput,
    warning: WarningOptions,
) -> int:
    """Test if CANDIDATE is worse than BASELINE; exit with 1 if a rule fails.

    Without QRELS, BASELINE and CANDIDATE, suites name them and the rules; see --suite.

    Examples:
        rankeval gate qrels.txt base.json new.run --max-drop 'nDCG@10=2%'
            fail if the mean drops by more
        rankeval gate --github --junit gate.xml
            all suites of rankeval.toml
        rankeval gate --suite nightly --update-baseline
            accept the new values
    """
    from rankeval.commands.gate.suites import Suite, read_suites  # --help reads no TOML

    given = {name.replace("_", "-"): texts for name, texts in vars(kinds).items()}
    decision = {"policy": rules.policy, "bound": rules.bound, "alpha": rules.alpha}
    asked = Suite(
        qrels=qrels,
        baseline=baseline,
        runs=tuple(candidates or ()),
        measures=tuple(measures or ()),
        rules=tuple(parse_rule(text, kind) for kind in KINDS for text in given[kind] or ()),
        golden=rules.golden,
        group=rules.group,
        decision=stated(decision),
        conventions=stated(asdict(conventions)),
    )
    suites: Sequence[Suite] = [asked]
    if not qrels or rules.suite or rules.config:
        suites = [one.overlaid(asked) for one in read_suites(rules.suite, rules.config)]
    singles = [single for suite in suites for single in suite.of_collections()]
    read = [*(path for one in singles for path in one.inputs()), rules.config]
    read += files_of_systems(path for path in read if path and path != "-")
    baselines = [one.baseline.path for one in singles if one.baseline]
    if rules.update_baseline:
        if any(asdict(reports).values()) or output.form or output.file:
            raise UsageError("--update-baseline writes no report", remedy="drop the reports")
        files.refuse_overwriting(read=read, written=baselines)
        return _update(singles, warning, force=rules.force)
    from rankeval.commands.gate.ci_reports import require_possible, write_reports, written
    from rankeval.commands.gate.report import GateFailure
    from rankeval.commands.gate.show import PRINTER
    from rankeval.commands.gate.task import gate_suites

    form = output.chosen(PRINTER.formats())
    require_possible(reports, form, output.file)
    paths = [*written(reports), output.output]
    files.refuse_overwriting(read=[*read, *baselines], written=paths)
    report = gate_suites(singles).with_queries(queries)
    for one in report.suites:
        if isinstance(one, GateFailure) and one.error and len(report.suites) == 1:
            one.error.add_note(one.name)
            raise one.error
        if isinstance(one, GateFailure) and output.file:
            tell(f"rankeval: {printable(one.name)}: {one.problem}\n")
    style = output.style(log=True if reports.github else None)
    lines = [*warning.of_runs(report.runs, style.decimals), *report.warnings]
    warn = partial(warning.warn, [*map(harmless, lines)] if reports.github else lines)
    return write_reports(reports, report, form, output.output, style, warn)


def _update(suites: "Sequence[Suite]", warning: WarningOptions, *, force: bool) -> int:
    """Write the values of each suite's candidate to its baseline, and print the verdicts.

    All baselines are written, or none: where a candidate fails, and `force` is not given, the exit
    code is 1.
    """
    from rankeval.commands.gate.show import headline
    from rankeval.commands.gate.task import renewed_baseline, verdict_on_candidate
    from rankeval.io.sources.atomic import create_folder, write_errors

    verdicts, new = [], {}
    for suite in suites:
        with suite.errors_placed():
            verdicts.append(verdict_on_candidate(suite))
    judged = [one for one in verdicts if one is not None]
    for suite in suites if force or all(one.passed for one in judged) else ():
        with suite.errors_placed():
            new[suite.files()[1]] = renewed_baseline(suite, force=force)
    said = [*map(headline, judged)]
    for path, results in new.items():
        with write_errors(path):
            create_folder(path)
        results.save(path)
        said.append(f"stored {path}")
    if not new:
        said.append("no baseline was changed; --force stores candidates that fail, too")
    warning.warn(warning.of_runs([run for results in new.values() for run in results.runs]))
    # Last, so that a reader who leaves early leaves no baseline behind.
    typer.echo("\n".join(map(printable, said)))
    return DONE if new else 1


def report_failure(arguments: Sequence[str], error: BaseException) -> None:
    """Write the error that kept the gate from a verdict to the reports that a command line names.

    An OverwritingError goes to none of them, as one of them is an input or another report. The
    words are parsed apart, because parsing all of them as options may be what failed.
    """
    if isinstance(error, files.OverwritingError):
        return
    from argparse import ArgumentParser  # for errors only

    from rankeval.commands.gate.ci_reports import write_failure
    from rankeval.commands.gate.report import failure_of
    from rankeval.commands.gate.show import PRINTER

    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for names in (("-o", "--output"), ("-f", "--format")):
        parser.add_argument(*names)
    for name in ("junit", "json", "comment", "append", "suite"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--github", action="store_true")
    given = parser.parse_known_args([*arguments])[0]
    code = BAD_INPUT if isinstance(error, RankevalError | OSError | MemoryError) else BUG
    code = INTERRUPTED if isinstance(error, KeyboardInterrupt) else code
    notes = getattr(error, "__notes__", ())
    reports = ReportOptions(given.junit, given.json, given.comment, given.append, given.github)
    failure = failure_of(error, given.suite or next(iter(notes), ""), code)
    form = "table"
    with suppress(UsageError):  # for a format that does not exist
        form = NumbersOutput(form=given.format, output=given.output).chosen(PRINTER.formats())
    write_failure(reports, failure, form, given.output)
