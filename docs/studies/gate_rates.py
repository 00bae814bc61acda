"""Measure how often gates over several seeds, suites and nights are wrong.

    python -m docs.studies.gate_rates [--repetitions N] [--lines N] [--seed N]

Prints tables for docs/statistics/seeds.md, in percent: systems of several runs, one for each seed,
that are called worse or not worse wrongly; systems that are judged by the macro mean over
collections; and nights of many suites in which some equal candidate is called worse.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from docs.studies.differences import SHAPES, Floats
from docs.studies.rate_table import Table, print_tables
from rankeval.stats import log_capital

ALPHA = 0.05
LIMIT = 0.03
SEEDS = (2, 3, 5)
TOPICS = (50, 200)
OF_SEEDS = (0.0, 0.01, 0.03)  # deviation of the true means of runs of one system
BY_CHANCE = 0.05  # deviation of a topic's value in one run, beyond both
BATCH = 1_000
POPULATIONS = ("normal", "skewed")
Booleans = npt.NDArray[np.bool_]

SIZES = {
    "13 of 50": (50,) * 13,
    "13 of 20 to 320": tuple(round(20 * 2 ** (c / 3)) for c in range(13)),
    "3 of 300": (300,) * 3,
    "3 of 10, 100, 790": (10, 100, 790),
}
"""Topics of collections."""
OF_COLLECTIONS = 0.01  # deviation of the true differences of collections, about their macro mean

SUITES, NIGHTS = 30, 60
NIGHTLY_TOPICS = 50
SHARES = (0.0, 0.5, 0.9)


def shown_loss(gains: Floats, *, counts_seeds: bool = True) -> Booleans:
    """Return which systems are shown to lose, by gains (repetitions, n, k) of topics and runs.

    The variance of seeds counts as `macro_mean` has it, or only that of topics.
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


def macro_gains(
    shape: str, mean: float, sizes: Sequence[int], rng: np.random.Generator
) -> list[Floats]:
    """Draw gains, (BATCH, n) for each collection, of systems whose true macro mean is known."""
    apart = np.linspace(-1.0, 1.0, len(sizes))
    apart *= OF_COLLECTIONS / apart.std()
    means = mean + apart
    return [
        SHAPES[shape](mean, BATCH, n, rng) + of_one - mean
        for of_one, n in zip(means, sizes, strict=True)
    ]


def macro_loss(gains: Sequence[Floats]) -> Booleans:
    """Return which systems are shown by t to lose in the macro mean."""
    means = [one.mean(axis=1) for one in gains]
    variances = [one.var(axis=1, ddof=1) / one.shape[1] for one in gains]
    total = np.sum(variances, axis=0)
    parts = [v**2 / (one.shape[1] - 1) for v, one in zip(variances, gains, strict=True)]
    freedom = total**2 / np.sum(parts, axis=0)
    shown: Booleans = stdtr(freedom, np.sum(means, axis=0) / np.sqrt(total)) < ALPHA
    return shown


def macro_bets(gains: Sequence[Floats]) -> Booleans:
    """Return which systems bets show to be within the limit in the macro mean."""
    total = sum(one.shape[1] for one in gains)
    times = [total / (len(gains) * one.shape[1]) for one in gains]
    least = LIMIT - 1.0 - 2.0 * OF_COLLECTIONS
    weighted = [f * (one + LIMIT) for f, one in zip(times, gains, strict=True)]
    capital = log_capital(np.concatenate(weighted, axis=1).T, max(times) * least)
    shown: Booleans = capital >= -np.log(ALPHA)
    return shown


def macro(repetitions: int, seed: int) -> Table:
    """Systems that the macro mean over collections calls worse or not worse."""
    rows = []
    batches = -(-repetitions // BATCH)
    for shape in SHAPES:
        for words, sizes in SIZES.items():
            rng = np.random.default_rng([seed, len(sizes), sizes[-1]])
            found = np.zeros(5)
            for _ in range(batches):
                equal = macro_gains(shape, 0.0, sizes, rng)
                losing = macro_gains(shape, -LIMIT, sizes, rng)
                found += [
                    np.count_nonzero(shown)
                    for shown in (
                        macro_loss(equal),
                        macro_loss([-one - LIMIT for one in losing]),
                        macro_bets(losing),
                        macro_loss([-one - LIMIT for one in equal]),
                        macro_bets(equal),
                    )
                ]
            rates = 100 * found / (batches * BATCH)
            rows.append(((shape, words), tuple(rates.tolist())))
    heads = (
        *("differences", "topics of collections", "equal, worse"),
        *("losing, not worse by t", "losing, not worse by betting"),
        *("equal, not worse by t", "equal, not worse by betting"),
    )
    return Table(
        "Macro means of equal systems, and of systems that lose the limit", heads, tuple(rows)
    )


def nights(lines: int, seed: int) -> Table:
    """Nights, and lines of nights, in which an equal candidate of some suite is called worse.

    Every suite has topics of its own. What they have of their own stays in the differences of
    every night, to the share of their variance that is given.
    """
    rows = []
    for share in SHARES:
        rng = np.random.default_rng(seed)
        called = np.zeros((2, lines, NIGHTS), dtype=bool)
        for line in range(lines):
            own = rng.normal(0.0, np.sqrt(share), (1, SUITES, NIGHTLY_TOPICS))
            fresh = rng.normal(0.0, np.sqrt(1 - share), (NIGHTS, SUITES, NIGHTLY_TOPICS))
            gains = own + fresh
            t = gains.mean(axis=2) * np.sqrt(NIGHTLY_TOPICS) / gains.std(axis=2, ddof=1)
            least = stdtr(NIGHTLY_TOPICS - 1, t).min(axis=1)
            called[0, line] = least < ALPHA
            called[1, line] = least * SUITES < ALPHA  # Holm's first step
        of_nights, of_lines = 100 * called.mean(axis=(1, 2)), 100 * called.any(axis=2).mean(axis=1)
        rates = np.stack([of_nights, of_lines], axis=1).ravel()
        rows.append(((f"{share:g}",), tuple(rates.tolist())))
    heads = (
        "shared variance",
        *(f"{of}{family}" for family in ("", ", `--family suites`") for of in HEADS),
    )
    title = f"Nights in which one of {SUITES} suites or more calls an equal candidate worse"
    return Table(title, heads, tuple(rows))


HEADS = ("one night", f"one of {NIGHTS} nights")


def tables(repetitions: int, lines: int, seed: int) -> Iterator[Table]:
    """Yield all tables."""
    yield seeds(repetitions, seed)
    yield macro(repetitions, seed)
    yield nights(lines, seed)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=20_000, lines=2_000, seed=1)
