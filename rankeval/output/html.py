"""Tables and sentences in HTML, for the cells of notebooks."""

from collections.abc import Iterable, Iterator
from html import escape

from rankeval.base.wording import visible
from rankeval.output.tables import BOLD, Block, Cell, Column, Table, Verbatim


def html(blocks: Iterable[Block]) -> Iterator[str]:
    """Print tables with their titles as captions, and sentences as paragraphs."""
    for block in blocks:
        if isinstance(block, Table):
            yield from table(block)
        elif isinstance(block, Verbatim):
            yield f"<pre>{escape(block)}</pre>\n"
        elif block:
            yield f"<p>{text(block)}</p>\n"


def table(drawn: Table) -> Iterator[str]:
    """Print the lines of a table; the best values, or failures, are bold."""
    yield "<table>\n"
    yield f"<caption>{text(drawn.title)}</caption>\n" if drawn.title else ""
    heads = "".join(f"<th{_aligned(column)}>{text(column.head)}</th>" for column in drawn.columns)
    yield f"<thead><tr>{heads}</tr></thead>\n<tbody>\n"
    for row in drawn.cells():
        cells = (
            f"<td{_aligned(column)}>{_cell(cell)}</td>"
            for cell, column in zip(row, drawn.columns, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>\n"
    yield "</tbody>\n</table>\n"


def preformatted(words: str) -> str:
    """Return lines as they are, such as a formula."""
    return f"<pre>{escape(words)}</pre>\n"


def text(words: str) -> str:
    """Return a text that is no markup, whatever it holds."""
    return escape(visible(words))


def _aligned(column: Column) -> str:
    return ' style="text-align: right"' if column.right else ' style="text-align: left"'


def _cell(cell: Cell) -> str:
    if cell.bold is not None:
        return f"<bdi>{cell.words(text, lambda word: f'<b>{word}</b>')}</bdi>"
    found = text(cell.text + cell.mark)
    found = f"<b>{found}</b>" if cell.emphasis in BOLD else found
    for letters, tag in ((cell.better, "sup"), (cell.worse, "sub")):
        found += f"<{tag}>{','.join(letters)}</{tag}>" if letters else ""
    return found
