"""Show a plot: its numbers, its picture, or its drawing in the terminal."""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from rankeval.evaluation.results import RunResult
from rankeval.output.style import USUAL_DECIMALS, Style
from rankeval.output.writing import STDOUT, prints_unicode, write_pieces, write_result
from rankeval.plots.needed import without_sweeps
from rankeval.plots.plot_tables import PLOT_DATA, Plot
from rankeval.plots.whole_figure import write_picture


def notices(
    lines_of: Callable[..., Iterable[str]], runs: Sequence[RunResult], swept: Sequence[str]
) -> Iterator[str]:
    """Yield the notices of runs, without those of the measures that a plot sweeps over."""
    return without_sweeps(swept, lines_of(runs, USUAL_DECIMALS, swept))


def show_plot(
    drawn: Plot,
    *,
    data: str | None,
    form: str,
    output: str | None,
    size: str | None,
    no_color: bool,
) -> None:
    """Write the numbers and the picture, or draw in the terminal."""
    kind = drawn.kind
    if data:
        write_result(PLOT_DATA, drawn, form, data)
    if output is not None:
        write_picture(kind, drawn.panels, output, size=size or "page")
    elif data != STDOUT:
        style = Style(colour=False if no_color else None, unicode=prints_unicode(sys.stdout))
        write_pieces(partial(_in_characters, drawn), None, style)


def _in_characters(drawn: Plot, style: Style) -> Iterator[str]:
    from rankeval.plots.canvas import terminal_text
    from rankeval.plots.kinds import Screen

    width, height = shutil.get_terminal_size()
    # A line is left for the prompt.
    screen = Screen(width, min(height, Screen().height) - 1, bool(style.unicode))
    return terminal_text(drawn.kind, drawn.panels, screen, colour=bool(style.colour))
