"""`rankeval gate`: test a candidate against a baseline, by rules."""

import os
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankeval.base.frozen import record
from rankeval.cli.options import file_options as files
from rankeval.cli.options.evaluating_options import Conventions, WarningOptions
from rankeval.cli.options.further_options import Alpha, Queries
from rankeval.cli.options.option_groups import grouped, stated
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.cli.options.panels import READ, REPORTS, RULES, STATISTICS, WRITTEN, complete_measures
from rankeval.commands.gate.rules import KINDS, parse_rule
from rankeval.endings import DONE
from rankeval.errors import printable
from rankeval.io.files import files_of_systems
from rankeval.stats.choices import Bound, GatePolicy

if TYPE_CHECKING:  # --help reads no TOML
    from rankeval.commands.gate.suites import Suite

COMMON, EVERYDAY = partial(RULES, common=True), ("max-drop",)
BOUNDS = (
    "Test and interval of a change. t (default): Student's t, for nearly normal differences; "
    "betting: assumes nothing but the measure's range, and needs more topics."
)
POLICIES = (
    "What --max-drop decides by. observed (default): the drop is within the limit; "
    "not-shown-worse: the candidate is not shown to be worse; not-shown-beyond-limit: the drop is "
    "not shown to exceed the limit; shown-not-worse: the candidate is shown to be not worse."
)
GOLDEN = "Baseline of --max-drop-from-golden, which --update-baseline does not change."
GROUPS = (
    "Lines of topic and group. Every rule holds in every group, too; a rule such as "
    "'nDCG@10 in hard=5%' holds in the group hard only."
)
SUITES = "Suite of rankeval.toml. Repeatable. Default: all of them, if no files are given."
CONFIG = "File of suites. Default: the nearest rankeval.toml, here or above."
UPDATE = (
    "Write the candidate's values to BASELINE, a .json file, unless the candidate fails; with "
    "several suites to all of theirs, or to none."
)
FORCE = "Let --update-baseline store candidates without judging them."
JUNIT = "Write JUnit XML with a test case per rule."
JSON = "Write the full report as JSON."
COMMENT = "Write Markdown for one comment on a pull request."
APPEND = "Append means and verdicts to a history, as a line of JSON with the commit."
GITHUB = "Print annotations for GitHub Actions, and add a summary and outputs to the step."


def _of_kind(name: str, words: str) -> Any:
    """Return the option of a kind of rule."""
    panel = COMMON if name in EVERYDAY else RULES
    option = panel(f"--{name} RULE", words, autocompletion=complete_measures)
    return Annotated[list[str] | None, option]


if TYPE_CHECKING:
    KindOptions = object
else:
    types = {name.replace("-", "_"): _of_kind(name, kind.help) for name, kind in KINDS.items()}
    KindOptions = record(
        type("KindOptions", (), {"__annotations__": types, **dict.fromkeys(types)})
    )


@record
class RuleOptions:
    """The rules of a gate, what decides, and the suites that hold more of them."""

    policy: Annotated[str | None, COMMON("--policy POLICY", POLICIES, any_of=[*GatePolicy])] = None
    bound: Annotated[str | None, STATISTICS("--bound BOUND", BOUNDS, any_of=[*Bound])] = None
    alpha: Alpha = None
    golden: Annotated[str | None, RULES("--golden FILE", GOLDEN), READ] = None
    group: Annotated[str | None, RULES("--group FILE", GROUPS), READ] = None
    suite: Annotated[list[str] | None, COMMON("--suite NAME", SUITES)] = None
    config: Annotated[str | None, RULES("--config FILE", CONFIG), READ] = None
    update_baseline: Annotated[bool, COMMON("--update-baseline", UPDATE)] = False
    force: Annotated[bool, RULES("--force", FORCE)] = False


@record
class ReportOptions:
    """Options for the reports for machines; folders of their files are created."""

    MAKES_FOLDERS = True
    junit: Annotated[str | None, REPORTS("--junit FILE", JUNIT, common=True), WRITTEN] = None
    json: Annotated[str | None, REPORTS("--json FILE", JSON), WRITTEN] = None
    comment: Annotated[str | None, REPORTS("--comment FILE", COMMENT), WRITTEN] = None
    append: Annotated[str | None, REPORTS("--append FILE", APPEND), WRITTEN] = None
    github: Annotated[bool, REPORTS("--github", GITHUB)] = False


@partial(
    grouped,
    needs={"--force": "--update-baseline"},
    not_with={"--update-baseline": "--junit --json --comment --append --github --format --output"},
)
def gate(
    qrels: Annotated[
        str | None, typer.Argument(metavar="QRELS", help="Relevance judgments."), READ
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
    conventions: Conventions,
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
    from rankeval.commands.gate import ci_reports  # --help needs none of these
    from rankeval.commands.gate.report import GateFailure, GateReport, failure_of
    from rankeval.commands.gate.show import PRINTER
    from rankeval.commands.gate.suites import Suite, read_suites
    from rankeval.commands.gate.task import gate_suites

    asked_for = ci_reports.Reports(**vars(reports))
    try:
        given = {name.replace("_", "-"): texts for name, texts in vars(kinds).items()}
        decision = {"policy": rules.policy, "bound": rules.bound, "alpha": rules.alpha}
        asked = Suite(
            qrels=qrels,
            baseline=baseline,
            runs=tuple(candidates or ()),
            rules=tuple(parse_rule(text, kind) for kind in KINDS for text in given[kind] or ()),
            golden=rules.golden,
            group=rules.group,
            decision=stated(decision),
            conventions=stated(vars(conventions)),
        )
        suites: Sequence[Suite] = [asked]
        if not qrels or rules.suite or rules.config:
            suites = [one.overlaid(asked) for one in read_suites(rules.suite, rules.config)]
        suites = [single for suite in suites for single in suite.of_collections()]
        read = [path for one in suites for path in (one.source, one.qrels, one.golden, one.group)]
        read += [run.path for one in suites for run in one.runs]
        read += files_of_systems(path for path in read if path and path != "-")
        baselines = [one.baseline.path for one in suites if one.baseline]
        if rules.update_baseline:
            files.refuse_overwriting(read=read, written=baselines)
            return _update(suites, warning, force=rules.force)
        form = output.chosen(PRINTER.formats())
        ci_reports.require_possible(asked_for, form, output.file)
        summary = os.environ.get(ci_reports.SUMMARY) if reports.github else None
        paths = [*asked_for[:4], output.output, summary]
        files.refuse_overwriting(read=[*read, *baselines], written=paths)
        report = gate_suites(suites).with_queries(queries)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  it is raised below
        report = GateReport((failure_of(error, ", ".join(rules.suite or ())),))
    failures = [one for one in report.suites if isinstance(one, GateFailure)]
    if len(failures) == len(report.suites) == 1 and failures[0].error:
        ci_reports.write_failure(asked_for, report)
        raise failures[0].error
    style = output.style(log=reports.github)
    warn = partial(warning.warn, warning.of_runs(report.runs, style.decimals))
    return ci_reports.write_reports(asked_for, report, form, output.output, style, warn)


def _update(suites: "Sequence[Suite]", warning: WarningOptions, *, force: bool) -> int:
    """Write the values of each suite's candidate to its baseline, and print the verdicts.

    All baselines are written, or none: where a candidate fails, and `force` is not given, the exit
    code is 1. Where no baseline is yet, there is nothing to judge.
    """
    from rankeval.commands.gate.report import GateFailure
    from rankeval.commands.gate.show import headline_of
    from rankeval.commands.gate.task import gate_suites, renewed_baseline
    from rankeval.io.atomic import create_folder

    there = [one for one in suites if not force and os.path.lexists(one.files()[1])]
    judged = gate_suites(there).suites if there else ()
    for one in judged:
        if isinstance(one, GateFailure) and one.error:
            raise one.error
    said = [*map(headline_of, judged)]
    if not all(one.passed for one in judged):
        said.append("no baseline was changed; --force stores candidates that fail, too")
        typer.echo("\n".join(map(printable, said)))
        return 1
    new = {suite.files()[1]: renewed_baseline(suite) for suite in suites}
    for path, results in new.items():
        create_folder(path)
        results.save(path)
        said.append(f"stored {path}")
    warning.warn(warning.of_runs([run for results in new.values() for run in results.runs]))
    # Last, so that a reader who leaves early leaves no baseline behind.
    typer.echo("\n".join(map(printable, said)))
    return DONE
