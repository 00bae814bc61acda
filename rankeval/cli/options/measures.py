"""What is computed: measures, plugins that define more, costs, and groups of topics."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

import rankeval
from rankeval.cli.options.files import READ
from rankeval.cli.options.panels import MEASURES
from rankeval.errors import UsageError
from rankeval.support.frozen import frozen

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.aggregation import GroupsLike


class Aggregates(StrEnum):
    """How the values of topics become one."""

    MEAN = "mean"
    GEOMETRIC = "geometric"
    SUM = "sum"
    MEDIAN = "median"


def option(help_: str) -> Any:
    """The option that names measures; what they are for is the command's."""
    return typer.Option("--measure", "-m", metavar="MEASURE", help=help_, rich_help_panel=MEASURES)


Measures = Annotated[
    list[str] | None,
    option(
        'Measures, one or several: -m "nDCG@10 AP P@5". Repeatable. By default some that give a '
        "first impression."
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
    READ,
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
    READ,
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
    READ,
]
Bounds = Annotated[
    bool,
    typer.Option(
        "--bounds",
        help="Add the least and greatest value that judging the unjudged documents could lead to.",
        rich_help_panel=MEASURES,
    ),
]


@frozen
class GroupOptions:
    """Groups of topics."""

    group: Annotated[
        str | None,
        typer.Option(
            "--group",
            metavar="FILE",
            help="Values over groups of topics, too: lines of topic and group.",
            rich_help_panel=MEASURES,
        ),
        READ,
    ] = None
    group_by: Annotated[
        str | None,
        typer.Option(
            "--group-by",
            metavar="COLUMN",
            help="The column of --group's FILE, named in its first line, when it has several.",
            rich_help_panel=MEASURES,
        ),
    ] = None

    def read(self) -> "GroupsLike | None":
        """The groups, None where none are asked for."""
        if self.group:
            return rankeval.read_groups(self.group, self.group_by)
        if self.group_by:
            raise UsageError(
                "--group-by needs the file that has the column", remedy="give it with --group FILE"
            )
        return None


def load_plugins(paths: list[str] | None) -> None:
    """Run the files that define measures."""
    for path in paths or ():
        rankeval.load_plugin(path)
