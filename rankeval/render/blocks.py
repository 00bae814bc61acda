"""Tables and sentences, and how a terminal, Markdown and LaTeX show them."""

from collections.abc import Iterable, Iterator, Sequence

from rankeval.render import escape
from rankeval.render.markup import latex_table, markdown_table
from rankeval.render.style import Style
from rankeval.render.text import Column, bold, columns, paragraph
from rankeval.support.frozen import frozen
from rankeval.support.visible import visible


@frozen
class Table:
    """A table with a title. Titles, heads and cells are not yet escaped."""

    title: str
    layout: Sequence[Column]
    rows: Sequence[Sequence[str]]


Block = Table | str
"""A table, or a sentence below one; "" is an empty line."""


def text(blocks: Iterable[Block], style: Style) -> Iterator[str]:
    """Print for a terminal: an empty line before each title, sentences wrapped."""
    for number, block in enumerate(blocks):
        if isinstance(block, str):
            yield paragraph(visible(block), style) + "\n"
            continue
        if block.title:
            yield "\n" if number else ""
            yield bold(paragraph(visible(block.title), style), style) + "\n"
        layout = [c._replace(head=visible(c.head)) for c in block.layout]
        yield from columns(layout, [[*map(visible, row)] for row in block.rows], style)


def markdown(blocks: Iterable[Block]) -> Iterator[str]:
    """Print GitHub's Markdown: titles in bold."""
    for number, block in enumerate(block for block in blocks if block != ""):
        yield "\n" if number else ""
        if isinstance(block, str):
            yield f"{escape.markdown_prose(block)}\n"
            continue
        if block.title:
            yield f"**{escape.markdown_prose(block.title)}**\n\n"
        heads = [escape.markdown_prose(column.head) for column in block.layout]
        right = [column.right for column in block.layout]
        rows = (
            [
                (escape.markdown_prose if column.right else escape.markdown)(cell)
                for column, cell in zip(block.layout, row, strict=True)
            ]
            for row in block.rows
        )
        yield from markdown_table(heads, right, rows)


def latex(blocks: Iterable[Block]) -> Iterator[str]:
    """Print tables in the booktabs style with their titles as captions, and paragraphs."""
    for block in blocks:
        if isinstance(block, str):
            yield f"\n\\noindent {escape.latex(block)}\n" if block else ""
            continue
        heads = [escape.latex(column.head) for column in block.layout]
        rows = (
            [
                (latex_number if column.right else escape.latex)(cell)
                for column, cell in zip(block.layout, row, strict=True)
            ]
            for row in block.rows
        )
        right = [column.right for column in block.layout]
        yield from latex_table(escape.latex(block.title), right, heads, rows)


def latex_number(cell: str) -> str:
    """Return a number or an interval with mathematical signs; a dash for an undefined one."""
    return "--" if cell == "-" else escape.latex(cell).replace("-", "$-$").replace("+", "$+$")
