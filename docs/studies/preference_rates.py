"""Measure how often the intervals of `rankeval preferences` miss, and what its test finds.

    python -m docs.studies.preference_rates [--repetitions N] [--seed N]

Prints the table of docs/preferences.md: six systems, whose strengths are 0.4 apart but for the last
two, which are equal; in every topic some pairs of systems are judged, drawn at random. Either the
preferences of a topic do not depend on each other, or the systems' strengths differ by topic (with
a deviation of 1), so that they do. The columns are percent of the intervals that miss the strength
and of the equal pair that is found to differ at 0.05, uncorrected; true strengths are those of the
model in 200,000 topics.
"""

from collections.abc import Iterator

import numpy as np

from docs.studies.differences import Floats
from docs.studies.rate_table import Table, print_tables
from rankeval.errors import UsageError
from rankeval.stats.preference_strengths import Strengths, bradley_terry

STRENGTHS = np.array([1.0, 0.6, 0.2, -0.2, -0.8, -0.8])
TIES = 0.5
SIZES = ((20, 15), (50, 10), (200, 5))
"""Numbers of topics, and of preferences by topic."""
DEVIATIONS = {"independent": 0.0, "by topic": 1.0}
POPULATION = 200_000


def drawn(rng: np.random.Generator, deviation: float, n_topics: int, number: int) -> Strengths:
    """Draw preferences of topics, and estimate the strengths from them."""
    k = STRENGTHS.size
    topic = np.repeat(np.arange(n_topics), number)
    of_topic = STRENGTHS + rng.normal(0.0, deviation, (n_topics, k))
    first = rng.integers(0, k, topic.size)
    second = (first + rng.integers(1, k, topic.size)) % k
    half = (of_topic[topic, first] - of_topic[topic, second]) / 2.0
    win, loss = np.exp(half), np.exp(-half)
    place = rng.random(topic.size) * (win + loss + TIES)
    score = np.where(place < win, 1.0, np.where(place < win + loss, 0.0, 0.5))
    return bradley_terry(first, second, score, topic)


def rates(
    rng: np.random.Generator, truth: Floats, deviation: float, size: tuple[int, int], times: int
) -> tuple[float, float]:
    """In percent: strengths outside their interval, equal systems that are found to differ."""
    missed = differ = done = 0.0
    while done < times:
        try:
            found = drawn(rng, deviation, *size)
        except UsageError:  # a system that won always, or never: the command refuses it
            continue
        done += 1
        missed += float(np.mean((truth < found.low) | (truth > found.high)))
        differ += float(found.p_value[-1, -2] < 0.05)
    return 100 * missed / times, 100 * differ / times


def tables(repetitions: int, seed: int) -> Iterator[Table]:
    """Yield the table."""
    rows = []
    for place, (name, deviation) in enumerate(DEVIATIONS.items()):
        rng = np.random.default_rng([seed, place])
        truth = drawn(rng, deviation, POPULATION, 5).strength
        truth[-2:] = truth[-2:].mean()
        for size in SIZES:
            found = rates(rng, truth, deviation, size, repetitions)
            rows.append(((name, str(size[0]), str(size[1])), found))
    heads = ("preferences", "topics", "of each topic", "strengths missed", "equal found to differ")
    yield Table("Misses of the 95% interval", heads, tuple(rows), (repetitions,) * 2)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=2_000, seed=1)
