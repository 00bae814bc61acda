"""The look of drawings: colours, lines and markers of runs, sizes, fonts, and names as labels."""

import os
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.libraries import require_epoch
from rankeval.base.wording import visible
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Neighbours differ in lightness by 9 or more, for colour-blind readers and in grey, too; all have a
# contrast of 3 with their background. Lines and markers distinguish further runs.
LIGHT = ("#0072B2", "#E2690F", "#5B2A86", "#009E73", "#000000", "#D06AAB", "#8C1D40")
DARK = ("#56B4E9", "#F0E442", "#E8743B", "#F2B6D6", "#1FA67F", "#FFFFFF", "#9A7FD1")
INKS = {"light": "#000000", "dark": "#E8E8E8", "transparent": "#000000"}
PAPERS = {"light": "#FFFFFF", "dark": "#121418", "transparent": "none"}
RULES = {"light": "#E0E0E0", "dark": "#3A3F46", "transparent": "#E0E0E0"}
MUTED = {"light": "#929292", "dark": "#70767E", "transparent": "#929292"}
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
FONTS = {"sans": "DejaVu Sans", "serif": "DejaVu Serif"}
"""Fonts that come with matplotlib."""
STYLES = ("light", "dark", "transparent")

_BREAK = re.compile(r"(?<=[-_/:,+ ])|(?<=\.)(?!\d)")
"""Places where a name may be broken: not within a number such as 0.75."""

LETTER = 0.058
"""Mean width of a letter of 7 points, in inches."""

LINE = 0.14
"""Height of a line of 7 points, in inches."""

AXIS_INCHES = 0.5
"""Height of the numbers and the name below a plot."""

NAME_SHARE = 0.35
"""Share of the width that names of runs may take next to a plot."""

NAMED_TOPICS = 60
"""More topics than these have no room for their names."""

TOPIC_LETTER = 0.052
"""Mean width of a letter of 6 points, in inches."""

LONGEST_TOPIC = 32
"""Letters of the longest name of a topic below a plot; of longer ones the middle is left out."""

TITLE_SHARE = 0.55
"""Share of the width that a title may take, whose letters are larger than those of names."""


class Identity(NamedTuple):
    """The colour, line and marker that a run has in every plot, by its place among the runs."""

    colour: str
    dashes: Any
    marker: str


@frozen
class Appearance:
    """The appearance of a figure.

    ========= ======================================================================================
    style     light, dark or transparent
    font      sans, serif or the name of a font that is installed
    highlight names of the runs that keep their colours; of none, all do
    title     title above the figure; "" for none
    note      a line below the figure; "" for none
    ========= ======================================================================================
    """

    style: str = "light"
    font: str = "sans"
    highlight: tuple[str, ...] = ()
    title: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise UsageError(
                f"there is no style '{self.style}'", expected=f"one of {', '.join(STYLES)}"
            )

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
            "font.family": [font_named(self.font)],
        }


def font_named(name: str) -> str:
    """Return the family of a font; UsageError if it is not installed."""
    from matplotlib.font_manager import FontProperties, findfont

    family = FONTS.get(name, name)
    try:
        findfont(FontProperties(family=[family]), fallback_to_default=False)
    except ValueError:
        raise UsageError(
            f"the font '{visible(name)}' is not installed", expected="serif, sans or its family"
        ) from None
    return family


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


def _setting(name: str) -> str:
    import matplotlib as mpl

    return str(mpl.rcParams[name])


@frozen
class NameLines:
    """The room that names get: the most lines of one, and the padding between rows."""

    lines: int = 4
    padding: float = 1.0


ROOMY, TIGHT = NameLines(), NameLines(1, 0.5)
_NAMES: ContextVar[NameLines] = ContextVar("names", default=ROOMY)


@contextmanager
def names_in(lines: NameLines) -> Iterator[None]:
    """Draw names in at most `lines` lines, without their middle if they are longer."""
    token = _NAMES.set(lines)
    try:
        yield
    finally:
        _NAMES.reset(token)


def lines_of_names() -> int:
    """Return the most lines that a name may take."""
    return _NAMES.get().lines


def identity(place: int) -> Identity:
    """Return the look of a run: 252 differ, 36 of them in grey, and neighbours in everything."""
    colours = DARK if paper() == PAPERS["dark"] else LIGHT
    return Identity(
        colours[place % len(colours)], DASHES[place % len(DASHES)], MARKERS[place % len(MARKERS)]
    )


@contextmanager
def look(
    more: Mapping[str, Any] | None = None, appearance: Appearance = USUAL_LOOK
) -> Iterator[None]:
    """Draw with the settings of rankeval, and perhaps more, whatever the user's are."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update({**appearance.settings(), **(more or {})})
        yield


def require_matplotlib() -> None:
    """Import matplotlib, whatever the user's settings; UsageError if it cannot be used."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise UsageError(
            "drawing pictures needs matplotlib, which is not installed",
            remedy="pip install 'rankeval-ir[plot]', or drop -o to draw in the terminal",
        )
    require_epoch()
    if "matplotlib" not in sys.modules:
        _import_matplotlib()


def _import_matplotlib() -> None:
    """Import matplotlib, without the faulty settings of its files or of the environment.

    The canvas of its format writes a file, and `look` has all settings, so that neither MPLBACKEND
    nor matplotlibrc matters.
    """
    import logging

    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.CRITICAL)  # it reports each fault of matplotlibrc
    try:
        try:
            import matplotlib.figure
        except ValueError:
            for name in [
                module for module in sys.modules if module.partition(".")[0] == "matplotlib"
            ]:
                del sys.modules[name]
            with _without_settings():
                import matplotlib.figure  # noqa: F401  only its import is wanted
    finally:
        log.setLevel(level)


@contextmanager
def _without_settings() -> Iterator[None]:
    """Let matplotlib find no settings of the user's, but its own."""
    from importlib.util import find_spec

    spec = find_spec("matplotlib")
    backend = os.environ.pop("MPLBACKEND", None)
    here = Path.cwd()
    os.chdir(Path(spec.origin if spec and spec.origin else "").parent / "mpl-data")
    try:
        yield
    finally:
        os.chdir(here)
        if backend is not None:
            os.environ["MPLBACKEND"] = backend


def label(name: str) -> str:
    """Return a name from a file as text that matplotlib shows as it is.

    A dollar sign begins no formula, and characters that the font lacks show as escapes.
    """
    return _drawable(visible(name)).replace("$", r"\$")


def folded(name: str, letters: int) -> str:
    """Return a label in lines of at most `letters`, broken after punctuation if possible.

    A name that takes too many lines is shortened in the middle.
    """
    text, most = _drawable(visible(name)), _NAMES.get().lines
    lines = _folded(text, letters)
    kept = most * letters
    while len(lines) > most and kept > 2:
        lines = _folded(without_middle(text, kept), letters)
        kept -= 1
    return "\n".join(line.rstrip().replace("$", r"\$") for line in lines)


def sentence(text: str, letters: int) -> str:
    """Return words in lines of at most `letters` letters, whatever room names have."""
    with names_in(ROOMY):
        return folded(text, letters)


def _folded(text: str, letters: int) -> list[str]:
    lines = [""]
    for piece in _BREAK.split(text):
        for part in [piece[i : i + letters] for i in range(0, len(piece), letters)]:
            if lines[-1] and len(lines[-1]) + len(part.rstrip()) > letters:
                lines.append("")
            lines[-1] += part
    return lines


def without_middle(text: str, letters: int) -> str:
    """Return a text of at most `letters` letters, with an ellipsis for a cut in its middle."""
    if len(text) <= letters:
        return text
    kept = max(1, letters - 1)
    first = (kept + 1) // 2
    return f"{text[:first]}\N{HORIZONTAL ELLIPSIS}{text[len(text) - kept + first :]}"


def without_common(names: Sequence[str], letters: int) -> list[str]:
    """Return texts of at most `letters` letters that keep the parts in which names differ.

    The ellipsis replaces a part of the beginning or end that all share; the middle, if names differ
    in too many letters.
    """
    first = _shared(names)
    last = _shared([name[first:][::-1] for name in names])
    return [_around(name, first, len(name) - last, letters) for name in names]


def _shared(texts: Sequence[str]) -> int:
    """Return the number of letters with which all texts begin."""
    differs = (i for i, letters in enumerate(zip(*texts, strict=False)) if len({*letters}) > 1)
    return next(differs, min(map(len, texts), default=0))


def _around(text: str, first: int, last: int, letters: int) -> str:
    """Return a text without a part of the letters before `first` or after `last`."""
    dots, kept = "\N{HORIZONTAL ELLIPSIS}", letters - 1
    if len(text) <= letters or last - first > letters - 2:
        return without_middle(text, letters)
    if last <= kept:
        return text[:kept] + dots
    if len(text) - first <= kept:
        return dots + text[-kept:]
    return text[: letters - 2 - (last - first)] + dots + text[first:last] + dots


def distinct(names: Sequence[str], letters: int) -> list[str]:
    """Return the labels of names.

    Those that shortening made equal keep the letters in which they differ, and where these are too
    many, get their number before them.
    """
    labels = [folded(name, letters) for name in names]
    same = [i for i, text in enumerate(labels) if labels.count(text) > 1]
    texts = [visible(names[i]) for i in same]
    for i, text in zip(same, without_common(texts, letters * lines_of_names()), strict=True):
        labels[i] = folded(text, letters)
    return [
        text
        if labels.count(text) == 1
        else folded(f"{place} {without_middle(visible(names[place - 1]), letters - 4)}", letters)
        for place, text in enumerate(labels, 1)
    ]


def letters_of(inches: float, share: float) -> int:
    """Return the number of letters that take a share of a width."""
    return max(8, int(inches * share / LETTER))


def text_width(text: str, size: float) -> float:
    """Return the width of a line of text in the font of all plots, in points, as laid out."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=SETTINGS["font.family"], size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width)


def width_of(ax: "Axes") -> float:
    """Return the width of the figure that axes lie in, in inches."""
    figure = ax.get_figure()
    return float(figure.get_figure(root=True).get_size_inches()[0]) if figure else SIZES["page"][0]


class NamedRows(NamedTuple):
    """Rows of a drawing with a name each, the first at the top.

    ====== =======================================================================================
    labels names in lines
    edges  upper edge of each row and lower edge of the last, in lines of text, increasing downwards
    ====== =======================================================================================
    """

    labels: tuple[str, ...]
    edges: Floats

    @property
    def centres(self) -> Floats:
        """The middle of each row."""
        return (self.edges[:-1] + self.edges[1:]) / 2

    @property
    def inches(self) -> float:
        """The height that the rows need."""
        return float(self.edges[-1]) * LINE


def named_rows(
    names: Sequence[str], letters: int, *, padding: float = 0.5, even: bool = False
) -> NamedRows:
    """Return rows as high as their names need, in lines of at most `letters` letters.

    If `even`, all are as high as the highest.
    """
    labels = tuple(distinct(names, letters))
    extra = padding * _NAMES.get().padding
    heights = [text.count("\n") + 1 + extra for text in labels]
    if even:
        heights = [max(heights)] * len(heights)
    return NamedRows(labels, np.concatenate([[0.0], np.cumsum(heights)]))


def write_row_names(ax: "Axes", rows: NamedRows) -> None:
    """Name the rows on the vertical axis, the first at the top."""
    ax.set_yticks(rows.centres, rows.labels)
    ax.set_ylim(float(rows.edges[-1]), 0.0)
    ax.tick_params(axis="y", length=0)


def _drawable(text: str) -> str:
    """Write characters that the font lacks as escapes."""
    known = _characters(_font())
    return "".join(
        c if ord(c) in known else c.encode("ascii", "backslashreplace").decode() for c in text
    )


def _font() -> str:
    """Return the first font of the settings in force."""
    import matplotlib as mpl

    return str(mpl.rcParams["font.family"][0])


@cache
def _characters(family: str) -> frozenset[int]:
    """Return the characters of a font."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return frozenset(get_font(findfont(FontProperties(family=[family]))).get_charmap())


def rows_inches(names: Sequence[str], width: float, share: float) -> float:
    """Return the height of a plot with a row for each name, which takes a share of the width."""
    return named_rows(names, letters_of(width, share)).inches + AXIS_INCHES + 0.1


def curve_inches(_: object, width: float) -> float:
    """Return the height of a plot of curves."""
    return max(2.2, 0.5 * width)


def most_names(width: float) -> int:
    """Return the most topics whose names have room side by side, upright, in a width in inches."""
    return min(NAMED_TOPICS, int(width / 0.1))


def topic_names_inches(topics: Sequence[str], most: int) -> float:
    """Return the height of the names of topics below a plot; 0 where it has no room for them."""
    if len(topics) > most:
        return 0.0
    return TOPIC_LETTER * max((len(topic_label(topic)) for topic in topics), default=0)


def topic_label(topic: str) -> str:
    """Return the name of a topic below a plot, without its middle if it is long."""
    return label(without_middle(topic, LONGEST_TOPIC))


def titled(name: str, counts: Sequence[str], width: float) -> str:
    """Return a name, and counts below it, none of which is broken."""
    return f"{folded(name, letters_of(width, TITLE_SHARE))}\n{counts_in_lines(counts, width)}"


def counts_in_lines(counts: Sequence[str], width: float) -> str:
    """Return counts in lines that fit a title, none of which is broken."""
    words = " ".join(number.replace(" ", "\N{NO-BREAK SPACE}") for number in counts)
    return textwrap.fill(words, letters_of(width, TITLE_SHARE))
