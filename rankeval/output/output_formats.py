"""The output formats, and how to add one.

A format encodes documents, or each result draws it its own way (`rankeval.output.printer`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath

from rankeval.base.frozen import frozen
from rankeval.base.registries import Registry
from rankeval.base.workflow import harmless, harmless_json, harmless_latex, harmless_yaml
from rankeval.choices import Format
from rankeval.errors import UsageError
from rankeval.output.document_form import Document

ALIASES = {"md": Format.MARKDOWN.value, "tex": Format.LATEX.value, "yml": "yaml"}
"""Short names of formats."""


TEXT = "text"
"""The name of the format of reports on checked files."""


@frozen
class OutputFormat:
    """An output format.

    ============== =======================================================================
    name           the name that --format gives it
    suffixes       the suffixes of its files, such as ".json"
    harmless       returns a text in which the log of a workflow takes no line for a command;
                   None for data, which stays as it is
    encode         yields the text of a document; None where results draw themselves
    encode_records yields the text of a result's records; None where it has no use for them
    ============== =======================================================================
    """

    name: str
    suffixes: tuple[str, ...] = ()
    harmless: Callable[[str], str] | None = None
    encode: Callable[[Document], Iterable[str]] | None = None
    encode_records: Callable[[Iterable[Document]], Iterable[str]] | None = None


def _json(document: Document) -> Iterator[str]:
    from rankeval.output import json_text

    return json_text.document(document)


def _json_lines(records: Iterable[Document]) -> Iterator[str]:
    from rankeval.output import json_text

    return map(json_text.line, records)


def _yaml(document: Document) -> Iterator[str]:
    from rankeval.output import yaml_text

    return yaml_text.document(document)


BUILT_IN = {
    one.name: one
    for one in (
        OutputFormat(Format.TABLE, (".txt",), harmless),
        OutputFormat(TEXT, (), harmless),
        OutputFormat(Format.TSV, (".tsv",)),
        OutputFormat(Format.CSV, (".csv",)),
        OutputFormat(Format.JSON, (".json",), harmless_json, encode=_json),
        OutputFormat(Format.JSONL, (".jsonl",), harmless_json, encode_records=_json_lines),
        OutputFormat(Format.MARKDOWN, (".md",), harmless),
        OutputFormat(Format.LATEX, (".tex",), harmless_latex),
        OutputFormat(Format.HTML, (".html", ".htm")),  # all text in it is harmless
        OutputFormat(Format.TREC),
    )
}
YAML = OutputFormat("yaml", (".yaml", ".yml"), harmless_yaml, encode=_yaml)
"""A format that a plugin may replace by one of the same name."""

_ADDED: Registry[OutputFormat] = Registry()


def output_format(
    name: str, *, suffixes: Sequence[str] = (), encode: Callable[[Document], str]
) -> None:
    r"""Add an output format, which every command offers from then on.

    `encode` returns the text of a document: dicts and lists of text, numbers, True, False and
    None. A file that ends in one of `suffixes` is written in the format. A format of the same name
    that was added before is replaced; UsageError where the name or a suffix belongs to another.

    >>> from rankeval import output_format
    >>> output_format("doctest", suffixes=[".doctest"], encode=lambda document: f"{document}\n")
    """
    if name in BUILT_IN:
        raise UsageError(f"the output format '{name}' is built in", expected="another name")
    for suffix in suffixes:
        if not suffix.startswith(".") or suffix != suffix.lower():
            raise UsageError(
                f"the suffix '{suffix}' of the output format '{name}' can match no file",
                expected="a full stop and small letters, such as .yaml",
            )
        owner = _by_suffix().get(suffix)
        if owner is not None and owner.name != name:
            raise UsageError(
                f"the suffix '{suffix}' belongs to the output format '{owner.name}'",
                expected=f"another suffix for '{name}'",
            )
    _ADDED[name] = OutputFormat(name, tuple(suffixes), encode=lambda found: [encode(found)])


def output_formats() -> dict[str, OutputFormat]:
    """Return all formats by name: those that are built in, then those that were added."""
    return BUILT_IN | {YAML.name: YAML} | _ADDED


def _by_suffix() -> dict[str, OutputFormat]:
    return {suffix: one for one in output_formats().values() for suffix in one.suffixes}


def format_of(path: str) -> str:
    """Return the name of the format of a file's suffix; UsageError if no format has it."""
    suffix = PurePath(path).suffix.lower()
    known = _by_suffix()
    if suffix not in known:
        found = f"the suffix '{suffix}'" if suffix else "a name without a suffix"
        raise UsageError(
            f"{found} does not tell the output format",
            place=path,
            expected=f"one of {' '.join(known)}",
            remedy="name the format with --format, or change the suffix",
        )
    return known[suffix].name
