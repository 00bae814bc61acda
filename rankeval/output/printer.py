"""A record of the functions that output formats need to print a result."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rankeval.base.frozen import frozen
from rankeval.output.document_form import document as fields_of_result
from rankeval.output.output_formats import OutputFormat, output_formats
from rankeval.output.style import Style

if TYPE_CHECKING:
    from rankeval.output.data_rows import Rows
    from rankeval.output.tables import Block

Result = TypeVar("Result")
Drawing = Callable[[Result, Style], Iterable[str]]


@frozen
class Printer(Generic[Result]):
    """The functions that output formats need to print one kind of result.

    ======== =============================================================================
    document returns it as a document, which formats such as JSON encode; by default its fields
    rows     yields its rows, the heads first, for TSV, CSV and JSON Lines; None for none
    blocks   yields its sentences and tables, for text, Markdown and LaTeX; None for none
    drawings print the result in formats that it draws its own way, by the name of the format
    ======== =============================================================================
    """

    blocks: Callable[[Result, Style], "Iterable[Block]"] | None = None
    rows: Callable[[Result, Style], "Rows"] | None = None
    document: Callable[[Result, Style], Mapping[str, Any]] = lambda result, _: fields_of_result(
        result
    )
    drawings: Mapping[str, Drawing[Result]] = field(default_factory=dict)

    def formats(self) -> list[str]:
        """Return the names of the formats that the result can be printed in."""
        return [name for name, form in output_formats().items() if self._drawing(form)]

    def text(self, result: Result, form: str, style: Style) -> Iterator[str]:
        """Yield the text of the result in a format that `formats` names, piece by piece."""
        drawing = self._drawing(output_formats()[form])
        if drawing is None:
            raise ValueError(f"this result cannot be printed as {form}")
        yield from drawing(result, style)

    def _drawing(self, form: OutputFormat) -> Drawing[Result] | None:
        """Return the function that prints the result in a format; None if there is none."""
        document, rows, blocks = self.document, self.rows, self.blocks
        encode, write, draw = form.encode, form.write, form.draw
        if form.name in self.drawings:
            return self.drawings[form.name]
        if draw and blocks:
            signs = form.signs
            return lambda result, style: draw(blocks(result, replace(style, signs=signs)), style)
        if write and rows:
            return lambda result, style: write(rows(result, style), style)
        if encode:
            return lambda result, style: encode(document(result, style))
        return None
