"""Places in sequences of values after which their level changed."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.choices import Correction
from rankeval.stats.change_tests import (
    DRAWS,
    LEAST,
    LevelTest,
    centred_ranks,
    nearest_levels,
    split_test,
    stretch_test,
)
from rankeval.stats.checked_arrays import Floats, as_vector, require_risk
from rankeval.stats.corrections import adjust_p_values

TESTS = 2
"""The tests that share alpha: of one change, and of a stretch."""

LOOKS = 50
"""The factor of p-values for looks at a sequence that goes on, and for noise that changes.

The permutations give the p-value of one look at values that are exchangeable. By one look after
each of 60 values, a change is found several times as often as by the last one alone, and several
times as often again where the standard deviation grows to the fourfold. With the factor, that is
below 12% for an alpha of 5% (`docs/studies/trend_rates.py` counts it).
"""


@frozen
class ChangePoint:
    """A change of the level of a sequence.

    ======= ============================================================================
    place   index of the first value after it
    before  median of the values since the change before it, or since the first value
    after   median of the values until the next change, or the last value
    p_value corrected for the family
    ======= ============================================================================
    """

    place: int
    before: float
    after: float
    p_value: float


class _Stretch(NamedTuple):
    """The values of a sequence from `first` to `end`, and the p-value of what parted them."""

    sequence: int
    first: int
    end: int
    p_value: float

    def of(self, sequences: Sequence[Floats]) -> Floats:
        """Return the values."""
        return sequences[self.sequence][self.first : self.end]


def change_points(
    sequences: Sequence[npt.ArrayLike],
    *,
    alpha: float = 0.05,
    least: int = LEAST,
    seed: int = 0,
) -> tuple[tuple[ChangePoint, ...], ...]:
    r"""Find the places after which the levels of some sequences changed.

    Binary segmentation. In each round `split_test` looks for one change in each sequence, and then
    `stretch_test` for two in those where it found none. Holm's correction is over all sequences,
    and its p-values are doubled, as there are two tests, and multiplied by 50 (`LOOKS`). Sequences
    with p <= alpha are parted, and the next round looks at their parts, until nothing is parted. A
    change has the largest p-value of its own test and of those that made the part it lies in. At
    the end each change is moved to the split between its neighbours with the least absolute
    deviations from the two medians.

    The factor 50 is there for looks at sequences that go on, such as one a night, and for values of
    one level whose noise changes. If values are exchangeable, the chance that one look finds any
    change in any of the sequences is at most alpha / 50. It is measured, and not proved, that looks
    after each of 60 independent values find one in at most 12%, also where the standard deviation
    changes to the fourfold or to a quarter.

    Shapes: sequences of any lengths, each (n,), without NaN; the changes of each in its order.

    Edge cases
        - Fewer than 2 least values (3 least for two changes), or all values equal: not tested, and
          not counted by the correction.
        - A change with fewer than `least` values behind it, or before it: none is found until there
          are more.

    Source: Vostrikova, Soviet Mathematics Doklady 24, 1981, and Olshen, Venkatraman, Lucito and
    Wigler, Biostatistics 5(4), 2004, for segmentation; Holm, Scandinavian Journal of Statistics
    6(2), 1979.

    >>> (found,) = change_points([[0.40] * 20 + [0.38] * 10])
    >>> [(one.place, one.before, one.after) for one in found]
    [(20, 0.4, 0.38)]
    """
    require_risk(alpha, "alpha")
    every = [as_vector(sequence, "values") for sequence in sequences]
    places: list[dict[int, float]] = [{} for _ in every]
    parts = [_Stretch(i, 0, one.size, 0.0) for i, one in enumerate(every)]
    while parts:
        parted = []
        for test, levels in ((split_test, 2), (stretch_test, 3)):
            able = [part for part in parts if can_change(part.of(every), levels * least)]
            found = _tested(test, every, able, alpha, least, seed)
            for part, (inner, p_value) in found.items():
                places[part.sequence].update(dict.fromkeys(inner, p_value))
                ends = (part.first, *inner, part.end)
                parted += [_Stretch(part.sequence, a, b, p_value) for a, b in pairwise(ends)]
            parts = [part for part in parts if part not in found]
        parts = parted
    return tuple(
        _located(values, found, least) for values, found in zip(every, places, strict=True)
    )


def can_change(values: npt.ArrayLike, fewest: int = 2 * LEAST) -> bool:
    """Return True for a sequence that is tested: of enough values, which are not all equal."""
    vector = as_vector(values, "values")
    return vector.size >= fewest and bool(centred_ranks(vector).any())


def fewest_values(alpha: float, family: int, least: int = LEAST) -> int:
    """Return the fewest values in which a change can be found, in one of a family of sequences.

    Of the orders of n values of two levels, only two have all of one level before all of the other:
    the least p-value of `split_test` is 2 over the binomial coefficient of n and n // 2.

    >>> fewest_values(0.05, 1), fewest_values(0.05, 30)
    (15, 20)
    """
    n = 2 * least
    while 2 * TESTS * LOOKS * max(family, 1) > alpha * math.comb(n, n // 2):
        n += 1
    return n


def _tested(
    test: Callable[..., LevelTest],
    every: Sequence[Floats],
    parts: Sequence[_Stretch],
    alpha: float,
    least: int,
    seed: int,
) -> dict[_Stretch, tuple[tuple[int, ...], float]]:
    """Return the parts that are no level, with the places of their changes and the p-value."""
    # So many that half of the p-value that is needed is possible.
    draws = max(DRAWS, math.ceil(2 * TESTS * LOOKS * len(parts) / alpha) - 1)
    tests = [test(part.of(every), least=least, draws=draws, seed=seed) for part in parts]
    adjusted = adjust_p_values([one.p_value for one in tests], correction=Correction.HOLM)
    found = {}
    for part, one, own in zip(parts, tests, adjusted.tolist(), strict=True):
        p_value = max(part.p_value, min(1.0, TESTS * LOOKS * own))
        if p_value <= alpha and one.settled:
            found[part] = tuple(part.first + place for place in one.places), p_value
    return found


def _located(values: Floats, found: dict[int, float], least: int) -> tuple[ChangePoint, ...]:
    """Move each change to where levels are nearest to the values, between its neighbours."""
    if not found:
        return ()
    ends = [0, *sorted(found), values.size]
    p_values = [found[place] for place in ends[1:-1]]
    for i in range(1, len(ends) - 1):
        first, end = ends[i - 1], ends[i + 1]
        ends[i] = first + nearest_levels(values[first:end], least)
    levels = [float(np.median(values[first:end])) for first, end in pairwise(ends)]
    return tuple(
        ChangePoint(place, before, after, p_value)
        for place, (before, after), p_value in zip(
            ends[1:-1], pairwise(levels), p_values, strict=True
        )
    )
