"""The table of the kinds of plots, and the choices that kinds read.

`rankeval plot`, its help and completion read the table without numpy. The function of a kind lies
in the module that its record names, under the kind's name: it takes results, a measure and choices,
and returns a form, or several. The first run is the baseline. `Form` is the base of all forms: what
figures, terminals, files and reports ask of one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from rankeval.base.frozen import field, frozen, replace
from rankeval.base.wording import finite, number
from rankeval.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.text import Text

USUAL = "nDCG@10"
SEVERAL = "AP nDCG@10 P@10 RR Rprec R@100 RBP(p=0.8) Bpref"
"""Measures whose agreement is drawn where none is named."""


class Kind(NamedTuple):
    """The record of a kind of plot.

    =========== ====================================================================================
    words       what it draws, for --help and the gallery
    module      where its function lies
    measures    those that it draws if none is named
    over        of a curve, the parameter whose places are drawn: "recall", "level" or "cutoff"
    together    True if one call draws all measures, and the function gets "" for the measure
    option      the option that only some kinds use
    =========== ====================================================================================
    """

    words: str
    module: str
    measures: str = USUAL
    over: str = ""
    together: bool = False
    option: str = ""


ROWS, LINES, CELLS, VERSUS, SLOPE = (
    f"rankeval.plots.{module}" for module in ("rows", "lines", "cells", "versus", "slope")
)
KINDS: dict[str, Kind] = {
    "pr": Kind("precision by recall", LINES, "IPrec@0", over="recall"),
    "prg": Kind("precision gain by recall gain", LINES, "AUPRG PRG@0", over="level"),
    "cutoff": Kind("a measure by cutoff", LINES, over="cutoff"),
    "forest": Kind("mean differences from the baseline", ROWS, together=True, option="--alpha"),
    "topics": Kind("differences from the baseline by topic", VERSUS),
    "scatter": Kind("two runs, topic by topic", VERSUS),
    "box": Kind("distributions over topics", ROWS),
    "ecdf": Kind("share of topics up to each value", LINES),
    "heatmap": Kind("all values", CELLS),
    "ci": Kind("means with intervals", ROWS, option="--alpha"),
    "ranks": Kind("mean ranks, with the critical difference", ROWS, option="--alpha"),
    "pairs": Kind("p-values and topics won of all pairs", CELLS, together=True, option="--alpha"),
    "slope": Kind("ranks under two measures or more", SLOPE, "nDCG@10 AP", together=True),
    "agreement": Kind("Kendall's tau and tau-AP between measures", CELLS, SEVERAL, together=True),
    "tradeoff": Kind("a measure against --run-costs", VERSUS, option="--run-costs"),
    "judged": Kind("share unjudged in the top k", LINES, "Unjudged@1 NumRet@1", over="cutoff"),
}
"""The kinds of plots, in the order of --help."""


@frozen
class Choices:
    """Choices that some kinds depend on in addition to the results.

    ======== =======================================================================================
    alpha    risk: intervals have the level 1 - alpha, mean ranks the critical difference at alpha
    costs    cost of each run, by name or path; none if that is not known
    cost     name of the cost
    ======== =======================================================================================
    """

    alpha: float = 0.05
    costs: Mapping[str, float] = field(default_factory=dict)
    cost: str = "cost"


CHOICES = Choices()


def kind_named(name: str) -> Kind:
    """Return the record of a kind; UsageError for one that does not exist."""
    if name not in KINDS:
        raise UsageError(f"there is no plot '{name}'", expected=f"one of {', '.join(KINDS)}")
    return KINDS[name]


Row = dict[str, Any]
"""A record of a plot: text, numbers, True and False under the names of columns."""

AXIS_INCHES = 0.55
"""Height of the numbers and the name below a plot."""

MOST_IN_TABLE = 200
"""The most records that a report shows as a table below a picture."""


@frozen
class Screen:
    """The size of a drawing in characters, and True if it may use more than ASCII."""

    width: int = 80
    height: int = 24
    unicode: bool = True


class Numbers(NamedTuple):
    """The numbers of a picture as a table: heads, and cells row by row."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Form:
    """A panel: one measure, in the way that a form draws it.

    `measure` is a canonical name, "" for several. `of_runs` has what is drawn of each run, by name,
    in the order of the drawing. Figures read how much room a panel needs:

    ============ ===================================================================================
    most         the most runs that it draws
    row          inches that each run takes; 0 for curves, whose height does not depend on runs
    narrowest    inches of a panel that has others beside it
    flattest     inches of the lowest curves; infinity for what keeps its height
    legend       True if runs are named in a legend
    joined       True if the marks of a run are on a line
    same_heights True if panels of one measure have the same limits
    group        name of the groups in SVG, each of which draws a record; "" for none
    ============ ===================================================================================
    """

    most, row, narrowest, flattest = 40, 0.2, 5.0, 1.2
    legend = same_heights = False
    joined, group = True, "run"
    measure: str
    of_runs: Mapping[str, Any]

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs, in the order in which they are drawn."""
        return tuple(self.of_runs)

    @property
    def records(self) -> Iterable[Row]:
        """The numbers drawn, for programs, for titles on hover and for tables: one of each run."""
        return (of.numbers for of in self.of_runs.values())

    def fixed(self, width: float) -> float:
        """Return the inches that a panel needs besides its rows: of a curve, all."""
        return AXIS_INCHES if self.row else min(3.6, max(1.9, 0.5 * width))

    def height(self, width: float) -> float:
        """Return the inches of the whole panel."""
        return self.fixed(width) + self.row * len(self.runs)

    def fits(self, width: float) -> int:  # noqa: ARG002
        """Return the number of runs that a width has room for."""
        return self.most

    def only(self, runs: Sequence[str]) -> Self:
        """Return the panel with some runs in this order; what all runs gave stays as it is."""
        some = {name: self.of_runs[name] for name in runs if name in self.of_runs}
        return replace(self, of_runs=some)  # type: ignore[type-var]

    def ends_apart(self, inches: float) -> bool:  # noqa: ARG002
        """Return True if lines end so far apart that they can be named there, not in a legend."""
        return False

    def name_ends(self, axes: "Axes", inches: float) -> None:
        """Name each line at its end."""
        raise NotImplementedError

    def draw(self, axes: "Axes", width: float) -> None:
        """Draw the panel on axes, which have `width` inches with their names."""
        raise NotImplementedError

    def in_terminal(self, screen: Screen) -> "list[Text]":
        """Return the lines of the panel on a screen of characters."""
        raise NotImplementedError

    def titles(self) -> Iterator[tuple[str, str]]:
        """Yield the groups that draw records, as `run0`, and the words that they show on hover."""
        for i, record in enumerate(self.records if self.group else ()):
            yield f"{self.group}{i}", in_words(record)

    def table(self) -> Numbers | None:
        """Return the numbers as a table for people; None if there are too many."""
        records = [{k: v for k, v in row.items() if k != "measure"} for row in self.records]
        if not 0 < len(records) <= MOST_IN_TABLE:
            return None
        heads = (name.replace("_", " ").capitalize() for name in records[0])
        return Numbers(tuple(heads), tuple(tuple(map(cell, row.values())) for row in records))


def in_words(record: Mapping[str, Any]) -> str:
    """Return a record in one line."""
    names = ("run", "topic")
    head = " ".join(str(record[name]) for name in names if name in record)
    return f"{head}: " + ", ".join(
        f"{name.replace('_', ' ')} {cell(value)}"
        for name, value in record.items()
        if name not in names and not isinstance(value, str)
    )


def cell(value: Any) -> str:
    """Return a value as tables of pictures have it: numbers with four decimals."""
    if value is None or isinstance(value, float):
        return number(None if value is None else finite(value), 4)
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
