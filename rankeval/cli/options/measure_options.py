"""Options for measures, plugins that define more of them, costs, and groups of topics."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

import rankeval
from rankeval.base.frozen import frozen
from rankeval.choices import AggregateRule, listed
from rankeval.cli.options import completion_values as values
from rankeval.cli.options.file_options import READ
from rankeval.cli.options.panels import MEASURES
from rankeval.errors import UsageError

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.aggregation import GroupsLike


def option(help_: str) -> Any:
    """Return the option that names measures, with the help text of a command."""
    return typer.Option(
        "--measure",
        "-m",
        metavar="MEASURE",
        help=help_,
        rich_help_panel=MEASURES,
        autocompletion=values.measures,
    )


Measures = Annotated[
    list[str] | None,
    option(
        'Measures to compute, separated by spaces: -m "nDCG@10 AP P@5". Repeatable. '
        "Default: a set of common measures."
    ),
]
Plugins = Annotated[
    list[str] | None,
    typer.Option(
        "--plugin",
        metavar="FILE.py",
        help="Python file that defines measures or formats; it is executed. Repeatable.",
        rich_help_panel=MEASURES,
    ),
    READ,
]
Costs = Annotated[
    str | None,
    typer.Option(
        "--costs",
        metavar="FILE",
        help="Cost of reading each document, for TBG, UMeasure, IFT and out='EC': lines of "
        "docno and cost. Default: each document costs 1.",
        rich_help_panel=MEASURES,
    ),
    READ,
]
Aggregate = Annotated[
    AggregateRule | None,
    typer.Option(
        "--aggregate",
        metavar="RULE",
        help=f"Aggregation over topics: {listed(AggregateRule)}. Default: each measure's own, "
        "which is the mean, or the sum for counts.",
        rich_help_panel=MEASURES,
    ),
]
Weights = Annotated[
    str | None,
    typer.Option(
        "--weights",
        metavar="FILE",
        help="Topic weights for means: lines of topic and weight.",
        rich_help_panel=MEASURES,
    ),
    READ,
]
Bounds = Annotated[
    bool,
    typer.Option(
        "--bounds",
        help="Add the lowest and highest value that judging the unjudged documents could give.",
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
            help="Add values for groups of topics: lines of topic and group.",
            rich_help_panel=MEASURES,
        ),
        READ,
    ] = None
    group_by: Annotated[
        str | None,
        typer.Option(
            "--group-by",
            metavar="COLUMN",
            help="Column of --group's FILE that holds the group, as its header names it. Needed "
            "if FILE has several columns.",
            rich_help_panel=MEASURES,
        ),
    ] = None

    def read(self) -> "GroupsLike | None":
        """Read the groups; None if there is no --group."""
        if self.group:
            return rankeval.read_groups(self.group, self.group_by)
        if self.group_by:
            raise UsageError("--group-by needs a file of groups", remedy="add --group FILE")
        return None


def load_plugins(paths: list[str] | None) -> None:
    """Run the files that define measures or formats."""
    for path in paths or ():
        rankeval.load_plugin(path)
