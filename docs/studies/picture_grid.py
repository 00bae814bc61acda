"""Measure the pictures of the grid, or show all kinds on sheets to be looked at.

    python -m docs.studies.picture_grid measure [N] [KIND...]
    python -m docs.studies.picture_grid sheets FOLDER [KIND...]

`measure` prints for each kind how many pictures are refused at their size (and drawn at the least
that does), draw not all runs, or have a fault; and the least gap between two texts, the least
height of a panel, and the greatest of a picture whose height is not given. With N it measures N
pictures of each kind at random. `sheets` writes pictures with all kinds for eight systems: as they
are, in grey, as readers without green cones see them, and on a dark page.
"""

import io
import random
import re
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from rankeval import plots
from rankeval.errors import UsageError
from rankeval.plots.faults import layout_of
from rankeval.plots.kinds import KNOWN
from rankeval.plots.look import Appearance, look
from rankeval.plots.whole_figure import figure_size
from tests.support.pictures import Case, every_case, panels_of

KINDS = tuple(KNOWN)
NOT_ALL = re.compile(r"^the best |more (run|panel)s? without room", re.MULTILINE)
"""The line above a picture that does not draw all runs."""


def figure_of_case(case: Case) -> tuple[Figure, str]:
    """Return the figure of a picture, at the least size where its own is refused, and that size."""
    panels, size = panels_of(case), case.size
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            figure = plots.figure(case.kind, panels, size=size)
        except UsageError as error:
            (size,) = re.findall(r"size='([\d.]+x[\d.]+)'", str(error))
            figure = plots.figure(case.kind, panels, size=size)
    return figure, size


def measure(kinds: Sequence[str], n_pictures: int | None = None) -> None:
    """Print a line for each kind, and one for each picture with a fault.

    `n_pictures` of each kind are measured, drawn at random; None for all.
    """
    print(
        "kind           pictures  refused  not all runs  faults  "
        "least gap/pt  least panel/in  highest/in  seconds"
    )
    for kind in kinds:
        start, cases = time.monotonic(), [case for case in every_case() if case.kind == kind]
        if n_pictures is not None:
            cases = random.Random(kind).sample(cases, n_pictures)
        refused = some = faulty = 0
        gap = panel = np.inf
        highest = 0.0
        for case in cases:
            figure, size = figure_of_case(case)
            with look():
                layout = layout_of(figure)
            refused += size != case.size
            some += NOT_ALL.search(figure.get_suptitle()) is not None
            gap, panel = min(gap, layout.gap), min(panel, layout.panel)
            if figure_size(case.size)[1] is None:
                highest = max(highest, float(figure.get_figheight()))
            if layout.faults:
                faulty += 1
                print(f"  {tuple(case)} {size}: {layout.faults[0]}")
        took = time.monotonic() - start
        print(
            f"{kind:<14} {len(cases):>8} {refused:>8} {some:>13} {faulty:>7} {gap:>13.2f} "
            f"{panel:>15.2f} {highest:>11.2f} {took:>8.0f}",
            flush=True,
        )


def sheets(folder: str, kinds: Sequence[str]) -> None:
    """Write four sheets of the kinds."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    light = [drawn(kind, "light") for kind in kinds]
    ways = {
        "light": light,
        "grey": [as_grey(pixels) for pixels in light],
        "deuteranopia": [without_green_cones(pixels) for pixels in light],
        "dark": [drawn(kind, "dark") for kind in kinds],
    }
    for name, pictures in ways.items():
        Image.fromarray(sheet(pictures)).save(Path(folder) / f"{name}.png")


def drawn(kind: str, style: str) -> np.ndarray:
    """Return the pixels of a kind for eight systems, in one column of a paper."""
    panels = panels_of(Case(kind, "column", 8, long=False, n_topics=50))
    figure = plots.figure(kind, panels, size="column", appearance=Appearance(style))
    with Image.open(io.BytesIO(plots.save(figure, "a.png"))) as image:
        half = image.convert("RGB").resize((image.width // 2, image.height // 2))
        return np.asarray(half)


def as_grey(pixels: np.ndarray) -> np.ndarray:
    """Return the pixels as a printer without colours prints them."""
    grey = np.round(pixels @ np.array([0.299, 0.587, 0.114]))
    return np.repeat(grey[..., np.newaxis], 3, axis=2).astype(np.uint8)


DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
)
"""Linear light without green cones: Machado, Oliveira and Fernandes, "A physiologically-based model
for simulation of color vision deficiency", IEEE TVCG 15(6), 2009."""


def without_green_cones(pixels: np.ndarray) -> np.ndarray:
    """Return the pixels as readers without green cones see them."""
    share = pixels / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ DEUTERANOPIA.T, 0.0, 1.0)
    back = np.where(seen <= 0.0031308, seen * 12.92, 1.055 * seen ** (1 / 2.4) - 0.055)
    return np.round(back * 255.0).astype(np.uint8)


def sheet(pictures: Sequence[np.ndarray], columns: int = 5) -> np.ndarray:
    """Return the pictures side by side, each in the column that is the shortest so far."""
    width = max(picture.shape[1] for picture in pictures)
    columns = min(columns, len(pictures))
    heights, placed = [0] * columns, []
    for picture in pictures:
        column = heights.index(min(heights))
        placed.append((heights[column], column * width, picture))
        heights[column] += picture.shape[0]
    whole = np.empty((max(heights), columns * width, 3), np.uint8)
    whole[:] = pictures[0][0, 0]
    for top, left, picture in placed:
        whole[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return whole


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    if what == "measure":
        number = int(words.pop(0)) if words and words[0].isdigit() else None
        measure(words or KINDS, number)
    else:
        sheets(words[0], words[1:] or KINDS)
