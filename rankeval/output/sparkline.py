"""A sequence of numbers in a few characters."""

from collections.abc import Sequence

import numpy as np

BLOCKS = "▁▂▃▄▅▆▇█"
DIGITS = "12345678"
"""The levels where a terminal has no more than ASCII."""

MIDDLE = 3
"""The level of numbers that are all the same."""


def sparkline(values: Sequence[float], width: int, *, unicode: bool, decimals: int) -> str:
    """Draw numbers from the lowest to the highest level, in at most so many characters.

    Where there are more numbers, a character is the mean of its neighbours. Numbers that print the
    same are equal.

    >>> sparkline([0.40, 0.40, 0.41, 0.38, 0.38], 20, unicode=False, decimals=4)
    '66811'
    """
    levels = BLOCKS if unicode else DIGITS
    parts = np.array_split(np.asarray(values, dtype=np.float64), min(width, len(values)))
    means = np.round([part.mean() for part in parts], decimals)
    low, high = float(means.min()), float(means.max())
    if low == high:
        return levels[MIDDLE] * len(means)
    places = np.rint((means - low) / (high - low) * (len(levels) - 1)).astype(int)
    return "".join(levels[place] for place in places)
