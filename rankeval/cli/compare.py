"""`rankeval compare`: differences between runs, and how sure they are."""

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

import rankeval
from rankeval.cli import options
from rankeval.errors import UsageError, printable
from rankeval.render import Style, notice_lines, write_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Form(StrEnum):
    """The formats of a comparison."""

    TABLE = "table"
    TSV = "tsv"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    MARKDOWN = "markdown"
    LATEX = "latex"


class EveryTest(StrEnum):
    """EveryTest of pairs, and of all systems at once; a test holds them to those of the library."""

    T = "t"
    RANDOMIZATION = "randomization"
    BOOTSTRAP = "bootstrap"
    BOOTSTRAP_T = "bootstrap-t"
    WILCOXON = "wilcoxon"
    SIGN = "sign"
    TUKEY = "tukey"
    RANDOMIZED_TUKEY = "randomized-tukey"


class Intervals(StrEnum):
    """The intervals; a test holds them to those of the library."""

    T = "t"
    PERCENTILE = "percentile"
    BCA = "bca"


def compare(
    qrels: options.QrelsPath,
    baseline: Annotated[
        str,
        typer.Argument(
            metavar="BASELINE", help="A run, or FILE.json that rankeval eval -q -o wrote."
        ),
    ],
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN", help="What to compare with it: the same.")
    ],
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="MEASURE",
            help='Measures, one or several: -m "nDCG@10 AP". By default these two, or those of '
            "a baseline in JSON.",
            rich_help_panel=options.MEASURES,
        ),
    ] = None,
    plugins: options.Plugins = None,
    min_grade: options.MinGrade = None,
    collection_size: options.CollectionSize = None,
    group: options.Groups = None,
    group_by: options.GroupBy = None,
    test: Annotated[
        EveryTest,
        typer.Option(
            "--test",
            metavar="TEST",
            help=f"{', '.join(EveryTest)}. By default t, Student's paired test; the last two look "
            "at all runs at once.",
            rich_help_panel=options.STATISTICS,
        ),
    ] = EveryTest.T,
    correction: options.CorrectionName = None,
    interval: Annotated[
        Intervals,
        typer.Option(
            "--interval",
            metavar="METHOD",
            help=f"Confidence interval of the difference: {', '.join(Intervals)}. By default t.",
            rich_help_panel=options.STATISTICS,
        ),
    ] = Intervals.T,
    all_pairs: Annotated[
        bool,
        typer.Option(
            "--all-pairs",
            help="Compare every run with every other one.",
            rich_help_panel=options.STATISTICS,
        ),
    ] = False,
    alpha: options.Alpha = None,
    power: Annotated[
        bool,
        typer.Option(
            "--power",
            help="Say how many topics show a difference, and what so many topics can show.",
            rich_help_panel=options.STATISTICS,
        ),
    ] = False,
    at_power: options.AtPower = None,
    difference: Annotated[
        str,
        typer.Option(
            "--difference",
            metavar="D",
            help="The difference that --power plans for: 0.01, or 5%, the default, of the "
            "baseline's mean.",
            rich_help_panel=options.STATISTICS,
        ),
    ] = "5%",
    seed: options.Seed = None,
    skip_no_relevant: options.SkipNoRelevant = False,
    depth: options.Depth = None,
    judged_only: options.JudgedOnly = False,
    by_topic: Annotated[
        bool,
        typer.Option(
            "--by-topic",
            help="Show the topics that changed most, too; in TSV and CSV, topics alone.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    form: Annotated[
        Form | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help=f"{', '.join(Form)}. By default table, or what the suffix of -o says.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    output: options.Output = None,
    digits: options.Digits = 4,
    no_color: options.NoColor = False,
    quiet: options.Quiet = False,
    jobs: options.Jobs = None,
) -> None:
    """Compare each RUN with BASELINE: differences, tests, intervals and effect sizes."""
    if group_by and not group:
        raise UsageError(
            "--group-by needs the file that has the column", remedy="give it with --group FILE"
        )
    inputs = [qrels, baseline, *runs, *(plugins or ()), *([group] if group else [])]
    options.refuse_overwriting(output, inputs)
    chosen = options.form_for(Form, form, output)
    for plugin in plugins or ():
        rankeval.load_plugin(plugin)
    from rankeval.render import comparison as printed
    from rankeval.render import papers

    comparison = rankeval.compare(
        qrels,
        baseline,
        runs,
        measures,
        rankeval.Settings(
            min_grade=min_grade,
            collection_size=collection_size,
            depth=depth,
            judged_only=judged_only,
            skip_no_relevant=skip_no_relevant,
        ),
        method=rankeval.Method.of(
            test=test,
            correction=correction or options.Corrections.HOLM,
            interval=interval,
            alpha=0.05 if alpha is None else alpha,
            all_pairs=all_pairs,
            power=0.8 if at_power is None else at_power,
            difference=difference,
            seed=seed or 0,
        ),
        groups=rankeval.read_groups(group, group_by) if group else None,
        jobs=jobs,
    )
    if not quiet:
        for line in (*notice_lines(comparison.runs), *comparison.warnings):
            typer.echo(f"rankeval: warning: {printable(line)}", err=True)
    forms: dict[Form, Callable[..., Iterator[str]]] = {
        Form.TABLE: partial(printed.table, power=power),
        Form.TSV: printed.tsv,
        Form.CSV: printed.csv_,
        Form.JSON: printed.json_document,
        Form.JSONL: printed.json_lines,
        Form.MARKDOWN: papers.markdown,
        Form.LATEX: papers.latex,
    }
    write_pieces(
        partial(forms[chosen], comparison, by_topic=by_topic),
        output,
        Style(digits=digits, colour=False if no_color else None),
    )
