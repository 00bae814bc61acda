"""Tests of one level in a sequence of values, against a change or a stretch of another level."""

import math
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.stats.checked_arrays import NOISE, Floats, as_vector, random_numbers, require_count

LEAST = 5
"""The fewest values that make a level. Fewer lie on one side of all others by chance too often
where their noise is larger than that of the others."""

DRAWS = 49_999
"""Permutations drawn. The standard error of a p-value near 0.001 with so many is 0.00014."""

ENOUGH = 100
"""Permutations at least as extreme after which no more are drawn."""

EXACT = 8
"""Sequences of up to so many values have all their permutations enumerated: 40,320."""

FIRST, BLOCK = 256, 2**18
"""Permutations in the first block, and the most entries of a block."""

KEPT = 512
"""Blocks of permutations that are kept for sequences of the same ranks in another order."""

GRID = 64
"""Of long sequences, stretches begin and end at about so many places."""

Integers = npt.NDArray[np.int64]


@frozen
class LevelTest:
    """The places at which a sequence is best divided, and the test of the division.

    ========= ==========================================================================
    places    index of the first value of the second part, and of the third if there is one
    statistic the absolute standardised rank sum of the part that differs most
    p_value   share of the permutations whose largest statistic is at least as large
    draws     permutations behind the p-value
    settled   False if a division nearer to an end, which leaves fewer than `least` values
              there, has a larger statistic: the level of these is not known yet
    ========= ==========================================================================
    """

    places: tuple[int, ...]
    statistic: float
    p_value: float
    draws: int
    settled: bool = True


def split_test(
    values: npt.ArrayLike, *, least: int = LEAST, draws: int = DRAWS, seed: int = 0
) -> LevelTest:
    r"""Test the hypothesis that all values have one level against one change of it.

    With R_i the rank of value i among the n values, equal values sharing their mean rank, and s^2
    the variance of the ranks (divisor n - 1), the statistic is the largest standardised rank sum of
    Wilcoxon, Mann and Whitney over all splits that leave `least` values on each side:

    .. math::
        T = \max_k \frac{|\sum_{i \le k} R_i - k (n + 1) / 2|}{\sqrt{k (n - k)\, s^2 / n}}

    The p-value is the share of the permutations of the values with a T at least as large: of all
    permutations for up to 8 values, and else of some that are drawn until 100 of them are (then
    100 / number drawn), at most `draws` (then (1 + c) / (1 + draws) with c as large).

    Edge cases
        - Of splits with equal statistics, the first.
        - Values that agree in ten decimals of the largest one are equal. All values equal: the
          statistic is 0 and p = 1.
        - Fewer than 2 least values: UsageError.

    Source: Hawkins and Deng, "A nonparametric change-point control chart", Journal of Quality
    Technology 42(2), 2010; without the standardisation Pettitt, "A non-parametric approach to the
    change-point problem", Applied Statistics 28(2), 1979. For the p-value, Besag and Clifford,
    "Sequential Monte Carlo p-values", Biometrika 78(2), 1991.

    >>> test = split_test([1.0, 1.2, 1.1, 1.3, 2.0, 2.3, 2.1, 2.2], least=3)
    >>> test.places, round(test.p_value, 4)  # 2 of the 8! / (4! 4!) ways to choose the halves
    ((4,), 0.0286)
    """
    centred = centred_ranks(as_vector(values, "values"))
    n = centred.size
    require_count(n + 1 - 2 * least, f"values beyond the first {2 * least - 1}")
    sizes = np.arange(1, n)
    every = np.abs(np.cumsum(centred)[:-1]) / np.sqrt(sizes * (n - sizes))
    at = int(np.argmax(every[least - 1 : n - least])) + least
    extent = float(every[at - 1])
    ends = (every[: at - 1] if at == least else every[:0]).max(initial=0.0)
    ends = max(ends, (every[at:] if at == n - least else every[:0]).max(initial=0.0))
    p_value, drawn = _p_value(centred, _largest_split, least, extent, draws, seed)
    statistic = _standardised(extent, centred)
    return LevelTest((at,), statistic, p_value, drawn, settled=ends <= extent * (1 + 1e-9))


def stretch_test(
    values: npt.ArrayLike, *, least: int = LEAST, draws: int = DRAWS, seed: int = 0
) -> LevelTest:
    r"""Test the hypothesis of one level against a stretch that differs from what is around it.

    As `split_test`, with the largest standardised rank sum over stretches from i to j that leave
    `least` values within, before and behind them:

    .. math::
        T = \max_{i < j} \frac{|\sum_{i < l \le j} R_l - (j - i) (n + 1) / 2|}
            {\sqrt{(j - i) (n - j + i)\, s^2 / n}}

    It finds a fall that was made good, which no single split of the sequence shows well. Stretches
    of more than 64 values begin and end at some 64 places, evenly spaced; the best one then moves
    to the places between.

    Edge cases
        - Fewer than 3 least values: UsageError. Others as in `split_test`.

    Source: Levin and Kline, "The cusum test of homogeneity with an application in spontaneous
    abortion epidemiology", Statistics in Medicine 4(4), 1985; Olshen, Venkatraman, Lucito and
    Wigler, "Circular binary segmentation", Biostatistics 5(4), 2004.

    >>> stretch_test([0.4] * 20 + [0.3] * 5 + [0.4] * 20).places
    (20, 25)
    """
    centred = centred_ranks(as_vector(values, "values"))
    n = centred.size
    require_count(n + 1 - 3 * least, f"values beyond the first {3 * least - 1}")
    grid = _grid(n, least)
    first, last, extent = _best_stretch(centred, grid, grid, least)
    p_value, drawn = _p_value(centred, _largest_stretch, least, extent, draws, seed)
    near = np.arange(1 - (grid[1] - grid[0]), grid[1] - grid[0])
    firsts, lasts = (np.clip(place + near, least, n - least) for place in (first, last))
    places = _best_stretch(centred, firsts, lasts, least)[:2]
    return LevelTest(places, _standardised(extent, centred), p_value, drawn)


def _best_stretch(
    centred: Integers, firsts: Integers, lasts: Integers, least: int
) -> tuple[int, int, float]:
    """Return the stretch with the largest extent that begins and ends at some places."""
    n = centred.size
    sums = np.cumsum(centred)
    lengths = lasts - firsts[:, np.newaxis]
    possible = np.maximum(lengths, 1)
    every = np.abs(sums[lasts - 1] - sums[firsts - 1][:, np.newaxis])
    extents = every / np.sqrt(possible * (n - possible))
    extents[lengths < least] = -1.0
    i, j = np.unravel_index(int(np.argmax(extents)), extents.shape)
    return int(firsts[i]), int(lasts[j]), float(extents[i, j])


def nearest_levels(values: Floats, least: int = LEAST) -> int:
    """Return the split at which the values lie nearest to the medians of the two sides.

    The sum of absolute deviations is the least, of equal ones the first. Rank sums, which find a
    change, tend to the middle: to them a value just above all those of the lower side is of it.

    Source: Bai, "Least absolute deviation estimation of a shift", Econometric Theory 11(3), 1995.
    """
    sizes = range(least, values.size - least + 1)
    far = [_deviation(values[:size]) + _deviation(values[size:]) for size in sizes]
    noise = NOISE * float(np.abs(values).sum())
    return int(np.argmax(np.array(far) <= min(far) + noise)) + least


def _deviation(values: Floats) -> float:
    return float(np.abs(values - np.median(values)).sum())


def centred_ranks(values: Floats) -> Integers:
    """Return twice the ranks, minus n + 1: whole numbers with the sum 0."""
    size = float(np.abs(values).max(initial=0.0)) or 1.0
    _, group, tied = np.unique(np.round(values / size, 10), return_inverse=True, return_counts=True)
    last = np.cumsum(tied)
    # Twice the mean rank of a group is its last rank plus its first.
    centred: Integers = (2 * last - tied + 1)[group] - (values.size + 1)
    return centred


def _grid(n: int, least: int) -> Integers:
    """Return the places at which stretches begin and end, evenly spaced."""
    return np.arange(least, n - least + 1, -(-n // GRID))


def _standardised(extent: float, centred: Integers) -> float:
    """Return a standardised rank sum, of twice the rank sum over the root of k (n - k)."""
    n = centred.size
    variance = float(np.sum(centred.astype(np.float64) ** 2)) / (n - 1) / n
    return extent / math.sqrt(variance) if variance else 0.0


def _largest_split(orders: Integers, least: int) -> Floats:
    """Return the largest extent of the splits of each row."""
    n = orders.shape[1]
    sizes = np.arange(least, n - least + 1)
    sums = np.cumsum(orders, axis=1)[:, least - 1 : n - least]
    found: Floats = (np.abs(sums) / np.sqrt(sizes * (n - sizes))).max(axis=1)
    return found


def _largest_stretch(orders: Integers, least: int) -> Floats:
    """Return the largest extent of the stretches of each row."""
    n = orders.shape[1]
    grid = _grid(n, least)
    step = int(grid[1] - grid[0])
    sums = np.ascontiguousarray(np.cumsum(orders, axis=1)[:, grid - 1].T)
    found = np.zeros(len(orders))
    for lag in range(-(-least // step), len(grid)):
        length = lag * step
        extent = np.abs(sums[lag:] - sums[:-lag]).max(axis=0) / math.sqrt(length * (n - length))
        np.maximum(found, extent, out=found)
    return found


def _p_value(
    centred: Integers,
    largest: Callable[[Integers, int], Floats],
    least: int,
    extent: float,
    draws: int,
    seed: int,
) -> tuple[float, int]:
    """Return the share of the permutations with such an extent, and how many were looked at."""
    if extent == 0.0:
        return 1.0, 0
    threshold = extent * (1.0 - 1e-9)
    if centred.size <= EXACT:
        orders = centred[_all_orders(centred.size)]
        return float(np.mean(largest(orders, least) >= threshold)), len(orders)
    ranks = np.sort(centred).tobytes()
    drawn = found = block = 0
    while drawn < draws:
        extents = _drawn(largest, ranks, least, seed, block)[: draws - drawn]
        extreme = np.flatnonzero(extents >= threshold)
        if found + extreme.size >= ENOUGH:
            number = drawn + int(extreme[ENOUGH - found - 1]) + 1
            return ENOUGH / number, number
        found += extreme.size
        drawn += extents.size
        block += 1
    return (1 + found) / (1 + drawn), drawn


@lru_cache(maxsize=KEPT)
def _drawn(
    largest: Callable[[Integers, int], Floats], ranks: bytes, least: int, seed: int, block: int
) -> Floats:
    """Return the largest extents of the permutations of a block, the same for any order."""
    values = np.frombuffer(ranks, dtype=np.int64)
    rows = max(1, min(FIRST << min(block, 20), BLOCK // values.size))
    orders = np.broadcast_to(values, (rows, values.size))
    return largest(random_numbers(seed, block).permuted(orders, axis=1), least)


@cache
def _all_orders(n: int) -> Integers:
    """Return every order of n places, one in each row."""
    return np.array(list(permutations(range(n))), dtype=np.int64)
