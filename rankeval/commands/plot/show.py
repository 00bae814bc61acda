"""Show a plot: its numbers, its picture, or its drawing in the terminal."""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from rankeval.choices import Format
from rankeval.commands.plot.task import Picture
from rankeval.output.declared_columns import Row, Value, Written, named_rows
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.output_formats import Printer
from rankeval.output.style import USUAL_DECIMALS, Style
from rankeval.output.writing import STDOUT, prints_unicode, write_pieces, write_result
from rankeval.plots.form import Screen
from rankeval.plots.kinds import KINDS
from rankeval.plots.selection import rows_of, without_measures

SCHEMA = "rankeval-plot/1"


def _document(picture: Picture, _: Style) -> Document:
    facts = {"kind": picture.kind, "qrels": {"digest": picture.digest}}
    return headed(SCHEMA, {**facts, "rows": [plain(row) for row in rows_of(picture.panels)]})


def _rows(picture: Picture, _: Style) -> Iterator[Row]:
    for row in named_rows(rows_of(picture.panels)):
        yield [_cell(value) for value in row]


def _cell(value: Value) -> Value:
    return Written(value, str(value).lower()) if isinstance(value, bool) else value


PLOT_DATA = Printer[Picture](document=_document, rows=_rows)
"""The numbers drawn, with all their digits; an undefined one is null or empty."""


def notices(lines_of: Callable[..., Iterable[str]], picture: Picture) -> Iterator[str]:
    """Yield the notices of runs, without those of the measures at all places of a curve."""
    scores = picture.runs[0].scores[1:] if KINDS[picture.kind].over else ()
    swept = [score.measure for score in scores]
    yield from without_measures(lines_of(picture.runs, USUAL_DECIMALS, swept), swept)


def show_plot(
    picture: Picture, data: str | None, form: str, output: str | None, *, no_color: bool
) -> None:
    """Write the numbers to a file in a format, and the picture, or draw in the terminal."""
    if data:
        write_result(PLOT_DATA, picture, form, data)
    if output is not None:
        picture.save(output)
    elif data != STDOUT:
        style = Style(colour=False if no_color else None, unicode=prints_unicode(sys.stdout))
        write_pieces(partial(_in_characters, picture), None, style)


def _in_characters(picture: Picture, style: Style) -> Iterator[str]:
    from rankeval.plots.canvas import terminal_text

    width, height = shutil.get_terminal_size()
    # A line is left for the prompt.
    screen = Screen(width, min(height, Screen().height) - 1, bool(style.unicode))
    colour, bounded = bool(style.colour), style.width is not None  # by a terminal
    yield from terminal_text(picture.drawn, screen, colour=colour, bounded=bounded)
    if picture.appearance.note:
        yield f"{picture.appearance.note}\n"


PRINTER = replace(PLOT_DATA, drawings={Format.TABLE: _in_characters})
"""The same, and the drawing in the terminal."""
