"""Show a plot: its numbers, its picture, or its drawing in the terminal."""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from rankeval.base.frozen import frozen
from rankeval.commands.plot.task import Picture
from rankeval.evaluation.results import RunResult
from rankeval.output.looks import PLAIN, Look, nothing
from rankeval.output.style import USUAL_DECIMALS, Style
from rankeval.output.writing import STDOUT, prints_unicode, write_pieces, write_result
from rankeval.plots.needed import without_sweeps
from rankeval.plots.plot_tables import PLOT_DATA, Plot


def notices(
    lines_of: Callable[..., Iterable[str]], runs: Sequence[RunResult], swept: Sequence[str]
) -> Iterator[str]:
    """Yield the notices of runs, without those of the measures that a plot sweeps over."""
    return without_sweeps(swept, lines_of(runs, USUAL_DECIMALS, swept))


@frozen
class PlotOutput:
    """Where a plot goes: the files of numbers and of the picture, and the drawing in a terminal.

    ======== =======================================================================================
    data     file of the numbers, or None
    form     format of the numbers
    output   file of the picture; None to draw in the terminal
    svg_text True for letters as text in SVG
    no_color True for a terminal without colours
    ======== =======================================================================================
    """

    data: str | None
    form: str
    output: str | None
    svg_text: bool
    no_color: bool


def show_plot(picture: Picture, shown: PlotOutput) -> None:
    """Write the numbers and the picture, or draw in the terminal."""
    if shown.data:
        write_result(PLOT_DATA, picture, shown.form, shown.data)
    if shown.output is not None:
        picture.save(shown.output, svg_text=shown.svg_text)
    elif shown.data != STDOUT:
        style = Style(colour=False if shown.no_color else None, unicode=prints_unicode(sys.stdout))
        write_pieces(partial(_in_characters, picture), None, style)


def _in_characters(drawn: Plot, style: Style) -> Iterator[str]:
    from rankeval.plots.canvas import terminal_text
    from rankeval.plots.kinds import Screen

    width, height = shutil.get_terminal_size()
    # A line is left for the prompt.
    screen = Screen(width, min(height, Screen().height) - 1, bool(style.unicode))
    colour, bounded = bool(style.colour), style.width is not None  # by a terminal
    yield from terminal_text(drawn.kind, drawn.panels, screen, colour=colour, bounded=bounded)
    if drawn.note:
        yield f"{drawn.note}\n"


def look() -> Look:
    """Return how the result shows itself."""
    return _PictureLook(PLOT_DATA, _in_notebook, warnings=nothing)


class _PictureLook(Look):
    """The look of a picture: its drawing in characters, and the drawing itself in a notebook."""

    def text(self, result: Picture) -> str:
        """Return the drawing in characters."""
        return "".join(_in_characters(result, PLAIN)).rstrip("\n")


def _in_notebook(picture: Picture, _: Style) -> Iterator[str]:
    """Yield the picture as an element of HTML."""
    svg = picture.to_svg()
    yield svg[svg.index("<svg") :]
