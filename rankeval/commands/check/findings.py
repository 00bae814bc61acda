"""Findings of a check: their words, and a file's description of itself."""

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.errors import InputError
from rankeval.io.formats.file_format import Beginning
from rankeval.io.formats.run_metadata import HINT, NoYAMLError, header_of, metadata_of
from rankeval.output.shown import Shown


@frozen
class FileReport(Shown):
    """The report on a file.

    ========== ==========================================================================
    path       the file
    what       "run", "qrels" or "prefs"
    facts      what it holds, by name
    warnings   doubts that a reader of its numbers should know
    errors     messages about the first wrong lines
    wrong      what is wrong, counted by kind: nothing evaluates such a file
    unreadable why the file could not be read to its end; "" for one that was
    ========== ==========================================================================
    """

    path: str
    what: str
    facts: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    wrong: dict[str, int] = field(default_factory=dict)
    unreadable: str = ""

    __repr__ = Shown.__repr__


def spread(values: Integers | Sequence[int]) -> dict[str, float]:
    """Return the least, the median and the greatest of some counts."""
    return {
        "min": int(np.min(values)),
        "median": float(np.median(values)),
        "max": int(np.max(values)),
    }


def add_metadata(report: FileReport, begun: Beginning) -> None:
    """Add the header's content to the facts, or a warning if it cannot be read."""
    try:
        header = header_of(begun, report.path)
        if header:
            report.facts["metadata"] = metadata_of(header, report.path)
    except NoYAMLError:
        report.facts["metadata_hint"] = HINT
    except InputError as error:
        report.warnings.append(error.problem)


def compare_tags(report: FileReport) -> None:
    """Add a warning if the header gives the run another tag than its lines."""
    named = report.facts.get("metadata", {}).get("tag", "")
    tags = report.facts.get("tags", [])
    if isinstance(named, str) and named and tags and named not in tags:
        report.warnings.append(f"the ir_metadata header has the tag {named}, the lines {tags[0]}")
