"""Measure how often `rankeval trend` names changes that are none, and finds those that are there.

    python -m docs.studies.trend_rates [--repetitions N] [--seed N]

Prints tables for docs/trend.md: histories of one level in which a change is noticed by some night,
in percent, and the mean number of nights between such false alarms; and drops that are noticed
within some nights, in percent, and where they are located.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from docs.studies.differences import Floats
from docs.studies.rate_table import Table, print_tables
from rankeval.stats.change_points import USUAL_NIGHTS, change_points, first_alarm

NIGHTS = 1_000
BY = (60, 200, NIGHTS)
FAMILY = 30
DROPS = (0.01, 0.02, 0.05)
DEVIATION = 0.05 / 60**0.5
"""Of the mean of a night: that of 60 topics whose values deviate by 0.05."""
BEFORE, AFTER = 60, (10, 15, 30)
"""Nights before a drop, and behind it."""

HELD = 3
"""Nights that a commit lasts."""

TIMES = 4.0
"""The factor by which the standard deviation of the nights changes."""


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


def halves(rng: np.random.Generator, deviations: Floats) -> Floats:
    """Nights of two values, one on each side of the level, whose distance changes."""
    return rng.choice([-1.0, 1.0], size=NIGHTS) * deviations


def skewed(rng: np.random.Generator) -> Floats:
    """Nights of which few are far above the others."""
    return rng.exponential(size=NIGHTS)


def skewed_changing(rng: np.random.Generator, deviations: Floats) -> Floats:
    """Skewed nights of one median whose spread changes."""
    found: Floats = (rng.exponential(size=NIGHTS) - np.log(2.0)) * deviations
    return found


def following(rng: np.random.Generator) -> Floats:
    """Nights whose deviation is the larger the farther the night before was from the level."""
    found = rng.normal(size=NIGHTS)
    for i in range(1, NIGHTS):
        found[i] *= 0.5 + abs(found[i - 1])
    return found


def correlated(rng: np.random.Generator, share: float) -> Floats:
    """Nights that take over a share of the night before: AR(1)."""
    found = rng.normal(size=NIGHTS)
    for i in range(1, NIGHTS):
        found[i] = share * found[i - 1] + (1 - share**2) ** 0.5 * found[i]
    return found


def held(rng: np.random.Generator) -> Floats:
    """Nights that repeat a commit's value exactly until the next commit."""
    return rng.normal(size=NIGHTS // HELD + 1).repeat(HELD)[:NIGHTS]


Noise = Callable[[np.random.Generator], Floats]
LATE, EARLY = (spread((first, TIMES)) for first in (NIGHTS // 2, 30))
GROWING, QUIETER = np.linspace(1.0, TIMES, NIGHTS), spread((NIGHTS // 2, 1 / TIMES))
IN_TURN = spread(*((100 * i, TIMES if i % 2 else 1.0) for i in range(NIGHTS // 100)))
KINDS: Mapping[str, Noise] = {
    "normal": independent,
    "skewed": skewed,
    "sparse, 70% exactly the level": mostly_equal,
    "tied, of few values": coarse,
    "noise grows slowly to the fourfold": partial(changing, deviations=GROWING),
    "4 times the noise from night 31 on": partial(changing, deviations=EARLY),
    "4 times the noise from night 501 on": partial(changing, deviations=LATE),
    "4 times the noise every other 100 nights": partial(changing, deviations=IN_TURN),
    "a quarter of the noise from night 501 on": partial(changing, deviations=QUIETER),
    "skewed, 4 times the noise from night 501 on": partial(skewed_changing, deviations=LATE),
    "of two values, 4 times the noise from night 501 on": partial(halves, deviations=LATE),
    "dependent, noise by the night before": following,
    "dependent, AR(1) of 0.3": partial(correlated, share=0.3),
}
"""Kinds for which the promise holds."""
DEPENDENT: Mapping[str, Noise] = {
    "strongly dependent, AR(1) of 0.6": partial(correlated, share=0.6),
    f"another level every {HELD} nights": held,
}


def false_alarms(repetitions: int, seed: int) -> Table:
    """Histories of one level in which a change is noticed, and the nights between such alarms."""
    rows = []
    for place, (name, noise) in enumerate({**KINDS, **DEPENDENT}.items()):
        rng = np.random.default_rng([seed, place])
        nights = np.array([nights_until_alarm(noise(rng), rng) for _ in range(repetitions)])
        family = [
            min(nights_until_alarm(noise(rng)[: BY[0]], rng, FAMILY) for _ in range(FAMILY))
            for _ in range(max(1, repetitions // 3))
        ]
        rates = [100 * float(np.mean(nights <= night)) for night in BY]
        together = 100 * float(np.mean(np.array(family) <= BY[0]))
        alarms = max(1, int(np.count_nonzero(nights <= NIGHTS)))
        length = float(np.minimum(nights, NIGHTS).sum()) / alarms
        rows.append(((name,), (*rates, length, together)))
    heads = (
        *("nights", *(f"by night {night:,}" for night in BY), "nights between alarms"),
        f"in one of {FAMILY} series by night {BY[0]}",
    )
    counts = (*(repetitions,) * 4, max(1, repetitions // 3))
    return Table("Histories of one level in which a change is noticed", heads, tuple(rows), counts)


def nights_until_alarm(values: Floats, rng: np.random.Generator, family: int = 1) -> float:
    """Return the number of nights with which a change is noticed, infinity for none."""
    found = first_alarm(values, rng.random(values.size), float(USUAL_NIGHTS * family))
    return np.inf if found is None else found + 1.0


def drops(repetitions: int, seed: int) -> Table:
    """Drops after 60 nights that are noticed within some nights, and where they are located."""
    rows = []
    for drop in DROPS:
        for after in AFTER:
            rng = np.random.default_rng([seed, after])
            found = np.zeros(5)
            for _ in range(repetitions):
                values = rng.normal(0.4, DEVIATION, BEFORE + after)
                values[BEFORE:] -= drop
                (points,) = change_points([values])
                among = nights_until_alarm(values, rng, FAMILY)
                found[4] += among < np.inf
                if points:
                    last = points[-1]
                    within = abs(last.place - BEFORE) <= 2
                    covered = last.first <= BEFORE <= last.last
                    found[:4] += 1, within, covered, last.last - last.first + 1
            located = found[1:4] / max(found[0], 1.0) * (100, 100, 1)
            share = 100 / repetitions
            rates = (float(found[0]) * share, float(found[4]) * share, *located.tolist())
            rows.append(((f"{drop:g}", str(after)), rates))
    heads = (
        *("drop", "nights behind it", "noticed", f"noticed, in one of {FAMILY} series"),
        *("located within two nights", "in the interval", "nights of the interval"),
    )
    title = f"Drops after {BEFORE} nights whose means deviate by {DEVIATION:.4f}"
    return Table(title, heads, tuple(rows), (repetitions,) * 5)


def tables(repetitions: int = 60, seed: int = 1) -> Iterator[Table]:
    """Yield both tables."""
    yield false_alarms(repetitions, seed)
    yield drops(3 * repetitions, seed)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=60, seed=1)
