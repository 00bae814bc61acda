"""LaTeX tables in the booktabs style, the best values in bold."""

from collections.abc import Iterator

from rankeval.documents.values import aggregation_line, qrels_line, signatures
from rankeval.evaluation.results import Results
from rankeval.render.escape import latex as escaped
from rankeval.render.grid import UNDEFINED, Cell, Grid, grids
from rankeval.render.markup import latex_row
from rankeval.render.style import Style
from rankeval.support.visible import visible


def latex(results: Results, style: Style) -> Iterator[str]:
    """Print the tables that `rankeval.render.grid.grids` gives; those of topics break over pages.

    Comments say what the values stand on and which packages are needed.
    """
    packages = "booktabs, longtable" if style.per_topic else "booktabs"
    yield f"% packages: {packages}\n"
    yield f"% qrels: {visible(results.qrels.path)}, {qrels_line(results)}\n"
    if rule := aggregation_line(results):
        yield f"% {visible(rule)}\n"
    if style.signature:
        for name, signature in signatures(results, style):
            yield f"% signature: {visible(name)} {visible(signature)}\n"
    for grid in grids(results, style):
        yield from _drawn(grid)


def _drawn(grid: Grid) -> Iterator[str]:
    long = grid.corner == "topic"
    environment = "longtable" if long else "tabular"
    if grid.title:
        yield f"% {visible(grid.title)}\n"
    yield f"\\begin{{{environment}}}{{l{'r' * len(grid.heads)}}}\n"
    if grid.title and long:
        yield f"\\caption{{{escaped(grid.title)}}} \\\\\n"
    yield "\\toprule\n"
    if grid.title and not long:  # a tabular has no caption of its own
        width = len(grid.heads) + 1
        yield f"\\multicolumn{{{width}}}{{l}}{{{escaped(grid.title)}}} \\\\\n\\midrule\n"
    yield latex_row([grid.corner, *map(escaped, grid.heads)])
    yield "\\midrule\n"
    if long:
        yield "\\endhead\n"
    for number, (label, row) in enumerate(zip(grid.labels, grid.rows, strict=True), 1):
        if grid.footing and number == len(grid.rows) > 1:
            yield "\\midrule\n"
        yield latex_row([escaped(label), *map(_cell, row)])
    yield "\\bottomrule\n"
    yield f"\\end{{{environment}}}\n"


def _cell(cell: Cell) -> str:
    text = "--" if cell.text == UNDEFINED else cell.text
    if text.startswith("-") and text != "--":
        text = f"$-${text[1:]}"
    text = text.replace("[-", "[$-$").replace(", -", ", $-$")
    return f"\\textbf{{{text}}}" if cell.best else text
