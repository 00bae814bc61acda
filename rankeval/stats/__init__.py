"""Comparing systems: arrays of per-topic values in, result values out.

Nothing here knows a measure, a file or a terminal. Every function that draws random numbers takes a
`seed` and gives the same result for the same seed. docs/statistics.md says which test to choose.
"""

from rankeval.stats.differences import (
    DifferenceSummary,
    paired_differences,
    summarize_differences,
)

__all__ = [
    "DifferenceSummary",
    "paired_differences",
    "summarize_differences",
]
