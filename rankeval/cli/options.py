"""Options that commands share: declared once, with one meaning everywhere."""

import contextlib
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from rankeval.errors import UsageError
from rankeval.io.names import NAMES as FORMATS
from rankeval.render import Format, Names, format_of

MEASURES = "Measures"
RANKINGS = "Topics and rankings"
STATISTICS = "Statistics"
OUTPUT = "Output"
READING = "Reading files"
OTHER = "Other options"


class Topics(StrEnum):
    """Which topics count."""

    JUDGED = "judged"
    BOTH = "both"


class Ties(StrEnum):
    """How equal scores are ordered."""

    DOCNO = "docno"
    INPUT = "input"
    RANK = "rank"
    BEST = "best"
    WORST = "worst"
    EXPECTED = "expected"


class Order(StrEnum):
    """What documents are ordered by."""

    SCORE = "score"
    RANK = "rank"


class Unjudged(StrEnum):
    """What unjudged documents are."""

    NONRELEVANT = "nonrelevant"
    REMOVE = "remove"


class Tool(StrEnum):
    """Tools whose conventions are known."""

    TREC_EVAL = "trec_eval"
    TREC_EVAL9 = "trec_eval9"
    GDEVAL = "gdeval"
    MSMARCO = "msmarco"
    BEIR = "beir"
    RANX = "ranx"


class PairedTests(StrEnum):
    """The paired tests; a test holds these names to those of `rankeval.stats`."""

    T = "t"
    RANDOMIZATION = "randomization"
    BOOTSTRAP = "bootstrap"
    BOOTSTRAP_T = "bootstrap-t"
    WILCOXON = "wilcoxon"
    SIGN = "sign"


class Corrections(StrEnum):
    """The corrections; a test holds these names to those of `rankeval.stats`."""

    HOLM = "holm"
    BONFERRONI = "bonferroni"
    BH = "bh"
    NONE = "none"


class Aggregates(StrEnum):
    """How the values of topics become one."""

    MEAN = "mean"
    GEOMETRIC = "geometric"
    SUM = "sum"
    MEDIAN = "median"


QrelsPath = Annotated[
    str,
    typer.Argument(
        metavar="QRELS",
        help="Relevance judgments: lines of topic, iteration, docno, grade, or another format.",
    ),
]
RunPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN",
        help="Rankings to score: lines of topic, Q0, docno, rank, score, tag, or another format.",
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="MEASURE",
        help='Measures, one or several: -m "nDCG@10 AP P@5". Repeatable. '
        "By default some that give a first impression.",
        rich_help_panel=MEASURES,
    ),
]
Plugins = Annotated[
    list[str] | None,
    typer.Option(
        "--plugin",
        metavar="FILE.py",
        help="A Python file that defines measures of your own; it is run. Repeatable.",
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
Aggregate = Annotated[
    Aggregates | None,
    typer.Option(
        "--aggregate",
        metavar="RULE",
        help=f"How the values of topics become one: {', '.join(Aggregates)}. By default each "
        "measure its own way: mean, or sum for counts.",
        rich_help_panel=MEASURES,
    ),
]
Weights = Annotated[
    str | None,
    typer.Option(
        "--weights",
        metavar="FILE",
        help="Weighted means: lines of topic and weight.",
        rich_help_panel=MEASURES,
    ),
]
Groups = Annotated[
    str | None,
    typer.Option(
        "--group",
        metavar="FILE",
        help="Values over groups of topics, too: lines of topic and group.",
        rich_help_panel=MEASURES,
    ),
]
GroupBy = Annotated[
    str | None,
    typer.Option(
        "--group-by",
        metavar="COLUMN",
        help="The column of --group's FILE, named in its first line, when it has several.",
        rich_help_panel=MEASURES,
    ),
]
Costs = Annotated[
    str | None,
    typer.Option(
        "--costs",
        metavar="FILE",
        help="What reading a document costs (TBG, UMeasure, IFT, out='EC'): lines of docno and "
        "cost. Without it each costs 1.",
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
        rich_help_panel=RANKINGS,
    ),
]
JudgedOnly = Annotated[
    bool,
    typer.Option(
        "--judged-only",
        "-J",
        help="Drop unjudged documents from the rankings first.",
        rich_help_panel=RANKINGS,
    ),
]
TiesRule = Annotated[
    Ties | None,
    typer.Option(
        "--ties",
        metavar="RULE",
        help="How equal scores are ordered: docno, descending, the default; input, as in the "
        "file; rank, by the rank column; best or worst, by grade; expected, the mean over all "
        "orders.",
        rich_help_panel=RANKINGS,
    ),
]
Bounds = Annotated[
    bool,
    typer.Option(
        "--bounds",
        help="Add the least and greatest value that judging the unjudged documents could lead to.",
        rich_help_panel=MEASURES,
    ),
]
OrderBy = Annotated[
    Order | None,
    typer.Option(
        "--order",
        metavar="COLUMN",
        help="Order documents by score, the default, or by rank, whatever the scores.",
        rich_help_panel=RANKINGS,
    ),
]
UnjudgedRule = Annotated[
    Unjudged | None,
    typer.Option(
        "--unjudged",
        metavar="RULE",
        help="Unjudged documents are nonrelevant, the default; or remove them first, as -J does.",
        rich_help_panel=RANKINGS,
    ),
]
Like = Annotated[
    Tool | None,
    typer.Option(
        "--like",
        metavar="TOOL",
        help=f"Another tool's conventions: {', '.join(Tool)}. Other options win over them.",
        rich_help_panel=MEASURES,
    ),
]
TopicsRule = Annotated[
    Topics | None,
    typer.Option(
        "--topics",
        metavar="RULE",
        help="judged, the default: every judged topic counts, and one that the run lacks "
        "scores 0. both: only judged topics that the run has.",
        rich_help_panel=RANKINGS,
    ),
]
Complete = Annotated[
    bool,
    typer.Option(
        "--complete",
        "-c",
        help="Count every judged topic: the default here, known from trec_eval.",
        rich_help_panel=RANKINGS,
    ),
]
RequireCoverage = Annotated[
    bool,
    typer.Option(
        "--require-coverage",
        help="A judged topic that a run lacks is an error.",
        rich_help_panel=RANKINGS,
    ),
]
SkipNoRelevant = Annotated[
    bool,
    typer.Option(
        "--skip-no-relevant",
        help="Leave out topics without a relevant document.",
        rich_help_panel=RANKINGS,
    ),
]
QrelsFormat = Annotated[
    str | None,
    typer.Option(
        "--qrels-format",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}. By default what the content says.",
        rich_help_panel=READING,
    ),
]
RunFormat = Annotated[
    str | None,
    typer.Option(
        "--run-format", metavar="FORMAT", help="The same for runs.", rich_help_panel=READING
    ),
]
ColumnNames = Annotated[
    str,
    typer.Option(
        "--columns",
        metavar="ROLE=NAME,...",
        help="Columns that are not called as usual: topic=id,docno=item,score=points.",
        rich_help_panel=READING,
    ),
]
OnError = Annotated[
    str,
    typer.Option(
        "--on-error",
        metavar="RULE",
        help="refuse, the default, a file with a wrong line; or skip such lines and count them.",
        rich_help_panel=READING,
    ),
]
DuplicatesRule = Annotated[
    str,
    typer.Option(
        "--duplicates",
        metavar="RULE",
        help="refuse, the default, a document that stands twice; or take the first, the last "
        "or the best of its lines.",
        rich_help_panel=READING,
    ),
]
CollapseRegex = Annotated[
    str | None,
    typer.Option(
        "--collapse",
        metavar="REGEX",
        help=r"Chunks count as their document: '#\d+$' is what their docnos have more, or a "
        "group is the document's.",
        rich_help_panel=RANKINGS,
    ),
]
CollapseSep = Annotated[
    str | None,
    typer.Option(
        "--collapse-sep",
        metavar="TEXT",
        help="The same: the docno of a chunk is cut at TEXT, such as '#'.",
        rich_help_panel=RANKINGS,
    ),
]
CollapseRule = Annotated[
    str,
    typer.Option(
        "--collapse-by",
        metavar="RULE",
        help="first, the default: the rank of the best chunk; max or sum of the scores.",
        rich_help_panel=RANKINGS,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        min=1,
        help="Threads to use; by default as many as there are processors.",
        rich_help_panel=OTHER,
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
        metavar="FORMAT",
        help=f"{', '.join(Format)}. By default table, or what the suffix of -o says.",
        rich_help_panel=OUTPUT,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to FILE, whole or not at all, in the format of its suffix.",
        rich_help_panel=OUTPUT,
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
        "--digits",
        metavar="N",
        min=0,
        max=17,
        help="Decimals, 4 by default. JSON has full precision.",
        rich_help_panel=OUTPUT,
    ),
]
NamesStyle = Annotated[
    Names,
    typer.Option(
        "--names",
        metavar="STYLE",
        help="canonical, the default: AP for map. as-given: measures in your words.",
        rich_help_panel=OUTPUT,
    ),
]
Signature = Annotated[
    bool,
    typer.Option(
        "--signature",
        help="Add the conventions behind each number.",
        rich_help_panel=OUTPUT,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", help="No warnings and no progress on stderr.", rich_help_panel=OTHER),
]
NoColor = Annotated[
    bool, typer.Option("--no-color", help="No colours in tables.", rich_help_panel=OUTPUT)
]
PairedTestName = Annotated[
    PairedTests | None,
    typer.Option(
        "--test",
        metavar="TEST",
        help=f"The paired test: {', '.join(PairedTests)}. By default t, Student's.",
        rich_help_panel=STATISTICS,
    ),
]
CorrectionName = Annotated[
    Corrections | None,
    typer.Option(
        "--correction",
        metavar="RULE",
        help=f"Of p-values, for testing several times: {', '.join(Corrections)}. By default holm.",
        rich_help_panel=STATISTICS,
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        metavar="RISK",
        help="Risk of finding a difference where there is none, 0.05 by default.",
        rich_help_panel=STATISTICS,
    ),
]
AtPower = Annotated[
    float | None,
    typer.Option(
        "--at-power",
        metavar="SHARE",
        help="Chance of finding a difference that is there, for planning: 0.8 by default.",
        rich_help_panel=STATISTICS,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Seed of what is drawn at random, 0 by default.",
        rich_help_panel=STATISTICS,
    ),
]


def refuse_overwriting(output: str | None, inputs: Iterable[str]) -> None:
    """Complain of an output that would take the place of what is read."""
    for path in inputs:
        with contextlib.suppress(OSError):
            if output and path != "-" and Path(output).is_file() and Path(output).samefile(path):
                raise UsageError(
                    "this input would be overwritten by the output",
                    place=path,
                    remedy="give the output another name",
                )
