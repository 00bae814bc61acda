"""Reports on checked files as text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankeval.documents.file_reports import document
from rankeval.errors import printable
from rankeval.render.output_formats import TEXT
from rankeval.render.printer import Printer
from rankeval.render.style import Style
from rankeval.tasks.check import FileReport

NEWLINE = "\n"


def text(reports: Sequence[FileReport], _style: Style) -> Iterator[str]:
    """Print a paragraph for each file."""
    for number, report in enumerate(reports):
        yield ("\n" if number else "") + printable(f"{report.path}: {report.what}") + "\n"
        for name, value in report.facts.items():
            yield printable(f"  {name.replace('_', ' ')}: {_shown(value)}") + "\n"
        for warning in report.warnings:
            yield printable(f"  warning: {warning}") + "\n"
        for kind, times in report.wrong.items():
            yield printable(f"  error: {times} × {kind}") + "\n"
        for error in report.errors:
            yield f"  {error.splitlines()[0]}\n"
        if report.unreadable:
            yield f"  error: {report.unreadable.replace(NEWLINE, NEWLINE + '  ')}\n"


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        between = "; " if any(isinstance(item, Mapping) for item in value.values()) else ", "
        return between.join(f"{name} {_shown(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


FILE_REPORTS = Printer[Sequence[FileReport]](
    document=lambda reports, _: document(reports),
    records=None,
    drawings={TEXT: text},
)
