"""Measure how often gates over several seeds are wrong.

    python -m docs.studies.gate_rates [--repetitions N] [--seed N]

Prints the table of docs/statistics/verdicts.md, in percent: systems of several runs, one for each
seed, that are called worse or not worse wrongly.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from docs.studies.differences import SHAPES, Floats
from docs.studies.rate_table import Table, print_tables

ALPHA = 0.05
LIMIT = 0.03
SEEDS = (2, 3, 5)
TOPICS = (50, 200)
OF_SEEDS = (0.0, 0.01, 0.03)  # deviation of the true means of runs of one system
BY_CHANCE = 0.05  # deviation of a topic's value in one run, beyond both
BATCH = 1_000
POPULATIONS = ("normal", "skewed")
Booleans = npt.NDArray[np.bool_]


def shown_loss(gains: Floats, *, counts_seeds: bool = True) -> Booleans:
    """Return which systems are shown to lose, by gains (repetitions, n, k) of topics and runs.

    The variance of seeds counts as the gate has it, or only that of topics.
    """
    _, n, k = gains.shape
    of_topics = gains.mean(axis=2).var(axis=1, ddof=1) / n
    of_runs = gains.mean(axis=1).var(axis=1, ddof=1) / k if counts_seeds else 0.0 * of_topics
    total = of_topics + of_runs
    freedom = total**2 / (of_topics**2 / (n - 1) + of_runs**2 / (k - 1))
    shown: Booleans = stdtr(freedom, gains.mean(axis=(1, 2)) / np.sqrt(total)) < ALPHA
    return shown


def systems(
    shape: str, mean: float, of_seeds: float, n: int, k: int, rng: np.random.Generator
) -> Floats:
    """Draw gains (BATCH, n, k) of systems whose mean over topics and seeds is known."""
    topics = SHAPES[shape](mean, BATCH, n, rng)
    seeds = rng.normal(0.0, of_seeds, (BATCH, 1, k))
    return topics[:, :, None] + seeds + rng.normal(0.0, BY_CHANCE, (BATCH, n, k))


def seeds(repetitions: int, seed: int) -> Table:
    """Systems of k runs that are called worse or not worse wrongly."""
    rows = []
    batches = -(-repetitions // BATCH)
    for shape in POPULATIONS:
        for of_seeds in OF_SEEDS:
            for n in TOPICS:
                for k in SEEDS:
                    rng = np.random.default_rng([seed, n, k])
                    found = np.zeros(5)
                    for _ in range(batches):
                        equal = systems(shape, 0.0, of_seeds, n, k, rng)
                        losing = LIMIT + systems(shape, -LIMIT, of_seeds, n, k, rng)
                        baseline = rng.normal(0.0, of_seeds, (BATCH, 1, 1))
                        found += [
                            np.count_nonzero(shown)
                            for shown in (
                                shown_loss(equal),
                                shown_loss(equal, counts_seeds=False),
                                shown_loss(equal + baseline),
                                shown_loss(-losing),
                                shown_loss(-losing, counts_seeds=False),
                            )
                        ]
                    labels = (shape, f"{of_seeds:g}", str(n), str(k))
                    rows.append((labels, tuple((100 * found / (batches * BATCH)).tolist())))
    heads = (
        *("differences", "deviation of seeds", "topics", "seeds"),
        *("worse", "worse, topics only", "worse, baseline of one seed"),
        *("not worse", "not worse, topics only"),
    )
    title = "Equal systems that are called worse, and systems that lose the limit called not worse"
    return Table(title, heads, tuple(rows))


def tables(repetitions: int, seed: int) -> Iterator[Table]:
    """Yield the table."""
    yield seeds(repetitions, seed)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=20_000, seed=1)
