"""Estimate means over all topics from few judgments of people and many of a machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.shown import InPapers, LookOfResults
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count, listed, quoted
from rankeval.choices import ESTIMATORS
from rankeval.commands.estimate.sampled_documents import (
    How,
    MachineValues,
    SampledDocuments,
    as_text,
    biased_ratios,
    estimates_of,
    grades_by_machine,
    machine_values,
    pairs_of,
    rankings_in_pool,
    warnings_of,
)
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.aggregation import WeightsLike
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import CostsLike, judgments_of, require_topics
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.sampled_measures import SAMPLED, sampled_measures
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.io.formats.named_values import ValuesByTopic, read_weights, weights_of
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.ranking.document_samples import (
    DocumentSample,
    parts_of_sample,
    require_judged,
    sample_of,
)
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunsLike, RunSource, refuse_stdin_twice, run_sources
from rankeval.stats.checked_arrays import require_risk
from rankeval.stats.prediction_powered import Estimated, Sample, prediction_powered_mean

MEASURES = "nDCG@10 AP P@10"
LITTLE = 0.1
"""A lambda below this is said to be near 0."""


@frozen
class RunEstimate:
    """The estimate of a run in one measure."""

    run: str
    measure: str
    found: Estimated


@frozen
class DifferenceEstimate:
    """The estimate of the mean of `run` minus that of `other`, in one measure."""

    run: str
    other: str
    measure: str
    found: Estimated


@frozen
class EstimateReport(InPapers):
    """Means over all topics, from the topics that people judged and those that a machine judged.

    ============= =====================================================================
    human         digest of the judgments of people
    machine       digest of the judgments of the machine; None without one
    n_human       topics that both judged
    n_machine     topics that only the machine judged
    finite        True if these topics are all that matter
    weighted      True if topics came with weights
    level         level of the intervals
    runs          an estimate for each run and measure
    differences   an estimate for every two runs, in the order given, and each measure
    results       the runs by the judgments of the machine, if there are any
    warnings      sentences
    documents     the documents that were drawn, where people judged a sample; None otherwise
    ============= =====================================================================
    """

    human: str
    machine: str | None
    n_human: int
    n_machine: int
    finite: bool
    weighted: bool
    level: float
    runs: tuple[RunEstimate, ...]
    differences: tuple[DifferenceEstimate, ...]
    results: tuple[RunResult, ...]
    warnings: tuple[str, ...]
    documents: SampledDocuments | None = None

    __repr__ = InPapers.__repr__

    def _look(self) -> LookOfResults:
        from rankeval.commands.estimate.show import look

        return look()


@one_state()
def estimate(
    human: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    machine: QrelsLike | None = None,
    estimator: str = "horvitz-thompson",
    finite: bool = False,
    topic_weights: WeightsLike | None = None,
    alpha: float = 0.05,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    **conventions: Unpack[SettingsFields],
) -> EstimateReport:
    r"""Estimate means of runs over the topics that a machine judged, where people judged some.

    .. math:: \hat\theta = \lambda \bar f_N + \frac 1 n \sum_{i=1}^{n} (y_i - \lambda f_i)

    with y a topic's value by the judgments of people and f by those of the machine: the machine's
    mean over the N topics that people did not judge, plus the mean difference on the n topics that
    both judged. Lambda is chosen for the least variance; see `prediction_powered_mean` of
    `rankeval.stats`. Differences between runs are estimated in the same way, topic by topic.

    ============= ==========================================================================
    human         judgments of people, of some topics; or of a sample of documents, the table
                  that `rankeval.pool(sample=...)` drew, with grades
    runs          a run, several, or {name: run}
    measures      names or objects; nDCG@10, AP and P@10 by default, of a sample of documents
                  P@10, DCG@10 and AP
    settings      the conventions, or their fields as keywords, such as min_grade=2
    machine       judgments of a machine, of all topics; of a sample of documents, None will do
    estimator     from a sample of documents: "horvitz-thompson" or "hajek"
    finite        the topics are all that matter, and no sample of those that users might ask;
                  with a sample of documents, intervals are of what judging all would give, and
                  R@k and AP, which draws bias, have none
    topic_weights 1 / probability of having been judged by people, by topic; by default, their
                  topics are a random sample of the machine's
    alpha         intervals have the level 1 - alpha
    costs, reading, run_names, jobs    as in `evaluate`
    ============= ==========================================================================

    Of a sample of documents, P@k, DCG@k, RBP, R@k and AP of each topic are estimated, helped by the
    machine's grades; see `topic_values` of `rankeval.stats.sampled_values`.

    Shapes: R runs and m measures give R m estimates, and R (R - 1) / 2 m of differences.

    Errors: InputError for topics of people that the machine lacks, for weights below 1 or missing,
    and for documents that were drawn and not judged, are listed twice, or have no probability from
    0 to 1; UsageError without a topic that both judged, and for a measure whose value over topics
    is not a mean.

    Source: Angelopoulos, Duchi and Zrnic, "PPI++: efficient prediction-powered inference", arXiv
    2311.01453, 2023.

    >>> machine = {str(topic): {"a": topic % 2, "b": 1} for topic in range(8)}
    >>> people = {topic: machine[topic] for topic in "0123"}
    >>> run = {str(topic): {"a": 2.0, "b": 1.0} for topic in range(8)}
    >>> estimate(people, run, "P@1", machine=machine).runs[0].found.value
    0.5
    """
    settings = settings_from("estimate", settings, conventions, estimate.__annotations__)
    level = 1.0 - require_risk(alpha, "alpha")
    sources, given = run_sources(runs, reading.run().columns)
    if given is not None:
        run_names = replace(run_names, given=given)
    refuse_stdin_twice(human, machine, *sources)
    threads = usable_threads(jobs)
    asked = Asked(measures, settings, costs, reading, run_names, threads)
    again = [run.again(settings.form(reading.run()), jobs=threads) for run in sources]
    lines = parts_of_sample(human, reading.qrels())
    if lines is not None:
        sample = sample_of(*lines)
        require_judged(sample)
        drawn_by = How(level, finite, _weights(topic_weights, sample.topics), estimator)
        drawn_model = None if machine is None else judgments_of(machine, None, reading)
        return _from_documents(sample, again, drawn_model, asked, drawn_by)
    if machine is None:
        raise UsageError(
            "the judgments of the machine are missing",
            expected="machine= with judgments of all topics, or people's judgments of the "
            "documents that 'rankeval pool --sample' drew",
            remedy="'rankeval eval' has the means of the topics that people judged",
        )
    if estimator != "horvitz-thompson":
        raise UsageError(
            f"the estimator {estimator} is for samples of documents",
            remedy="leave it out, or name a sample that 'rankeval pool --sample' drew",
        )
    named = measure_names(MEASURES if measures is None else measures)
    require_topics(parse_measures(named, settings.meanings))
    people, model = (judgments_of(judged, named, reading) for judged in (human, machine))
    _require_topics_of_both(people.topics, model, human)
    how = How(level, finite, _weights(topic_weights, people.topics), estimator)
    return _from_topics(people, model, again, replace(asked, measures=named), how)


@frozen(eq=False)
class Asked:
    """The measures to estimate, and the conventions of an evaluation."""

    measures: MeasuresLike | None
    settings: Settings
    costs: CostsLike | None
    reading: Reading
    run_names: RunNames
    jobs: int

    def score(self, qrels: Qrels, runs: Sequence[RunSource]) -> Results:
        """Return the values of the runs by some judgments."""
        return evaluate(
            qrels,
            runs,
            self.measures,
            self.settings,
            costs=self.costs,
            reading=self.reading,
            run_names=self.run_names,
            jobs=self.jobs,
        )


def _from_topics(
    people: Qrels, model: Qrels, runs: Sequence[RunSource], asked: Asked, how: How
) -> EstimateReport:
    """Estimate means where people judged some topics as a whole."""
    by_people, by_machine = asked.score(people, runs), asked.score(model, runs)
    samples = _samples(by_people, by_machine, how.weights)
    guess = partial(prediction_powered_mean, level=how.level, finite=how.finite)
    names = [run.name for run in by_people.runs]
    titles = [one.measure for one in by_people.runs[0].scores]
    found = tuple(
        RunEstimate(name, title, guess(samples[i][at].sample()))
        for at, title in enumerate(titles)
        for i, name in enumerate(names)
    )
    differences = tuple(
        DifferenceEstimate(names[i], names[j], title, guess(samples[i][at].minus(samples[j][at])))
        for at, title in enumerate(titles)
        for i, j in pairs_of(len(names))
    )
    judged = len(people.topics)
    return EstimateReport(
        human=people.digest,
        machine=model.digest,
        n_human=judged,
        n_machine=len(model.topics) - judged,
        finite=how.finite,
        weighted=how.weights is not None,
        level=how.level,
        runs=found,
        differences=differences,
        results=by_machine.runs,
        warnings=tuple(_warnings(found, len(model.topics) - judged)),
    )


def _from_documents(
    sample: DocumentSample,
    runs: Sequence[RunSource],
    model: Qrels | None,
    asked: Asked,
    how: How,
) -> EstimateReport:
    """Estimate means where people judged a random sample of documents."""
    if how.estimator not in ESTIMATORS:
        raise UsageError(
            f"there is no estimator '{how.estimator}'", expected=f"one of {', '.join(ESTIMATORS)}"
        )
    named = measure_names(SAMPLED if asked.measures is None else asked.measures)
    measures = sampled_measures(named, asked.settings)
    asked = replace(asked, measures=[measure.of_all for measure in measures])
    if model is not None:
        _require_topics_of_both(sample.topics, model, sample.path)
    found = rankings_in_pool(sample, runs, asked.settings, asked.reading, asked.jobs)
    names = asked.run_names.names([run.tag for run in found], [run.path for run in found])
    results = None if model is None else asked.score(model, runs)
    none = [[MachineValues.none(len(sample.topics))] * len(measures)] * len(found)
    by_machine = none if results is None else machine_values(results, sample.topics, measures)
    graded = None if model is None else grades_by_machine(sample, model)
    estimates = estimates_of(sample, found, measures, by_machine, graded, how)
    if how.finite:
        biased = [measure.name for measure in biased_ratios(sample, measures)]
        estimates = estimates.without_intervals(biased)
    of_runs = tuple(RunEstimate(names[i], title, one) for i, title, one in estimates.runs)
    doubts = list(warnings_of(names, found, measures, sample, finite=how.finite))
    doubts += _little(of_runs) if model else ()
    return EstimateReport(
        human=sample.digest,
        machine=None if model is None else model.digest,
        n_human=len(sample.topics),
        n_machine=0 if model is None else len(model.topics) - len(sample.topics),
        finite=how.finite,
        weighted=how.weights is not None,
        level=how.level,
        runs=of_runs,
        differences=tuple(
            DifferenceEstimate(names[i], names[j], title, one)
            for i, j, title, one in estimates.differences
        ),
        results=() if results is None else results.runs,
        warnings=tuple(doubts),
        documents=SampledDocuments(
            int(sample.drawn.sum()),
            len(sample.docnos),
            int(sample.stratum.max()) + 1,
            how.estimator,
        ),
    )


def _require_topics_of_both(topics: Sequence[bytes], model: Qrels, human: QrelsLike) -> None:
    """Raise an error for topics that only people judged, and where no topic was judged by both."""
    known = set(model.topics)
    lacking = [topic for topic in topics if topic not in known]
    place = os.fspath(human) if isinstance(human, str | os.PathLike) else "the judgments of people"
    if len(lacking) == len(topics):
        raise UsageError(
            "no topic was judged by people and by the machine",
            expected="the machine's judgments of all topics, people's of some of them",
            remedy="'rankeval check' shows the names of topics",
        )
    if lacking:
        raise InputError(
            f"{count(len(lacking), 'topic')} of {len(topics)} not judged by the machine: "
            f"{listed(lacking)}",
            place=place,
            expected="topics that the machine judged, too",
            remedy="have the machine judge them, or drop their lines from the judgments of people",
        )


def _weights(given: WeightsLike | None, topics: Sequence[bytes]) -> dict[str, float] | None:
    """Return 1 / probability of each topic that people judged, or None."""
    if given is None:
        return None
    table = given
    if not isinstance(table, ValuesByTopic):
        table = weights_of(table) if isinstance(table, Mapping) else read_weights(os.fspath(table))
    place = table.path or "topic weights"
    small = [topic for topic, weight in table.by_topic.items() if weight < 1.0]
    if small:
        weight = table.by_topic[small[0]]
        raise InputError(
            f"topic {quoted(small[0])} has the weight {weight:g}, which is no 1 / probability",
            place=place,
            expected="1 / probability that people judged the topic: 1 or more",
            remedy="write 1 / p for a topic that was judged with probability p",
        )
    lacking = [topic for topic in topics if topic not in table.by_topic]
    if lacking:
        raise InputError(
            f"{count(len(lacking), 'topic')} of {len(topics)} without a weight: {listed(lacking)}",
            place=place,
            expected="a weight for every topic that people judged",
            remedy="add a line for each: topic and 1 / probability",
        )
    return {as_text(topic): table.by_topic[topic] for topic in topics}


@frozen(eq=False)
class _Values:
    """Values of one run in one measure, by topic: of people and of the machine, NaN where none."""

    human: Floats
    machine: Floats
    judged: np.ndarray
    weights: Floats | None
    span: tuple[float, float] | None

    def sample(self) -> Sample:
        """Return the values as a sample; topics without a value are left out."""
        defined = ~np.isnan(self.machine)
        both = self.judged & defined & ~np.isnan(self.human)
        return Sample(
            self.human[both],
            self.machine[both],
            self.machine[~self.judged & defined],
            None if self.weights is None else self.weights[both],
            self.span,
        )

    def minus(self, other: _Values) -> Sample:
        """Return the differences from another run as a sample."""
        span = None
        if self.span is not None:
            low, high = self.span
            span = (low - high, high - low)
        apart = replace(
            self,
            human=self.human - other.human,
            machine=self.machine - other.machine,
            span=span,
        )
        return apart.sample()


def _samples(
    people: Results, model: Results, weights: Mapping[str, float] | None
) -> list[list[_Values]]:
    """Return the values of each run and measure, over the topics of all runs in one order."""
    topics = list(dict.fromkeys(topic for run in model.runs for topic in run.topics))
    place = {topic: at for at, topic in enumerate(topics)}
    judged = np.zeros(len(topics), dtype=bool)
    judged[[place[t] for run in people.runs for t in run.topics if t in place]] = True
    of_topics = None
    if weights is not None:
        of_topics = np.array([weights.get(topic, 1.0) for topic in topics])
    return [
        [
            _Values(_spread(first, place), _spread(second, place), judged, of_topics, first.span)
            for first, second in zip(by_people.scores, by_machine.scores, strict=True)
        ]
        for by_people, by_machine in zip(people.runs, model.runs, strict=True)
    ]


def _spread(score: Score, place: Mapping[str, int]) -> Floats:
    if score.rule != "mean":
        raise UsageError(
            f"{score.measure} over topics is no mean ({score.rule})",
            expected="measures that are averaged over topics",
        )
    values = np.full(len(place), np.nan)
    kept = [at for at, topic in enumerate(score.topics) if topic in place]
    values[[place[score.topics[at]] for at in kept]] = score.values[kept]
    return values


def _warnings(found: Sequence[RunEstimate], n_machine: int) -> Iterator[str]:
    """Yield what a reader of the estimates should doubt."""
    if any(one.found.n_human < 2 for one in found):
        yield "people judged 1 topic with a value: that gives no interval"
    if not n_machine:
        yield "the machine judged no topic that people did not: its judgments do not count"
        return
    yield from _little(found)


def _little(found: Sequence[RunEstimate]) -> Iterator[str]:
    """Yield the runs to which the machine's judgments are of little use."""
    little = [one for one in found if one.found.weight < LITTLE]
    for measure in dict.fromkeys(one.measure for one in little):
        runs = [
            one.run.encode("utf-8", "surrogateescape") for one in little if one.measure == measure
        ]
        yield (
            f"{measure}: lambda is near 0 for {listed(runs)}: the machine's judgments say next to "
            "nothing of people's"
        )
