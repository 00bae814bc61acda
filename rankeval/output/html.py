"""Tables and sentences in HTML: for the cells of notebooks, and as a page."""

from collections.abc import Iterable, Iterator
from html import escape

from rankeval.errors import visible
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Heading, Table, Verbatim

HEAD = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>rankeval</title>
<style>:root { color-scheme: light dark } th, td { padding: .2em .6em }</style>
"""
"""The head of a page, which may run and fetch nothing."""


def page(blocks: Iterable[Block], _: Style) -> Iterator[str]:
    """Yield a page of tables and sentences."""
    yield HEAD
    yield from html(blocks)
    yield "</html>\n"


def html(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield tables with their titles as captions, and sentences as paragraphs."""
    for block in blocks:
        if isinstance(block, Table):
            yield from table(block)
        elif isinstance(block, Verbatim):
            yield f"<pre>{escape(block)}</pre>\n"
        elif block:
            tag = "h2" if isinstance(block, Heading) else "p"
            yield f"<{tag}>{text(block)}</{tag}>\n"


def table(drawn: Table) -> Iterator[str]:
    """Yield the lines of a table; the best values, or failures, are bold."""
    yield "<table>\n"
    yield f"<caption>{text(drawn.title)}</caption>\n" if drawn.title else ""
    sides = [f' style="text-align: {"right" if one.right else "left"}"' for one in drawn.columns]
    heads = zip(sides, drawn.columns, strict=True)
    yield f"<thead><tr>{''.join(f'<th{side}>{text(one.head)}</th>' for side, one in heads)}"
    yield "</tr></thead>\n<tbody>\n"
    for row in drawn.cells():
        cells = zip(sides, row, strict=True)
        yield f"<tr>{''.join(f'<td{side}>{_cell(one)}</td>' for side, one in cells)}</tr>\n"
    yield "</tbody>\n</table>\n"


def text(words: str) -> str:
    """Return a text that is no markup, whatever it holds."""
    return escape(visible(words))


def _cell(cell: Cell) -> str:
    return cell.marked(text, "<b>{}</b>", "<sup>{}</sup>", "<sub>{}</sub>")
