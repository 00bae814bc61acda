"""Options that commands share: declared once, with one meaning everywhere."""

from enum import StrEnum
from typing import Annotated, TypeVar

import typer

from rankeval.errors import UsageError
from rankeval.render import Format, Names, format_of

INPUT = "Input"
MEASURES = "Measures"
OUTPUT = "Output"


class Topics(StrEnum):
    """Which topics count."""

    JUDGED = "judged"
    BOTH = "both"


QrelsPath = Annotated[
    str,
    typer.Argument(metavar="QRELS", help="Relevance judgments: topic, iteration, docno, grade."),
]
RunPaths = Annotated[
    list[str],
    typer.Argument(metavar="RUN", help="Runs: topic, Q0, docno, rank, score, tag. - is stdin."),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="MEASURE",
        help='Measures, one or several: -m "nDCG@10 AP P@5". Repeatable.',
        rich_help_panel=MEASURES,
    ),
]
MinGrade = Annotated[
    float | None,
    typer.Option(
        "--min-grade",
        "-l",
        metavar="GRADE",
        help="Lowest grade that is relevant, for measures that do not say rel= themselves.",
        rich_help_panel=MEASURES,
    ),
]
CollectionSize = Annotated[
    int | None,
    typer.Option(
        "--collection-size",
        "-N",
        metavar="N",
        help="Documents in the collection (SetUtility).",
        rich_help_panel=MEASURES,
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        "--depth",
        "-M",
        metavar="K",
        help="Look at the first K documents of a topic only.",
        rich_help_panel=INPUT,
    ),
]
JudgedOnly = Annotated[
    bool,
    typer.Option(
        "--judged-only",
        "-J",
        help="Drop unjudged documents from the rankings first.",
        rich_help_panel=INPUT,
    ),
]
TopicsRule = Annotated[
    Topics,
    typer.Option(
        "--topics",
        help="judged: every judged topic counts, missing ones score 0. "
        "both: only topics that the run has as well.",
        rich_help_panel=INPUT,
    ),
]
Complete = Annotated[
    bool,
    typer.Option(
        "--complete",
        "-c",
        help="Count every judged topic; the default here, kept for trec_eval's users.",
        rich_help_panel=INPUT,
    ),
]
RequireCoverage = Annotated[
    bool,
    typer.Option(
        "--require-coverage",
        help="A judged topic that a run lacks is an error.",
        rich_help_panel=INPUT,
    ),
]
SkipNoRelevant = Annotated[
    bool,
    typer.Option(
        "--skip-no-relevant",
        help="Leave out topics without a relevant document.",
        rich_help_panel=INPUT,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        min=1,
        help="Threads to use; by default as many as there are processors.",
        rich_help_panel=INPUT,
    ),
]
PerQuery = Annotated[
    bool,
    typer.Option("--per-query", "-q", help="Show every topic, too.", rich_help_panel=OUTPUT),
]
NoSummary = Annotated[
    bool,
    typer.Option(
        "--no-summary", "-n", help="Leave out the values over all topics.", rich_help_panel=OUTPUT
    ),
]
OutputFormat = Annotated[
    Format | None,
    typer.Option(
        "--format",
        "-f",
        help="How to print; a table by default.",
        rich_help_panel=OUTPUT,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write there, in the format of its suffix unless -f says otherwise.",
        rich_help_panel=OUTPUT,
    ),
]
OutputFile = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write there, in the format of its suffix unless -f says otherwise.",
    ),
]
AnyForm = TypeVar("AnyForm", bound=StrEnum)


def form_for(forms: type[AnyForm], given: AnyForm | None, output: str | None) -> AnyForm:
    """The format that is asked for, else that of the output's suffix, else the first."""
    if given is not None or output is None or output == "-":
        return given or next(iter(forms))
    told = format_of(output)
    if told.value not in set(forms):
        raise UsageError(
            f"this cannot be written as {told.value}",
            place=output,
            expected=f"one of {', '.join(forms)}",
            remedy="name the format with --format, or change the suffix",
        )
    return forms(told.value)


Digits = Annotated[
    int,
    typer.Option(
        "--digits", min=0, max=17, help="Decimals in tables and TSV.", rich_help_panel=OUTPUT
    ),
]
NamesStyle = Annotated[
    Names,
    typer.Option(
        "--names",
        help="Call measures by their canonical names, or as they were asked for.",
        rich_help_panel=OUTPUT,
    ),
]
Signature = Annotated[
    bool,
    typer.Option(
        "--signature",
        help="Show the conventions behind each measure under a table.",
        rich_help_panel=OUTPUT,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", help="No warnings and no progress on stderr.", rich_help_panel=OUTPUT),
]
NoColor = Annotated[
    bool, typer.Option("--no-color", help="No colours in tables.", rich_help_panel=OUTPUT)
]
