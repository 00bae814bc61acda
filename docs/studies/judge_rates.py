"""Measure how often the intervals of `rankeval judges` miss the agreement of all topics.

    python -m docs.studies.judge_rates [--repetitions N] [--seed N]

Prints the table of docs/judges.md, in percent of the samples of topics that have an interval: two
judges grade the documents of topics that are drawn from four populations. The last columns are the
percentile bootstrap's misses of kappa, and samples without an interval, whose topics do not differ.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from docs.studies.differences import Floats
from docs.studies.rate_table import Table, print_tables
from rankeval.base.arrays import Integers
from rankeval.commands.judges.judge_agreement import JudgedPairs, agreement
from rankeval.stats.kappa_alpha import agreed, alphas, kappas

TOPICS = (5, 10, 25, 50)
POPULATION = 100_000
"""Topics that stand for all."""
RESAMPLES = 1_000
VALUES = ("raw", "kappa.plain", "kappa.quadratic", "alpha.ordinal")


@dataclass(frozen=True)
class Topics:
    """A population of topics: functions that draw so many of them.

    agreement  share of equal grades on each topic
    documents  number of documents that both judged
    grades     shares of the grades that the first judge gives, shape (topics, k)
    """

    agreement: Callable[[np.random.Generator, int], Floats]
    documents: Callable[[np.random.Generator, int], Integers]
    grades: Callable[[np.random.Generator, int], Floats]

    def draw(self, rng: np.random.Generator, n_topics: int) -> Floats:
        """Return tables of documents by the grades of both judges, shape (topics, k, k).

        Judges who do not agree on a document give any two different grades.
        """
        shares = self.grades(rng, n_topics)
        size = shares.shape[1]
        agree = self.agreement(rng, n_topics)[:, np.newaxis, np.newaxis]
        same = np.eye(size)
        other = (1.0 - agree) / (size - 1) * (1.0 - same)
        chances = shares[:, :, np.newaxis] * (agree * same + other)
        tables = rng.multinomial(
            self.documents(rng, n_topics), chances.reshape(n_topics, size * size)
        )
        return tables.reshape(chances.shape).astype(np.float64)


def always(value: float) -> Callable[[np.random.Generator, int], Floats]:
    """Return the same value for all topics."""
    return lambda _, n_topics: np.full(n_topics, value)


def beta(one: float, other: float) -> Callable[[np.random.Generator, int], Floats]:
    """Draw a share for each topic."""
    return lambda rng, n_topics: rng.beta(one, other, n_topics)


def documents(number: int) -> Callable[[np.random.Generator, int], Integers]:
    """Return as many documents for all topics."""
    return lambda _, n_topics: np.full(n_topics, number)


def unlike_documents(rng: np.random.Generator, n_topics: int) -> Integers:
    """Draw numbers of documents, half of them from 19 to 57."""
    return np.clip(np.exp(rng.normal(3.5, 0.8, n_topics)), 5, 300).astype(np.int64)


def grades(*weights: float) -> Callable[[np.random.Generator, int], Floats]:
    """Draw shares of grades for each topic."""
    return lambda rng, n_topics: rng.dirichlet(weights, n_topics)


KINDS: Mapping[str, Topics] = {
    "alike: 75% equal grades, 10 documents": Topics(
        always(0.75), documents(10), lambda _, n_topics: np.full((n_topics, 2), 0.5)
    ),
    "grades 0-3: 55 to 92% equal grades, 50 documents": Topics(
        beta(6, 2), documents(50), grades(4, 2, 1, 1)
    ),
    "unlike: 55 to 92% equal grades, 5 to 300 documents": Topics(
        beta(6, 2), unlike_documents, grades(3, 1)
    ),
    "nearly all: 97% equal grades, 20 documents": Topics(
        beta(30, 1), documents(20), grades(10, 10)
    ),
}


def pairs_of(tables: Floats) -> JudgedPairs:
    """Return the pairs of grades that the tables of topics count."""
    size = tables.shape[1]
    cells = np.repeat(np.arange(tables.size), tables.astype(np.int64).ravel())
    topic, cell = np.divmod(cells, size * size)
    graded = np.stack(np.divmod(cell, size), axis=1).astype(np.float64)
    names = [str(number).encode() for number in range(max(len(tables), len(topic)))]
    topics, docno = names[: len(tables)], np.arange(len(topic))
    return JudgedPairs(topics, names, topic, docno, graded)


def true_values(tables: Floats) -> dict[str, float]:
    """Return the values over all topics."""
    whole = tables.sum(axis=0, keepdims=True)
    names = np.arange(whole.shape[1], dtype=np.float64)
    found = {
        "raw": agreed(whole),
        "kappa.plain": kappas(whole, names),
        "kappa.quadratic": kappas(whole, names, "quadratic"),
        "alpha.ordinal": alphas(whole + whole.transpose(0, 2, 1), names, "ordinal"),
    }
    return {name: float(value[0]) for name, value in found.items()}


def percentile_misses(tables: Floats, truth: float, rng: np.random.Generator) -> bool:
    """Return True if the percentile bootstrap's interval of kappa misses it."""
    n_topics = len(tables)
    times = rng.multinomial(n_topics, np.full(n_topics, 1.0 / n_topics), RESAMPLES)
    drawn = np.tensordot(times.astype(np.float64), tables, axes=1)
    low, high = np.nanquantile(
        kappas(drawn, np.arange(tables.shape[1], dtype=np.float64)), [0.025, 0.975]
    )
    return not low <= truth <= high


def miss_rates(
    kind: Topics, n_topics: int, repetitions: int, rng: np.random.Generator
) -> tuple[float, ...]:
    """In percent, intervals that miss each value and kappa's percentiles; samples without any."""
    truth = true_values(kind.draw(rng, POPULATION))
    missed, bounded = dict.fromkeys(VALUES, 0), dict.fromkeys(VALUES, 0)
    percentiles = 0
    for _ in range(repetitions):
        tables = kind.draw(rng, n_topics)
        found = agreement(pairs_of(tables), 0.95)
        for name in VALUES:
            low, high = found[name].low, found[name].high
            if low is not None and high is not None:
                bounded[name] += 1
                missed[name] += not low <= truth[name] <= high
        percentiles += percentile_misses(tables, truth["kappa.plain"], rng)
    shares = [100 * missed[name] / max(bounded[name], 1) for name in VALUES]
    none = 100 * (1 - bounded["kappa.plain"] / repetitions)
    return (*shares, 100 * percentiles / repetitions, none)


def tables(repetitions: int, seed: int) -> Iterator[Table]:
    """Yield the table."""
    rows = tuple(
        (
            (name, str(n_topics)),
            miss_rates(kind, n_topics, repetitions, np.random.default_rng([seed, place, n_topics])),
        )
        for place, (name, kind) in enumerate(KINDS.items())
        for n_topics in TOPICS
    )
    heads = (
        *("topics", "drawn", "equal grades", "kappa", "quadratic", "alpha, ordinal"),
        *("kappa by percentiles", "no interval"),
    )
    title = "Agreement of the population outside the 95% interval"
    yield Table(title, heads, rows, (repetitions,) * 6)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=4_000, seed=1)
