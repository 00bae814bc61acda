"""Options for measures, plugins that define more of them, costs, and groups of topics."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any

import rankeval
from rankeval.cli.options.file_options import READ, RunFile
from rankeval.cli.options.panels import MEASURES, complete_measures
from rankeval.errors import UsageError


def option(help_: str) -> Any:
    """Return the option that names measures, with the help text of a command."""
    return MEASURES("--measure -m MEASURE", help_, autocompletion=complete_measures, common=True)


def by_default(measures: str) -> Any:
    """Return the option that names measures, with the words for what a command takes without it."""
    usage = '-m "nDCG@10 AP"; separated by spaces, repeatable'
    return option(f"Measures: {usage}. Default: {measures}.")


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
        "--plugin FILE.py",
        "Python file that defines measures; it is executed. Repeatable.",
    ),
    READ,
]


def load_plugins(paths: list[str] | None) -> None:
    """Run the files that define measures."""
    for path in paths or ():
        rankeval.load_plugin(path)


PARTS = {
    "costs": "lines of docno and cost, for TBG, UMeasure, IFT and out='EC'",
    "groups": "lines of topic and group, to add values by group",
    "weights": "lines of topic and weight, for means",
    "train": "lines of user and item, for MIUF, ARP and Serendipity",
    "seen": "as train, whose items are also dropped from the rankings first",
    "catalog": "a file of items or their number, for Coverage, Gini and Serendipity",
    "features": "a table with a column docno, for ILD",
}
"""What --with can name: the parts, and the files that hold them."""
OF_ITEMS = ("train", "seen", "catalog", "features")


COSTS: Mapping[str, str] = {"costs": PARTS["costs"]}
GROUPED: Mapping[str, str] = {**COSTS, "groups": PARTS["groups"]}
CLUSTERED: Mapping[str, str] = {
    **GROUPED,
    "clusters": "lines of topic and cluster, such as variants of a question: tests are over the "
    "means of clusters",
}


def _with(parts: Mapping[str, str]) -> Any:
    told = "; ".join(f"{part}: {what}" for part, what in parts.items())
    return MEASURES("--with PART=FILE", f"Add what some measures need. {told}. Repeatable.")


CostParts = Annotated[list[RunFile] | None, _with(COSTS)]
GroupedParts = Annotated[list[RunFile] | None, _with(GROUPED)]
ClusteredParts = Annotated[list[RunFile] | None, _with(CLUSTERED)]
AllParts = Annotated[list[RunFile] | None, _with(PARTS)]


def added(given: Iterable[RunFile] | None, parts: Collection[str] = COSTS) -> dict[str, Any]:
    """Return the parts of --with as arguments of `rankeval.evaluate`; UsageError for others."""
    found: dict[str, Any] = {}
    items: dict[str, Any] = {}
    for file in given or ():
        part = file.name or ""
        if part not in parts:
            raise UsageError(
                f"'{file.name or file.path}' is not a part that can be added",
                place="--with",
                expected=" or ".join(f"{part}=FILE" for part in parts),
            )
        keyword = "train" if part == "seen" else part
        fields = items if part in OF_ITEMS else found
        if keyword in fields:
            raise UsageError(f"{part} is given twice", place="--with", remedy="drop one of the two")
        fields[keyword] = file.path
        if part == "seen":
            items["exclude_seen"] = True
    if items:
        from rankeval.evaluation.prepared import Items  # likewise

        found["items"] = Items(**items)
    return found
