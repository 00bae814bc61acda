"""Measure how often tests and intervals over several collections err.

    python -m docs.studies.collection_rates [--repetitions N] [--bootstrapped N] [--seed N]

Prints tables for docs/statistics/collections.md, in percent: equal systems that Friedman's test,
Nemenyi's and Holm's tell apart; equal systems told apart among others that differ; better systems
that they find; more collections claimed than have a gain; intervals that miss the population's
macro mean.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.stats import ttest_1samp

from docs.studies.differences import SHAPES
from docs.studies.rate_table import Table, print_tables
from rankeval.commands.compare_collections.task import shown_on
from rankeval.stats import confidence_intervals, hierarchical_bootstrap, holm_rank_pairs, nemenyi

ALPHA = 0.05
COLLECTIONS = (5, 13, 30)
SYSTEMS = (2, 4, 8)
TOPICS = (10, 50, 200)
SPREAD = 0.03  # deviation of the true means of collections
NOISE = 0.2  # deviation of the differences of topics
MEAN = 0.02
RESAMPLES = 999
GAIN, GAINING_TOPICS = 0.1, 50  # of collections with a gain: the deviation of differences is 0.1
Floats = npt.NDArray[np.float64]


def equal(rng: np.random.Generator, n: int, m: int) -> Floats:
    """Values of equal systems: collections differ much, systems by chance."""
    return rng.normal(0.4, 0.15, (n, 1)) + rng.normal(0.0, SPREAD, (n, m))


def one_worse(rng: np.random.Generator, n: int, m: int) -> Floats:
    """The last system is far worse than all others, which are equal."""
    values = equal(rng, n, m)
    values[:, -1] -= 10 * SPREAD
    return values


def one_better(rng: np.random.Generator, n: int, m: int) -> Floats:
    """The first system is better than all others by the deviation of collections."""
    values = equal(rng, n, m)
    values[:, 0] += SPREAD
    return values


def told_apart(values: Floats) -> Mapping[str, set[tuple[int, int]]]:
    """Return the pairs that each procedure tells apart; Friedman's tests have all or none."""
    test = nemenyi(values, alpha=ALPHA)
    every = set(combinations(range(values.shape[1]), 2))
    assert test.critical_difference is not None
    return {
        "Friedman, chi square": every if test.friedman.p_value <= ALPHA else set(),
        "Friedman, F": every if test.friedman.p_f <= ALPHA else set(),
        "Nemenyi": {
            (one.first, one.second)
            for one in test.pairs
            if abs(one.difference or 0.0) > test.critical_difference
        },
        "Holm": {
            (one.first, one.second) for one in holm_rank_pairs(values) if one.p_value <= ALPHA
        },
    }


METHODS = tuple(told_apart(np.arange(12.0).reshape(4, 3)))
Draw = Callable[[np.random.Generator, int, int], Floats]


def rates(
    title: str,
    draw: Draw,
    counts: Callable[[tuple[int, int], int], bool],
    repetitions: int,
    seed: int,
    methods: Sequence[str] = METHODS,
    systems: Sequence[int] = SYSTEMS,
) -> Table:
    """Return how often some pair that counts is told apart; `counts` is given it and m."""
    rows = []
    for m in systems:
        for n in COLLECTIONS:
            rng = np.random.default_rng([seed, m, n])
            found = dict.fromkeys(methods, 0)
            for _ in range(repetitions):
                apart = told_apart(draw(rng, n, m))
                for method in methods:
                    found[method] += any(counts(pair, m) for pair in apart[method])
            shares = tuple(100.0 * times / repetitions for times in found.values())
            rows.append(((str(m), str(n)), shares))
    return Table(title, ("systems", "collections", *methods), tuple(rows))


def missed(repetitions: int, seed: int) -> Table:
    """Return how often the 95% interval lacks the macro mean of the population."""
    rows = []
    for n in COLLECTIONS:
        for topics in TOPICS:
            rng = np.random.default_rng([seed, n, topics])
            lacking = np.zeros(3)
            for repetition in range(repetitions):
                means = rng.normal(MEAN, SPREAD, n)
                values = [rng.normal(mean, NOISE, topics) for mean in means]
                (found,) = hierarchical_bootstrap(
                    [[one] for one in values], samples=RESAMPLES, seed=repetition
                )
                of_collections = np.array([one.mean() for one in values])
                (plain,) = confidence_intervals(
                    of_collections, method="percentile", resamples=RESAMPLES, seed=repetition
                )
                (student,) = confidence_intervals(of_collections)
                lacking += [
                    not (low <= MEAN <= high)
                    for low, high in (
                        (found.low, found.high),
                        (plain.low or 0.0, plain.high or 0.0),
                        (student.low or 0.0, student.high or 0.0),
                    )
                ]
            rows.append(((str(n), str(topics)), tuple((100.0 * lacking / repetitions).tolist())))
    title = "Macro mean of the population outside the 95% interval"
    heads = ("collections", "topics", "hierarchical", "collections only", "Student's t")
    return Table(title, heads, tuple(rows))


def claimed(repetitions: int, seed: int) -> Table:
    """Return how often more collections are claimed than have a difference, which is a gain."""
    rows = []
    for shape in ("normal", "skewed"):
        for n in COLLECTIONS:
            for there in (0, n // 2):
                rng = np.random.default_rng([seed, n, there])
                too_many = np.zeros(2)
                for _ in range(repetitions):
                    gains = [
                        SHAPES[shape](GAIN if one < there else 0.0, 1, GAINING_TOPICS, rng)[0]
                        for one in range(n)
                    ]
                    (found,) = shown_on([[one[:, None]] for one in gains], alpha=ALPHA)
                    alone = ttest_1samp(np.array(gains), 0.0, axis=1, alternative="greater")
                    significant = int(np.count_nonzero(alone.pvalue <= ALPHA / 2))
                    too_many += [found.better > there, significant > there]
                shares = tuple((100.0 * too_many / repetitions).tolist())
                rows.append(((shape, str(n), str(there)), shares))
    title = "More collections claimed than have a gain, alpha 5% for gains and losses together"
    heads = ("differences", "collections", "with a gain", "shown", "significant ones counted")
    return Table(title, heads, tuple(rows))


def tables(repetitions: int, bootstrapped: int, seed: int) -> Iterator[Table]:
    """Yield all tables."""
    yield rates(
        "Some equal systems found to differ, alpha 5%", equal, lambda *_: True, repetitions, seed
    )
    yield rates(
        "Some equal systems found to differ, with one that is far worse, alpha 5%",
        one_worse,
        lambda pair, m: m - 1 not in pair,
        repetitions,
        seed + 1,
        METHODS[2:],
        SYSTEMS[1:],
    )
    yield rates(
        "The better system found to differ from some other one, alpha 5%",
        one_better,
        lambda pair, _: 0 in pair,
        repetitions,
        seed + 2,
        METHODS[2:],
    )
    yield claimed(repetitions, seed)
    yield missed(bootstrapped, seed)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=2_000, bootstrapped=1_000, seed=1)
