"""Estimate means of runs where people judged a random sample of the documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np

from rankeval.base.arrays import Floats, Integers, sums
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, decoded, listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.rankings import require_one_order
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import Results
from rankeval.evaluation.sampled_measures import SampledMeasure
from rankeval.evaluation.settings import Settings
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.sources.blocks import display_name
from rankeval.ranking import RankedJudgments
from rankeval.ranking.document_samples import DocumentSample
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunSource
from rankeval.stats.prediction_powered import Estimated, Sample, prediction_powered_mean
from rankeval.stats.sampled_values import (
    TOTAL,
    Drawn,
    Ranking,
    SampledValues,
    machine_weights,
    topic_values,
    variances,
)

OUTSIDE = 0.01
"""A share of a measure's weight outside the pool above this is said."""


@frozen(eq=False)
class How:
    """The way to estimate.

    ========= =====================================================
    level     of the intervals
    finite    True if the topics of the judgments are all that matter
    weights   1 / probability of topics, by name; None for a random sample
    estimator "horvitz-thompson" or "hajek"
    ========= =====================================================
    """

    level: float
    finite: bool
    weights: Mapping[str, float] | None
    estimator: str


@frozen
class SampledDocuments:
    """The documents of which people judged a random sample.

    ========= ==============================================
    drawn     documents that were drawn, and that people judged
    pooled    documents of the pool
    strata    strata that they were drawn from
    estimator "horvitz-thompson" or "hajek"
    ========= ==============================================
    """

    drawn: int
    pooled: int
    strata: int
    estimator: str


@frozen(eq=False)
class PooledRun:
    """A run's documents of the pool, topic by topic in the order of ranks, and its other facts.

    ========= ==============================================
    document  (N,) their numbers
    rank      (N,)
    retrieved (T,) documents that the run retrieved
    tag       of the run; "" for none
    path      "" for a run in memory
    ========= ==============================================
    """

    document: Integers
    rank: Integers
    retrieved: Integers
    tag: str
    path: str

    def weighed(self, measure: SampledMeasure) -> Ranking:
        """Return the documents with the weights of their ranks."""
        return Ranking(self.document, measure.weights(self.rank))

    def outside(self, measure: SampledMeasure) -> float:
        """Return the share of a measure's weights that documents outside the pool have."""
        deepest = int(self.retrieved.max(initial=0))
        weights = np.append(0.0, np.cumsum(measure.weights(np.arange(1, deepest + 1))))
        total = float(weights[self.retrieved].sum())
        return 1.0 - float(measure.weights(self.rank).sum()) / total if total else 0.0


def rankings_in_pool(
    sample: DocumentSample,
    runs: Sequence[RunSource],
    settings: Settings,
    reading: Reading,
    jobs: int,
) -> list[PooledRun]:
    """Return what each run has of the pool."""
    require_one_order(settings)
    _require_plain(settings)
    prepared = Prepared(sample.numbered, settings=settings, reading=reading)
    return [_found(prepared, run, settings.depth, jobs) for run in runs]


def _found(prepared: Prepared, run: RunSource, depth: int | None, jobs: int) -> PooledRun:
    alignment, path = prepared.align(run, jobs)
    if not alignment.present.any():
        raise InputError(
            "has no topic of the sample",
            place=display_name(path) or "run",
            expected="rankings of the topics of which people judged documents",
            remedy="'rankeval check' shows the names of topics",
        )
    judged: RankedJudgments = alignment.judged
    if depth is not None:
        judged = judged.truncated(depth)
    number = prepared.judgments.grade.astype(np.int64)
    return PooledRun(
        number[judged.judgment],
        judged.rank.astype(np.int64),
        judged.retrieved.astype(np.int64),
        decoded(alignment.last_tag),
        path,
    )


def _require_plain(settings: Settings) -> None:
    """Raise UsageError for conventions that an estimate from a sample cannot follow."""
    given = {
        "topics": (settings.topics, "judged"),
        "skip_no_relevant": (settings.skip_no_relevant, False),
        "judged_only": (settings.judged_only, False),
        "unjudged": (settings.unjudged or "nonrelevant", "nonrelevant"),
        "aggregate": (settings.aggregate or "mean", "mean"),
    }
    for name, (value, usual) in given.items():
        if value != usual:
            raise UsageError(
                f"with {name} '{value}', nothing can be estimated from a sample of documents",
                expected="every topic of the sample, and rankings with their unjudged documents",
            )


def grades_by_machine(sample: DocumentSample, model: Qrels) -> Floats:
    """Return the machine's grade of each document of the pool, NaN where it has none."""
    code = np.array([model.code.get(topic, -1) for topic in sample.topics], dtype=np.int64)
    docnos = PlainDocnos(list(sample.docnos))
    rows, judgment = docnos.find_judged(model, code, sample.offsets)
    found = np.full(len(sample.docnos), np.nan)
    found[rows] = model.grade[judgment]
    return found


@frozen(eq=False)
class Guesses:
    """Estimates of all runs in one measure: values by topic, helped by the machine and alone.

    ======= ================================================================
    helped  for each run
    alone   for each run
    weight  mean over topics of what the machine's grades count, from 0 to 1
    ======= ================================================================
    """

    helped: Sequence[SampledValues]
    alone: Sequence[SampledValues]
    weight: float


def guesses(
    drawn: Drawn,
    found: Sequence[PooledRun],
    measure: SampledMeasure,
    grade: Floats,
    by_machine: Floats | None,
    *,
    hajek: bool,
) -> Guesses:
    """Estimate a measure of all runs; `grade` is that of people, `by_machine` of the machine."""
    rankings = [run.weighed(measure) for run in found]
    human = _gains(measure, np.where(drawn.drawn, grade, np.nan))
    nothing = np.zeros(len(human))
    alone = [topic_values(drawn, r, human, nothing, measure.way, hajek=hajek) for r in rankings]
    if by_machine is None:
        return Guesses(alone, alone, 0.0)
    machine = _gains(measure, by_machine)
    weight = machine_weights(drawn, alone, human, machine)
    counted = weight[drawn.topic] * machine
    helped = [topic_values(drawn, r, human, counted, measure.way, hajek=hajek) for r in rankings]
    return Guesses(helped, alone, float(weight.mean()))


def _gains(measure: SampledMeasure, grade: Floats) -> Floats:
    known = grade >= 0.0
    gains = np.zeros(len(grade))
    gains[known] = measure.gains(grade[known])
    return gains


@frozen(eq=False)
class MachineValues:
    """The machine's values of runs by topic: (T,) of the sample's topics, and those of others."""

    here: Floats
    others: Floats

    @classmethod
    def none(cls, n_topics: int) -> MachineValues:
        """Return the values where there is no machine."""
        return cls(np.zeros(n_topics), np.zeros(0))

    def minus(self, other: MachineValues) -> MachineValues:
        """Return the differences from another run."""
        return MachineValues(self.here - other.here, self.others - other.others)


def machine_values(
    results: Results, topics: Sequence[bytes], measures: Sequence[SampledMeasure]
) -> list[list[MachineValues]]:
    """Return the machine's values of each run and measure."""
    place = {decoded(topic): at for at, topic in enumerate(topics)}
    found = []
    for run in results.runs:
        of_run = []
        by_name = {score.measure: score for score in run.scores}
        for measure in measures:
            score = by_name[measure.of_all]
            here = np.zeros(len(topics))
            inside = np.array([place.get(topic, -1) for topic in score.topics], dtype=np.int64)
            here[inside[inside >= 0]] = score.values[inside >= 0]
            of_run.append(MachineValues(here, score.values[inside < 0]))
        found.append(of_run)
    return found


def mean_of(
    drawn: Drawn,
    guess: SampledValues,
    alone: Floats,
    machine: MachineValues,
    *,
    topics: Sequence[bytes],
    how: How,
) -> Estimated:
    """Return the mean over topics; `alone` are the values without the machine."""
    weights = None
    if how.weights is not None:
        weights = np.array([how.weights[as_text(topic)] for topic in topics])
    sample = Sample(
        guess.value,
        machine.here,
        machine.others,
        weights,
        noise=variances(drawn, guess.moved),
        freedom=drawn.freedom,
    )
    found = prediction_powered_mean(sample, level=how.level, finite=how.finite)
    return replace(found, human=float(np.average(alone, weights=weights)))


@frozen(eq=False)
class Estimates:
    """Estimates by measure, of runs and of the differences of two, with the numbers of the runs."""

    runs: Sequence[tuple[int, str, Estimated]]
    differences: Sequence[tuple[int, int, str, Estimated]]

    def without_intervals(self, measures: Collection[str]) -> Estimates:
        """Return the estimates; those of the measures have no error and no interval."""
        return Estimates(
            [(i, name, _bare(one) if name in measures else one) for i, name, one in self.runs],
            [
                (i, j, name, _bare(one) if name in measures else one)
                for i, j, name, one in self.differences
            ],
        )


def _bare(one: Estimated) -> Estimated:
    return replace(one, standard_error=None, low=None, high=None)


def biased_ratios(
    sample: DocumentSample, measures: Sequence[SampledMeasure]
) -> list[SampledMeasure]:
    """Return the measures that are biased: ratios, where not every document was drawn.

    The bias shrinks with the draws of a topic, not with the number of topics; intervals of these
    topics alone do, so that they miss more often the more topics there are.
    """
    if (sample.probability == 1.0).all():
        return []
    return [measure for measure in measures if measure.way != TOTAL]


def estimates_of(
    sample: DocumentSample,
    found: Sequence[PooledRun],
    measures: Sequence[SampledMeasure],
    by_machine: Sequence[Sequence[MachineValues]],
    graded: Floats | None,
    how: How,
) -> Estimates:
    """Estimate the means of all runs and of their differences; `graded` is by the machine."""
    drawn = Drawn(
        sample.topic, sample.stratum, sample.probability, sample.drawn, len(sample.topics)
    )
    runs: list[tuple[int, str, Estimated]] = []
    differences: list[tuple[int, int, str, Estimated]] = []
    for at, measure in enumerate(measures):
        of = guesses(drawn, found, measure, sample.grade, graded, hajek=how.estimator == "hajek")
        mean = partial(mean_of, drawn, topics=sample.topics, how=how)
        known = {"machine": None} if graded is None else {"weight": of.weight}
        machine = [values[at] for values in by_machine]
        for i in range(len(found)):
            one = mean(of.helped[i], of.alone[i].value, machine[i])
            runs.append((i, measure.name, replace(one, **known)))
        for i, j in pairs_of(len(found)):
            alone = of.alone[i].value - of.alone[j].value
            one = mean(minus(of.helped[i], of.helped[j]), alone, machine[i].minus(machine[j]))
            differences.append((i, j, measure.name, replace(one, **known)))
    return Estimates(runs, differences)


def minus(first: SampledValues, second: SampledValues) -> SampledValues:
    """Return the differences of two runs, whose draws are the same."""
    return SampledValues(
        first.value - second.value, first.slope - second.slope, first.moved - second.moved
    )


def as_text(topic: bytes) -> str:
    """Return the name of a topic as text, distinct whatever its bytes."""
    return topic.decode("utf-8", "surrogateescape")


def pairs_of(n_runs: int) -> Iterator[tuple[int, int]]:
    """Yield each run with each one before it."""
    for earlier, later in combinations(range(n_runs), 2):
        yield later, earlier


def warnings_of(
    names: Sequence[str],
    found: Sequence[PooledRun],
    measures: Sequence[SampledMeasure],
    sample: DocumentSample,
    *,
    finite: bool,
) -> Iterator[str]:
    """Yield runs of which documents outside the pool count as not relevant, and biased ratios."""
    ratios = biased_ratios(sample, measures)
    named = listed([measure.name.encode() for measure in ratios])
    if ratios and finite:
        yield (
            f"{named}: ratios of few draws are biased, and have no interval of these "
            "topics alone: take P@k, DCG@k or RBP, or draw by rank and leave finite out"
        )
    elif ratios:
        yield (
            f"{named}: ratios of few draws are biased, which intervals do not show: take "
            "P@k, DCG@k or RBP, or draw by rank, and more documents"
        )
    for empty, some in _without_relevant(sample, ratios).items():
        yield (
            f"{listed(some)}: no relevant document was drawn in {count(empty, 'topic')} of "
            f"{len(sample.topics)}, which count 0 without a machine"
        )
    for measure in measures:
        if measure.way != TOTAL:
            continue
        shares = [run.outside(measure) for run in found]
        wrong = [names[i].encode() for i, share in enumerate(shares) if share > OUTSIDE]
        if wrong:
            yield (
                f"{measure.name}: up to {100 * max(shares):.0f}% of the weight lies on documents "
                f"outside the sampled pool, which count as not relevant: {count(len(wrong), 'run')}"
                f" ({listed(wrong)})"
            )


def _without_relevant(
    sample: DocumentSample, ratios: Sequence[SampledMeasure]
) -> dict[int, list[bytes]]:
    """Return ratios by the number of topics of which no relevant document was drawn."""
    found: dict[int, list[bytes]] = {}
    for measure in ratios:
        relevant = sums(sample.topic, _gains(measure, sample.grade), len(sample.topics))
        if empty := int(np.count_nonzero(relevant == 0.0)):
            found.setdefault(empty, []).append(measure.name.encode())
    return found
