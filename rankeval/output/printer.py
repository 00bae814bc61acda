"""A record of the functions that print a result, one for each output format."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from rankeval.base.frozen import frozen
from rankeval.output.document_form import Document
from rankeval.output.output_formats import output_formats
from rankeval.output.style import Style

Result = TypeVar("Result")


@frozen
class Printer(Generic[Result]):
    """The functions that print one kind of result.

    ======== =============================================================================
    document returns the result as a document, which formats such as JSON encode
    records  yields it line by line, for formats such as JSON Lines; None where it has no lines
    drawings print the result in other formats, by the name of the format
    ======== =============================================================================
    """

    document: Callable[[Result, Style], Document]
    records: Callable[[Result, Style], Iterable[Document]] | None
    drawings: Mapping[str, Callable[[Result, Style], Iterable[str]]]

    def formats(self) -> list[str]:
        """Return the names of the formats that the result can be printed in."""
        return [
            name
            for name, one in output_formats().items()
            if name in self.drawings or one.encode or (one.encode_records and self.records)
        ]

    def text(self, result: Result, form: str, style: Style) -> Iterator[str]:
        """Yield the text of the result in a format that `formats` names, piece by piece."""
        if drawing := self.drawings.get(form):
            yield from drawing(result, style)
            return
        found = output_formats()[form]
        if found.encode:
            yield from found.encode(self.document(result, style))
        elif found.encode_records and self.records:
            yield from found.encode_records(self.records(result, style))
        else:
            raise ValueError(f"this result cannot be printed as {form}")
