"""Write tables of cells that are Markdown or LaTeX already."""

from collections.abc import Iterable, Iterator, Sequence


def markdown_table(
    heads: Sequence[str], right: Sequence[bool], rows: Iterable[Sequence[str]]
) -> Iterator[str]:
    """Yield the lines of GitHub's Markdown; `right` is True for a column aligned to the right."""
    yield _markdown_row(heads)
    yield _markdown_row(["---:" if aligned else ":---" for aligned in right])
    yield from map(_markdown_row, rows)


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def latex_table(
    caption: str, right: Sequence[bool], heads: Sequence[str], rows: Iterable[Sequence[str]]
) -> Iterator[str]:
    """Yield the lines of a floating table in the booktabs style."""
    aligned = "".join("r" if one else "l" for one in right)
    yield "\\begin{table}\n\\centering\n"
    if caption:
        yield f"\\caption{{{caption}}}\n"
    yield f"\\begin{{tabular}}{{{aligned}}}\n\\toprule\n"
    yield latex_row(heads)
    yield "\\midrule\n"
    yield from map(latex_row, rows)
    yield "\\bottomrule\n\\end{tabular}\n\\end{table}\n"


def latex_row(cells: Sequence[str]) -> str:
    """Return a row of a table as a line."""
    return f"{' & '.join(cells)} \\\\\n"
