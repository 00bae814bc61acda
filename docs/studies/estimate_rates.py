"""Measure how often the intervals of `rankeval estimate` miss, and how wide they are.

    python -m docs.studies.estimate_rates [--repetitions N] [--seed N]

Prints the table of docs/estimate.md: 500 topics are drawn from a population, people judge the first
20, 50 or 200 of them, and a machine of one of four kinds judges all. The first columns are percent
of the samples whose 95% interval misses the population's mean, of a system and of the difference of
two; the last is the width of the interval by t as a share of that of the topics of people alone.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from docs.studies.differences import Floats
from docs.studies.rate_table import Table, print_tables
from rankeval.stats.intervals import Sample, confidence_interval, prediction_powered_mean

TOPICS, JUDGED = 500, (20, 50, 200)
POPULATION = 40_000
"""Topics that stand for all."""
DEPTH = 100
MEASURES = ("P@10", "nDCG@10", "AP")
Graded = Floats
"""Grades 0 and 1 by system, topic and rank, shape (2, topics, DEPTH)."""


@dataclass(frozen=True)
class Machine:
    """A machine: the chances that it grades a relevant and another document 1, by system."""

    relevant: tuple[float, float]
    other: tuple[float, float]

    def grade(self, rng: np.random.Generator, people: Graded) -> Graded:
        """Return the machine's grades of the documents that people graded."""
        chance = np.where(
            people > 0,
            np.array(self.relevant)[:, None, None],
            np.array(self.other)[:, None, None],
        )
        return (rng.random(people.shape) < chance).astype(np.float64)


KINDS: Mapping[str, Machine] = {
    "noisy": Machine((0.8, 0.8), (0.1, 0.1)),
    "lenient": Machine((0.98, 0.98), (0.3, 0.3)),
    "prefers one system": Machine((0.98, 0.7), (0.3, 0.05)),
    "adversarial": Machine((0.05, 0.05), (0.9, 0.9)),
}


def ranked(rng: np.random.Generator, n_topics: int) -> Graded:
    """Draw what two systems retrieve: relevant documents are more at the top, and by topic."""
    ease = rng.beta(0.8, 1.6, n_topics)
    ranks = np.arange(1, DEPTH + 1)
    systems = []
    for skill in (1.0, 0.85):
        chance = ease[:, None] * skill * np.exp(-ranks / (5.0 + 45.0 * ease[:, None]))
        systems.append((rng.random((n_topics, DEPTH)) < chance).astype(np.float64))
    return np.stack(systems)


def precision(grades: Graded) -> Floats:
    """Return P@10."""
    return np.asarray(grades[..., :10].mean(axis=-1))


def ndcg(grades: Graded) -> Floats:
    """Return nDCG@10, the ideal being of what either system retrieved."""
    discounts = 1.0 / np.log2(np.arange(2, 12))
    ideal = np.concatenate(([0.0], np.cumsum(discounts)))
    known = np.minimum(grades.sum(axis=-1).max(axis=0), 10).astype(np.int64)
    return np.asarray(grades[..., :10] @ discounts / np.maximum(ideal[known], discounts[0]))


def average_precision(grades: Graded) -> Floats:
    """Return AP, R being what the better system retrieved."""
    gathered = (grades.cumsum(axis=-1) / np.arange(1, DEPTH + 1) * grades).sum(axis=-1)
    return np.asarray(gathered / np.maximum(grades.sum(axis=-1).max(axis=0), 1.0))


VALUES: Mapping[str, Callable[[Graded], Floats]] = {
    "P@10": precision,
    "nDCG@10": ndcg,
    "AP": average_precision,
}


def rates(
    people: Floats, machine: Floats, n_judged: int, repetitions: int, rng: np.random.Generator
) -> tuple[float, ...]:
    """In percent, misses of a mean and of a difference, and the relative width."""
    series = [(people[0], machine[0]), (people[0] - people[1], machine[0] - machine[1])]
    missed = np.zeros(2)
    widths = np.zeros(2)
    for _ in range(repetitions):
        drawn = rng.integers(0, people.shape[1], TOPICS)
        for at, (by_people, by_machine) in enumerate(series):
            truth = float(by_people.mean())
            human, model = by_people[drawn[:n_judged]], by_machine[drawn]
            sample = Sample(human, model[:n_judged], model[n_judged:])
            found = prediction_powered_mean(sample)
            alone = confidence_interval(human)
            missed[at] += not (found.low or 0.0) <= truth <= (found.high or 0.0)
            if not at:
                widths += (
                    (found.high or 0.0) - (found.low or 0.0),
                    (alone.high or 0.0) - (alone.low or 0.0),
                )
    return (*(100 * missed / repetitions), 100 * widths[0] / widths[1])


def tables(repetitions: int, seed: int) -> Iterator[Table]:
    """Yield the table."""
    rows = []
    for place, (name, kind) in enumerate(KINDS.items()):
        rng = np.random.default_rng([seed, place])
        people = ranked(rng, POPULATION)
        machine = kind.grade(rng, people)
        for measure in MEASURES:
            values = [VALUES[measure](grades) for grades in (people, machine)]
            for n_judged in JUDGED:
                found = rates(values[0], values[1], n_judged, repetitions, rng)
                rows.append(((name, measure, str(n_judged)), found))
    heads = ("machine", "measure", "judged by people", "mean", "difference", "width")
    title = "Means of the population outside the 95% interval"
    yield Table(title, heads, tuple(rows), (repetitions,) * 3)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=2_000, seed=1)
