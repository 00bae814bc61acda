"""Faults of a figure's layout: texts that overlap, are cut or lie on marks, and flat panels."""

import itertools
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FLATTEST = 0.3
"""Inches of the lowest and of the narrowest panel."""
CELL = "cell"
"""The gid of texts that belong on a shade."""


@frozen(eq=False)
class FigureLayout:
    """The places of the texts of a figure.

    ======= ========================================================================================
    faults  what is wrong, in words; empty for a figure without a fault
    gap     least distance between two texts in points; infinite for fewer than two
    panel   height of the flattest panel in inches
    ======= ========================================================================================
    """

    faults: tuple[str, ...]
    gap: float
    panel: float


def layout_of(made: "Figure", *, spare: float = 0.0) -> FigureLayout:
    """Draw a figure without a file, and measure its texts, marks and panels.

    Texts that are nearer to each other than `spare` points, or to the edge, are faults. The figure
    is to be measured with the settings of its drawing, those of `look`.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(made)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made.draw_without_rendering()
    faults = ["no room for the panels" for one in caught if "constrained" in str(one.message)]
    texts = list(_texts(made))
    boxes = np.array([text.get_window_extent().extents for text in texts]).reshape(-1, 4)
    unit = made.dpi / 72.0
    names = [text.get_text() for text in texts]
    faults += _cut(names, boxes, made, spare * unit)
    gap, overlaps = _overlaps(names, boxes, unit, spare)
    faults += overlaps
    panels = [ax for ax in made.axes if ax.get_visible()]
    heights = [
        ax.get_window_extent().height / made.dpi for ax in panels if not hasattr(ax, "_colorbar")
    ]
    for ax in panels:
        faults += _flat(ax, made.dpi)
        faults += _on_marks(ax)
    faults += _legends_on_panels(made)
    return FigureLayout(tuple(faults), gap, min(heights, default=np.inf))


def _texts(made: "Figure") -> Iterator[Any]:
    """Yield the texts that are drawn: labels of ticks beyond the axes, which are kept, are not."""
    from matplotlib.text import Text

    hidden = {id(text) for ax in made.axes for text in _not_drawn(ax)}
    for text in made.findobj(Text):
        shown = text.get_visible() and text.get_text().strip() and id(text) not in hidden
        if shown and text.get_window_extent().width > 0:
            yield text


def _not_drawn(ax: Any) -> "Iterator[Artist]":
    if not ax.get_visible():
        from matplotlib.text import Text

        yield from ax.findobj(Text)
    for child in (ax, *ax.child_axes):
        for axis in (child.xaxis, child.yaxis):
            low, high = sorted(axis.get_view_interval())
            edge = 1e-9 * max(1.0, high - low)
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not low - edge <= tick.get_loc() <= high + edge or not axis.get_visible():
                    yield from (tick.label1, tick.label2)


def _cut(names: list[str], boxes: Floats, made: "Figure", edge: float) -> list[str]:
    width, height = made.bbox.width, made.bbox.height
    low = (boxes[:, :2] < edge).any(axis=1)
    high = (boxes[:, 2] > width - edge) | (boxes[:, 3] > height - edge)
    return [f"'{names[i]}' is cut" for i in np.flatnonzero(low | high)]


def _overlaps(
    names: list[str], boxes: Floats, unit: float, spare: float
) -> tuple[float, list[str]]:
    """Return the least gap between two texts in points, and those that overlap."""
    gap, faults = np.inf, []
    for i in range(len(boxes) - 1):
        box, others = boxes[i], boxes[i + 1 :]
        across = np.maximum(others[:, 0] - box[2], box[0] - others[:, 2]) / unit
        up = np.maximum(others[:, 1] - box[3], box[1] - others[:, 3]) / unit
        apart = np.maximum(across, up)
        gap = min(gap, float(apart.min()))
        faults += [
            f"'{names[i]}' covers '{names[i + 1 + j]}'" for j in np.flatnonzero(apart < spare)
        ]
    return gap, faults


def _flat(ax: "Axes", dpi: float) -> Iterator[str]:
    """Yield a fault of a panel that is flatter than its labels, or too small to read."""
    box = ax.get_window_extent()
    if min(box.width, box.height) / dpi < FLATTEST and not hasattr(ax, "_colorbar"):
        yield "a panel is too small"
    name = ax.yaxis.label
    if name.get_text().strip() and name.get_window_extent().height > box.height + 0.3 * dpi:
        yield f"a panel is flatter than '{name.get_text()}'"


def _on_marks(ax: "Axes") -> Iterator[str]:
    """Yield the texts in a panel that lie on a marker."""
    texts = [text for text in ax.texts if text.get_gid() != CELL and text.get_text().strip()]
    marked = [line for line in ax.lines if line.get_marker() not in ("None", "none", "", None)]
    if not texts or not marked:
        return
    points = np.concatenate([_marks(line) for line in marked])
    for text in texts:
        x0, y0, x1, y1 = text.get_window_extent().extents
        inside = (
            (points[:, 0] > x0) & (points[:, 0] < x1) & (points[:, 1] > y0) & (points[:, 1] < y1)
        )
        if inside.any():
            yield f"'{text.get_text()}' lies on a mark"


def _marks(line: Any) -> Floats:
    """Return the places of the markers of a line, in pixels."""
    every = line.get_markevery()
    if isinstance(every, tuple):
        every = slice(every[0], None, every[1])
    points = np.asarray(line.get_xydata())[slice(None) if every is None else every]
    return np.asarray(line.get_transform().transform(points))


def _legends_on_panels(made: "Figure") -> Iterator[str]:
    boxes = [ax.get_window_extent() for ax in made.axes if ax.get_visible()]
    for legend, box in itertools.product(made.legends, boxes):
        if legend.get_window_extent().overlaps(box):
            yield "the legend covers a panel"
