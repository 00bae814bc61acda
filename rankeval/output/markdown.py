"""Tables and sentences in GitHub's Markdown."""

from collections.abc import Iterable, Iterator, Sequence

from rankeval.output import escape
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Column, Heading, Note, Table, Verbatim


def markdown(blocks: Iterable[Block], _: Style) -> Iterator[str]:
    """Print titles in bold, tables, and sentences, with empty lines between them."""
    for number, block in enumerate(block for block in blocks if block != ""):
        yield "\n" if number else ""
        if isinstance(block, str):
            yield f"{_sentence(block)}\n"
            continue
        if block.title:
            yield f"**{escape.markdown_prose(block.title)}**\n\n"
        yield from table(block)


def _sentence(block: str) -> str:
    if isinstance(block, Verbatim):
        return f"```text\n{block}\n```"
    if isinstance(block, Note):
        return escape.markdown_code(block)
    return "### " * isinstance(block, Heading) + escape.markdown_prose(block)


def table(drawn: Table) -> Iterator[str]:
    """Print the lines of a table."""
    rows = [
        [_cell(*pair) for pair in zip(row, drawn.columns, strict=True)] for row in drawn.cells()
    ]
    for row in rows[len(rows) - drawn.footing :]:
        row[0] = f"**{row[0]}**"  # distinguishes it from a topic of that name
    return lines(
        [escape.markdown(column.head) for column in drawn.columns],
        rows,
        [column.right for column in drawn.columns],
    )


def lines(
    heads: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[bool] | None = None
) -> Iterator[str]:
    """Print a table of cells in Markdown; `right` is True for a column aligned to the right."""
    yield _line(heads)
    yield _line(["---:" if aligned else ":---" for aligned in right or [False] * len(heads)])
    yield from map(_line, rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cell(cell: Cell, column: Column) -> str:
    safe = _number if column.right else escape.markdown
    if cell.prose:
        safe = escape.markdown_prose
    return cell.marked(safe, "**{}**", "<sup>{}</sup>", "<sub>{}</sub>")


def _number(text: str) -> str:
    """Escape characters in numbers and marks after them: <0.0001, and a star."""
    return text.replace("<", r"\<").replace("*", r"\*")
