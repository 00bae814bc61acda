"""The output formats, and the record of what prints a result in them.

A format draws the sentences and tables of a result, writes its rows or encodes its document, and
a result may draw a format its own way.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rankeval.base.frozen import field, record, replace
from rankeval.errors import UsageError
from rankeval.output.document_form import document as fields_of_result
from rankeval.output.style import Style

if TYPE_CHECKING:
    from rankeval.output.declared_columns import Rows
    from rankeval.output.tables import Block


ALIASES = {"md": "markdown", "tex": "latex"}
"""Short names of formats."""


@record
class OutputFormat:
    """An output format.

    ======== =============================================================================
    of       what it prints: "blocks", "rows" or "document", as a `Printer` returns them
    function prints it: a module of this room, which is imported when it is needed, and the
             name of a function, with a dot between
    suffixes the suffixes of its files, such as ".json"
    ======== =============================================================================
    """

    of: str = ""
    function: str = ""
    suffixes: tuple[str, ...] = ()


OUTPUT_FORMATS: dict[str, OutputFormat] = {
    "table": OutputFormat("blocks", "text.text", (".txt",)),
    "tsv": OutputFormat("rows", "declared_columns.tsv", (".tsv",)),
    "csv": OutputFormat("rows", "declared_columns.csv", (".csv",)),
    "json": OutputFormat("document", "declared_columns.json_document", (".json",)),
    "jsonl": OutputFormat("rows", "declared_columns.json_lines", (".jsonl",)),
    "markdown": OutputFormat("blocks", "markdown.markdown", (".md",)),
    "latex": OutputFormat("blocks", "latex.latex", (".tex",)),
    "html": OutputFormat("blocks", "html.page", (".html", ".htm")),
    "trec": OutputFormat(),
}


def format_of(
    path: str, forms: Collection[str], remedy: str = "name the format with --format, or change the"
) -> str:
    """Return the format of a file's suffix; UsageError if it is not among those of a result."""
    suffix = PurePath(path).suffix.lower()
    by_suffix = {each: name for name, form in OUTPUT_FORMATS.items() for each in form.suffixes}
    name = by_suffix.get(suffix, "")
    if name in forms:
        return name
    problem = f"this cannot be written as {name}"
    if not name:
        found = f"the suffix '{suffix}'" if suffix else "a name without a suffix"
        problem = f"{found} does not name the output format"
    raise UsageError(
        problem,
        place=path,
        expected=f"one of {' '.join(s for s, name in by_suffix.items() if name in forms)}",
        remedy=f"{remedy} suffix",
    )


Result = TypeVar("Result")


Drawing = Callable[[Result, Style], Iterable[str]]


@record
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
    document: Callable[[Result, Style], Mapping[str, Any]] = fields_of_result
    drawings: Mapping[str, Drawing[Result] | None] = field(default_factory=dict)

    def formats(self) -> list[str]:
        """Return the names of the formats that the result can be printed in."""
        return [
            name
            for name, form in OUTPUT_FORMATS.items()
            if self.drawings.get(name, getattr(self, form.of, None))
        ]

    def text(self, result: Result, form: str, style: Style) -> Iterator[str]:
        """Yield the text of the result in a format that `formats` names, piece by piece."""
        if draw := self.drawings.get(form):
            yield from draw(result, style)
        elif make := getattr(self, OUTPUT_FORMATS[form].of, None):
            module, _, called = OUTPUT_FORMATS[form].function.partition(".")
            printed = getattr(import_module(f"rankeval.output.{module}"), called)
            yield from printed(make(result, replace(style, signs=form == "table")), style)
