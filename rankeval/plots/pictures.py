"""Figures: the panels of a plot on a page of the right size, and the files that they become."""

import io
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from rankeval.base.wording import count
from rankeval.errors import UsageError, visible
from rankeval.plots import look
from rankeval.plots.kinds import Form

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAGE_INCHES = 9.0
"""The height of the highest figure whose height is not given."""

HEAD_LINE, LEGEND_LINE = 0.18, 0.16
"""Height of a line above the panels, and of an entry of a legend."""

BESIDE = 5.0
"""Inches of a figure that has its legend beside the panels; narrower ones have it below."""

LEAST_ROWS = 5
"""Rows of the smallest of several panels."""

SUFFIXES = (".png", ".svg", ".pdf")


def figure_size(size: str) -> tuple[float, float | None]:
    """Return width and height in inches of a name or WIDTHxHEIGHT; None is any height."""
    if size in look.SIZES:
        return look.SIZES[size]
    found = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", size)
    width, height = (float(found[1]), float(found[2])) if found else (0.0, 0.0)
    if not (1.0 <= width <= 100.0 and 1.0 <= height <= 100.0):
        raise UsageError(
            f"the size '{size}' is not possible",
            expected="column, page, slide, or inches from 1 to 100 such as 5x3.5",
        )
    return width, height


def figure(
    panels: Sequence[Form],
    *,
    size: str = "page",
    appearance: look.Appearance = look.USUAL_LOOK,
) -> "Figure":
    """Draw the panels of a plot, as `plot_data` returns them, on one figure.

    `size` is `column` (3.33 inches, one column of a paper), `page` (6.75 inches, two columns),
    `slide` (10 x 5.63 inches) or WIDTHxHEIGHT in inches; the first two are as high as the data
    need, up to 9 inches. At most 40 rows or 12 curves are drawn, and as many panels as have room; a
    line above counts the rest. UsageError for a size that is none, and if matplotlib is not
    installed.
    """
    look.require_matplotlib()
    from matplotlib.figure import Figure

    width, height = figure_size(size)
    with look.look(appearance):
        columns = max(1, min(len(panels), int(width / panels[0].narrowest)))
        shown, head, heights = _that_fit(panels, width, height, columns, appearance)
        named = [part.ends_apart(min(heights)) for part in shown]
        legend = shown[0].legend and not all(named)
        names = look.labels_of(shown[0].runs, 0.3 * width) if legend else []
        below = 0.1 + LEGEND_LINE * len(names) if legend and width < BESIDE else 0.0
        above = HEAD_LINE * (head.count("\n") + 1) if head else 0.0
        limit = height or min(sum(heights) + below + above, PAGE_INCHES)
        made = Figure(figsize=(width, limit), layout="constrained")
        alike = shown[0].same_heights and len({part.measure for part in shown}) == 1
        grid = made.subplots(
            len(heights), columns, squeeze=False, height_ratios=heights, sharey=alike
        )
        beside = 0.3 * width if legend and not below else 0.0
        titles = []
        for i, axes in enumerate(grid.flat):
            axes.set_visible(i < len(shown))
            axes.tick_params(labelleft=True)
            if i < len(shown):
                shown[i].draw(axes, (width - beside) / columns)
                if shown[i].legend and not legend:
                    shown[i].name_ends(axes, 0.25 * width)
                _finish(axes, shown[i], appearance, only=len(panels) == 1)
                titles += _numbered(axes, shown[i], f"p{i}-")
        if legend:
            where = "outside lower left" if below else "outside right upper"
            _legend(made, shown[0], names, appearance.highlight, where)
        if head:
            made.suptitle(head, x=0.01, ha="left", fontsize=9)
        made.set_label("\n".join(titles))
        return made


def _that_fit(
    panels: Sequence[Form],
    width: float,
    height: float | None,
    columns: int,
    appearance: look.Appearance,
) -> tuple[list[Form], str, list[float]]:
    """Return the panels that fit with their best runs, the lines above, and the heights of rows."""
    lines = [appearance.title] if appearance.title else []
    first, panel, limit = panels[0], width / columns, height or PAGE_INCHES
    room = limit - HEAD_LINE * (
        sum(map(len, lines)) // look.letters_of(0.8 * width) + len(lines) + 1
    )
    fixed, n_runs = first.fixed(panel), len(first.runs)
    n_rows = ceil(len(panels) / columns)
    least = fixed + first.row * min(n_runs, LEAST_ROWS) if first.row else min(fixed, first.flattest)
    if first.legend and width < BESIDE:
        room -= 0.1 + LEGEND_LINE * min(n_runs, first.most)
    kept = max(1, min(n_rows, int(room / least)))
    most = first.fits(panel)
    if first.row:
        most = max(2, min(most, int((room / kept - fixed) / first.row)))
    shown, left_out = [*panels[: kept * columns]], len(panels) - kept * columns
    if left_out > 0:
        what = "run" if len({part.measure for part in panels}) == 1 else "panel"
        lines.append(f"and {count(left_out, f'more {what}')}{appearance.remedy}")
    if n_runs > most:
        must = [run for run in first.runs if run in appearance.highlight]
        best = [*must, *(run for run in first.runs if run not in must)][:most]
        shown = [part.only([run for run in first.runs if run in best]) for part in shown]
        lines.append(f"and {count(n_runs - most, 'more run')}{appearance.remedy}")
    every = [part.height(panel) for part in shown]
    heights = [max(every[i : i + columns]) for i in range(0, len(every), columns)]
    return shown, "\n".join(look.in_lines(line, 0.8 * width) for line in lines), heights


def _finish(axes: "Axes", part: Form, appearance: look.Appearance, *, only: bool) -> None:
    """Name a panel that is not the only one, and draw all runs but those to highlight in grey."""
    if not only and not axes.get_title() and not axes.get_title(loc="left"):
        axes.set_title(look.in_lines(part.measure, 2.0), loc="left", fontsize=7)
    if not appearance.highlight:
        return
    grey, others = look.muted(), [r not in appearance.highlight for r in part.runs]
    for artist in axes.get_children():
        found = re.fullmatch(r"[a-z]+(\d+)", artist.get_gid() or "")
        if found and len(part.runs) > int(found[1]) and others[int(found[1])]:
            artist.set_zorder(1)
            artist.set(**dict.fromkeys(_colours_of(artist), grey))
    if len(axes.get_yticklabels()) == len(others):
        for text, other in zip(axes.get_yticklabels(), others, strict=True):
            text.set_color(grey if other else text.get_color())


def _colours_of(artist: Any) -> Sequence[str]:
    """Return the colours of a line or a shape; a hollow marker stays hollow."""
    if not hasattr(artist, "get_markerfacecolor"):
        return ("facecolor", "edgecolor") if hasattr(artist, "set_facecolor") else ("color",)
    hollow = artist.get_markerfacecolor() in ("none", look.paper())
    return ("color", "markeredgecolor", *(() if hollow else ("markerfacecolor",)))


def _numbered(axes: "Axes", part: Form, start: str) -> list[str]:
    """Begin the names of groups with that of the panel; return the words for each on hover."""
    for artist in axes.get_children():
        if artist.get_gid():
            artist.set_gid(f"{start}{artist.get_gid()}")
    return [f"{start}{name} {visible(words)}" for name, words in part.titles()]


def _legend(
    made: "Figure", part: Form, names: Sequence[str], highlight: Sequence[str], where: str
) -> None:
    """Draw a legend: runs as they are drawn, all but some to highlight in grey."""
    from matplotlib.lines import Line2D

    handles = []
    for i, run in enumerate(part.runs):
        colour, dashes, marker = look.identity(i)
        colour = look.muted() if highlight and run not in highlight else colour
        style = dashes if part.joined else "none"
        handles.append(Line2D([], [], color=colour, linestyle=style, marker=marker, markersize=3.5))
    # Names come later: matplotlib leaves those out that begin with an underscore.
    places = [str(i) for i in range(len(names))]
    drawn = made.legend(handles, places, loc=where, handlelength=2.8)
    for text, name in zip(drawn.get_texts(), names, strict=True):
        text.set_text(name)


def save(made: "Figure", path: str) -> bytes:
    """Return the bytes of a picture in the format that a path's suffix names.

    Fonts are embedded, or in SVG outlines; a figure gives the same bytes every time, without a
    date. SVG has words on hover.
    """
    suffix = suffix_of(path)
    metadata: Mapping[str, Any] = {
        ".svg": {"Date": None, "Creator": None},
        ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        ".png": {"Software": None},
    }[suffix]
    stream = io.BytesIO()
    date = os.environ.pop("SOURCE_DATE_EPOCH", None)  # matplotlib would read it, whatever it says
    try:
        with look.look(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made.savefig(stream, format=suffix[1:], metadata=dict(metadata), facecolor="auto")
    finally:
        os.environ.update({} if date is None else {"SOURCE_DATE_EPOCH": date})
    if suffix == ".svg":
        return _titled(stream.getvalue().decode(), str(made.get_label())).encode()
    return stream.getvalue()


def _titled(svg: str, titles: str) -> str:
    """Return an SVG with words on hover for groups."""
    of_groups = dict(line.split(" ", 1) for line in titles.splitlines())

    def titled(group: re.Match[str]) -> str:
        said = of_groups.get(group[1])
        return group[0] if said is None else f"{group[0]}<title>{escape(said)}</title>"

    return re.sub(r'<g id="(p\d+-\w+)">', titled, svg)


def suffix_of(path: str) -> str:
    """Return the suffix of a picture's path; UsageError if pictures are not written so."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in SUFFIXES:
        found = f"the suffix '{suffix}'" if suffix else "a name without a suffix"
        raise UsageError(
            f"{found} does not name the format of a picture",
            place=path,
            expected=f"one of {' '.join(SUFFIXES)}",
            remedy="change the suffix, or write numbers with --data",
        )
    return suffix
