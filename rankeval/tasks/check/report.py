"""The report on a file."""

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from rankeval.support.arrays import Integers
from rankeval.support.frozen import frozen
from rankeval.support.shown import Shown


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
