"""The files that a report is made of: digests, and what `rankeval check` says of them."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from rankeval.commands.check.findings import FileReport
from rankeval.commands.check.show import FILE_REPORTS
from rankeval.commands.check.task import check
from rankeval.commands.report.reports.report_content import InputFile
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.io.sources.blocks import is_rereadable
from rankeval.output.output_formats import TEXT
from rankeval.output.style import Style

MESSAGES = 5
"""The most malformed lines of a file that are shown."""


def input_files(
    names: Sequence[str], paths: Sequence[str], reading: Reading = AS_FOUND
) -> tuple[InputFile, ...]:
    """Return what is known of files, the judgments first.

    Pipes and values in memory, whose path is "", have neither digest nor check; nor is a run
    checked where the judgments are no file.
    """
    there = [path for path in paths if path and is_rereadable(path)]
    checked: dict[str, FileReport] = {}
    if paths[0] in there:
        found = check(there, max_problems=MESSAGES, reading=reading)
        checked = dict(zip(there, found, strict=True))
    return tuple(
        _file(name, path, checked.get(path)) for name, path in zip(names, paths, strict=True)
    )


def _file(name: str, path: str, found: FileReport | None) -> InputFile:
    digest = sha256(path) if path and Path(path).is_file() else ""
    if found is None:
        return InputFile(name, path, digest)
    said = "".join(FILE_REPORTS.text([found], TEXT, Style(colour=False)))
    return InputFile(name, path, digest, said.rstrip(), tuple(found.warnings))


def sha256(path: str) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal digits."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
