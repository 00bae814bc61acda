"""`rankeval gate`: test a candidate against a baseline, by rules."""

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

import rankeval
from rankeval.cli.gate_reports import Reports
from rankeval.cli.options import files, statistics
from rankeval.cli.options import measures as measuring
from rankeval.cli.options.conventions import Conventions
from rankeval.cli.options.groups import grouped
from rankeval.cli.options.output import NumbersOutput
from rankeval.cli.options.reading import ReadingOptions
from rankeval.cli.options.running import RunningOptions
from rankeval.errors import ReaderLeftError, UsageError, printable
from rankeval.render import Format, Style, notice_lines, write
from rankeval.support.workflow import harmless, in_workflow
from rankeval.tasks.gate.rules import RuleKind, parse_rule
from rankeval.tasks.gate.suites import Suite, read_suite

if TYPE_CHECKING:
    from rankeval.evaluation.results import Results

RULES = "Rules"


class Policy(StrEnum):
    """Policies: the verdicts that pass the gate."""

    OBSERVED = "observed"
    SIGNIFICANT = "significant"
    BEYOND = "beyond"
    NONINFERIOR = "noninferior"


class FamilyChoice(StrEnum):
    """Families of p-values that are corrected together."""

    RULES = "rules"
    CANDIDATES = "candidates"


@grouped
def gate(
    qrels: Annotated[
        str | None, typer.Argument(metavar="QRELS", help="Relevance judgments."), files.READ
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Argument(
            metavar="BASELINE", help="Run file, or JSON that rankeval eval -q -o FILE.json saved."
        ),
        files.READ,
    ] = None,
    candidates: Annotated[
        list[str] | None,
        typer.Argument(metavar="CANDIDATE", help="Runs to test against BASELINE."),
        files.READ,
    ] = None,
    *,
    max_drop: Annotated[
        list[str] | None,
        typer.Option(
            "--max-drop",
            metavar="RULE",
            help="Largest drop of the mean: nDCG@10=0.01, or nDCG@10=2% of the baseline's mean. "
            "Repeatable, as all rules are.",
            rich_help_panel=RULES,
        ),
    ] = None,
    min_: Annotated[
        list[str] | None,
        typer.Option(
            "--min",
            metavar="RULE",
            help="Lowest mean of the candidate: R@100=0.8.",
            rich_help_panel=RULES,
        ),
    ] = None,
    max_: Annotated[
        list[str] | None,
        typer.Option(
            "--max",
            metavar="RULE",
            help="Highest mean of the candidate, for measures where less is better: "
            "Unjudged@10=0.1.",
            rich_help_panel=RULES,
        ),
    ] = None,
    max_topic_drop: Annotated[
        list[str] | None,
        typer.Option(
            "--max-topic-drop",
            metavar="RULE",
            help="Largest drop on any topic: nDCG@10=0.5, or 50%.",
            rich_help_panel=RULES,
        ),
    ] = None,
    equivalent: Annotated[
        list[str] | None,
        typer.Option(
            "--equivalent",
            metavar="RULE",
            help="Largest difference of the means in either direction, which the topics must "
            "show: nDCG@10=0.01, or 2%.",
            rich_help_panel=RULES,
        ),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            metavar="RULE",
            help="Rule of any of these kinds, as text: 'max-drop nDCG@10=2%'.",
            rich_help_panel=RULES,
        ),
    ] = None,
    policy: Annotated[
        Policy | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help="Condition for --max-drop to pass. observed (default): the drop is within the "
            "limit; significant: the candidate is not shown to be worse; beyond: the drop "
            "is not shown to exceed the limit; noninferior: the candidate is shown to be "
            "not worse.",
            rich_help_panel=RULES,
        ),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(
            "--suite",
            metavar="NAME",
            help="Take files and rules from this suite of rankeval.toml, or of [tool.rankeval] "
            "in pyproject.toml.",
            rich_help_panel=RULES,
        ),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="File that holds the suites. Default: the nearest rankeval.toml or "
            "pyproject.toml, here or further up.",
            rich_help_panel=RULES,
        ),
        files.READ,
    ] = None,
    update_baseline: Annotated[
        bool,
        typer.Option(
            "--update-baseline",
            help="Write the candidate's values to BASELINE, a .json file, instead of testing them.",
            rich_help_panel=RULES,
        ),
    ] = False,
    sequential: Annotated[
        str | None,
        typer.Option(
            "--sequential",
            metavar="STATE.json",
            help="Keep --alpha over all runs of the gate on one line of candidates, such as "
            "nightly builds. STATE.json counts the runs.",
            rich_help_panel=statistics.STATISTICS,
        ),
        files.WRITTEN,
    ] = None,
    test: statistics.PairedTestName = None,
    correction: statistics.CorrectionName = None,
    family: Annotated[
        FamilyChoice | None,
        typer.Option(
            "--family",
            metavar="FAMILY",
            help="P-values that --correction corrects together. rules (default): those of each "
            "candidate; candidates: those of all candidates.",
            rich_help_panel=statistics.STATISTICS,
        ),
    ] = None,
    bound: statistics.BoundName = None,
    alpha: statistics.Alpha = None,
    at_power: statistics.AtPower = None,
    seed: statistics.Seed = None,
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
    output: NumbersOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> int:
    """Test whether CANDIDATE is worse than BASELINE, and exit with 1 if it breaks a rule.

    Without QRELS, BASELINE and CANDIDATE, a suite names them and the rules; see --suite.
    """
    measuring.load_plugins(plugins)
    reports.refuse_mixed(output)
    if update_baseline and (any(reports.files()) or reports.github or output.form or output.file):
        raise UsageError(
            "--update-baseline tests nothing, so there is nothing to report",
            remedy="drop --junit, --json, --github, --format and --output",
        )
    given = {
        RuleKind.MAX_DROP: max_drop,
        RuleKind.MIN: min_,
        RuleKind.MAX: max_,
        RuleKind.MAX_TOPIC_DROP: max_topic_drop,
        RuleKind.EQUIVALENT: equivalent,
    }
    asked = Suite(
        qrels=qrels,
        baseline=baseline,
        runs=tuple(candidates or ()),
        measures=tuple(measures or ()),
        rules=(
            *(parse_rule(text, kind) for kind in given for text in given[kind] or ()),
            *map(parse_rule, rule or ()),
        ),
        policy=policy,
        test=test,
        correction=correction,
        family=family,
        bound=bound,
        alpha=alpha,
        at_power=at_power,
        seed=seed,
        sequential=sequential,
        conventions=conventions.stated(),
        files_read=reading.stated(),
    )
    if suite is not None or config is not None or not qrels:  # "" takes a file from the suite
        asked = read_suite(suite, config).overlaid(asked)
    named = asked.files()
    # The suite is a file itself, and names further files that are no options.
    inputs = [named.qrels, *named.runs, asked.source, config, costs, *(plugins or ())]
    if update_baseline:
        files.refuse_overwriting(read=inputs, written=[named.baseline])
    else:
        written = [*reports.files(), reports.summary, output.output, asked.sequential]
        files.refuse_overwriting(read=[named.baseline, *inputs], written=written)
    if update_baseline:
        results = rankeval.renewed_baseline(asked, costs=costs, jobs=running.jobs)
        running.warn(notice_lines(results.runs))
        write(results, Format.JSON, named.baseline, Style(per_topic=True))
        said = f"{printable(named.baseline)}: now holds the values of {_named(results)}"
        typer.echo(harmless(said) if in_workflow() else said)
        return 0
    decision, sequence = asked.decision(), None
    if asked.sequential is not None:
        from rankeval.tasks.gate.sequence import read_sequence, write_sequence

        sequence = read_sequence(asked.sequential, decision.alpha)
    report = rankeval.gate(
        named.qrels,
        named.baseline,
        named.runs,
        asked.rules,
        asked.settings(),
        measures=asked.measures,
        decision=decision,
        sequence=sequence,
        costs=costs,
        reading=asked.reading(),
        jobs=running.jobs,
    )
    if asked.sequential is not None and report.sequence is not None:
        write_sequence(report.sequence, asked.sequential)
    lines = [*notice_lines(report.runs), *report.warnings]
    running.warn(map(harmless, lines) if reports.github else lines)
    try:
        reports.write(replace(report, suite=asked.name), output)
    except BrokenPipeError as closed:  # `| head` must not let a failed gate pass
        raise ReaderLeftError(report.exit_code, closed) from closed
    return report.exit_code


def _named(results: "Results") -> str:
    from rankeval.support.wording import count

    (run,) = results.runs
    measures = ", ".join(dict.fromkeys(score.measure for score in run.scores))
    return printable(f"{run.name} for {measures} over {count(len(run.topics), 'topic')}")
