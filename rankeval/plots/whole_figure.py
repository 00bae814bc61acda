"""Figures: the panels of a plot on a page of the right size."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, product
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.progress import counted
from rankeval.base.wording import count, visible
from rankeval.errors import UsageError
from rankeval.plots.faults import layout_of
from rankeval.plots.fewer_runs import best_runs, names_of_runs, runs_of
from rankeval.plots.kinds import KNOWN, Drawing, drawing_of
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
    NameLines,
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
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEGEND_LINE = 0.155
"""Height of a line of a legend, which has more space between its entries."""

PAGE_INCHES = 9.0
"""The height of the highest figure whose height is not given."""
SQUEEZED = 0.6
"""Share of its height to which a panel of curves shrinks to make room for a legend."""
GROWN = (1.0, 1.2, 1.5, 2.0)
"""Times a figure's usual height that are tried where its texts have no room."""


MOST_LAYOUTS = 6
"""Layouts that are tried where a figure has another one each time."""
SPARE = 0.1
"""Points between texts, since the layout differs a little each time that it is made."""


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
    need, up to 9 inches. Texts neither overlap nor are cut: names get fewer lines and lose their
    middle where they have no room. Raise UsageError for a size that cannot hold the picture, with
    the least that does, and if matplotlib is not installed.
    """
    require_matplotlib()
    width, height = figure_size(size)
    drawing = drawing_of(kind)
    parts = [part for panel in panels for part in drawing.parts(panel)]
    _require_runs(parts, appearance.highlight)
    with look(appearance=appearance):
        page = Page(drawing, parts, width, height, appearance)
        made = _fitting(page, named=size in SIZES)
        _settle(made)
        _describe(made, kind, DRAWN[made], appearance.title)
        return made


def _settle(made: "Figure") -> None:
    """Keep a layout without faults of a figure that is laid out otherwise each time.

    The ticks that have room depend on the layout, and the layout on the ticks.
    """
    before = _places(made)
    if not layout_of(made, spare=SPARE).faults and np.allclose(before, _places(made), atol=0.003):
        return
    for _ in range(MOST_LAYOUTS):
        if not layout_of(made, spare=SPARE).faults:
            made.set_layout_engine("none")
            return


def _places(made: "Figure") -> Floats:
    return np.array([ax.get_position().extents for ax in made.axes])


@frozen(eq=False)
class Page:
    """A figure to be made.

    =========== ====================================================================================
    drawing     the drawing of its kind
    parts       what is drawn
    width       in inches
    height      in inches; None for what the parts need
    appearance  colours, fonts, title
    every_panel True if none may be left out
    rest        a line above the panels for the runs that are left out; "" for none
    =========== ====================================================================================
    """

    drawing: Drawing
    parts: Sequence[Any]
    width: float
    height: float | None
    appearance: Appearance
    every_panel: bool = False
    rest: str = ""


DRAWN: "WeakKeyDictionary[Figure, Sequence[Any]]" = WeakKeyDictionary()
"""The parts of figures; if there is no room for all runs, they have the best ones."""

FEWEST, FEWEST_IN_PANELS = 2, 5
"""Fewest of the best runs that are drawn; and in each of several panels, none of which is left out.
"""


def _fitting(page: Page, *, named: bool) -> "Figure":
    """Return a figure of all runs, or of the best that fit; UsageError if it cannot be drawn.

    Some are left out of a size that has a name, and of widths at which 9 inches do not hold all.
    """
    ways = [(page, FEWEST)]
    if page.drawing.fewer and len(page.parts) > 1:
        ways.insert(0, (replace(page, every_panel=True), FEWEST_IN_PANELS))
    may_leave_out = None
    for some, fewest in ways:
        made = _without_faults(some)
        if made is None and may_leave_out is None:
            may_leave_out = page.drawing.fewer and (named or not _holds_all(page))
        if made is None and may_leave_out:
            made = _of_the_best(some, fewest)
        if made is not None:
            return made
    raise _no_room(page)


def _holds_all(page: Page) -> bool:
    """Return True if 9 inches of height hold all runs at this width."""
    return _of_all(replace(page, height=None)) is not None


def _of_all(page: Page) -> "Figure | None":
    """Return a figure of all runs, with names in one line."""
    return _without_faults(page, (TIGHT,))


def _of_the_best(page: Page, fewest: int) -> "Figure | None":
    """Return a figure of as many of the best runs as fit, but no fewer than the fewest."""
    made, fewer = None, page.drawing.fewer
    fits, too_many = fewest - 1, len(runs_of(page.parts[0]))
    while fewer and too_many - fits > 1:
        middle = (fits + too_many) // 2
        parts, rest = best_runs(page.parts, fewer, middle, page.appearance.highlight)
        found = _without_faults(replace(page, parts=parts, rest=rest), (TIGHT,))
        if found is None:
            too_many = middle
        else:
            made, fits = found, middle
    return made


def _without_faults(page: Page, ways: Sequence[NameLines] = (ROOMY, TIGHT)) -> "Figure | None":
    """Return a figure without a fault, with the roomiest names that it can have; None for none."""
    for names in ways:
        with names_in(names):
            for ends in (True, False) if page.drawing.names_in_panels else (False,):
                for times in GROWN if page.height is None else (1.0,):
                    made = _made(page, times, at_ends=ends)
                    if made is None:
                        break
                    if not layout_of(made, spare=SPARE).faults:
                        return made
                    if ends:  # a legend takes less room than a higher panel
                        break
    return None


def _no_room(page: Page) -> UsageError:
    """Return the error for a size without room, with the least height that has it, or a width."""
    runs = names_of_runs(page.parts)
    if page.height is not None:
        some = partial(_of_the_best, fewest=FEWEST)
        ways: tuple[Callable[[Page], Figure | None], ...] = (_of_all, some)
        for width, draw in product((page.width, page.width * 1.5, page.width * 2.5), ways):
            free = draw(replace(page, width=width, height=None))
            if free is not None:
                least = _least_height(replace(page, width=width), float(free.get_figheight()), draw)
                return UsageError(
                    f"the picture has no room in {page.width:g}x{page.height:g} inches",
                    remedy=f"size='{math.ceil(width * 100) / 100:g}x{least:g}'",
                )
    return UsageError(
        f"the picture of {len(runs)} runs has no room in {page.width:g} inches of width and "
        f"{page.height or PAGE_INCHES:g} of height",
        remedy=f"top={max(2, len(runs) // 2)}, or a larger size=",
    )


def _least_height(page: Page, enough: float, draw: "Callable[[Page], Figure | None]") -> float:
    """Return the least height in tenths of inches that `draw` fills, below one that is enough."""
    low, high = int(10 * (page.height or 1.0)), math.ceil(10 * enough)
    while high - low > 1:
        middle = (low + high) // 2
        if draw(replace(page, height=middle / 10)) is not None:
            high = middle
        else:
            low = middle
    return high / 10


def _made(page: Page, times: float, *, at_ends: bool) -> "Figure | None":
    """Draw a figure; None if it is higher than a page, or names have no place at ends of curves."""
    drawing, parts, width = page.drawing, page.parts, page.width
    if at_ends and len(parts) > 1:
        return None
    limit = page.height or PAGE_INCHES
    n_columns = _columns_of(drawing, parts, width, limit)
    heights = _heights(drawing, parts, n_columns, width)
    names = () if at_ends or not drawing.legend else drawing.legend(parts[0])
    entries, legend_columns, legend_inches = _legend_layout(names, width)
    shown, head = _shown(page, heights, n_columns)
    heights = heights[: math.ceil(len(shown) / n_columns)]
    above = HEAD_LINE * (head.count("\n") + 1) if head else 0.0
    least = SQUEEZED if drawing.legend else 1.0
    needed = least * sum(heights) + legend_inches + above
    if page.rest and needed > limit * 1.1:  # fewer runs rather than flat rows
        return None
    height = page.height or times * sum(heights) + legend_inches + above
    if page.height is None and height > PAGE_INCHES:
        if height > PAGE_INCHES * 1.1 and times == 1.0:
            return None
        height = PAGE_INCHES
    made = _panels(page, shown, heights, n_columns, height)
    if at_ends and not _name_ends(made.axes[0], drawing, parts[0]):
        return None
    if entries:
        chosen = page.appearance.highlight
        muted = [bool(chosen) and name not in chosen for name in names]
        hollow = drawing.hollow(parts[0]) if drawing.hollow and len(parts) == 1 else ()
        handles = legend_handles(len(names), markers=drawing.markers, muted=muted, hollow=hollow)
        _legend(made, entries, legend_columns, handles)
    if head:
        made.suptitle(head, x=0.01, ha="left", fontsize=9)
    DRAWN[made] = shown
    return made


HEAD_LINE = 0.17
"""Height of a line above the panels."""


def _shown(page: Page, heights: Sequence[float], n_columns: int) -> tuple[Sequence[Any], str]:
    """Return the parts that have room, the first ones, and the lines above the panels.

    Panels may be left out if each is of a run, or names have no more lines to lose; a line above
    counts them.
    """
    limit, parts = page.height or PAGE_INCHES, page.parts
    head = _head(page, 0)
    room = limit - (HEAD_LINE * (head.count("\n") + 1) if head else 0.0)
    may_leave_out = not page.every_panel and (page.drawing.names or lines_of_names() == 1)
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


MOST_AT_ENDS = 8
"""Up to this many curves have their names at their ends."""


def _name_ends(ax: "Axes", drawing: Drawing, part: Any) -> bool:
    """Write names at the ends of curves, or next to points; False without room."""
    if drawing.name_marks is not None:
        return drawing.name_marks(part, ax)
    names = runs_of(part)
    found = drawing.ends(part) if drawing.ends else ()
    if not 1 < len(names) <= MOST_AT_ENDS or not all(np.isfinite(end).all() for end in found):
        return False
    for i, (name, end) in enumerate(zip(names, found, strict=True)):
        ax.annotate(
            folded(name, 16), end, (5, 0), textcoords="offset points", va="center",
            fontsize=7, color=identity(i).colour, annotation_clip=False,
        )  # fmt: skip
    return True


def _require_runs(parts: Sequence[Any], highlight: Sequence[str]) -> None:
    """Raise UsageError for a run to highlight that is not drawn."""
    runs = names_of_runs(parts)
    for name in highlight:
        if name not in runs:
            raise UsageError(
                f"highlight='{visible(name)}' is not among the runs",
                expected=f"one of {', '.join(map(visible, runs))}",
            )


OF_RUN = re.compile(r"(?:run|interval|box|outliers|seeds|cloud|rain|hull)(\d+)")


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
    measures = dict.fromkeys(
        getattr(part[0] if isinstance(part, tuple) else part, "measure", "") for part in parts
    )
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
    made: "Figure", entries: Sequence[str], columns: int, handles: tuple[list[Any], list[str]]
) -> None:
    """Draw a legend below the panels."""
    found = made.legend(
        *handles,
        loc="outside lower center",
        ncols=columns,
        handlelength=2.8,
        columnspacing=1.2,
    )
    name_entries(found, entries)


def legend_handles(
    size: int, *, markers: bool, muted: Sequence[bool] = (), hollow: Sequence[bool] = ()
) -> tuple[list[Any], list[str]]:
    """Return the lines of a legend, as they are drawn, and numbers in place of the names."""
    from matplotlib.lines import Line2D

    handles, grey = [], MUTED["dark" if paper() == PAPERS["dark"] else "light"]
    for i in range(size):
        colour, dashes, marker = identity(i)
        colour = grey if muted and muted[i] else colour
        handles.append(
            Line2D(
                [],
                [],
                color=colour,
                linestyle="none" if markers else dashes,
                marker=marker,
                markersize=3.5,
                markerfacecolor="none" if len(hollow) and hollow[i] else colour,
            )
        )
    return handles, [str(i) for i in range(size)]


def name_entries(legend: Any, entries: Sequence[str]) -> None:
    """Give the entries of a legend their names, which may begin with an underscore."""
    for text, entry in zip(legend.get_texts(), entries, strict=True):
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


def on_axes(kind: str, data: Any, ax: "Axes | None") -> "Axes":
    """Draw on the axes, or on those of a new figure."""
    require_matplotlib()
    drawing = drawing_of(kind)
    if ax is None:
        from matplotlib import pyplot as plt

        with look():
            width = SIZES["page"][0]
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
    hollow = drawing.hollow(data) if drawing.hollow else ()
    handles = legend_handles(len(entries), markers=drawing.markers, hollow=hollow)
    legend = ax.legend(*handles, handlelength=2.8, loc="best")
    name_entries(legend, entries)
