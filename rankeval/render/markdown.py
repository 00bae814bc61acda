"""Tables in GitHub's Markdown, the best values in bold."""

from collections.abc import Iterator

from rankeval.documents.values import aggregation_line, qrels_line, signatures
from rankeval.evaluation.results import Results
from rankeval.render.escape import markdown as escaped
from rankeval.render.escape import markdown_code
from rankeval.render.grid import Cell, Grid, grids
from rankeval.render.markup import markdown_table
from rankeval.render.style import Style


def markdown(results: Results, style: Style) -> Iterator[str]:
    """Print the tables that `rankeval.render.grid.grids` gives, and what they stand on."""
    for grid in (raw.escaped(escaped) for raw in grids(results, style)):
        if grid.title:
            yield f"**{grid.title}**\n\n"
        yield from _drawn(grid)
        yield "\n"
    yield f"Judgments: {markdown_code(results.qrels.path)}, {qrels_line(results)}\n"
    if rule := aggregation_line(results):
        yield f"\n{markdown_code(rule)}\n"
    if style.signature:
        yield "\n"
        for name, signature in signatures(results, style):
            yield f"- {markdown_code(name)}: {markdown_code(signature)}\n"


def _drawn(grid: Grid) -> Iterator[str]:
    labels = list(grid.labels)
    if grid.footing:
        labels[-1] = f"**{labels[-1]}**"  # bold tells it from a topic of that name
    right = [False, *[True] * len(grid.heads)]
    rows = ([label, *map(_cell, row)] for label, row in zip(labels, grid.rows, strict=True))
    return markdown_table([grid.corner, *grid.heads], right, rows)


def _cell(cell: Cell) -> str:
    return f"**{cell.text}**" if cell.best else cell.text
