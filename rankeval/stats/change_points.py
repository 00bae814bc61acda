r"""Changes of the level of sequences, found by e-detectors on ranks and sides, located afterwards.

Of values of one level, none of which depends on the others, the n-th has each of the n ranks with
the same probability, whatever their distribution, and whatever the ranks before. Bets on a low
rank, or on a high one, are fair as long as the level stays; when it falls, low ranks come again.

Where the noise grows while the level stays, ranks are low and high more often, and such bets win.
Bets on the side of the median that a value lies on are fair even then. They win slowly, as a bet
can be doubled at most, so that less is asked of them, as a second witness.
"""

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats, as_vector, random_numbers

POWERS = (0.25, 0.5)
"""The bets: of a rank r among n, n^(1 - p) (r^p - (r - 1)^p) times the capital, and likewise from
the other end. The mean over all ranks is 1."""
SURE, MOST = 0.8, 1e290
"""The share of the capital on a rank among the k lowest, with the k-th value since the bet began;
and the most that is counted of the capital."""
BEFORE = BEHIND = (0.0, 0.5, 0.96)
"""Stakes on the sides of the median that values lie on, before a change and behind it."""
SIDES_NEED = 40
"""The evidence by sides that a change needs is that by ranks over this."""
USUAL_NIGHTS = 1_000
DRAWS, RISK = 199, 0.05
"""Permutations for an interval of a change, and the risk that it misses the change."""


@frozen
class ChangePoint:
    """A change of the level of a sequence.

    ======== ===========================================================================
    place    index of the first value after it
    first    index of the first place that it may have; last: of the last one
    noticed  index of the value with which it was noticed
    before   median of the values since the change before it, or since the first value
    after    median of the values until the next change, or the last value
    ======== ===========================================================================
    """

    place: int
    first: int
    last: int
    noticed: int
    before: float
    after: float

    def after_first(self, n: int) -> "ChangePoint":
        """Return the change in a sequence with `n` values before the first one."""
        places = ("place", "first", "last", "noticed")
        return replace(self, **{name: getattr(self, name) + n for name in places})


def change_points(
    sequences: Sequence[npt.ArrayLike],
    *,
    false_alarm_every: float = USUAL_NIGHTS,
    seed: int = 0,
) -> tuple[tuple[ChangePoint, ...], ...]:
    r"""Return the changes of each of some sequences that go on side by side.

    .. math:: M_n = \sum_{j \le n} \prod_{i=j}^{n} e_{ij}, \qquad
        e_{ij} = i^{1 - p} \bigl(r_i^p - (r_i - 1)^p\bigr) \quad \text{or} \quad
        0.8 \, \frac{i}{k} [r_i \le k] + 0.2

    with r_i the rank of the i-th value among all so far, from below for a fall and from above for a
    rise, p of 1/4 and of 1/2, and k = i - j + 1. A change is noticed when the mean of the six M
    reaches A m, for m sequences, and `side_evidence` against every level as the median of all
    values A m / 40. As M_n sums up what bets begun at each value have won, its expectation is n at
    most while the level stays. So the mean number of looks until some sequence has a false alarm is
    A at least, and the probability of one within n looks n / A at most, if values are exchangeable,
    whatever their distribution. If they only have the same median given the values before, with
    other noise every time, the probability of one within n looks is at most 40 n / A by proof, and
    at most n / A in the simulations of docs/trend.md. After a change, the next one is looked for
    among the values from its place on.

    A change is located where values lie nearest to the medians of both sides. Its interval has the
    neighbouring places that are not rejected: for a true place, permutations of the values before
    it and of those behind it leave all probabilities as they are; rejected is a place whose
    standardised rank sum is below the largest one by more than in all but 5% of 199 permutations.

    Edge cases
        - Values that agree in ten decimals of the largest one are equal; their ranks are drawn
          among them, with the seed. A change without a difference of the medians is none.
        - Fewer than one look between false alarms: UsageError.

    Source: Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework for sequential change
    detection", New England Journal of Statistics in Data Science 2(2), 2024; ranks as in Vovk,
    Nouretdinov and Gammerman, "Testing exchangeability on-line", ICML 2003; the place as in Bai,
    "Least absolute deviation estimation of a shift", Econometric Theory 11(3), 1995; the interval
    as in Dandapanthula and Ramdas, "Conformal changepoint localization", 2025.

    >>> (found,) = change_points([[0.40 + 0.001 * (i % 3) for i in range(30)] + [0.38] * 10])
    >>> [(one.place, one.before, one.after) for one in found]
    [(30, 0.401, 0.38)]
    """
    if not (math.isfinite(false_alarm_every) and false_alarm_every >= 1):
        raise UsageError(
            f"a false alarm every {false_alarm_every} nights",
            expected="a number from 1, usually 1000",
        )
    every = [as_vector(sequence, "values") for sequence in sequences]
    enough = false_alarm_every * len(every)
    return tuple(_changes(_rounded(values), values, enough, seed) for values in every)


def fewest_values(false_alarm_every: float, family: int) -> int:
    """Return the fewest values in which a change can be noticed, in one of a family of sequences.

    >>> fewest_values(1_000, 1), fewest_values(1_000, 30)
    (13, 19)
    """
    enough, n = false_alarm_every * max(family, 1), 64
    while (found := first_alarm(-np.arange(float(n)), np.zeros(n), enough)) is None:
        n *= 2
    return found + 1


class Detector:
    """An e-detector of falls and rises by ranks."""

    def __init__(self) -> None:
        self.n = 1
        self.spread = np.zeros((2, len(POWERS)))
        self.apart = np.zeros((2, 0))

    def after(self, rank: int) -> float:
        """Return the evidence after the next value, of this rank from below; the first has none."""
        self.n += 1
        n, own = self.n, np.array([[rank], [self.n + 1 - rank]], dtype=np.float64)
        powers = np.array(POWERS)
        won = n ** (1.0 - powers) * (own**powers - (own - 1.0) ** powers)
        self.spread = np.minimum((self.spread + 1.0) * won, MOST)
        begun = np.arange(n - 1.0, 0.0, -1.0)  # values since the start of each bet
        on = np.where(own <= begun, SURE * n / begun, 0.0) + (1.0 - SURE)
        self.apart = np.minimum(np.hstack([self.apart, np.ones((2, 1))]) * on, MOST)
        return float(self.spread.sum() + self.apart.sum()) / (2 * (len(POWERS) + 1))


def first_alarm(values: Floats, draws: Floats, enough: float) -> int | None:
    """Return the index of the value with which a change is noticed; None without one.

    `draws` are numbers from 0 to 1 that give equal values their ranks. Shapes: (n,) both.
    """
    detector = Detector()
    seen: list[float] = []
    for i, (value, draw) in enumerate(zip(values.tolist(), draws.tolist(), strict=True)):
        less = bisect_left(seen, value)
        equal = bisect_right(seen, value) - less + 1
        insort(seen, value)
        won = detector.after(less + 1 + int(draw * equal)) if i else 0.0
        if won >= enough and on_other_side(values[: i + 1], enough / SIDES_NEED):
            return i
    return None


def on_other_side(values: Floats, enough: float) -> bool:
    """Return True if values came to lie on the other side of every possible median."""
    levels = np.unique(values)
    # The least of all is seldom enough where that of one, or of nine, is not.
    nine = levels[np.linspace(0, levels.size - 1, 9).astype(int)]
    return all(
        bool(side_evidence(values, some).min() >= enough)
        for some in (np.median(values, keepdims=True), nine, levels)
    )


def side_evidence(values: Floats, levels: Floats) -> Floats:
    r"""Return the evidence of a change against each of some levels as the median of all values.

    .. math:: S_n(\theta) = \max_{j \le n, d = \pm 1} \frac12 \Bigl(\frac13 \sum_\lambda
        \prod_{i < j} (1 + \lambda d s_i)\Bigr) \Bigl(\frac13 \sum_\mu
        \prod_{i=j}^n (1 - \mu d s_i)\Bigr)

    with stakes lambda and mu of 0, 0.5 and 0.96, and s_i = 1 for a value above the level theta, -1
    for one below; on one that is equal both bets are lost. If theta is the median of each value
    given those before it, each of the products is of bets that are fair or worse, and the
    probability that S reaches c within n values is at most n / c (Ville), whatever the noise of
    each value is. Shapes: (n,) and (m,) give (m,).
    """
    sides = np.sign(values - levels[:, None])
    n = values.size
    best = np.zeros(levels.size)
    for way in (1, -1):
        before = np.zeros((levels.size, n))
        before[:, 1:] = np.cumsum(sides == way, axis=1)[:, :-1]
        behind = np.cumsum((sides == -way)[:, ::-1], axis=1)[:, ::-1]
        begun = np.arange(n)
        capital = _capital(before, begun, BEFORE) * _capital(behind, n - begun, BEHIND)
        best = np.maximum(best, capital.max(axis=1) / 2)
    return best


def _capital(won: Floats, bets: npt.NDArray[np.int64], stakes: Sequence[float]) -> Floats:
    """Return the mean capital of some stakes after a number of bets, some of which were won."""
    found: Floats = sum(
        np.exp(np.log1p(stake) * won + np.log1p(-stake) * (bets - won)) for stake in stakes
    ) / len(stakes)
    return found


def _changes(ranked: Floats, values: Floats, enough: float, seed: int) -> tuple[ChangePoint, ...]:
    if np.unique(ranked).size < 2:
        return ()
    draws = random_numbers(seed, 0).random(ranked.size)
    places, noticed, start = [], [], 0
    while (alarm := first_alarm(ranked[start:], draws[start:], enough)) is not None:
        place = start + nearest_levels(ranked[start : start + alarm + 1])
        if np.median(ranked[start:place]) != np.median(ranked[place : start + alarm + 1]):
            places.append(place)
            noticed.append(start + alarm)
        start = place
    for i in range(len(places)):
        first = places[i - 1] if i else 0
        end = places[i + 1] if i + 1 < len(places) else ranked.size
        places[i] = first + nearest_levels(ranked[first:end])
    ends = [0, *places, ranked.size]
    levels = [float(np.median(values[first:end])) for first, end in pairwise(ends)]
    found = []
    for i, (place, night) in enumerate(zip(places, noticed, strict=True)):
        first, end = ends[i], ends[i + 2]
        low, high = interval_of_change(ranked[first:end], place - first, seed)
        change = ChangePoint(place, first + low, first + high, night, levels[i], levels[i + 1])
        found.append(change)
    return tuple(found)


def interval_of_change(values: Floats, place: int, seed: int = 0) -> tuple[int, int]:
    """Return the first and the last place around one at which a change is not rejected."""
    ends = []
    for step in (-1, 1):
        at = place
        while 0 < at + step < values.size and not _rejected(values, at + step, seed):
            at += step
        ends.append(at)
    return ends[0], ends[1]


def _rejected(values: Floats, place: int, seed: int) -> bool:
    """Return True if permutations on both sides of a place show that the change is not there."""
    centred = centred_ranks(values)
    rng = random_numbers(seed, place)
    sides = [
        rng.permuted(np.broadcast_to(side, (DRAWS, side.size)), axis=1)
        for side in (centred[:place], centred[place:])
    ]
    orders = np.vstack([centred, np.hstack(sides)])
    sizes = np.arange(1, values.size)
    sums = np.abs(np.cumsum(orders, axis=1)[:, :-1]) / np.sqrt(sizes * (values.size - sizes))
    short = sums.max(axis=1) - sums[:, place - 1]
    as_short = np.count_nonzero(short[1:] >= short[0] - NOISE)
    return bool((1 + as_short) / (1 + DRAWS) <= RISK)


def nearest_levels(values: Floats) -> int:
    """Return the split at which the values lie nearest to the medians of the two sides.

    The sum of absolute deviations is the least, of equal ones the first.

    Source: Bai, "Least absolute deviation estimation of a shift", Econometric Theory 11(3), 1995.
    """
    sizes = range(1, values.size)
    far = [_deviation(values[:size]) + _deviation(values[size:]) for size in sizes]
    noise = NOISE * float(np.abs(values).sum())
    return int(np.argmax(np.array(far) <= min(far) + noise)) + 1


def _deviation(values: Floats) -> float:
    return float(np.abs(values - np.median(values)).sum())


def centred_ranks(values: Floats) -> npt.NDArray[np.int64]:
    """Return twice the ranks, minus n + 1: whole numbers with the sum 0; equal values share one."""
    _, group, tied = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(tied)
    centred: npt.NDArray[np.int64] = (2 * last - tied + 1)[group] - (values.size + 1)
    return centred


def _rounded(values: Floats) -> Floats:
    """Return values, those that agree in ten decimals of the largest one being equal."""
    size = float(np.abs(values).max(initial=0.0)) or 1.0
    found: Floats = np.round(values / size, 10) * size
    return found
