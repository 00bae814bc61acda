"""The resolution of tests that draw: the smallest p-value that their draws can give."""

from rankeval.choices import Correction, TestName
from rankeval.stats.randomization import PERMUTATIONS

DRAWING = frozenset({TestName.RANDOMIZATION, TestName.BOOTSTRAP, TestName.BOOTSTRAP_T})
"""Tests whose p-values are (1 + c) / (1 + draws)."""


def smallest_p_value(
    test: TestName | str,
    *,
    family: int = 1,
    correction: Correction | str = Correction.HOLM,
    resamples: int = PERMUTATIONS,
) -> float:
    r"""Return the smallest corrected p-value that a test can give in a family of so many tests.

    A p-value from draws is at least 1 / (1 + draws). Holm and Bonferroni multiply the smallest one
    of m by m; Benjamini and Hochberg leave it as it is if all are as small. Where that is not below
    alpha, no data can lead to a rejection. Tests that draw nothing: 0.0.

    >>> f"{smallest_p_value('randomization', family=10):.5f}"
    '0.00010'
    """
    if test not in DRAWING:
        return 0.0
    multiplied = Correction(correction) in (Correction.HOLM, Correction.BONFERRONI)
    return min(1.0, (family if multiplied else 1) / (1 + resamples))
