"""Comparing systems: arrays of per-topic values in, result values out.

Nothing here knows a measure, a file or a terminal. Every function that draws random numbers takes a
`seed` and gives the same result for the same seed. docs/statistics.md says which test to choose.
"""

from rankeval.stats.choice import paired_test, paired_tests
from rankeval.stats.differences import (
    DifferenceSummary,
    paired_differences,
    summarize_differences,
)
from rankeval.stats.paired import Alternative, PairedTest, TestName

__all__ = [
    "Alternative",
    "DifferenceSummary",
    "PairedTest",
    "TestName",
    "paired_differences",
    "paired_test",
    "paired_tests",
    "summarize_differences",
]
