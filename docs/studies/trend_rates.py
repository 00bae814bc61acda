"""Measure how often `rankeval trend` names changes that are none, and finds those that are there.

    python -m docs.studies.trend_rates [--repetitions N] [--seed N]

Prints tables for docs/trend.md, in percent: histories of 60 nights of one level in which a change
is named, by one look after the last night and by a look after every night, and histories with a
fall of some standard deviations of the nights in which it is found.
"""

import argparse
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from docs.studies.differences import Floats
from docs.studies.rate_table import Table
from rankeval.stats.change_points import ChangePoint, change_points

NIGHTS = 60
ALPHA = 0.05
FAMILY = 30
FALLS = (1.0, 2.0, 3.0)
AFTER = (30, 10, 5)
"""Nights behind a fall."""

CORRELATION = 0.3
HELD = 3
"""Nights that a commit lasts."""

TIMES = 4.0
"""The factor by which the standard deviation of the nights changes."""

FEWER_LOOKS, FEWER_FAMILIES, FEWER_FALLS = 4, 10, 4
"""There are so many times fewer repetitions of these than are asked for, and as few of dependent
nights as of families."""


def spread(*stretches: tuple[int, float]) -> Floats:
    """Return the standard deviation of each night; a stretch has its first night and its own."""
    found = np.ones(NIGHTS)
    for first, deviation in stretches:
        found[first:] = deviation
    return found


def independent(rng: np.random.Generator) -> Floats:
    """Nights that do not depend on each other."""
    return rng.normal(size=NIGHTS)


def coarse(rng: np.random.Generator) -> Floats:
    """Nights of few values, so that many repeat another one exactly."""
    return rng.normal(size=NIGHTS).round()


def mostly_equal(rng: np.random.Generator) -> Floats:
    """Nights of which seven in ten are exactly the level."""
    noise: Floats = np.where(rng.random(NIGHTS) < 0.7, 0.0, rng.normal(size=NIGHTS))
    return noise


def changing(rng: np.random.Generator, deviations: Floats) -> Floats:
    """Normal nights whose standard deviation changes."""
    return rng.normal(size=NIGHTS) * deviations


def even(rng: np.random.Generator, deviations: Floats) -> Floats:
    """Uniform nights whose standard deviation changes."""
    return rng.uniform(-1.0, 1.0, size=NIGHTS) * deviations


def thirds(rng: np.random.Generator, deviations: Floats) -> Floats:
    """Nights of three values, the level and one on each side, whose distance changes."""
    return rng.choice([-1.0, 0.0, 1.0], size=NIGHTS) * deviations


def halves(rng: np.random.Generator, deviations: Floats) -> Floats:
    """Nights of two values, one on each side of the level, whose distance changes."""
    return rng.choice([-1.0, 1.0], size=NIGHTS) * deviations


def rounded(rng: np.random.Generator, deviations: Floats) -> Floats:
    """Normal nights of few values whose standard deviation changes."""
    return changing(rng, deviations).round()


def mostly_equal_changing(rng: np.random.Generator, deviations: Floats) -> Floats:
    """Nights of which seven in ten are exactly the level, and the others change in spread."""
    return mostly_equal(rng) * deviations


def correlated(rng: np.random.Generator) -> Floats:
    """Nights that depend on the night before: AR(1)."""
    found = rng.normal(size=NIGHTS)
    for i in range(1, NIGHTS):
        found[i] = CORRELATION * found[i - 1] + np.sqrt(1 - CORRELATION**2) * found[i]
    return found


def held(rng: np.random.Generator) -> Floats:
    """Nights that repeat a commit's value exactly until the next commit."""
    return rng.normal(size=NIGHTS // HELD).repeat(HELD)


Noise = Callable[[np.random.Generator], Floats]
INDEPENDENT: Mapping[str, Noise] = {
    "independent": independent,
    "independent, of few values": coarse,
    "independent, 70% exactly the level": mostly_equal,
}
LATE, MIDDLE, EARLY = (spread((first, TIMES)) for first in (45, 30, 15))
QUIETER, FOR_A_WHILE = spread((30, 1 / TIMES)), spread((22, TIMES), (37, 1.0))
CHANGING: Mapping[str, Noise] = {
    "4 times the noise from night 16 on": partial(changing, deviations=EARLY),
    "4 times the noise from night 31 on": partial(changing, deviations=MIDDLE),
    "4 times the noise from night 46 on": partial(changing, deviations=LATE),
    "4 times the noise for 15 nights": partial(changing, deviations=FOR_A_WHILE),
    "a quarter of the noise from night 31 on": partial(changing, deviations=QUIETER),
    "uniform, 4 times the noise from night 31 on": partial(even, deviations=MIDDLE),
    "of few values, 4 times the noise from night 31 on": partial(rounded, deviations=MIDDLE),
    "of three values, 4 times the noise from night 31 on": partial(thirds, deviations=MIDDLE),
    "70% the level, 4 times the noise from night 31 on": partial(
        mostly_equal_changing, deviations=MIDDLE
    ),
}
"""Independent nights whose noise changes: the risk is to be kept for these, too."""
TWO_VALUES: Mapping[str, Noise] = {
    "of two values, 4 times the noise from night 31 on": partial(halves, deviations=MIDDLE)
}
DEPENDENT: Mapping[str, Noise] = {
    f"AR(1), {CORRELATION:g}": correlated,
    f"another level every {HELD} nights": held,
}


def is_fall(points: Sequence[ChangePoint]) -> bool:
    """Return True if the last level is lower than the one before it."""
    return bool(points) and points[-1].after < points[-1].before


def changes_on_some_night(values: Floats) -> bool:
    """Return True if a look after some night finds a change."""
    return any(change_points([values[:n]], alpha=ALPHA)[0] for n in range(NIGHTS, 0, -1))


def alarm_rates(
    noise: Noise, repetitions: int, looked: int, families: int, rng: np.random.Generator
) -> tuple[float, ...]:
    """In percent, histories of one level with a change, with a fall, and families with a change."""
    alone = [change_points([noise(rng)], alpha=ALPHA)[0] for _ in range(repetitions)]
    together = [
        change_points([noise(rng) for _ in range(FAMILY)], alpha=ALPHA) for _ in range(families)
    ]
    rates = (
        np.mean([bool(points) for points in alone]),
        np.mean([changes_on_some_night(noise(rng)) for _ in range(looked)]),
        np.mean([is_fall(points) for points in alone]),
        np.mean([any(family) for family in together]) if together else math.nan,
    )
    return tuple(100 * float(rate) for rate in rates)


def alarms(repetitions: int, seed: int) -> Table:
    """Histories of one level in which a change is named."""
    few, looked = repetitions // FEWER_FAMILIES, repetitions // FEWER_LOOKS
    every = {**INDEPENDENT, **CHANGING, **TWO_VALUES, **DEPENDENT}
    rows = tuple(
        (
            (name,),
            alarm_rates(
                noise,
                *((few, few, 0) if name in DEPENDENT else (repetitions, looked, few)),
                np.random.default_rng([seed, place]),
            ),
        )
        for place, (name, noise) in enumerate(every.items())
    )
    heads = (
        *("nights", "a change by one look", "by a look every night", "a fall for good by one look"),
        f"a change in one of {FAMILY} series by one look",
    )
    title = f"Histories of {NIGHTS} nights of one level with"
    return Table(title, heads, rows, (repetitions, looked, repetitions, few))


def fall_rates(
    fall: float, after: int, repetitions: int, rng: np.random.Generator
) -> tuple[float, ...]:
    """In percent, histories in which a fall is named, and where, and among other series."""
    place = NIGHTS - after
    found = np.zeros(4)
    for _ in range(repetitions):
        values = independent(rng)
        values[place:] -= fall
        (points,) = change_points([values], alpha=ALPHA)
        # Holm's first step, for the only one of the series with a fall.
        (strict,) = change_points([values], alpha=ALPHA / FAMILY)
        away = abs(points[-1].place - place) if is_fall(points) else NIGHTS
        found += [is_fall(points), away == 0, away <= 2, is_fall(strict)]
    return tuple((100 * found / repetitions).tolist())


def falls(repetitions: int, seed: int) -> Table:
    """Histories with a fall of some standard deviations in which it is found, and where."""
    few = repetitions // FEWER_FALLS
    rows = tuple(
        (
            (f"{fall:g}", str(after)),
            fall_rates(fall, after, few, np.random.default_rng([seed, int(fall), after])),
        )
        for fall in FALLS
        for after in AFTER
    )
    heads = (
        *("fall in standard deviations", "nights behind it"),
        *("named", "at its night", "within two nights of it", f"named, one of {FAMILY} series"),
    )
    title = f"Histories of {NIGHTS} nights with a fall in which it is"
    return Table(title, heads, rows, (few,) * 4)


def tables(repetitions: int, seed: int) -> Iterator[Table]:
    """Yield both tables."""
    yield alarms(repetitions, seed)
    yield falls(repetitions, seed)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    for table in tables(given.repetitions, given.seed):
        print(table.markdown(), flush=True)


if __name__ == "__main__":
    main()
