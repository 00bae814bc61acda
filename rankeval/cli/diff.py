"""`rankeval diff`: which topics moved, and which documents moved them."""

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

import rankeval
from rankeval.cli import options
from rankeval.errors import printable
from rankeval.render import Style, notice_lines, write_pieces


class Form(StrEnum):
    """The formats of a difference."""

    TABLE = "table"
    TSV = "tsv"
    JSON = "json"


def diff(
    qrels: options.QrelsPath,
    a: Annotated[str, typer.Argument(metavar="A", help="A run.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The run to compare with it.")],
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            "-m",
            metavar="MEASURE",
            help="One measure, by default nDCG@10.",
            rich_help_panel=options.MEASURES,
        ),
    ] = "nDCG@10",
    plugins: options.Plugins = None,
    min_grade: options.MinGrade = None,
    collection_size: options.CollectionSize = None,
    top: Annotated[
        int,
        typer.Option(
            "--top",
            metavar="K",
            min=1,
            help="Look at the first K documents of both runs, 10 by default.",
            rich_help_panel=options.RANKINGS,
        ),
    ] = 10,
    holes: Annotated[
        bool,
        typer.Option(
            "--holes",
            help="Repeat the comparison as if unjudged documents among the first K were relevant, "
            "and without unjudged documents.",
            rich_help_panel=options.RANKINGS,
        ),
    ] = False,
    emit_pool: Annotated[
        int | None,
        typer.Option(
            "--emit-pool",
            metavar="K",
            min=1,
            help="Print only lines of topic and docno: what is unjudged among the first K of "
            "either run, to be judged next.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    skip_no_relevant: options.SkipNoRelevant = False,
    depth: options.Depth = None,
    judged_only: options.JudgedOnly = False,
    show: Annotated[
        int,
        typer.Option(
            "--show",
            metavar="N",
            min=1,
            help="How many topics to show, 5 by default.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = 5,
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
    """Show what makes B differ from A: the topics that moved most, and their documents."""
    options.refuse_overwriting(output, [qrels, a, b, *(plugins or ())])
    chosen = Form.TABLE if emit_pool else options.form_for(Form, form, output)
    for plugin in plugins or ():
        rankeval.load_plugin(plugin)
    from rankeval.render import difference as printed

    found = rankeval.diff(
        qrels,
        a,
        b,
        measure,
        rankeval.Settings(
            min_grade=min_grade,
            collection_size=collection_size,
            depth=depth,
            judged_only=judged_only,
            skip_no_relevant=skip_no_relevant,
        ),
        top=top,
        shown=show,
        holes=holes,
        pool=emit_pool,
        jobs=jobs,
    )
    if not quiet:
        for line in notice_lines([found.a, found.b]):
            typer.echo(f"rankeval: warning: {printable(line)}", err=True)
    forms = {
        Form.TABLE: printed.table,
        Form.TSV: printed.tsv,
        Form.JSON: printed.json_document,
    }
    write_pieces(
        partial(printed.pool if emit_pool else forms[chosen], found),
        output,
        Style(digits=digits, colour=False if no_color else None),
    )
