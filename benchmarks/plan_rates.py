"""Measure whether the planning figures of `compare --power` hold.

    python -m benchmarks.plan_rates [--repetitions N] [--seed N]

Prints a table for docs/statistics.md, in points.
"""

import argparse
import math
from collections.abc import Sequence

import numpy as np

from benchmarks.differences import Floats
from benchmarks.rate_table import Table
from benchmarks.verdict_rates import ALPHA, BATCH, POPULATIONS, TOPICS, pilot
from rankeval.stats import Alternative, detectable_difference, paired_tests, topics_to_detect

DIFFERENCE = 0.03


def planned(repetitions: int, seed: int) -> Table:
    """Power of the t test at planned numbers of topics and differences, minus what was planned.

    Each row has a pilot of n topics. The differences are drawn from it, as the plan supposes, with
    the mean that it plans for, on the side where that is found less often.
    """
    rows = []
    cells = [(shape, n) for shape in POPULATIONS for n in TOPICS]
    for place, (shape, n) in enumerate(cells):
        rng = np.random.default_rng([seed, place])
        seen = pilot(POPULATIONS[shape], n, rng)
        needed, smallest = topics_to_detect(seen, DIFFERENCE), detectable_difference(seen)
        if needed is None or smallest is None:
            raise ValueError(f"nothing is planned for {shape} differences")
        spread = (seen - seen.mean()) * math.sqrt(n / (n - 1))
        plans = ((int(needed.value), DIFFERENCE, needed), (n, smallest.value, smallest))
        gaps = [
            min(detected(spread, topics, side * mean, repetitions, rng) for side in (1, -1))
            - 100.0 * figure.power
            for topics, mean, figure in plans
        ]
        rows.append(((shape, str(n)), tuple(gaps)))
    heads = ("differences", "pilot", f"difference of {DIFFERENCE:g}", "smallest difference")
    return Table("Power of the t test minus what was planned, in points", heads, tuple(rows))


def detected(
    spread: Floats, n_topics: int, mean: float, repetitions: int, rng: np.random.Generator
) -> float:
    """In percent, how often t finds the mean, on its side, in topics drawn from the spread."""
    side = Alternative.GREATER if mean > 0 else Alternative.LESS
    found = 0
    for start in range(0, repetitions, BATCH):
        now = min(BATCH, repetitions - start)
        drawn = spread[rng.integers(0, spread.size, (n_topics, now))] + mean
        found += sum(one.p_value <= ALPHA / 2 for one in paired_tests(drawn, alternative=side))
    return 100.0 * found / repetitions


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(planned(given.repetitions, given.seed).markdown())


if __name__ == "__main__":
    main()
