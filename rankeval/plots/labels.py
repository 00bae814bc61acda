"""Find room for labels beside points."""

import numpy as np

from rankeval.stats.checked_arrays import Floats

DIRECTIONS = ((0, 1), (1, 0), (-1, 0), (1, 1), (-1, 1), (0, -1), (1, -1), (-1, -1))
DISTANCES = (1, 2, 3, 4)
"""Labels stand beside their points, or so many times as far away."""


def free_places(x: Floats, y: Floats, width: float, height: float, mark: float) -> Floats:
    """Return the centre of each label as its distance from its point, shape (points, 2).

    Points are squares of side `mark`, and labels have one width and height, all in one unit. No
    label covers a point or another label; NaN for a label without room, or of an undefined point.
    """
    points = np.column_stack([x, y])
    found = np.full(points.shape, np.nan)
    middles, halves = points.copy(), np.full(points.shape, mark / 2)
    half = np.array([width, height]) / 2
    for i, point in enumerate(points):
        if np.isnan(point).any():
            continue
        for offset in _offsets(half + mark / 2):
            middle = point + offset
            apart = np.abs(middles - middle) >= halves + half
            undefined = np.isnan(middles).any(axis=1)
            if (apart.any(axis=1) | undefined).all():
                found[i] = offset
                middles = np.vstack([middles, middle])
                halves = np.vstack([halves, half])
                break
    return found


def _offsets(step: Floats) -> Floats:
    """Return the places to try around a point, the nearest first."""
    return np.array([step * direction * n for n in DISTANCES for direction in DIRECTIONS])
