"""What `rankeval check` found, for the eye and as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rankeval.errors import printable
from rankeval.version import __version__

if TYPE_CHECKING:
    from rankeval.tasks.check import FileReport

NEWLINE = "\n"
SCHEMA = "rankeval-check/1"


def text(reports: "Sequence[FileReport]") -> Iterator[str]:
    """Give a paragraph for each file."""
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


def document(reports: "Sequence[FileReport]") -> Iterator[str]:
    """Give one JSON object."""
    files = [asdict(report) for report in reports]
    found = {"schema": SCHEMA, "rankeval": __version__, "files": files}
    yield json.dumps(found, indent=2, allow_nan=False) + "\n"
