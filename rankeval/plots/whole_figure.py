"""Figures: the panels of a plot on a page of the right size, and the files they are saved in."""

import io
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from rankeval.base.progress import counted
from rankeval.errors import UsageError
from rankeval.io.sources.atomic import atomic_bytes
from rankeval.plots.kinds import Drawing, drawing_of
from rankeval.plots.look import (
    LETTER,
    LINE,
    WIDTHS,
    folded,
    identity,
    letters_of,
    look,
    require_matplotlib,
    width_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
LEGEND_LINE = 0.155
"""Height of a line of a legend, which has more space between its entries."""

PAGE_INCHES = 9.5
"""Panels are drawn smaller in figures that would be higher."""


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
    drawing = drawing_of(kind)
    parts = [part for panel in panels for part in drawing.parts(panel)]
    n_columns = _columns_of(drawing, parts, width)
    heights = _heights(drawing, parts, n_columns, width)
    alone = len(parts) == 1
    names = drawing.legend(panels[0]) if drawing.legend else ()
    with look():
        entries, legend_columns, legend_inches = _legend_layout(names, width)
        made = Figure(
            figsize=(width, min(height or sum(heights) + legend_inches, 300.0)),
            layout="constrained",
        )
        grid = made.subplots(len(heights), n_columns, squeeze=False, height_ratios=heights)
        for i, ax in enumerate(counted(grid.flat, "panels", grid.size)):
            if i < len(parts):
                drawing.draw(parts[i], ax, 1.0 / n_columns)
                if drawing.title and not alone:
                    ax.set_title(drawing.title(parts[i], width / n_columns, len(parts)), loc="left")
            else:
                ax.set_visible(False)
        if drawing.same_heights and len({part.measure for part in parts}) == 1:
            _share_heights(made.axes[: len(parts)])
        if drawing.names and not alone:
            _name_axes(made, [drawing.names(part) for part in parts], n_columns)
        if entries:
            _legend(made, entries, legend_columns, markers=drawing.markers)
    return made


def save(made: "Figure", path: str, *, outlines: bool = True) -> bytes:
    """Return the bytes of a picture in the format that a path's suffix names.

    Fonts are embedded; a figure gives the same bytes every time, without a date. Letters of SVG are
    outlines, which need no font, or without `outlines` text, which needs DejaVu Sans.
    """
    suffix = suffix_of(path)
    metadata: Mapping[str, Any] = {
        ".svg": {"Date": None, "Creator": None},
        ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        ".png": {"Software": None},
    }[suffix]
    stream = io.BytesIO()
    with look({} if outlines else {"svg.fonttype": "none"}):
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


def _columns_of(drawing: Drawing, parts: Sequence[Any], width: float) -> int:
    """Return the number of panels side by side: more where they would not fit a page."""
    columns = min(len(parts), drawing.columns[0 if width > 5.0 else 1])
    while (
        columns < len(parts)
        and width / (columns + 1) >= drawing.least
        and sum(_heights(drawing, parts, columns, width)) > PAGE_INCHES
    ):
        columns += 1
    return columns


def _heights(drawing: Drawing, parts: Sequence[Any], columns: int, width: float) -> list[float]:
    """Return the heights of the rows of panels."""
    every = [_inches(drawing, part, width / columns, len(parts)) for part in parts]
    return [max(every[i : i + columns]) for i in range(0, len(every), columns)]


def _name_axes(made: "Figure", names: Sequence[tuple[str, str]], columns: int) -> None:
    """Name the axes of several panels, once where all have the same name."""
    width, height = made.get_size_inches()
    x_names, y_names = zip(*names, strict=True)
    one = letters_of(float(width) / columns, 0.7)
    for ax, x_name, y_name in zip(made.axes, x_names, y_names, strict=False):
        ax.set_xlabel("" if len({*x_names}) == 1 else folded(x_name, one))
        ax.set_ylabel("" if len({*y_names}) == 1 else folded(y_name, one))
    if len({*x_names}) == 1:
        made.supxlabel(folded(x_names[0], letters_of(float(width), 0.8)), fontsize=8)
    if len({*y_names}) == 1:
        made.supylabel(folded(y_names[0], letters_of(float(height), 0.8)), fontsize=8)


def _share_heights(axes: Sequence["Axes"]) -> None:
    """Give all axes the vertical limits that hold what any of them shows."""
    lows, highs = zip(*(ax.get_ylim() for ax in axes), strict=True)
    for ax in axes:
        ax.set_ylim(min(lows), max(highs))


def _inches(drawing: Drawing, part: Any, width: float, n_panels: int) -> float:
    """Return the height of a panel of some width, with its title."""
    lines = drawing.title(part, width, n_panels).count("\n") + 1 if drawing.title else 0
    return drawing.inches(part, width) + LINE * 1.1 * lines


def on_axes(kind: str, data: Any, ax: "Axes | None") -> "Axes":
    """Draw on the axes, or on those of a new figure."""
    require_matplotlib()
    drawing = drawing_of(kind)
    if ax is None:
        from matplotlib import pyplot as plt

        with look():
            width = WIDTHS["page"]
            size = (width, _inches(drawing, data, width, 1))
            made = plt.figure(figsize=size, layout="constrained").subplots()
            drawing.draw(data, made, 1.0)
            _legend_on(drawing, data, made)
            return made
    drawing.draw(data, ax, float(ax.get_position().width))
    _legend_on(drawing, data, ax)
    return ax


def _legend_on(drawing: Drawing, data: Any, ax: "Axes") -> None:
    if drawing.legend is None:
        return
    letters = letters_of(width_of(ax), 0.4)
    entries = [folded(name, letters) for name in drawing.legend(data)]
    legend = ax.legend(
        *legend_handles(len(entries), markers=drawing.markers), handlelength=2.8, loc="best"
    )
    name_entries(legend, entries)
