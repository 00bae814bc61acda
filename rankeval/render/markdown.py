"""Tables in GitHub's Markdown, the best values in bold."""

from collections.abc import Iterator, Sequence

from rankeval.documents.values import aggregation_line, qrels_line, signatures
from rankeval.evaluation.results import Results
from rankeval.render.escape import markdown as escaped
from rankeval.render.escape import markdown_code
from rankeval.render.grid import Cell, Grid, grids
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
    yield _line([grid.corner, *grid.heads])
    yield _line([":---", *("---:" for _ in grid.heads)])
    for number, (label, row) in enumerate(zip(grid.labels, grid.rows, strict=True), 1):
        # Bold tells it from a topic of that name.
        last = grid.footing and number == len(grid.rows)
        yield _line([f"**{label}**" if last else label, *map(_cell, row)])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cell(cell: Cell) -> str:
    return f"**{cell.text}**" if cell.best else cell.text
