"""Measure how many judgments `rankeval pool --next` saves, and how its estimates err.

    python -m docs.studies.sample_rates [--repetitions N] [--seed N]

Prints the tables of docs/estimate.md. Six runs are pooled to depth 100, of the collection in
examples/ and of a simulated one. Uniform sampling draws 20 documents of each topic. `--next` begins
with 5 of each topic, drawn uniformly, and adds others up to a share of the uniform judgments.
Widths are of the 95% intervals of the 15 differences between the runs, over these topics.
Intervals of ratios are tried over these topics alone, which `rankeval estimate` does not show, and
over a population of topics: those of the collection, of which each sample has as many, drawn with
replacement.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from docs.studies.differences import Floats
from docs.studies.rate_table import Table, print_tables
from rankeval.base.arrays import offsets_of
from rankeval.commands.estimate.sampled_documents import (
    Estimates,
    How,
    MachineValues,
    PooledRun,
    estimates_of,
)
from rankeval.commands.fuse.fused_inputs import FusionInput
from rankeval.commands.pool.sampling import Listing, first_sample, listing, next_sample
from rankeval.evaluation.reading import AS_FOUND
from rankeval.evaluation.sampled_measures import SampledMeasure, sampled_measures
from rankeval.evaluation.settings import Settings
from rankeval.ranking.document_samples import DocumentSample
from rankeval.ranking.qrels import Qrels

EXAMPLES = Path(__file__).parents[2] / "examples"
MEASURES, RATIOS = ("P@10", "DCG@10", "RBP"), ("R@50", "AP")
DRAWS = (20, 40, 80)
"""Draws of each topic of which ratios are computed."""
WAYS = ("by-rank", "uniform", "--next for it", "--next for DCG@10")
"""The ways to draw them."""

DEPTH, EACH, FIRST = 100, 20, 5
"""Ranks of each run, documents of a topic drawn uniformly, and those that `--next` begins with."""

SHARES = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
"""Shares of the uniform judgments that are tried."""

HOW = How(level=0.95, finite=True, weights=None, estimator="horvitz-thompson")


@dataclass(frozen=True)
class Collection:
    """A pool, the grades of its documents, what each run has of it, and the true values."""

    pool: Listing
    grades: Floats
    found: Sequence[PooledRun]

    @classmethod
    def of(cls, pool: Listing, grades: Floats) -> "Collection":
        """Return a collection; a run's documents go by topics and ranks."""
        topic = np.repeat(np.arange(len(pool.topics)), np.diff(pool.offsets))
        found = []
        for ranks in pool.ranks:
            there = np.flatnonzero(ranks)
            there = there[np.lexsort((ranks[there], topic[there]))]
            retrieved = np.bincount(topic[there], minlength=len(pool.topics))
            found.append(PooledRun(there, ranks[there], retrieved, "", ""))
        return cls(pool, grades, found)

    def judged(self, sample: DocumentSample) -> DocumentSample:
        """Return the sample with people's grades."""
        return replace(sample, grade=np.where(sample.drawn, self.grades, -1.0))

    def estimates(
        self, sample: DocumentSample, measure: SampledMeasure, *, finite: bool = True
    ) -> Estimates:
        """Return the estimates of a measure, over these topics or over those of a population."""
        none = [[MachineValues.none(len(self.pool.topics))]] * len(self.found)
        how = replace(HOW, finite=finite)
        return estimates_of(self.judged(sample), self.found, [measure], none, None, how)

    def true(self, measure: SampledMeasure) -> Floats:
        """Return the means of the runs that judging every document gives."""
        everything = self.estimates(self.uniform(0, 10**9), measure)
        return np.array([one.value for _, _, one in everything.runs])

    def resampled(self, seed: int) -> "Collection":
        """Return a collection of as many topics, drawn from these with replacement."""
        pool, n_topics = self.pool, len(self.pool.topics)
        picked = np.random.default_rng(seed).integers(n_topics, size=n_topics)
        rows = np.concatenate([np.arange(*pool.offsets[topic : topic + 2]) for topic in picked])
        drawn = Listing(
            tuple(b"%04d" % place for place in range(n_topics)),
            offsets_of(np.diff(pool.offsets)[picked]),
            tuple(pool.docnos[row] for row in rows.tolist()),
            pool.ranks[:, rows],
        )
        return Collection.of(drawn, self.grades[rows])

    def uniform(self, seed: int, each: int = EACH) -> DocumentSample:
        """Draw documents of each topic uniformly."""
        return first_sample(self.pool, "uniform", each, seed)

    def more(self, wanted: int, seed: int, measure: SampledMeasure) -> DocumentSample:
        """Draw a few documents uniformly, and then others that tell the runs apart."""
        first = self.judged(self.uniform(seed, FIRST))
        return next_sample(first, self.pool, wanted - int(first.drawn.sum()), [measure], seed)

    def share(self, share: float) -> int:
        """Return a share of the judgments of uniform sampling."""
        return round(share * int(self.uniform(0).drawn.sum()))

    def drawn(self, way: str, each: int, seed: int, measure: SampledMeasure) -> DocumentSample:
        """Draw `each` documents of a topic, or by --next as many in all, to estimate a measure."""
        if not way.startswith("--next"):
            return first_sample(self.pool, way, each, seed)
        _, _, named = way.partition(" for ")
        aim = measure if named == "it" else sampled_measures(named, Settings())[0]
        return self.more(int(self.uniform(0, each).drawn.sum()), seed, aim)


def example() -> Collection:
    """Return the collection of examples/, where documents that nobody judged have the grade 0."""
    runs = sorted(map(str, (EXAMPLES / "runs").glob("*.run")))
    pool, _ = listing(FusionInput.of(runs, "docno", AS_FOUND, 1), DEPTH)
    qrels = Qrels(EXAMPLES / "qrels" / "python-reference.qrels")
    grades = {topic.encode(): qrels[topic] for topic in qrels}
    keys = [(topic, docno) for topic, docno in pool.keys if topic in grades]
    found = np.array([grades[topic].get(docno.decode(), 0) for topic, docno in keys], dtype=float)
    return Collection.of(pool, np.maximum(found, 0.0))


def simulated(rng: np.random.Generator) -> Collection:
    """Return 50 topics of 2,000 documents, and runs that score grades of 0 to 3 with noise."""
    ranks: dict[tuple[bytes, bytes], np.ndarray] = {}
    grades: dict[tuple[bytes, bytes], float] = {}
    for topic in range(50):
        rate = rng.beta(1.0, 25.0)
        grade = rng.binomial(3, 0.5, 2_000) * (rng.random(2_000) < rate)
        shared = rng.normal(size=2_000)
        for run in range(6):
            noise = 0.6 * shared + 0.8 * rng.normal(size=2_000)
            order = np.argsort(-(grade * (0.9 + 0.1 * run) + noise))[:DEPTH]
            for rank, document in enumerate(order.tolist(), 1):
                key = (b"%03d" % topic, b"%04d" % document)
                ranks.setdefault(key, np.zeros(6, dtype=np.int64))[run] = rank
                grades[key] = float(grade[document])
    pool = Listing.of(ranks, 6)
    return Collection.of(pool, np.array([grades[key] for key in pool.keys]))


def widths(estimates: Estimates) -> float:
    """Return the mean width of the intervals of the differences."""
    each = [(one.high or 0.0) - (one.low or 0.0) for _, _, _, one in estimates.differences]
    return float(np.mean(each))


def saved(
    of: Collection, measure: SampledMeasure, repetitions: int, seed: int
) -> tuple[float, ...]:
    """Return the mean widths of uniform sampling and of `--next`, and the judgments it needs."""
    uniform, shares = 0.0, np.zeros(len(SHARES))
    for at in range(seed, seed + repetitions):
        uniform += widths(of.estimates(of.uniform(at), measure)) / repetitions
        for place, share in enumerate(SHARES):
            drawn = of.more(of.share(share), at, measure)
            shares[place] += widths(of.estimates(drawn, measure)) / repetitions
    needed = next((s for s, width in zip(SHARES, shares, strict=True) if width <= uniform), np.nan)
    return 100 * float(shares[-1]) / uniform, 100 * needed


def errors(
    of: Collection, measure: SampledMeasure, repetitions: int, seed: int
) -> tuple[float, float, float]:
    """Return the bias of the differences after `--next`, and how often their intervals miss."""
    everything = of.estimates(of.uniform(0, 10**9), measure)
    true = np.array([one.value for _, _, _, one in everything.differences])
    found, missed = [], 0.0
    for at in range(seed, seed + repetitions):
        estimates = of.estimates(of.more(of.share(SHARES[-1]), at, measure), measure)
        values = [one for _, _, _, one in estimates.differences]
        found.append([one.value for one in values])
        outside = [
            not (one.low or 0.0) <= truth <= (one.high or 0.0)
            for one, truth in zip(values, true, strict=True)
        ]
        missed += float(np.mean(outside)) / repetitions
    apart = np.array(found) - true
    mean = apart @ np.sign(true) / len(true)
    deviation = float(mean.std(ddof=1))
    bias = float(mean.mean()) / deviation
    return bias * np.sqrt(repetitions), 100.0 * bias, 100.0 * missed


def ratios(
    of: Collection, measure: SampledMeasure, way: str, repetitions: int, seed: int
) -> list[float]:
    """Return the mean over runs of the true value, and for each number of draws what estimates add.

    Then come the shares of the intervals, over these topics, that miss the true value.
    """
    true = of.true(measure)
    added, missed = [], []
    for n in DRAWS:
        samples = [of.drawn(way, n, seed + at, measure) for at in range(repetitions)]
        estimates = [of.estimates(sample, measure) for sample in samples]
        values = [[one.value for _, _, one in each.runs] for each in estimates]
        added.append(np.mean(np.array(values) - true))
        missed.append(np.mean([outside(each, true) for each in estimates]))
    return [100 * float(value) for value in (true.mean(), *added, *missed)]


def missed_in_population(
    of: Collection, measure: SampledMeasure, way: str, repetitions: int, seed: int
) -> list[float]:
    """Return how often intervals over a population of topics miss, for each number of draws."""
    true = of.true(measure)
    missed = []
    for n in DRAWS:
        shares = []
        for at in range(seed, seed + repetitions):
            some = of.resampled(at)
            drawn = some.drawn(way, n, at, measure)
            shares.append(outside(some.estimates(drawn, measure, finite=False), true))
        missed.append(100 * float(np.mean(shares)))
    return missed


def outside(estimates: Estimates, true: Floats) -> float:
    """Return the share of the intervals of runs that miss the true values."""
    missed = [
        not (one.low or 0.0) <= value <= (one.high or 0.0)
        for (_, _, one), value in zip(estimates.runs, true, strict=True)
    ]
    return float(np.mean(missed))


def tables(repetitions: int, seed: int) -> Iterator[Table]:
    """Yield the tables."""
    collections = {
        "examples": example(),
        "simulated": simulated(np.random.default_rng(seed)),
    }
    few, more = max(repetitions // 20, 1), max(repetitions // 5, 1)
    rows, wrong, biased, missed = [], [], [], []
    for name, collection in collections.items():
        for measure in sampled_measures(" ".join(MEASURES), Settings()):
            label = (name, measure.name)
            rows.append((label, saved(collection, measure, few, seed)))
            wrong.append((label, errors(collection, measure, repetitions, seed)))
        for measure in sampled_measures(" ".join(RATIOS), Settings()):
            for way in WAYS:
                true, *found = ratios(collection, measure, way, few, seed)
                named = (name, measure.name, way)
                biased.append((named, (true, *found[: len(DRAWS)])))
                population = missed_in_population(collection, measure, way, more, seed)
                missed.append((named, (*found[len(DRAWS) :], *population)))
    heads = ("collection", "measure", "--next at 60%, width in % of uniform's")
    yield Table(
        "Mean width of the intervals of the differences between six runs",
        (*heads, "judgments of --next for the same width, % of uniform"),
        tuple(rows),
        (few,) * 2,
    )
    heads = ("collection", "measure", "bias in standard errors", "bias in % of the deviation")
    yield Table(
        "Differences between six runs after --next at 60%, mean over the 15 pairs",
        (*heads, "outside the 95% interval, %"),
        tuple(wrong),
        (repetitions,) * 3,
    )
    heads = ("collection", "measure", "draws")
    yield Table(
        "Ratios, times 100: the true mean, and what estimates from the draws of a topic add to it",
        (*heads, "true", *(f"{n} draws" for n in DRAWS)),
        tuple(biased),
        (few,) * 4,
    )
    yield Table(
        "Ratios: intervals that miss the true mean, %, over these topics alone and over a "
        "population of topics",
        (
            *heads,
            *(f"these topics, {n} draws" for n in DRAWS),
            *(f"population, {n} draws" for n in DRAWS),
        ),
        tuple(missed),
        (few,) * 3 + (more,) * 3,
    )


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=500, seed=1)
