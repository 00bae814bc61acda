"""Show a plot: its numbers, its picture, or its drawing in the terminal."""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from rankeval.base.frozen import frozen
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.shown_texts import TextSources
from rankeval.io.sources.atomic import atomic_bytes
from rankeval.output.style import USUAL_DECIMALS, Style
from rankeval.output.writing import STDOUT, prints_unicode, write_pieces, write_result
from rankeval.plots.look import Appearance
from rankeval.plots.needed import without_sweeps
from rankeval.plots.plot_tables import PLOT_DATA, Plot
from rankeval.plots.whole_figure import write_picture


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
    size     size of the picture
    svg_text True for letters as text in SVG
    queries  queries of topics, for the titles of a picture in SVG, or None
    no_color True for a terminal without colours
    ======== =======================================================================================
    """

    data: str | None
    form: str
    output: str | None
    size: str
    svg_text: bool
    no_color: bool
    queries: str | None = None


def show_plot(drawn: Plot, *, appearance: Callable[[str], Appearance], shown: PlotOutput) -> None:
    """Write the numbers and the picture, or draw in the terminal."""
    if shown.data:
        write_result(PLOT_DATA, drawn, shown.form, shown.data)
    if shown.output is not None and shown.queries is not None:
        _write_titled(drawn, shown.queries, appearance(drawn.note), shown)
    elif shown.output is not None:
        write_picture(
            drawn.kind,
            drawn.panels,
            shown.output,
            size=shown.size,
            appearance=appearance(drawn.note),
            outlines=not shown.svg_text,
        )
    elif shown.data != STDOUT:
        style = Style(colour=False if shown.no_color else None, unicode=prints_unicode(sys.stdout))
        write_pieces(partial(_in_characters, drawn), None, style)


def _write_titled(drawn: Plot, queries: str, appearance: Appearance, shown: PlotOutput) -> None:
    """Write a picture in SVG, with the queries of topics in its titles."""
    from rankeval.plots.svg_titles import titled_svg
    from rankeval.plots.whole_figure import figure, save

    topics = {topic for panel in drawn.panels for topic in panel.topics}
    found = TextSources(queries).of(dict.fromkeys(topics, ())).queries
    made = figure(drawn.kind, drawn.panels, size=shown.size, appearance=appearance)
    picture = titled_svg(made, drawn.kind, found, partial(save, outlines=not shown.svg_text))
    with atomic_bytes(shown.output or "") as stream:
        stream.write(picture)


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
