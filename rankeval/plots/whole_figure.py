"""Figures: the panels of a plot on a page of the right size."""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from rankeval.base.frozen import frozen
from rankeval.base.progress import counted
from rankeval.base.wording import count, visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.fewer_runs import best_runs, names_of_runs, runs_of
from rankeval.plots.kinds import KNOWN, Choices, Drawing, drawing_of, plot_data, plot_kind
from rankeval.plots.look import (
    LETTER,
    LINE,
    MUTED,
    PAPERS,
    ROOMY,
    SIZES,
    TIGHT,
    USUAL_LOOK,
    Appearance,
    distinct,
    folded,
    identity,
    letters_of,
    lines_of_names,
    look,
    names_in,
    paper,
    require_matplotlib,
    sentence,
    width_of,
)
from rankeval.plots.selection import chosen_measure, with_measures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEGEND_LINE = 0.155
"""Height of a line of a legend, which has more space between its entries."""

PAGE_INCHES = 9.0
"""The height of the highest figure whose height is not given."""
SQUEEZED = 0.6
"""Share of its height to which a panel of curves shrinks to make room for a legend."""


def figure_size(size: str) -> tuple[float, float | None]:
    """Return width and height in inches of a name or WIDTHxHEIGHT; None is any height."""
    if size in SIZES:
        return SIZES[size]
    found = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", size)
    width, height = (float(found[1]), float(found[2])) if found else (0.0, 0.0)
    if not (1.0 <= width <= 100.0 and 1.0 <= height <= 100.0):
        raise UsageError(
            f"the size '{size}' is not possible",
            expected="column, page, slide, or inches from 1 to 100 such as 5x3.5",
        )
    return width, height


def figure(
    kind: str,
    panels: Sequence[Any],
    *,
    size: str = "page",
    appearance: Appearance = USUAL_LOOK,
) -> "Figure":
    """Draw the panels of a plot, as `plot_data` returns them, on one figure.

    `size` is `column` (3.33 inches, one column of a paper), `page` (6.75 inches, two columns),
    `slide` (10 x 5.63 inches) or WIDTHxHEIGHT in inches; the first two are as high as the data
    need, up to 9 inches. Where names have no room, they get one line, and then the best runs only
    are drawn; a line above the panels counts the rest. Raise UsageError for a size that cannot
    hold the picture, with the least that does, and if matplotlib is not installed.
    """
    require_matplotlib()
    width, height = figure_size(size)
    drawing = drawing_of(kind)
    parts = [part for panel in panels for part in drawing.parts(panel)]
    _require_runs(parts, appearance.highlight)
    with look(appearance=appearance):
        made, shown = _drawn(Page(drawing, parts, width, height, appearance))
        _describe(made, kind, shown, appearance.title)
        return made


@frozen(eq=False)
class Page:
    """A figure to be made.

    ========== =====================================================================================
    drawing    the drawing of its kind
    parts      what is drawn
    width      in inches
    height     in inches; None for what the parts need
    appearance colours, fonts, title
    rest       a line above the panels for the runs that are left out; "" for none
    panels     True if no panel may be left out
    ========== =====================================================================================
    """

    drawing: Drawing
    parts: Sequence[Any]
    width: float
    height: float | None
    appearance: Appearance
    rest: str = ""
    panels: bool = True

    @property
    def limit(self) -> float:
        """The height that all may take."""
        return self.height or PAGE_INCHES


FEWEST, FEWEST_IN_PANELS = 2, 5
"""Fewest of the best runs that are drawn, and in each of several panels that are all kept."""


def _drawn(page: Page) -> tuple["Figure", Sequence[Any]]:
    """Return a figure of all runs, or of the best that have room, and the parts that it shows."""
    for names in (ROOMY, TIGHT):
        with names_in(names):
            if _needed(page) <= page.limit:
                return _made(page)
    fewest = FEWEST_IN_PANELS if len(page.parts) > 1 else FEWEST
    some_panels = replace(page, panels=False)
    with names_in(TIGHT):
        some = _of_the_best(page, fewest)
        if some is None and _needed(some_panels) <= page.limit:
            some = some_panels
        some = some or _of_the_best(some_panels, FEWEST)
        if some is None:
            raise _no_room(page)
        return _made(some)


def _of_the_best(page: Page, fewest: int) -> Page | None:
    """Return the page with as many of the best runs as have room; None without room for some."""
    fewer, found = page.drawing.fewer, None
    fits, too_many = fewest - 1, len(runs_of(page.parts[0]))
    while fewer and too_many - fits > 1:
        middle = (fits + too_many) // 2
        parts, rest = best_runs(page.parts, fewer, middle, page.appearance.highlight)
        some = replace(page, parts=parts, rest=rest)
        if _needed(some) <= page.limit:
            found, fits = some, middle
        else:
            too_many = middle
    return found


def _no_room(page: Page) -> UsageError:
    """Return the error for a size without room, with the least height that has it."""
    some = page
    if page.drawing.fewer:
        parts, rest = best_runs(page.parts, page.drawing.fewer, FEWEST, page.appearance.highlight)
        some = replace(page, parts=parts, rest=rest)
    least = _needed(some)
    if least <= 100.0:
        remedy = f"--size {page.width:g}x{math.ceil(10 * least) / 10:g}"
    else:
        remedy = f"--top {max(2, len(names_of_runs(page.parts)) // 2)}, or a larger --size"
    return UsageError(
        f"the picture has no room in {page.width:g}x{page.limit:g} inches", remedy=remedy
    )


@frozen(eq=False)
class _Layout:
    """The inches of a figure: rows of panels side by side, the legend, and lines above."""

    columns: int
    rows: Sequence[float]
    entries: Sequence[str]
    legend_columns: int
    legend: float
    above: float
    shown: Sequence[Any]
    head: str


def _layout(page: Page) -> _Layout:
    drawing, parts, width = page.drawing, page.parts, page.width
    columns = _columns_of(drawing, parts, width, page.limit)
    rows = _heights(drawing, parts, columns, width)
    names = drawing.legend(parts[0]) if drawing.legend else ()
    entries, legend_columns, legend = _legend_layout(names, width)
    shown, head = _shown(page, rows, columns)
    above = HEAD_LINE * (head.count("\n") + 1) if head else 0.0
    rows = rows[: math.ceil(len(shown) / columns)]
    return _Layout(columns, rows, entries, legend_columns, legend, above, shown, head)


def _needed(page: Page) -> float:
    """Return the least height of a page, whose curves may be squeezed above a legend."""
    found = _layout(page)
    share = SQUEEZED if found.entries else 1.0
    return share * sum(found.rows) + found.legend + found.above


def _made(page: Page) -> tuple["Figure", Sequence[Any]]:
    """Draw a figure; return it and the parts that it shows."""
    drawing, found = page.drawing, _layout(page)
    height = page.height or min(sum(found.rows) + found.legend + found.above, PAGE_INCHES)
    made = _panels(page, found.shown, found.rows, found.columns, height)
    if found.entries:
        chosen, runs = page.appearance.highlight, runs_of(page.parts[0])
        muted = {i for i, name in enumerate(runs) if chosen and name not in chosen}
        hollow = drawing.hollow if len(page.parts) == 1 else None
        _legend(
            made,
            replace(drawing, hollow=hollow),
            page.parts[0],
            found.entries,
            muted,
            loc="outside lower center",
            ncols=found.legend_columns,
            columnspacing=1.2,
        )
    if found.head:
        made.suptitle(found.head, x=0.01, ha="left", fontsize=9)
    return made, found.shown


HEAD_LINE = 0.17
"""Height of a line above the panels."""


def _shown(page: Page, heights: Sequence[float], n_columns: int) -> tuple[Sequence[Any], str]:
    """Return the parts that have room, the first ones, and the lines above the panels.

    Panels may be left out if each is of a run, or the page says so; a line above counts them.
    """
    limit, parts = page.limit, page.parts
    head = _head(page, 0)
    room = limit - (HEAD_LINE * (head.count("\n") + 1) if head else 0.0)
    may_leave_out = page.drawing.names or not page.panels
    if len(parts) == 1 or not may_leave_out or sum(heights) <= room:
        return parts, head
    rows = max(1, sum(end + HEAD_LINE <= room for end in accumulate(heights)))
    some = parts[: rows * n_columns]
    return some, _head(page, len(parts) - len(some))


def _panels(
    page: Page, shown: Sequence[Any], heights: Sequence[float], n_columns: int, height: float
) -> "Figure":
    """Draw the panels of a figure, without a legend."""
    from matplotlib.figure import Figure

    drawing, width, n_panels = page.drawing, page.width, len(page.parts)
    made = Figure(figsize=(width, height), layout="constrained")
    grid = made.subplots(len(heights), n_columns, squeeze=False, height_ratios=heights)
    for i, ax in enumerate(counted(grid.flat, "panels", grid.size)):
        ax.set_visible(i < len(shown))
        if i < len(shown):
            drawing.draw(shown[i], ax, 1.0 / n_columns)
            _mute(ax, shown[i], page.appearance)
            if drawing.title and n_panels > 1:
                ax.set_title(drawing.title(shown[i], width / n_columns, n_panels), loc="left")
    if drawing.same_heights and len({part.measure for part in shown}) == 1:
        _share_heights(made.axes[: len(shown)])
    if drawing.names and n_panels > 1:
        _name_axes(made, [drawing.names(part) for part in shown], n_columns)
    return made


def _head(page: Page, left_out: int) -> str:
    """Return the lines above the panels: the title, and how many runs or panels are left out."""
    what = "more run" if page.drawing.names else "more panel"
    more = f"and {count(left_out, what)} without room here" if left_out else ""
    letters = letters_of(page.width, 0.8)
    lines = (page.appearance.title, page.appearance.note, page.rest, more)
    return "\n".join(sentence(line, letters) for line in lines if line)


def _require_runs(parts: Sequence[Any], highlight: Sequence[str]) -> None:
    """Raise UsageError for a run to highlight that is not drawn."""
    runs = names_of_runs(parts)
    for name in highlight:
        if name not in runs:
            raise UsageError(
                f"--highlight {visible(name)} is not among the runs",
                expected=f"one of {', '.join(map(visible, runs))}",
            )


OF_RUN = re.compile(r"(?:run|interval|box|outliers|seeds|hull)(\d+)")


def _mute(ax: "Axes", part: Any, appearance: Appearance) -> None:
    """Draw all runs but those to highlight in grey, and behind them."""
    if not appearance.highlight:
        return
    names, grey = runs_of(part), MUTED[appearance.style]
    for artist in ax.get_children():
        found = OF_RUN.fullmatch(artist.get_gid() or "")
        if found is None or names[int(found[1])] in appearance.highlight:
            continue
        artist.set_zorder(1)
        artist.set(**dict.fromkeys(_colours_of(artist), grey))
    for text in ax.get_yticklabels():
        muted = {folded(name, 10_000) for name in names if name not in appearance.highlight}
        if text.get_text().replace("\n", "") in muted:
            text.set_color(grey)


def _colours_of(artist: Any) -> Sequence[str]:
    """Return the colours of a line or a shape; a hollow marker stays hollow."""
    if not hasattr(artist, "get_markerfacecolor"):
        return ("facecolor", "edgecolor") if hasattr(artist, "set_facecolor") else ("color",)
    hollow = artist.get_markerfacecolor() in ("none", paper())
    return ("color", "markeredgecolor", *(() if hollow else ("markerfacecolor",)))


def _describe(made: "Figure", kind: str, parts: Sequence[Any], title: str) -> None:
    """Give a figure the title and the description that SVG has."""
    words = KNOWN[kind].words
    runs = names_of_runs(parts)
    measures = dict.fromkeys(getattr(part, "measure", "") for part in parts)
    of = ", ".join(filter(None, measures))
    described = f"{words}{f' ({of})' if of else ''} of {count(len(runs), 'run')}: {', '.join(runs)}"
    made.set_label(f"{title or f'rankeval plot {kind}'}\n{described}")


def _legend_layout(names: Sequence[str], width: float) -> tuple[list[str], int, float]:
    """Return the entries of a legend, its columns and its height in inches."""
    if not names:
        return [], 1, 0.0
    entries = distinct(names, letters_of(width, 0.8 if lines_of_names() > 1 else 0.4))
    longest = max(len(line) for entry in entries for line in entry.split("\n"))
    columns = max(1, min(len(entries), int(width / (longest * LETTER + 0.55))))
    per_column = math.ceil(len(entries) / columns)
    lines = max(
        sum(entry.count("\n") + 1 for entry in entries[i : i + per_column])
        for i in range(0, len(entries), per_column)
    )
    return entries, columns, LEGEND_LINE * lines + 0.25


def _legend(
    target: Any,
    drawing: Drawing,
    part: Any,
    entries: Sequence[str],
    muted: Collection[int] = (),
    **how: Any,
) -> None:
    """Draw a legend on a figure or on axes: runs as they are drawn, the `muted` ones in grey."""
    from matplotlib.lines import Line2D

    hollow = drawing.hollow(part) if drawing.hollow else [False] * len(entries)
    grey = MUTED["dark" if paper() == PAPERS["dark"] else "light"]
    handles = []
    for i, empty in enumerate(hollow):
        colour, dashes, marker = identity(i)
        colour = grey if i in muted else colour
        handles.append(
            Line2D(
                [],
                [],
                color=colour,
                linestyle="none" if drawing.markers else dashes,
                marker=marker,
                markersize=3.5,
                markerfacecolor="none" if empty else colour,
            )
        )
    # Names come later: matplotlib leaves those out that begin with an underscore.
    places = [str(i) for i in range(len(entries))]
    found = target.legend(handles, places, handlelength=2.8, **how)
    for text, entry in zip(found.get_texts(), entries, strict=True):
        text.set_text(entry)


def _columns_of(
    drawing: Drawing, parts: Sequence[Any], width: float, limit: float = PAGE_INCHES
) -> int:
    """Return the number of panels side by side: more where they would not fit a page."""
    columns = min(len(parts), drawing.columns[0 if width > 5.0 else 1])
    while (
        columns < len(parts)
        and width / (columns + 1) >= drawing.least
        and sum(_heights(drawing, parts, columns, width)) > limit
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
    x_labels = _labels_of(x_names, letters_of(float(width) / columns, 0.7))
    # A panel is at least half as high as it is wide.
    y_labels = _labels_of(y_names, letters_of(float(width) / columns, 0.45))
    for ax, x_name, y_name in zip(made.axes, x_names, y_names, strict=False):
        ax.set_xlabel("" if len(x_labels) == 1 else x_labels[x_name])
        ax.set_ylabel("" if len(y_labels) == 1 else y_labels[y_name])
    if len({*x_names}) == 1:
        made.supxlabel(folded(x_names[0], letters_of(float(width), 0.8)), fontsize=8)
    if len({*y_names}) == 1:
        made.supylabel(folded(y_names[0], letters_of(float(height), 0.8)), fontsize=8)


def _labels_of(names: Sequence[str], letters: int) -> dict[str, str]:
    """Return the labels of names, each once; those that shortening made equal have numbers."""
    each = list(dict.fromkeys(names))
    return dict(zip(each, distinct(each, letters), strict=True))


def _share_heights(axes: Sequence["Axes"]) -> None:
    """Give all axes the same vertical limits, wide enough for each of them."""
    lows, highs = zip(*(ax.get_ylim() for ax in axes), strict=True)
    for ax in axes:
        ax.set_ylim(min(lows), max(highs))


def _inches(drawing: Drawing, part: Any, width: float, n_panels: int) -> float:
    """Return the height of a panel of some width, with its title."""
    lines = drawing.title(part, width, n_panels).count("\n") + 1 if drawing.title else 0
    return drawing.inches(part, width) + LINE * 1.1 * lines


def draw(
    kind: str,
    results: Results,
    ax: "Axes | None" = None,
    *,
    measure: str | None = None,
    run: str | None = None,
    part: int = 0,
    **choices: Any,
) -> "Axes":
    """Draw the first panel of a kind of plot on axes, without `ax` on those of a new figure.

    `measure` is the one to draw, by default the first; of curves, its name without a cutoff. `run`
    chooses the panel of a run where each has one, and `part` one of the two tables of `pairs` and
    `agreement`. `choices` are fields of `Choices`, such as `baseline`, `alpha` or `costs`.
    UsageError where there is no such panel, and if matplotlib is not installed.
    """
    require_matplotlib()
    drawing = drawing_of(kind)
    if not (plot_kind(kind).sweep or KNOWN[kind].draws_all):
        results, measure = with_measures(results, [chosen_measure(results, measure)]), None
    panels = plot_data(kind, results, Choices(**choices))
    for name, value in (("measure", measure), ("run", run)):
        offered = [getattr(panel, name, "") for panel in panels]
        if value not in (None, *offered):
            raise UsageError(
                f"'{value}' is no {name} of a panel", expected=f"one of {', '.join(offered)}"
            )
        panels = tuple(p for p, n in zip(panels, offered, strict=True) if value in (None, n))
    data = drawing.parts(panels[0])[part]
    if ax is None:
        from matplotlib import pyplot as plt

        with look():
            width = SIZES["page"][0]
            size = (width, _inches(drawing, data, width, 1))
            made = plt.figure(figsize=size, layout="constrained").subplots()
            return _on_axes(drawing, data, made, 1.0)
    return _on_axes(drawing, data, ax, float(ax.get_position().width))


def _on_axes(drawing: Drawing, data: Any, ax: "Axes", share: float) -> "Axes":
    """Draw on axes that take a share of the figure's width, with a legend on them."""
    drawing.draw(data, ax, share)
    if drawing.legend:
        letters = letters_of(width_of(ax), 0.4)
        entries = [folded(name, letters) for name in drawing.legend(data)]
        _legend(ax, drawing, data, entries, loc="best")
    return ax
