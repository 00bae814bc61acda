"""`rankeval explain`: how the value of one topic comes about, rank by rank."""

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

import rankeval
from rankeval.cli import options
from rankeval.render import Style, write_pieces


class Form(StrEnum):
    """The formats of explanations."""

    TABLE = "table"
    JSON = "json"
    TSV = "tsv"
    MARKDOWN = "markdown"


def explain_topic(
    qrels: options.QrelsPath,
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="A run: topic, Q0, docno, rank, score, tag."),
    ],
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="The topic to explain.")],
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="MEASURE",
            help="What to explain, one measure or several. By default nDCG@10.",
            rich_help_panel=options.MEASURES,
        ),
    ] = None,
    plugins: options.Plugins = None,
    min_grade: options.MinGrade = None,
    depth: options.Depth = None,
    judged_only: options.JudgedOnly = False,
    collection_size: options.CollectionSize = None,
    costs: options.Costs = None,
    rows: Annotated[
        int | None,
        typer.Option(
            "--rows",
            metavar="K",
            min=1,
            help="Show the first K ranks, 20 by default, and below them relevant documents only.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
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
    jobs: options.Jobs = None,
) -> None:
    """Show how the value of TOPIC comes about: what each rank brings, and what is missing."""
    from rankeval.render import explanation as printed

    for plugin in plugins or ():
        rankeval.load_plugin(plugin)

    forms = {
        Form.TABLE: printed.table,
        Form.JSON: printed.json_document,
        Form.TSV: printed.tsv,
        Form.MARKDOWN: printed.markdown,
    }
    chosen = forms[options.form_for(Form, form, output)]
    explanations = rankeval.explain(
        qrels,
        run,
        topic,
        measures,
        rankeval.Settings(
            min_grade=min_grade,
            depth=depth,
            judged_only=judged_only,
            collection_size=collection_size,
        ),
        costs=costs,
        shown=rows,
        jobs=jobs,
    )
    write_pieces(
        partial(chosen, explanations),
        output,
        Style(digits=digits, colour=False if no_color else None),
    )
