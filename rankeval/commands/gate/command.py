"""`rankeval gate`: test a candidate against a baseline, by rules."""

from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, make_dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar, get_type_hints

import typer

from rankeval.base.endings import BAD_INPUT, BUG, DONE, INTERRUPTED, harmless, tell
from rankeval.base.frozen import frozen
from rankeval.choices import Bound, GatePolicy
from rankeval.cli.options import completion_values as values
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.option_groups import grouped, stated
from rankeval.cli.options.output_options import NumbersOutput, known_format
from rankeval.cli.options.panels import RULES, STATISTICS
from rankeval.cli.options.running_options import WarningOptions
from rankeval.cli.options.statistics_options import Alpha
from rankeval.cli.options.text_options import Queries
from rankeval.commands.gate.options import ReportOptions
from rankeval.commands.gate.rules import KINDS, Rule, parse_rule
from rankeval.commands.gate.suites import Suite, read_suites
from rankeval.errors import RankevalError, UsageError, printable
from rankeval.io.sources.seed_files import files_of_systems

Group = TypeVar("Group", bound=type)
COMMON, EVERYDAY = partial(RULES, common=True), ("max-drop",)


def _with_kinds(options: Group) -> Group:
    """Give a group of options, before its own, one for each kind of rule."""
    of_kinds = {
        name.replace("-", "_"): Annotated[
            list[str] | None,
            (COMMON if name in EVERYDAY else RULES)(
                f"--{name}", "RULE", kind.help, autocompletion=values.measures
            ),
        ]
        for name, kind in KINDS.items()
    }
    options.__annotations__ = {**of_kinds, **options.__annotations__}
    for name in of_kinds:
        setattr(options, name, None)
    return options


BOUNDS = (
    "Test and interval of a change. t (default): Student's t, for nearly normal differences; "
    "betting: assumes nothing but the measure's range, and needs more topics."
)
POLICIES = (
    "What decides about --max-drop. observed (default): the drop is within the limit; "
    "not-shown-worse: the candidate is not shown to be worse; not-shown-beyond-limit: the drop is "
    "not shown to exceed the limit; shown-not-worse: the candidate is shown to be not worse."
)
GOLDEN = "Baseline of --max-drop-from-golden, which --update-baseline does not change."
GROUPS = (
    "Lines of topic and group. Every rule holds in every group, too; a rule such as "
    "'nDCG@10 in hard=5%' holds in the group hard only."
)
COLUMN = "Column of --group's FILE that holds the group."
SUITES = "Suite of rankeval.toml. Repeatable. Default: all of them, if no files are given."
CONFIG = "File of suites. Default: the nearest rankeval.toml or pyproject.toml, here or above."
UPDATE = (
    "Write the candidate's values to BASELINE, a .json file, unless the candidate fails; with "
    "several suites to all of theirs, or to none."
)
FORCE = "Let --update-baseline store candidates that fail, or that lack judged topics."


@frozen
@_with_kinds
class RuleOptions:
    """The rules of a gate, what decides, and the suites that hold more of them."""

    policy: Annotated[str | None, COMMON("--policy", "POLICY", POLICIES, any_of=[*GatePolicy])] = (
        None
    )
    bound: Annotated[str | None, STATISTICS("--bound", "BOUND", BOUNDS, any_of=[*Bound])] = None
    alpha: Alpha = None
    golden: Annotated[str | None, RULES("--golden", "FILE", GOLDEN), files.READ] = None
    group: Annotated[str | None, RULES("--group", "FILE", GROUPS), files.READ] = None
    group_by: Annotated[str | None, RULES("--group-by", "COLUMN", COLUMN)] = None
    suite: Annotated[
        list[str] | None,
        COMMON("--suite", "NAME", SUITES, autocompletion=values.suites),
    ] = None
    config: Annotated[str | None, RULES("--config", "FILE", CONFIG), files.READ] = None
    update_baseline: Annotated[bool, COMMON("--update-baseline", UPDATE)] = False
    force: Annotated[bool, RULES("--force", FORCE)] = False

    def rules(self) -> tuple[Rule, ...]:
        """Return the rules, in the order of the options."""
        given = {name: getattr(self, name.replace("-", "_")) or () for name in KINDS}
        return tuple(parse_rule(text, kind) for kind, texts in given.items() for text in texts)


if TYPE_CHECKING:
    SomeConventions = Conventions
else:
    # Others are keys of suites.
    SOME = ("like", "min_grade", "skip_no_relevant", "depth", "judged_only", "drop_self")
    SOME += ("ties", "order")
    _HINTS = get_type_hints(Conventions, include_extras=True)
    SomeConventions = make_dataclass(
        "SomeConventions", [(name, _HINTS[name], getattr(Conventions, name)) for name in SOME]
    )


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
    measures: Annotated[
        list[str] | None,
        measuring.option(
            "Measures to show, and to save in a baseline, besides those of the rules."
        ),
    ] = None,
    plugins: measuring.Plugins = None,
    parts: measuring.CostParts = None,
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
    decision = {"policy": rules.policy, "bound": rules.bound, "alpha": rules.alpha}
    asked = Suite(
        qrels=qrels,
        baseline=baseline,
        runs=tuple(candidates or ()),
        measures=tuple(measures or ()),
        rules=rules.rules(),
        golden=rules.golden,
        group=rules.group,
        group_by=rules.group_by,
        decision=stated(decision),
        conventions=stated(asdict(conventions)),
    )
    suites: Sequence[Suite] = [asked]
    if not qrels or rules.suite or rules.config:
        suites = [one.overlaid(asked) for one in read_suites(rules.suite, rules.config)]
    singles = [single for suite in suites for single in suite.of_collections()]
    read = [*(path for one in singles for path in one.inputs()), rules.config]
    costs = measuring.added(parts).get("costs")
    read += [costs, *(plugins or ())]
    read += files_of_systems(path for path in read if path and path != "-")
    baselines = [one.baseline.path for one in singles if one.baseline]
    if rules.update_baseline:
        if any(asdict(reports).values()) or output.form or output.file:
            raise UsageError("--update-baseline writes no report", remedy="drop the reports")
        files.refuse_overwriting(read=read, written=baselines)
        return _update(singles, costs, warning, force=rules.force)
    from rankeval.commands.gate.ci_reports import require_possible, write_reports, written
    from rankeval.commands.gate.report import GateFailure
    from rankeval.commands.gate.show import PRINTER
    from rankeval.commands.gate.task import gate_suites

    form = output.chosen(PRINTER.formats())
    require_possible(reports, form, output.file)
    paths = [*written(reports), output.output]
    files.refuse_overwriting(read=[*read, *baselines], written=paths)
    report = gate_suites(singles, costs=costs).with_queries(queries)
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


def _update(
    suites: Sequence[Suite], costs: str | None, warning: WarningOptions, *, force: bool
) -> int:
    """Write the values of each suite's candidate to its baseline, and print the verdicts.

    All baselines are written, or none: where a candidate fails, and `force` is not given, the exit
    code is 1.
    """
    from rankeval.commands.gate.show import headline
    from rankeval.commands.gate.task import renewed_baseline, verdict_on_candidate
    from rankeval.io.sources.atomic import create_folder, write_errors

    said, failed, new = [], False, {}
    for suite in suites:
        with suite.errors_placed():
            verdict = verdict_on_candidate(suite, costs)
        said += [headline(verdict)] if verdict else []
        failed = failed or (verdict is not None and not verdict.passed)
    for suite in suites if force or not failed else ():
        with suite.errors_placed():
            new[suite.files()[1]] = renewed_baseline(suite, costs=costs, force=force)
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
    from rankeval.commands.gate.ci_reports import write_failure
    from rankeval.commands.gate.report import failure_of
    from rankeval.commands.gate.show import PRINTER

    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for name in ("junit", "json", "comment", "append", "suite"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--format", "-f")
    parser.add_argument("--output", "-o")
    parser.add_argument("--github", action="store_true")
    given = parser.parse_known_args([*arguments])[0]
    code = BAD_INPUT if isinstance(error, RankevalError | OSError | MemoryError) else BUG
    code = INTERRUPTED if isinstance(error, KeyboardInterrupt) else code
    form, printed = "table", given.format if known_format(given.format) else None
    with suppress(UsageError):
        form = NumbersOutput(form=printed, output=given.output).chosen(PRINTER.formats())
    notes = getattr(error, "__notes__", ())
    reports = ReportOptions(given.junit, given.json, given.comment, given.append, given.github)
    failure = failure_of(error, given.suite or next(iter(notes), ""), code)
    write_failure(reports, failure, form, given.output)
