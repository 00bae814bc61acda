"""The drawings of each kind of plot: how they are drawn, how large, and how many side by side."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankeval.base.frozen import frozen
from rankeval.plots.draw_curves import draw_cutoff, draw_judged, draw_pr, draw_prg
from rankeval.plots.draw_nights import draw_nights, nights_inches, nights_title
from rankeval.plots.draw_runs import (
    draw_agreement,
    draw_box,
    draw_ci,
    draw_ranks,
    draw_tradeoff,
    ranks_inches,
    tradeoff_entries,
)
from rankeval.plots.draw_topics import (
    draw_heatmap,
    draw_scatter,
    draw_topics,
    most_names,
    scatter_names,
    scatter_title,
    topic_names_inches,
    topics_names,
    topics_title,
)
from rankeval.plots.look import LINE, letters_of, named_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXIS_INCHES = 0.5
"""Height of the numbers and the name below a plot."""


@frozen
class Drawing:
    """The drawing of one kind of data.

    ======= ========================================================================================
    draw    draws the data on axes that take a share of the figure's width
    inches  returns the height of a panel of some width, without its title
    columns panels side by side on a page, and in one column
    legend  returns the names of a legend below the panels; None for no legend
    markers True if the legend has markers only, and no lines
    title   returns the title of a panel of some width, which may be alone; None for no title
    names   returns the names of the axes of one of several panels, which are written once where
            all have the same; None where each panel has its own
    least   width of the narrowest panel where there are too many for one page
    ======= ========================================================================================
    """

    draw: Callable[[Any, "Axes", float], None]
    inches: Callable[[Any, float], float]
    columns: tuple[int, int] = (1, 1)
    legend: Callable[[Any], Sequence[str]] | None = None
    markers: bool = False
    title: Callable[[Any, float, bool], str] | None = None
    names: Callable[[Any], tuple[str, str]] | None = None
    least: float = float("inf")

    def panel_inches(self, data: Any, width: float, *, alone: bool) -> float:
        """Return the height of a panel of some width, with its title."""
        lines = self.title(data, width, alone).count("\n") + 1 if self.title else 0
        return self.inches(data, width) + LINE * 1.1 * lines


def _simple(draw: Callable[[Any, "Axes"], None]) -> Callable[[Any, "Axes", float], None]:
    return lambda data, ax, _: draw(data, ax)


def _draw_agreement(part: Any, ax: "Axes", share: float) -> None:
    draw_agreement(part[0], ax, statistic=part[1], share=share)


def _rows_inches(names: Sequence[str], width: float, share: float) -> float:
    return named_rows(names, letters_of(width, share)).inches + AXIS_INCHES + 0.1


def _agreement_inches(part: Any, width: float) -> float:
    names = named_rows(part[0].measures, letters_of(width, 0.3), padding=0.8)
    return max(names.inches, 0.65 * width) + 0.3 * width


def _runs_of(data: Any) -> Sequence[str]:
    found: Sequence[str] = data.runs
    return found


def _curve_inches(_: Any, width: float) -> float:
    return max(2.2, 0.5 * width)


def _topics_inches(data: Any, width: float) -> float:
    names = topic_names_inches(data.topics, most_names(width))
    return max(1.1, min(1.5, 0.6 * width), 0.35 * width) + names


def _scatter_inches(_: Any, width: float) -> float:
    return 0.9 * width + 0.25


DRAWINGS: Mapping[str, Drawing] = {
    "pr": Drawing(_simple(draw_pr), _curve_inches, legend=_runs_of),
    "prg": Drawing(_simple(draw_prg), lambda _, width: min(0.75 * width, 4.5), legend=_runs_of),
    "cutoff": Drawing(_simple(draw_cutoff), _curve_inches, (2, 1), legend=_runs_of),
    "topics": Drawing(
        lambda data, ax, share: draw_topics(data, ax, share=share),
        _topics_inches,
        (2, 1),
        title=lambda data, width, alone: topics_title(data, width, alone=alone),
        names=topics_names,
        least=1.4,
    ),
    "scatter": Drawing(
        lambda data, ax, share: draw_scatter(data, ax, share=share),
        _scatter_inches,
        (3, 2),
        title=lambda data, width, _: scatter_title(data, width),
        names=scatter_names,
        least=1.15,
    ),
    "box": Drawing(
        _simple(draw_box),
        lambda data, width: _rows_inches([box.run for box in data.boxes], width, 0.35),
    ),
    "heatmap": Drawing(
        lambda data, ax, share: draw_heatmap(data, ax, share=share),
        lambda data, width: (
            _rows_inches(data.runs, width, 0.3)
            + 0.3
            + topic_names_inches(data.topics, most_names(0.6 * width))
        ),
    ),
    "ci": Drawing(_simple(draw_ci), lambda data, width: _rows_inches(data.runs, width, 0.35)),
    "ranks": Drawing(_simple(draw_ranks), ranks_inches),
    "agreement": Drawing(_draw_agreement, _agreement_inches, (2, 1)),
    "tradeoff": Drawing(
        lambda data, ax, share: draw_tradeoff(data, ax, share=share),
        _curve_inches,
        (2, 1),
        legend=tradeoff_entries,
        markers=True,
    ),
    "judged": Drawing(_simple(draw_judged), _curve_inches, legend=_runs_of),
    "trend": Drawing(
        lambda data, ax, share: draw_nights(data, ax, share=share),
        lambda _, width: nights_inches(width),
        (2, 1),
        legend=_runs_of,
        title=lambda data, width, _: nights_title(data, width),
        least=1.7,
    ),
}
"""The drawings by kind: those of `plot`, and that of `trend`."""
