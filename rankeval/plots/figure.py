"""Figures: the panels of a plot on a page of the right size, and the files they are saved in."""

import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from rankeval.errors import UsageError
from rankeval.io.atomic import atomic_bytes
from rankeval.plots.draw_curves import draw_cutoff, draw_judged, draw_pr, draw_prg
from rankeval.plots.draw_runs import (
    draw_agreement,
    draw_box,
    draw_ci,
    draw_ranks,
    draw_tradeoff,
    ranks_inches,
)
from rankeval.plots.draw_topics import (
    draw_heatmap,
    draw_scatter,
    draw_topics,
    most_names,
    scatter_title,
    topic_names_inches,
    topics_title,
)
from rankeval.plots.look import (
    LETTER,
    LINE,
    WIDTHS,
    folded,
    identity,
    letters_of,
    look,
    named_rows,
    require_matplotlib,
)
from rankeval.support.frozen import frozen

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
AXIS_INCHES = 0.5
"""Height of the numbers and the name below a plot."""


LEGEND_LINE = 0.155
"""Height of a line of a legend, which has more space between its entries."""

MANY_PANELS = 9
"""More panels than these are drawn smaller."""


@frozen
class Drawing:
    """The drawing of one kind of data.

    ======= ========================================================================================
    draw    draws the data on axes that take a share of the figure's width
    inches  returns the height of a panel of some width
    columns panels side by side on a page, and in one column
    legend  returns the names of a legend below the panels; None for no legend
    markers True if the legend has markers only, and no lines
    ======= ========================================================================================
    """

    draw: Callable[[Any, "Axes", float], None]
    inches: Callable[[Any, float], float]
    columns: tuple[int, int] = (1, 1)
    legend: Callable[[Any], Sequence[str]] | None = None
    markers: bool = False


def figure_size(size: str) -> tuple[float, float | None]:
    """Return width and height in inches of `column`, `page` or WIDTHxHEIGHT; None is any height."""
    if size in WIDTHS:
        return WIDTHS[size], None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", size)
    width, height = (float(found[1]), float(found[2])) if found else (0.0, 0.0)
    if not (1.0 <= width <= 100.0 and 1.0 <= height <= 100.0):
        raise UsageError(
            f"the size '{size}' is not possible",
            expected="column, page, or inches from 1 to 100 such as 5x3.5",
        )
    return width, height


def figure(kind: str, panels: Sequence[Any], *, size: str = "page") -> "Figure":
    """Draw the panels of a plot, as `plot_data` returns them, on one figure.

    `size` is `column` (3.33 inches, one column of a paper), `page` (7 inches, two columns) or
    WIDTHxHEIGHT in inches; the first two are as high as the data need. Raise UsageError if
    matplotlib is not installed.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    width, height = figure_size(size)
    drawing = DRAWINGS[kind]
    parts: Sequence[Any] = panels
    if kind == "agreement":
        parts = [(panel, statistic) for panel in panels for statistic in ("tau", "tau_ap")]
    n_columns = _columns_of(drawing, len(parts), width)
    n_rows = math.ceil(len(parts) / n_columns)
    one = width / n_columns
    names = drawing.legend(panels[0]) if drawing.legend else ()
    with look():
        entries, legend_columns, legend_inches = _legend_layout(names, width)
        heights = [
            max(drawing.inches(part, one) for part in parts[i * n_columns : (i + 1) * n_columns])
            for i in range(n_rows)
        ]
        made = Figure(
            figsize=(width, min(height or sum(heights) + legend_inches, 300.0)),
            layout="constrained",
        )
        grid = made.subplots(n_rows, n_columns, squeeze=False, height_ratios=heights)
        for i, ax in enumerate(grid.flat):
            if i < len(parts):
                drawing.draw(parts[i], ax, 1.0 / n_columns)
            else:
                ax.set_visible(False)
        if kind == "topics" and len({part.measure for part in parts}) == 1:
            _share_heights(made.axes[: len(parts)])
        if kind == "scatter" and len(parts) > 1:
            _share_names(made, parts, width)
        if entries:
            _legend(made, entries, legend_columns, markers=drawing.markers)
    return made


def save(made: "Figure", path: str) -> bytes:
    """Return the bytes of a picture in the format that a path's suffix names.

    Fonts are embedded; a figure gives the same bytes every time, without a date.
    """
    suffix = suffix_of(path)
    metadata: Mapping[str, Any] = {
        ".svg": {"Date": None, "Creator": None},
        ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        ".png": {"Software": None},
    }[suffix]
    stream = io.BytesIO()
    with look():
        made.savefig(stream, format=suffix[1:], metadata=dict(metadata))
    return stream.getvalue()


def check_picture(path: str, size: str) -> None:
    """Raise UsageError if a picture cannot be drawn: its suffix, its size, or no matplotlib."""
    suffix_of(path)
    figure_size(size)
    require_matplotlib()


def write_picture(kind: str, panels: Sequence[Any], path: str, *, size: str = "page") -> None:
    """Write the panels of a plot as a PNG, SVG or PDF file, completely or not at all."""
    picture = save(figure(kind, panels, size=size), path)
    with atomic_bytes(path) as stream:
        stream.write(picture)


def suffix_of(path: str) -> str:
    """Return the suffix of a picture's path; UsageError if pictures are not written so."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in SUFFIXES:
        found = f"the suffix '{suffix}'" if suffix else "a name without a suffix"
        raise UsageError(
            f"{found} does not tell the format of a picture",
            place=path,
            expected=f"one of {' '.join(SUFFIXES)}",
            remedy="change the suffix, or write numbers with --data",
        )
    return suffix


def _legend_layout(names: Sequence[str], width: float) -> tuple[list[str], int, float]:
    """Return the entries of a legend, its columns and its height in inches."""
    if not names:
        return [], 1, 0.0
    entries = [folded(name, letters_of(width, 0.8)) for name in names]
    longest = max(len(line) for entry in entries for line in entry.split("\n"))
    columns = max(1, min(len(entries), int(width / (longest * LETTER + 0.55))))
    per_column = math.ceil(len(entries) / columns)
    lines = max(
        sum(entry.count("\n") + 1 for entry in entries[i : i + per_column])
        for i in range(0, len(entries), per_column)
    )
    return entries, columns, LEGEND_LINE * lines + 0.25


def _legend(made: "Figure", entries: Sequence[str], columns: int, *, markers: bool) -> None:
    """Draw a legend below the panels."""
    found = made.legend(
        *legend_handles(len(entries), markers=markers),
        loc="outside lower center",
        ncols=columns,
        handlelength=2.8,
        columnspacing=1.2,
    )
    name_entries(found, entries)


def legend_handles(size: int, *, markers: bool) -> tuple[list[Any], list[str]]:
    """Return the lines of a legend, and numbers in place of the names."""
    from matplotlib.lines import Line2D

    handles = []
    for i in range(size):
        colour, dashes, marker = identity(i)
        line = "none" if markers else dashes
        handles.append(Line2D([], [], color=colour, linestyle=line, marker=marker, markersize=3.5))
    return handles, [str(i) for i in range(size)]


def name_entries(legend: Any, entries: Sequence[str]) -> None:
    """Give the entries of a legend their names, which may begin with an underscore."""
    for text, entry in zip(legend.get_texts(), entries, strict=True):
        text.set_text(entry)


def _columns_of(drawing: Drawing, n_parts: int, width: float) -> int:
    """Return the number of panels side by side: one more on a page of many panels."""
    if width <= 5.0:
        return min(n_parts, drawing.columns[1])
    return min(n_parts, drawing.columns[0] + (n_parts > MANY_PANELS))


def _share_names(made: "Figure", parts: Sequence[Any], width: float) -> None:
    """Name the axes of all panels once."""
    for ax in made.axes:
        ax.set_xlabel("")
        ax.set_ylabel("")
    measures = {part.measure for part in parts}
    measure = measures.pop() if len(measures) == 1 else "value"
    letters = letters_of(width, 0.7)
    made.supxlabel(folded(f"{measure} of {parts[0].baseline}", letters), fontsize=8)
    made.supylabel(folded(f"{measure} of the run above", letters), fontsize=8)


def _share_heights(axes: Sequence["Axes"]) -> None:
    """Give all axes the vertical limits that hold what any of them shows."""
    lows, highs = zip(*(ax.get_ylim() for ax in axes), strict=True)
    for ax in axes:
        ax.set_ylim(min(lows), max(highs))


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
    lines = topics_title(data, width).count("\n") + 1
    names = topic_names_inches(data.topics, most_names(width))
    return max(1.5, 0.35 * width) + LINE * 1.1 * lines + names


def _scatter_inches(data: Any, width: float) -> float:
    return width + 0.25 + LINE * 1.1 * (scatter_title(data, width).count("\n") + 1)


DRAWINGS: Mapping[str, Drawing] = {
    "pr": Drawing(_simple(draw_pr), _curve_inches, legend=_runs_of),
    "prg": Drawing(_simple(draw_prg), lambda _, width: min(0.75 * width, 4.5), legend=_runs_of),
    "cutoff": Drawing(_simple(draw_cutoff), _curve_inches, (2, 1), legend=_runs_of),
    "topics": Drawing(
        lambda data, ax, share: draw_topics(data, ax, share=share), _topics_inches, (2, 1)
    ),
    "scatter": Drawing(
        lambda data, ax, share: draw_scatter(data, ax, share=share),
        _scatter_inches,
        (3, 2),
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
        _simple(draw_tradeoff), _curve_inches, (2, 1), legend=_runs_of, markers=True
    ),
    "judged": Drawing(_simple(draw_judged), _curve_inches, legend=_runs_of),
}
"""The drawings by kind."""
