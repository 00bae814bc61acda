"""Tables in LaTeX, in the booktabs style, and sentences."""

from collections.abc import Iterable, Iterator, Sequence

from rankeval.base.frozen import replace
from rankeval.errors import printable, visible
from rankeval.output import escape
from rankeval.output.style import Style
from rankeval.output.tables import Block, Caption, Cell, Column, Heading, Note, Table, Verbatim

BOLD = r"\textbf{{{}}}"


def latex(blocks: Iterable[Block], style: Style) -> Iterator[str]:
    """Print tables and paragraphs, after notes as comments and one on the packages needed."""
    drawn = list(_captioned(list(blocks), style))
    yield "% packages: booktabs\n"
    yield from (f"% {visible(block)}\n" for block in drawn if isinstance(block, Note))
    for block in drawn:
        if isinstance(block, Note):
            continue
        if isinstance(block, Verbatim):
            yield from (f"% {printable(line)}\n" for line in block.splitlines())
        elif isinstance(block, str):
            yield f"\n\\noindent {escape.latex(block)}\n" if block else ""
        elif block.title or block.label:
            yield f"\\begin{{table}}\n\\centering\n{_caption(block)}\n"
            yield from _tabular(block)
            yield "\\end{table}\n"
        else:
            yield from _tabular(block)


def _captioned(blocks: Sequence[Block], style: Style) -> Iterator[Block]:
    """Put captions behind the titles of tables, the user's before them, and number labels."""
    shared = " ".join(block for block in blocks if isinstance(block, Caption))
    number, heading = 0, ""
    for block in blocks:
        if isinstance(block, Heading):
            heading = block
        if isinstance(block, str):
            yield from [] if isinstance(block, Caption | Heading) else [block]
            continue
        number += 1
        title = _sentences(style.caption, _sentences(block.title or heading, shared))
        label = f"{style.label}-{number}" if style.label and number > 1 else style.label
        yield replace(block, title=title, label=label)


def _sentences(first: str, second: str) -> str:
    """Return two sentences, with a full stop between them, or the one that there is."""
    stop = "" if not (first and second) or first.endswith((".", "?", "!")) else "."
    return f"{first}{stop} {second}".strip()


def _tabular(table: Table) -> Iterator[str]:
    """Print a table that does not float, for a table environment of the user's."""
    aligned = (r"p{0.5\linewidth}" if c.prose else "r" if c.right else "l" for c in table.columns)
    yield f"\\begin{{tabular}}{{{''.join(aligned)}}}\n\\toprule\n"
    yield _line([escape.latex(column.head) for column in table.columns]) + "\\midrule\n"
    for number, row in enumerate(table.cells(), 1):
        if table.footing and number == len(table.rows) - table.footing + 1 > 1:
            yield "\\midrule\n"
        yield _line([_cell(*pair) for pair in zip(row, table.columns, strict=True)])
    yield "\\bottomrule\n\\end{tabular}\n"


def _caption(table: Table) -> str:
    label = f"\n\\label{{{table.label}}}" if table.label else ""
    return (f"\\caption{{{escape.latex(table.title)}}}" if table.title else "") + label


def _line(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\\n"


def _cell(cell: Cell, column: Column) -> str:
    safe = _number if column.right else escape.latex
    return cell.marked(safe, BOLD, r"\textsuperscript{{{}}}", r"\textsubscript{{{}}}")


def _number(text: str) -> str:
    """Return a number or an interval with mathematical signs; a dash for an undefined one."""
    if text == "-":
        return "--"
    # No interval is the first cell of a row, where [ would begin an argument.
    return escape.latex(text).replace("{[}", "[").replace("-", "$-$").replace("+", "$+$")
