"""The record of a kind of plot, and the table of the kinds.

`rankeval plot`, its help and completion read the table, which names the module of each kind:
importing it takes neither numpy nor a plot. What draws a kind reads its record, which its module
registers.
"""

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from rankeval.base.frozen import frozen
from rankeval.choices import RunOrder
from rankeval.errors import UsageError

if TYPE_CHECKING:  # --help must not wait for numpy
    from matplotlib.axes import Axes
    from rich.text import Text

    from rankeval.evaluation.results import Results
    from rankeval.measures import Measure
    from rankeval.plots.fewer_runs import FewerRuns

USUAL = "nDCG@10"
SEVERAL = "AP nDCG@10 P@10 RR Rprec R@100 RBP(p=0.8) Bpref"
"""Measures whose agreement is drawn where none is named."""


class Offered(NamedTuple):
    """A kind for --help: a description, its module, and its measures if none is named."""

    words: str
    module: str
    measures: str = USUAL

    @property
    def draws_all(self) -> bool:
        """Return True if one picture draws all measures."""
        return " " in self.measures


OFFERED: dict[str, Offered] = {
    "pr": Offered("precision by recall", "rankeval.plots.line_kinds", "IPrec@0"),
    "prg": Offered("precision gain by recall gain", "rankeval.plots.line_kinds", "AUPRG"),
    "cutoff": Offered("a measure by cutoff", "rankeval.plots.line_kinds"),
    "forest": Offered("mean differences from the baseline", "rankeval.plots.row_kinds"),
    "topics": Offered("differences from the baseline by topic", "rankeval.plots.topics_plot"),
    "scatter": Offered("two runs, topic by topic", "rankeval.plots.scatter_plot"),
    "box": Offered("distributions over topics", "rankeval.plots.box_plot"),
    "ecdf": Offered("share of topics up to each value", "rankeval.plots.line_kinds"),
    "heatmap": Offered("all values", "rankeval.plots.heatmap_plot"),
    "ci": Offered("means with intervals", "rankeval.plots.row_kinds"),
    "ranks": Offered("mean ranks, with the critical difference", "rankeval.plots.row_kinds"),
    "pairs": Offered("p-values and topics won of all pairs", "rankeval.plots.square_kinds"),
    "slope": Offered(
        "ranks under two measures or judgments", "rankeval.plots.slope_plot", "nDCG@10 AP"
    ),
    "agreement": Offered(
        "Kendall's tau and tau-AP between measures", "rankeval.plots.square_kinds", SEVERAL
    ),
    "tradeoff": Offered("a measure against --run-costs", "rankeval.plots.tradeoff_plot"),
    "judged": Offered("share unjudged in the top k", "rankeval.plots.line_kinds", "Unjudged@1"),
}
"""The kinds of plots, in the order of --help."""

OF_OPTIONS: dict[str, Offered] = {
    "rank-intervals": Offered("ranks with intervals", "rankeval.plots.row_kinds"),
}
"""Kinds that an option of `rankeval plot` makes of another one."""

KNOWN: Mapping[str, Offered] = ChainMap(OFFERED, OF_OPTIONS)
"""All kinds that have a record."""

KINDS: Mapping[str, str] = {name: offered.measures for name, offered in OFFERED.items()}
"""The kinds of plots, and the measures that each draws where none is named."""


@frozen
class Choices:
    """Choices that some kinds depend on in addition to the results.

    ======== =======================================================================================
    baseline name of the run that others are compared with, by default the first
    alpha    risk: intervals have the level 1 - alpha, mean ranks the critical difference at alpha
    costs    cost of each run, by name or path
    cost     name of the cost
    against  name of other judgments, and the results of the same runs with them
    sort     order of the runs: value (of the first measure, the best first), name or given; None
             for the usual order of a kind
    top      number of the best runs that are drawn, with the baseline; None for all
    differences  True to draw differences from the baseline where a kind can draw values as well
    ======== =======================================================================================
    """

    baseline: str | None = None
    alpha: float = 0.05
    costs: Mapping[str, float] | None = None
    cost: str = "cost"
    against: "tuple[str, Results] | None" = None
    sort: RunOrder | None = None
    top: int | None = None
    differences: bool = False


CHOICES = Choices()


Row = dict[str, Any]
"""A line of the data of a plot: text, numbers, True and False under the names of columns."""


@frozen
class Screen:
    """The size of a drawing in characters, and True if it may use more than ASCII."""

    width: int = 80
    height: int = 24
    unicode: bool = True


@frozen
class Numbers:
    """The numbers of a picture as a table: a title, heads, and cells row by row."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def no_tables(_: object) -> Iterator[Numbers]:
    """Yield no table of a panel."""
    yield from ()


def only_part(panel: Any) -> Sequence[Any]:
    """Return the whole panel, which has one drawing."""
    return (panel,)


@frozen(eq=False)
class InReports:
    """A kind of plot in reports.

    ======== =======================================================================================
    place    place among the pictures of a report
    title    heading
    words    what the picture shows
    numbers  yields the tables of a panel; none where the tables of topics have its numbers
    runs     the fewest runs that it draws
    by_topic True if it draws a point for each topic and run
    ======== =======================================================================================
    """

    place: int
    title: str
    words: str
    numbers: Callable[[Any], Iterable[Numbers]] = no_tables
    runs: int = 1
    by_topic: bool = False


@frozen(eq=False)
class Drawing:
    """The drawing of one kind of data with matplotlib.

    ============ ===================================================================================
    draw         draws a part of the data on axes that take a share of the figure's width
    inches       returns the height of a panel of some width, without its title
    columns      panels side by side on a page, and in one column
    legend       returns the names of a legend below the panels; None for no legend
    markers      True if the legend has markers only, and no lines
    title        returns the title of one of some panels, of some width; None for no title
    names        returns the names of the axes of one of several panels, which are written once
                 where all have the same; None where each panel has its own
    least        width of the narrowest panel where there are too many for one page
    parts        returns the parts of a panel, each of which has axes of its own
    same_heights True if panels of one measure have the same limits
    fewer        the way to the best runs where not all have room; None if all must be drawn
    hollow       returns for each run whether its marker is hollow; None where all are filled
    ============ ===================================================================================
    """

    draw: Callable[[Any, "Axes", float], None]
    inches: Callable[[Any, float], float]
    columns: tuple[int, int] = (1, 1)
    legend: Callable[[Any], Sequence[str]] | None = None
    markers: bool = False
    title: Callable[[Any, float, int], str] | None = None
    names: Callable[[Any], tuple[str, str]] | None = None
    least: float = float("inf")
    parts: Callable[[Any], Sequence[Any]] = only_part
    same_heights: bool = False
    fewer: "FewerRuns | None" = None
    hollow: Callable[[Any], Sequence[bool]] | None = None


@frozen(eq=False)
class PlotKind:
    """A kind of plot: its data, and its drawing in pictures, terminals and reports.

    =========== ====================================================================================
    name        name on the command line
    data        returns the panels of some results; each has `rows()`, the numbers drawn
    drawing     drawing with matplotlib
    terminal    returns the lines of a panel on a screen of characters
    report      place in reports; None if they do not show it
    option      the option that only this kind uses, and perhaps another kind; "" for none
    sweep       returns the names of the measures at all places of a curve, for the measures asked
                and the cutoffs; None for a kind that draws the measures asked
    collections True if it can draw collections in the place of topics
    =========== ====================================================================================
    """

    name: str
    data: Callable[["Results", Choices], Iterable[Any]]
    drawing: Drawing
    terminal: Callable[[Any, Screen], list["Text"]]
    report: InReports | None
    option: str = ""
    sweep: Callable[[Sequence["Measure"], Sequence[int]], list[str]] | None = None
    collections: bool = False


REGISTERED: dict[str, PlotKind] = {}
"""The kinds of the modules that have been imported, by name."""
DRAWINGS: dict[str, Drawing] = {}
"""Their drawings."""


def register(kind: PlotKind) -> None:
    """Register a kind under its name, which OFFERED has too."""
    REGISTERED[kind.name], DRAWINGS[kind.name] = kind, kind.drawing


def plot_kind(name: str) -> PlotKind:
    """Return the record of a kind; UsageError for one that does not exist."""
    if name not in KNOWN:
        raise UsageError(f"there is no plot '{name}'", expected=f"one of {', '.join(OFFERED)}")
    import_module(KNOWN[name].module)
    return REGISTERED[name]


def plot_kinds() -> list[PlotKind]:
    """Return the records of all kinds."""
    return [plot_kind(name) for name in OFFERED]


def drawing_of(name: str) -> Drawing:
    """Return the drawing of a kind of plot."""
    import_module(KNOWN[name].module)
    return DRAWINGS[name]


def plot_data(kind: str, results: "Results", choices: Choices = CHOICES) -> tuple[Any, ...]:
    """Return the data of every panel of a plot: by measure, and by run where each has its own."""
    if choices.sort or choices.top:
        from rankeval.plots.selection import drawn_names, with_runs

        baseline, against = choices.baseline or results.runs[0].name, choices.against
        names = drawn_names(results, baseline, choices.sort, choices.top)
        results = with_runs(results, names)
        if against is not None:
            against = (against[0], with_runs(against[1], names))
        choices = replace(choices, baseline=baseline, against=against)
    return tuple(plot_kind(kind).data(results, choices))


def rows_of(panels: tuple[Any, ...]) -> Iterator[Row]:
    """Yield the numbers of all panels, row by row, with the same columns in each row.

    Curves of several measures have a column `measure` and a column `value`.
    """
    for panel in panels:
        for row in panel.rows():
            if len(panels) > 1 and "measure" not in row:
                *names, last = row
                yield {**{n: row[n] for n in names}, "measure": last, "value": row[last]}
            else:
                yield row
