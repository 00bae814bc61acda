"""The look of drawings: colours, lines and markers of runs, sizes, fonts, and names as labels."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, chop_cells

from rankeval.base.frozen import frozen
from rankeval.endings import installing
from rankeval.errors import UsageError, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Neighbours differ in lightness by 9 or more, for colour-blind readers and in grey, too; all have a
# contrast of 3 with their background. Lines and markers distinguish further runs.
LIGHT = ("#0072B2", "#E2690F", "#5B2A86", "#009E73", "#000000", "#D06AAB", "#8C1D40")
DARK = ("#56B4E9", "#F0E442", "#E8743B", "#F2B6D6", "#1FA67F", "#FFFFFF", "#9A7FD1")
INKS = {"light": "#000000", "dark": "#E8E8E8", "transparent": "#000000"}
PAPERS = {"light": "#FFFFFF", "dark": "#121418", "transparent": "none"}
RULES = {"light": "#E0E0E0", "dark": "#3A3F46", "transparent": "#E0E0E0"}
MUTED = {"light": "#929292", "dark": "#70767E"}
DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (5, 1.2, 1, 1.2)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
BETTER, WORSE, NEUTRAL = "#0072B2", "#D55E00", "#666666"
SHADES = "cividis"
"""Increases in brightness throughout, so that it reads the same in grey."""

SETTINGS: Mapping[str, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib: the same on every machine
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.labelsize": 8.0,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "legend.fontsize": 7.0,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.2,
    "hatch.linewidth": 0.4,
    "figure.dpi": 100.0,
    "savefig.dpi": 200.0,
    "pdf.fonttype": 42,  # embeds TrueType: text stays text, and publishers take it
    "svg.fonttype": "path",  # letters as outlines, which need no font where the file is shown
    "svg.hashsalt": "rankeval",  # the same bytes every time
}
SIZES: Mapping[str, tuple[float, float | None]] = {
    "column": (3.33, None),
    "page": (6.75, None),
    "slide": (10.0, 5.63),
}
"""Inches of one and of two columns of a paper, as high as the data need, and of a slide."""

LETTER = 0.06
"""Mean width of a letter of 7 points, in inches."""

TOPIC_LETTER = 0.052
"""Mean width of a letter of 6 points, in inches."""

LONGEST_NAME, LONGEST_TOPIC = 28, 32
"""Letters of the longest names; of longer ones the middle is left out."""

DOTS = "\N{HORIZONTAL ELLIPSIS}"

NAMED_TOPICS = 60
"""More topics than these have no room for their names."""


@frozen
class Appearance:
    """The appearance of a figure.

    ========= ======================================================================================
    style     light, dark or transparent
    highlight names of the runs that keep their colours; of none, all do
    title     title above the figure; "" for none
    remedy    what to do for runs that have no room, behind their number
    ========= ======================================================================================
    """

    style: str = "light"
    highlight: tuple[str, ...] = ()
    title: str = ""
    remedy: str = ": --top"

    def settings(self) -> dict[str, Any]:
        """Return the settings of matplotlib."""
        ink, paper, rule = (of[self.style] for of in (INKS, PAPERS, RULES))
        names = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
        return {
            **SETTINGS,
            **dict.fromkeys(names, ink),
            **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), paper),
            "hatch.color": "#A0A0A0",
            "grid.color": rule,
        }


USUAL_LOOK = Appearance()


def ink() -> str:
    """Return the colour of text and axes."""
    return _setting("text.color")


def paper() -> str:
    """Return the colour of the background."""
    return _setting("axes.facecolor")


def rule() -> str:
    """Return the colour of grid lines."""
    return _setting("grid.color")


def muted() -> str:
    """Return the colour of runs that are not to be highlighted."""
    return MUTED["dark" if paper() == PAPERS["dark"] else "light"]


def _setting(name: str) -> str:
    import matplotlib as mpl

    return str(mpl.rcParams[name])


def identity(place: int) -> tuple[str, Any, str]:
    """Return colour, line and marker of a run by its place among the runs.

    252 differ, 36 of them in grey, and neighbours in everything.
    """
    colours = DARK if paper() == PAPERS["dark"] else LIGHT
    return tuple(of[place % len(of)] for of in (colours, DASHES, MARKERS))


@contextmanager
def look(appearance: Appearance = USUAL_LOOK) -> Iterator[None]:
    """Draw with the settings of rankeval, whatever the user's are."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(appearance.settings())
        yield


def require_matplotlib() -> None:
    """Import matplotlib; UsageError if it is not installed, or cannot read its settings."""
    if find_spec("matplotlib") is None:
        raise UsageError(
            "drawing pictures needs matplotlib, which is not installed",
            remedy=f"{installing('plot')}, or drop -o to draw in the terminal",
        )
    try:
        import matplotlib.figure  # noqa: F401  only its import is wanted
    except ValueError as error:
        raise UsageError(
            f"matplotlib cannot read its settings: {error}",
            remedy="mend the file matplotlibrc, or MPLBACKEND in the environment",
        ) from error


def in_lines(text: str, inches: float) -> str:
    """Return text as matplotlib shows it, in lines that fit a width: what is not a name."""
    return shown("\n".join(textwrap.wrap(visible(text), letters_of(inches))))


def shown(text: str) -> str:
    """Return text that matplotlib shows as it is.

    A dollar sign begins no formula, and characters that the font lacks show as escapes.
    """
    known = _characters()
    return "".join(
        c if c == "\n" or ord(c) in known else c.encode("ascii", "backslashreplace").decode()
        for c in text
    ).replace("$", r"\$")


@cache
def _characters() -> frozenset[int]:
    """Return the characters of the font."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = FontProperties(family=list(SETTINGS["font.family"]))
    return frozenset(get_font(findfont(font)).get_charmap())


def letters_of(inches: float) -> int:
    """Return the number of letters that take a width."""
    return max(8, int(inches / LETTER))


def cut(name: str, cells: int, dots: str = DOTS) -> str:
    """Return a name that takes at most so many cells: of a longer one, the middle is left out."""
    name, kept = visible(name), max(2, cells - 1)
    if cell_len(name) <= cells:
        return name
    start, end = chop_cells(name, (kept + 1) // 2)[0], chop_cells(name[::-1], kept // 2)[0][::-1]
    return f"{start}{dots}{end}"


def distinct(names: Sequence[str], cells: int, dots: str = DOTS) -> list[str]:
    """Return names of at most so many cells; those that a cut made equal get their number."""
    labels = [cut(name, cells, dots) for name in names]
    return [
        label if labels.count(label) == 1 else f"{i} {cut(names[i - 1], cells - 3, dots)}"
        for i, label in enumerate(labels, 1)
    ]


def labels_of(names: Sequence[str], inches: float) -> list[str]:
    """Return names as labels of a picture, which take a width."""
    return [shown(name) for name in distinct(names, min(letters_of(inches), LONGEST_NAME))]


def name_rows(axes: "Axes", names: Sequence[str], inches: float) -> None:
    """Name rows at 0, 1, 2 and so on, the first at the top."""
    axes.set_yticks(range(len(names)), labels_of(names, inches))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def topics_named(topics: Sequence[str], inches: float) -> float:
    """Return the height of the names of topics below a plot; 0 where it has no room for them."""
    if len(topics) > min(NAMED_TOPICS, inches / 0.1):
        return 0.0
    return TOPIC_LETTER * max((min(len(topic), LONGEST_TOPIC) for topic in topics), default=0)


def name_topics(axes: "Axes", topics: Sequence[str], inches: float) -> None:
    """Name topics at 0, 1, 2 and so on below a plot, upright, where they have room."""
    if topics_named(topics, inches):
        names = [shown(cut(topic, LONGEST_TOPIC)) for topic in topics]
        axes.set_xticks(range(len(topics)), names, rotation=90, fontsize=6)
        axes.tick_params(axis="x", length=0)
