"""Measure whether the planning figures of `compare --power` hold.

    python -m docs.studies.plan_rates [--repetitions N] [--seed N]

Prints a table for docs/statistics/power.md, in points.
"""

import argparse
import math
from collections.abc import Sequence

import numpy as np

from docs.studies.differences import Floats
from docs.studies.rate_table import Table
from docs.studies.verdict_rates import ALPHA, BATCH, POPULATIONS, TOPICS, pilot
from rankeval.stats import (
    Alternative,
    paired_tests,
    simulated_power,
    smallest_difference,
    topics_needed,
)

DIFFERENCE, POWER = 0.03, 0.8
HEADS = (
    *("differences", "pilot"),
    *("topics needed, minus 80%", "minus the simulated"),
    *("smallest difference, minus 80%", "minus the simulated"),
)


def planned(repetitions: int, seed: int) -> Table:
    """Power of the t test at planned numbers of topics and differences, minus 80%, and minus
    what its simulation says.

    Each row has a pilot of n topics. The differences are drawn from it, with the mean that is
    planned for, on the side where that is found less often.
    """
    rows = []
    cells = [(shape, n) for shape in POPULATIONS for n in TOPICS]
    for place, (shape, n) in enumerate(cells):
        rng = np.random.default_rng([seed, place])
        seen = pilot(POPULATIONS[shape], n, rng)
        deviation = float(seen.std(ddof=1))
        needed, smallest = topics_needed(DIFFERENCE, deviation), smallest_difference(n, deviation)
        if needed is None or smallest is None:
            raise ValueError(f"nothing is planned for {shape} differences")
        spread = (seen - seen.mean()) * math.sqrt(n / (n - 1))
        gaps: list[float] = []
        for topics, mean in ((needed, DIFFERENCE), (n, smallest)):
            power = min(detected(spread, topics, side * mean, repetitions, rng) for side in (1, -1))
            simulated = simulated_power(seen, mean, topics)
            gaps += [power - 100.0 * POWER, power - 100.0 * (simulated or 0.0)]
        rows.append(((shape, str(n)), tuple(gaps)))
    return Table("Power of the t test, in points", HEADS, tuple(rows))


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
