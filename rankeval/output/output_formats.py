"""The output formats, how to add one, and the record of what prints a result in them.

A format draws the sentences and tables of a result, writes its rows or encodes its document, and
a result may draw a format its own way.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rankeval.base.checked import checked
from rankeval.base.doors import Registry
from rankeval.base.endings import harmless, harmless_json, harmless_latex
from rankeval.base.frozen import frozen
from rankeval.choices import Format
from rankeval.errors import UsageError
from rankeval.output.document_form import Document
from rankeval.output.document_form import document as fields_of_result
from rankeval.output.style import Style

if TYPE_CHECKING:
    from rankeval.output.declared_columns import Rows
    from rankeval.output.tables import Block


ALIASES = {"md": Format.MARKDOWN.value, "tex": Format.LATEX.value}
"""Short names of formats."""


@frozen
class OutputFormat:
    """An output format: one of the last three prints a result.

    ======== =============================================================================
    name     the name that --format gives it
    suffixes the suffixes of its files, such as ".json"
    harmless returns a text in which the log of a workflow takes no line for a command;
             None for data, which stays as it is
    draw     yields the text of a result's sentences and tables
    write    yields the text of a result's rows, the heads first
    encode   yields the text of a result's document
    ======== =============================================================================
    """

    name: str
    suffixes: tuple[str, ...]
    harmless: Callable[[str], str] | None
    draw: Callable[["Iterable[Block]", "Style"], Iterable[str]] | None = None
    write: Callable[["Rows", "Style"], Iterable[str]] | None = None
    encode: Callable[[Any], Iterable[str]] | None = None


def _of(module: str, name: str) -> Callable[..., Any]:
    """Return a function of this room, whose module is imported when it is first called."""

    def drawn(*arguments: Any) -> Any:
        return getattr(import_module(f"rankeval.output.{module}"), name)(*arguments)

    return drawn


BUILT_IN = {
    form.name: form
    for form in (
        OutputFormat(Format.TABLE, (".txt",), harmless, draw=_of("text", "text")),
        OutputFormat(Format.TSV, (".tsv",), None, write=_of("declared_columns", "tsv")),
        OutputFormat(Format.CSV, (".csv",), None, write=_of("declared_columns", "csv")),
        OutputFormat(
            Format.JSON, (".json",), harmless_json, encode=_of("declared_columns", "json_document")
        ),
        OutputFormat(
            Format.JSONL, (".jsonl",), harmless_json, write=_of("declared_columns", "json_lines")
        ),
        OutputFormat(Format.MARKDOWN, (".md",), harmless, draw=_of("markdown", "markdown")),
        OutputFormat(Format.LATEX, (".tex",), harmless_latex, draw=_of("latex", "latex")),
        OutputFormat(Format.HTML, (".html", ".htm"), None, draw=_of("html", "page")),
        OutputFormat(Format.TREC, (), None),
    )
}


_ADDED: Registry[OutputFormat] = Registry()


@checked
def output_format(
    name: str, *, suffixes: Sequence[str] = (), encode: Callable[[Document], str]
) -> None:
    r"""Add an output format, which every command offers from then on.

    ======== ===============================================================================
    name     of the format, for --format
    suffixes of files that are written in the format
    encode   returns the text of a document: dicts and lists of text, numbers, True, False and
             None
    ======== ===============================================================================

    A format of the same name that was added before is replaced; UsageError where the name or a
    suffix belongs to another.

    >>> from rankeval.options import output_format
    >>> output_format("doctest", suffixes=[".doctest"], encode=lambda document: f"{document}\n")
    """
    add_output_format(
        OutputFormat(name, tuple(suffixes), None, encode=lambda found: [encode(found)])
    )


def add_output_format(form: OutputFormat) -> None:
    """Add an output format, as `output_format` does, that may draw tables or write rows."""
    if form.name in BUILT_IN:
        raise UsageError(f"the output format '{form.name}' is built in", expected="another name")
    for suffix in form.suffixes:
        if not suffix.startswith(".") or suffix != suffix.lower():
            raise UsageError(
                f"the suffix '{suffix}' of the output format '{form.name}' can match no file",
                expected="a full stop and small letters, such as .toml",
            )
        owner = _by_suffix().get(suffix, form.name)
        if owner != form.name:
            raise UsageError(
                f"the suffix '{suffix}' belongs to the output format '{owner}'",
                expected=f"another suffix for '{form.name}'",
            )
    _ADDED[form.name] = form


def output_formats() -> dict[str, OutputFormat]:
    """Return all formats by name: those that are built in, then those that were added."""
    return BUILT_IN | _ADDED


def _by_suffix() -> dict[str, str]:
    return {suffix: name for name, form in output_formats().items() for suffix in form.suffixes}


def format_of(
    path: str, forms: Collection[str], remedy: str = "name the format with --format, or change the"
) -> str:
    """Return the format of a file's suffix; UsageError if it is not among those of a result."""
    suffix, every = PurePath(path).suffix.lower(), _by_suffix()
    if every.get(suffix) in forms:
        return every[suffix]
    problem = f"this cannot be written as {every.get(suffix)}"
    if suffix not in every:
        found = f"the suffix '{suffix}'" if suffix else "a name without a suffix"
        problem = f"{found} does not name the output format"
    raise UsageError(
        problem,
        place=path,
        expected=f"one of {' '.join(suffix for suffix, name in every.items() if name in forms)}",
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
            signs = form.name == Format.TABLE
            return lambda result, style: draw(blocks(result, replace(style, signs=signs)), style)
        if write and rows:
            return lambda result, style: write(rows(result, style), style)
        if encode:
            return lambda result, style: encode(document(result, style))
        return None
