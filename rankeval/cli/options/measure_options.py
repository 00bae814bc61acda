"""Options for measures, plugins that define more of them, costs, and groups of topics."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import rankeval
from rankeval.base.frozen import frozen
from rankeval.choices import AggregateRule, listed
from rankeval.cli.options import completion_values as values
from rankeval.cli.options.file_options import READ
from rankeval.cli.options.panels import MEASURES, RECOMMENDERS
from rankeval.errors import UsageError

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.aggregation import GroupsLike


def option(help_: str) -> Any:
    """Return the option that names measures, with the help text of a command."""
    return MEASURES(
        "--measure", "-m", "MEASURE", help_, autocompletion=values.measures, common=True
    )


Measures = Annotated[
    list[str] | None,
    option(
        'Measures to compute: -m "nDCG@10 AP P@5"; separated by spaces, repeatable. '
        "Default: a set of common measures."
    ),
]
Plugins = Annotated[
    list[str] | None,
    MEASURES(
        "--plugin",
        "FILE.py",
        "Python file that defines measures or formats; it is executed. Repeatable.",
    ),
    READ,
]
Costs = Annotated[
    str | None,
    MEASURES(
        "--costs",
        "FILE",
        "Cost of reading each document, for TBG, UMeasure, IFT and out='EC': lines of "
        "docno and cost. Default: each document costs 1.",
    ),
    READ,
]
Aggregate = Annotated[
    AggregateRule | None,
    MEASURES(
        "--aggregate",
        "RULE",
        f"Aggregation over topics: {listed(AggregateRule)}. Default: each measure's own, "
        "which is the mean, or the sum for counts.",
    ),
]
Weights = Annotated[
    str | None,
    MEASURES("--weights", "FILE", "Topic weights for means: lines of topic and weight."),
    READ,
]
Bounds = Annotated[
    bool,
    MEASURES(
        "--bounds",
        "Add the lowest and highest value that judging the unjudged documents could give.",
    ),
]


@frozen
class GroupOptions:
    """Groups of topics."""

    group: Annotated[
        str | None,
        MEASURES("--group", "FILE", "Add values for groups of topics: lines of topic and group."),
        READ,
    ] = None
    group_by: Annotated[
        str | None,
        MEASURES(
            "--group-by",
            "COLUMN",
            "Column of --group's FILE that holds the group, as its header names it. Needed "
            "if FILE has several columns.",
        ),
    ] = None

    def read(self) -> "GroupsLike | None":
        """Read the groups; None if there is no --group."""
        if self.group:
            from rankeval.io.formats.named_values import read_groups  # --help needs no numpy

            return read_groups(self.group, self.group_by)
        if self.group_by:
            raise UsageError("--group-by needs a file of groups", remedy="add --group FILE")
        return None


def load_plugins(paths: list[str] | None) -> None:
    """Run the files that define measures or formats."""
    for path in paths or ():
        rankeval.load_plugin(path)


@frozen
class RecommenderOptions:
    """Training interactions, items that users have seen, the catalogue, and features of items."""

    train: Annotated[
        str | None,
        RECOMMENDERS(
            "--train",
            "FILE",
            "Users' training interactions with items, for MIUF, ARP and Serendipity: lines of "
            "user and item, or judgments in any format.",
        ),
        READ,
    ] = None
    exclude_seen: Annotated[
        bool,
        RECOMMENDERS(
            "--exclude-seen",
            "Drop from each topic's ranking what it has interactions with in --train, and "
            "close up the ranks, before anything else.",
        ),
    ] = False
    catalog: Annotated[
        str | None,
        RECOMMENDERS(
            "--catalog",
            "N|FILE",
            "Items that could be recommended, for Coverage, Gini and Serendipity: their "
            "number, or a file with one item a line.",
        ),
        READ,
    ] = None
    item_features: Annotated[
        str | None,
        RECOMMENDERS(
            "--item-features",
            "FILE.csv",
            "Features of items, for ILD: a column docno, and a column for each feature.",
        ),
        READ,
    ] = None

    def by_option(self) -> dict[str, object]:
        """Return the given values by the names of the options."""
        return {f"--{name.replace('_', '-')}": value for name, value in self.stated().items()}

    def stated(self) -> dict[str, Any]:
        """Return the options as arguments of `rankeval.evaluate`."""
        return asdict(self)
