"""Tables in LaTeX, in the booktabs style, and sentences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rankeval.output import escape
from rankeval.output.style import Style
from rankeval.output.tables import BOLD, Block, Cell, Column, Table


def latex(blocks: Iterable[Block]) -> Iterator[str]:
    """Print tables with their titles as captions, and paragraphs."""
    for block in blocks:
        if isinstance(block, str):
            yield f"\n\\noindent {escape.latex(block)}\n" if block else ""
        elif block.long:
            yield from _over_pages(block)
        elif block.title or block.label:
            yield f"\\begin{{table}}\n\\centering\n{_caption(block)}\n"
            yield from _tabular(block)
            yield "\\end{table}\n"
        else:
            yield from _tabular(block)


def latex_file(blocks: Iterable[Block], style: Style) -> Iterator[str]:
    """Print tables and paragraphs after a comment on the packages that they need.

    The user's caption comes before the titles of the tables, and their labels are numbered.
    """
    found = list(captioned_blocks(blocks, style))
    yield packages(found)
    yield from latex(found)


def packages(blocks: Iterable[Block]) -> str:
    """Return the comment on the packages that tables and paragraphs need."""
    long = any(isinstance(block, Table) and block.long for block in blocks)
    return f"% packages: booktabs{', longtable' if long else ''}\n"


def captioned(tables: Iterable[Table], style: Style) -> Iterator[Table]:
    """Put the user's caption before the titles of tables, and number their labels."""
    return (block for block in captioned_blocks(tables, style) if isinstance(block, Table))


def captioned_blocks(blocks: Iterable[Block], style: Style) -> Iterator[Block]:
    """Put the user's caption before the titles of tables, and number their labels."""
    number = 0
    for table in blocks:
        if isinstance(table, str):
            yield table
            continue
        number += 1
        stop = "" if style.caption.endswith((".", "?", "!")) or not table.title else "."
        title = f"{style.caption}{stop} {table.title}".strip() if style.caption else table.title
        label = f"{style.label}-{number}" if style.label and number > 1 else style.label
        yield replace(table, title=title, label=label)


def _tabular(table: Table) -> Iterator[str]:
    """Print a table that does not float, for a table environment of the user's."""
    yield f"\\begin{{tabular}}{{{_aligned(table)}}}\n\\toprule\n"
    yield f"{_heads(table)}\\midrule\n"
    yield from _rows(table)
    yield "\\bottomrule\n\\end{tabular}\n"


def _over_pages(table: Table) -> Iterator[str]:
    """Print a table that breaks over pages, each with the heads."""
    yield f"\\begin{{longtable}}{{{_aligned(table)}}}\n"
    yield f"{_caption(table)} \\\\\n" if table.title or table.label else ""
    yield f"\\toprule\n{_heads(table)}\\midrule\n\\endhead\n"
    yield from _rows(table)
    yield "\\bottomrule\n\\end{longtable}\n"


def _caption(table: Table) -> str:
    label = f"\n\\label{{{table.label}}}" if table.label else ""
    return (f"\\caption{{{escape.latex(table.title)}}}" if table.title else "") + label


def _aligned(table: Table) -> str:
    return "".join(
        r"p{0.5\linewidth}" if column.prose else "r" if column.right else "l"
        for column in table.columns
    )


def _heads(table: Table) -> str:
    return _line([escape.latex(column.head) for column in table.columns])


def _rows(table: Table) -> Iterator[str]:
    for number, row in enumerate(table.cells(), 1):
        if table.footing and number == len(table.rows) - table.footing + 1 > 1:
            yield "\\midrule\n"
        yield _line([_cell(*pair) for pair in zip(row, table.columns, strict=True)])


def _line(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\\n"


def _cell(cell: Cell, column: Column) -> str:
    if cell.bold is not None:
        return cell.words(escape.latex, lambda word: f"\\textbf{{{word}}}")
    text = (_number if column.right else escape.latex)(cell.text + cell.mark)
    text = f"\\textbf{{{text}}}" if cell.emphasis in BOLD else text
    above, below = ",".join(cell.better), ",".join(cell.worse)
    return (
        text
        + (f"\\textsuperscript{{{above}}}" if above else "")
        + (f"\\textsubscript{{{below}}}" if below else "")
    )


def _number(text: str) -> str:
    """Return a number or an interval with mathematical signs; a dash for an undefined one."""
    if text == "-":
        return "--"
    # No interval is the first cell of a row, where [ would begin an argument.
    return escape.latex(text).replace("{[}", "[").replace("-", "$-$").replace("+", "$+$")
