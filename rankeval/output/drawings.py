"""The drawings of a result that is sentences and tables for people, and rows for programs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from rankeval.choices import Format
from rankeval.output import escape
from rankeval.output.latex import latex as latex_of
from rankeval.output.markdown import markdown as markdown_of
from rankeval.output.separated import csv_lines, tsv_lines
from rankeval.output.style import Style
from rankeval.output.tables import Block
from rankeval.output.text import text

Result = TypeVar("Result")
Blocks = Callable[[Result, Style], Iterable[Block]]
Rows = Callable[[Result, Style, Callable[[str], str]], Iterable[Sequence[str]]]


def drawings(
    blocks: Blocks[Result], rows: Rows[Result]
) -> Mapping[str, Callable[[Result, Style], Iterator[str]]]:
    """Return the drawings of a result by the names of the formats, for its printer.

    `blocks` yields its sentences and tables, which are drawn as text, Markdown and LaTeX. `rows`
    yields the rows of TSV and CSV, the heads first; it is given the function that escapes names.
    """

    def latex(result: Result, style: Style) -> Iterator[str]:
        yield "% packages: booktabs\n"
        yield from latex_of(blocks(result, style))

    return {
        Format.TABLE: lambda result, style: text(blocks(result, style), style),
        Format.TSV: lambda result, style: tsv_lines(rows(result, style, escape.tsv)),
        Format.CSV: lambda result, style: csv_lines(rows(result, style, escape.csv)),
        Format.MARKDOWN: lambda result, style: markdown_of(blocks(result, style)),
        Format.LATEX: latex,
    }
