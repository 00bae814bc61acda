"""`rankeval gate`: hold a candidate to rules beside a baseline."""

import os
from collections.abc import Iterable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import rankeval
from rankeval.cli import options
from rankeval.errors import printable
from rankeval.gate_rules import RuleKind, parse_rule
from rankeval.io.atomic import write_errors
from rankeval.render import Format, Style, notice_lines, write, write_pieces
from rankeval.suites import Suite, read_suite

if TYPE_CHECKING:
    from rankeval.results import Results

RULES = "Rules"
REPORTS = "Reports"


class Policy(StrEnum):
    """Which verdicts open the gate."""

    OBSERVED = "observed"
    SIGNIFICANT = "significant"
    NONINFERIOR = "noninferior"


def gate(
    qrels: Annotated[
        str | None, typer.Argument(metavar="QRELS", help="Relevance judgments.")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Argument(
            metavar="BASELINE", help="A run, or FILE.json that rankeval eval -q -o wrote."
        ),
    ] = None,
    candidates: Annotated[
        list[str] | None, typer.Argument(metavar="CANDIDATE", help="The run to judge, or several.")
    ] = None,
    max_drop: Annotated[
        list[str] | None,
        typer.Option(
            "--max-drop",
            metavar="RULE",
            help="How much worse the mean may get: nDCG@10=0.01, or nDCG@10=2% of the baseline's. "
            "Repeatable, as all rules are.",
            rich_help_panel=RULES,
        ),
    ] = None,
    min_: Annotated[
        list[str] | None,
        typer.Option(
            "--min",
            metavar="RULE",
            help="A floor under the candidate's mean: R@100=0.8.",
            rich_help_panel=RULES,
        ),
    ] = None,
    max_: Annotated[
        list[str] | None,
        typer.Option(
            "--max",
            metavar="RULE",
            help="A ceiling over it, where less is better: Unjudged@10=0.1.",
            rich_help_panel=RULES,
        ),
    ] = None,
    max_topic_drop: Annotated[
        list[str] | None,
        typer.Option(
            "--max-topic-drop",
            metavar="RULE",
            help="How much worse any topic may get: nDCG@10=0.5, or 50%.",
            rich_help_panel=RULES,
        ),
    ] = None,
    policy: Annotated[
        Policy | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help="What --max-drop asks: observed, the default: the drop is within the limit; "
            "significant: it is not shown to be worse; noninferior: it is shown not to be worse.",
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
            help="The file of suites, instead of the nearest one.",
            rich_help_panel=RULES,
        ),
    ] = None,
    update_baseline: Annotated[
        bool,
        typer.Option(
            "--update-baseline",
            help="Do not judge: write the candidate's values to BASELINE, a .json file.",
            rich_help_panel=RULES,
        ),
    ] = False,
    test: options.PairedTestName = None,
    correction: options.CorrectionName = None,
    alpha: options.Alpha = None,
    at_power: options.AtPower = None,
    seed: options.Seed = None,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="MEASURE",
            help="Measures to show, and to keep in a baseline, beside those of the rules.",
            rich_help_panel=options.MEASURES,
        ),
    ] = None,
    plugins: options.Plugins = None,
    min_grade: options.MinGrade = None,
    collection_size: options.CollectionSize = None,
    skip_no_relevant: options.SkipNoRelevant = False,
    depth: options.Depth = None,
    judged_only: options.JudgedOnly = False,
    junit: Annotated[
        str | None,
        typer.Option(
            "--junit",
            metavar="FILE",
            help="Write JUnit XML, a test case per rule.",
            rich_help_panel=REPORTS,
        ),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="Write everything as JSON.",
            rich_help_panel=REPORTS,
        ),
    ] = None,
    on_github: Annotated[
        bool,
        typer.Option(
            "--github",
            help="Print annotations for GitHub Actions, and add Markdown to $GITHUB_STEP_SUMMARY.",
            rich_help_panel=REPORTS,
        ),
    ] = False,
    digits: options.Digits = 4,
    no_color: options.NoColor = False,
    quiet: options.Quiet = False,
    jobs: options.Jobs = None,
) -> int:
    """Say whether CANDIDATE is worse than BASELINE, and exit with 1 if a rule is broken.

    Without QRELS BASELINE CANDIDATE, they and the rules come from a suite.
    """
    for plugin in plugins or ():
        rankeval.load_plugin(plugin)
    given = {
        RuleKind.MAX_DROP: max_drop,
        RuleKind.MIN: min_,
        RuleKind.MAX: max_,
        RuleKind.MAX_TOPIC_DROP: max_topic_drop,
    }
    asked = Suite(
        qrels=qrels,
        baseline=baseline,
        runs=tuple(candidates or ()),
        measures=tuple(measures or ()),
        rules=tuple(parse_rule(text, kind) for kind in given for text in given[kind] or ()),
        policy=policy,
        test=test,
        correction=correction,
        alpha=alpha,
        at_power=at_power,
        seed=seed,
        min_grade=min_grade,
        collection_size=collection_size,
        depth=depth,
        judged_only=judged_only or None,
        skip_no_relevant=skip_no_relevant or None,
    )
    if suite is not None or config is not None or qrels is None:
        asked = read_suite(suite, config).overlaid(asked)
    files = asked.files()
    for output in (junit, json):
        options.refuse_overwriting(output, [files.qrels, files.baseline, *files.runs])
    if update_baseline:
        results = rankeval.renewed_baseline(asked, jobs=jobs)
        _warn(notice_lines(results.runs), quiet=quiet)
        write(results, Format.JSON, files.baseline, Style(per_topic=True))
        typer.echo(f"{printable(files.baseline)}: now holds the values of {_named(results)}")
        return 0
    report = rankeval.gate(
        files.qrels,
        files.baseline,
        files.runs,
        asked.rules,
        asked.settings(),
        measures=asked.measures,
        decision=asked.decision(),
        jobs=jobs,
    )
    _warn([*notice_lines(report.runs), *report.warnings], quiet=quiet)
    from rankeval.render import gate as printed
    from rankeval.render import gate_json, github
    from rankeval.render import junit as xml

    style = Style(digits=digits, colour=False if no_color else None)
    if junit:
        write_pieces(partial(xml.junit, report), junit, style)
    if json:
        write_pieces(partial(gate_json.json_document, report), json, style)
    write_pieces(partial(github.log if on_github else printed.table, report), None, style)
    if on_github and (path := os.environ.get("GITHUB_STEP_SUMMARY")):
        with write_errors(path), Path(path).open("a", encoding="utf-8") as stream:
            stream.writelines(github.summary(report, style))
    return report.exit_code


def _warn(lines: Iterable[str], *, quiet: bool) -> None:
    if not quiet:
        for line in lines:
            typer.echo(f"rankeval: warning: {printable(line)}", err=True)


def _named(results: "Results") -> str:
    from rankeval.wording import count

    (run,) = results.runs
    measures = ", ".join(score.measure for score in run.scores)
    return printable(f"{run.name} for {measures} over {count(len(run.topics), 'topic')}")
