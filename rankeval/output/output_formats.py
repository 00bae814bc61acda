"""The output formats, and the record of what prints a result in them.

A format draws the sentences and tables of a result, writes its rows or encodes its document, and
a result may draw a format its own way.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rankeval.base.frozen import frozen
from rankeval.choices import Format
from rankeval.errors import UsageError
from rankeval.output.document_form import document as fields_of_result
from rankeval.output.style import Style

if TYPE_CHECKING:
    from rankeval.output.declared_columns import Rows
    from rankeval.output.tables import Block


ALIASES = {"md": Format.MARKDOWN.value, "tex": Format.LATEX.value}
"""Short names of formats."""


@frozen
class OutputFormat:
    """An output format: one of the last three, a function of a module, prints a result.

    ======== =============================================================================
    suffixes the suffixes of its files, such as ".json"
    draw     yields the text of a result's sentences and tables
    write    yields the text of a result's rows, the heads first
    encode   yields the text of a result's document
    ======== =============================================================================
    """

    suffixes: tuple[str, ...] = ()
    draw: str = ""
    write: str = ""
    encode: str = ""


OUTPUT_FORMATS: Mapping[str, OutputFormat] = {
    Format.TABLE.value: OutputFormat((".txt",), draw="text.text"),
    Format.TSV.value: OutputFormat((".tsv",), write="declared_columns.tsv"),
    Format.CSV.value: OutputFormat((".csv",), write="declared_columns.csv"),
    Format.JSON.value: OutputFormat((".json",), encode="declared_columns.json_document"),
    Format.JSONL.value: OutputFormat((".jsonl",), write="declared_columns.json_lines"),
    Format.MARKDOWN.value: OutputFormat((".md",), draw="markdown.markdown"),
    Format.LATEX.value: OutputFormat((".tex",), draw="latex.latex"),
    Format.HTML.value: OutputFormat((".html", ".htm"), draw="html.page"),
    Format.TREC.value: OutputFormat(),
}
BY_SUFFIX = {suffix: name for name, form in OUTPUT_FORMATS.items() for suffix in form.suffixes}


def format_of(
    path: str, forms: Collection[str], remedy: str = "name the format with --format, or change the"
) -> str:
    """Return the format of a file's suffix; UsageError if it is not among those of a result."""
    suffix = PurePath(path).suffix.lower()
    if BY_SUFFIX.get(suffix) in forms:
        return BY_SUFFIX[suffix]
    problem = f"this cannot be written as {BY_SUFFIX.get(suffix)}"
    if suffix not in BY_SUFFIX:
        found = f"the suffix '{suffix}'" if suffix else "a name without a suffix"
        problem = f"{found} does not name the output format"
    raise UsageError(
        problem,
        place=path,
        expected=f"one of {' '.join(s for s, name in BY_SUFFIX.items() if name in forms)}",
        remedy=f"{remedy} suffix",
    )


Result = TypeVar("Result")


Drawing = Callable[[Result, Style], Iterable[str]]


@frozen
class Printer(Generic[Result]):
    """The functions that output formats need to print one kind of result.

    ======== =============================================================================
    document returns it as a document, which formats such as JSON encode; by default its fields
    rows     yields its rows, the heads first, for TSV, CSV and JSON Lines; None for none
    blocks   yields its sentences and tables, for text, Markdown and LaTeX; None for none
    drawings print the result in formats that it draws its own way, by the name of the format;
             None for one that it is not printed in
    ======== =============================================================================
    """

    blocks: Callable[[Result, Style], "Iterable[Block]"] | None = None
    rows: Callable[[Result, Style], "Rows"] | None = None
    document: Callable[[Result, Style], Mapping[str, Any]] = lambda result, _: fields_of_result(
        result
    )
    drawings: Mapping[str, Drawing[Result] | None] = field(default_factory=dict)

    def formats(self) -> list[str]:
        """Return the names of the formats that the result can be printed in."""
        return [name for name in OUTPUT_FORMATS if self._drawing(name)]

    def text(self, result: Result, form: str, style: Style) -> Iterator[str]:
        """Yield the text of the result in a format that `formats` names, piece by piece."""
        if drawing := self._drawing(form):
            yield from drawing(result, style)

    def _drawing(self, name: str) -> Drawing[Result] | None:
        """Return the function that prints the result in a format; None if there is none."""
        document, rows, blocks, form = self.document, self.rows, self.blocks, OUTPUT_FORMATS[name]
        if name in self.drawings:
            return self.drawings[name]
        if form.draw and blocks:
            signs = name == Format.TABLE
            return lambda result, style: _function(form.draw)(
                blocks(result, replace(style, signs=signs)), style
            )
        if form.write and rows:
            return lambda result, style: _function(form.write)(rows(result, style), style)
        if form.encode:
            return lambda result, style: _function(form.encode)(document(result, style))
        return None


def _function(name: str) -> Callable[..., Iterable[str]]:
    """Return a function of this room, whose module is imported when it is needed."""
    module, _, called = name.partition(".")
    return getattr(import_module(f"rankeval.output.{module}"), called)
