"""Estimate means over all topics from few judgments of people and many of a machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count, listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.notice_lines import OfRuns
from rankeval.evaluation.prepared import judgments_of, require_topics
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.shown import InPapers
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunsLike, refuse_stdin_twice, run_sources
from rankeval.stats.checked_arrays import require_risk
from rankeval.stats.prediction_powered import Estimated, Sample, prediction_powered_mean

MEASURES = "nDCG@10 AP P@10"
LITTLE = 0.1
"""A lambda below this is said to be near 0."""
FEWEST_UNCOMMON = 5
"""Topics whose value is not the commonest one, from which on intervals by t are not doubted."""


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
class EstimateReport(OfRuns, InPapers):
    """Means over all topics, from the topics that people judged and those that a machine judged.

    ============= =====================================================================
    human         digest of the judgments of people
    machine       digest of the judgments of the machine
    n_human       topics that both judged
    n_machine     topics that only the machine judged
    finite        True if these topics are all that matter
    level         level of the intervals
    runs          an estimate for each run and measure
    differences   an estimate for every two runs, in the order given, and each measure
    results       the runs by the judgments of the machine
    warnings      sentences
    ============= =====================================================================
    """

    human: str
    machine: str
    n_human: int
    n_machine: int
    finite: bool
    level: float
    runs: tuple[RunEstimate, ...]
    differences: tuple[DifferenceEstimate, ...]
    results: tuple[RunResult, ...]
    warnings: tuple[str, ...]

    __repr__ = InPapers.__repr__

    def _runs(self) -> tuple[RunResult, ...]:
        return self.results


@checked
@one_state()
def estimate(
    human: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    *,
    machine: QrelsLike,
    finite: bool = False,
    alpha: float = 0.05,
    **evaluating: Unpack[Evaluating],
) -> EstimateReport:
    r"""Estimate means of runs over the topics that a machine judged, where people judged some.

    .. math:: \hat\theta = \lambda \bar f_N + \frac 1 n \sum_{i=1}^{n} (y_i - \lambda f_i)

    with y a topic's value by the judgments of people and f by those of the machine: the machine's
    mean over the N topics that people did not judge, plus the mean difference on the n topics that
    both judged. Lambda is chosen for the least variance; see `prediction_powered_mean` of
    `rankeval.stats`. Differences between runs are estimated in the same way, topic by topic.

    ============= ==========================================================================
    human         judgments of people, of some topics: a random sample of the machine's
    runs          a run, several, or {name: run}
    measures      names or objects; nDCG@10, AP and P@10 by default
    machine       judgments of a machine, of all topics
    finite        the topics are all that matter, and no sample of those that users might ask
    alpha         intervals have the level 1 - alpha
    evaluating  keywords of `evaluate`: settings or its fields, costs, reading, run_names, jobs
    ============= ==========================================================================

    Shapes: R runs and m measures give R m estimates, and R (R - 1) / 2 m of differences.

    Errors: InputError for topics of people that the machine lacks; UsageError without a topic that
    both judged, and for a measure whose value over topics is not a mean.

    Source: Angelopoulos, Duchi and Zrnic, "PPI++: efficient prediction-powered inference", arXiv
    2311.01453, 2023.

    >>> machine = {str(topic): {"a": topic % 2, "b": 1} for topic in range(8)}
    >>> people = {topic: machine[topic] for topic in "0123"}
    >>> run = {str(topic): {"a": 2.0, "b": 1.0} for topic in range(8)}
    >>> estimate(people, run, "P@1", machine=machine).runs[0].found.value
    0.5
    """
    settings, costs, reading, run_names, jobs = values_of(**evaluating)
    level = 1.0 - require_risk(alpha, "alpha")
    sources, given = run_sources(runs, reading.run().columns)
    if given is not None:
        run_names = replace(run_names, given=given)
    refuse_stdin_twice(human, machine, *sources)
    threads = usable_threads(jobs)
    again = [run.again(settings.form(reading.run()), jobs=threads) for run in sources]
    named = measure_names(MEASURES if measures is None else measures)
    require_topics(parse_measures(named, settings.meanings))
    people, model = (judgments_of(judged, named, reading) for judged in (human, machine))
    _require_topics_of_both(people.topics, model, human)
    score = partial(
        evaluate,
        runs=again,
        measures=named,
        settings=settings,
        costs=costs,
        reading=reading,
        run_names=run_names,
        jobs=threads,
    )
    by_people, by_machine = score(people), score(model)
    judged, values = _values(by_people, by_machine)

    def guess(found: Floats) -> Estimated:
        return prediction_powered_mean(_sample(judged, found), level=level, finite=finite)

    names = [run.name for run in by_people.runs]
    titles = [one.measure for one in by_people.runs[0].scores]
    found = tuple(
        RunEstimate(name, title, guess(values[i][at]))
        for at, title in enumerate(titles)
        for i, name in enumerate(names)
    )
    differences = tuple(
        DifferenceEstimate(names[i], names[j], title, guess(values[i][at] - values[j][at]))
        for at, title in enumerate(titles)
        for j, i in combinations(range(len(names)), 2)  # each run minus those before it
    )
    n_human, n_machine = len(people.topics), len(model.topics) - len(people.topics)
    return EstimateReport(
        human=people.digest,
        machine=model.digest,
        n_human=n_human,
        n_machine=n_machine,
        finite=finite,
        level=level,
        runs=found,
        differences=differences,
        results=by_machine.runs,
        warnings=tuple(_warnings(found, n_machine)),
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


def _sample(judged: np.ndarray, values: Floats) -> Sample:
    """Return the values of people and of the machine as a sample, without undefined ones."""
    human, machine = values
    defined = ~np.isnan(machine)
    both = judged & defined & ~np.isnan(human)
    return Sample(human[both], machine[both], machine[~judged & defined])


def _values(people: Results, model: Results) -> tuple[np.ndarray, list[list[Floats]]]:
    """Return which topics people judged, and values of each run and measure by both judges.

    Values have the shape (2, topics), the topics of all runs in one order; NaN is no value.
    """
    topics = dict.fromkeys(topic for run in model.runs for topic in run.topics)
    place = {topic: at for at, topic in enumerate(topics)}
    judged = np.zeros(len(topics), dtype=bool)
    judged[[place[t] for run in people.runs for t in run.topics if t in place]] = True
    return judged, [
        [
            np.stack([_spread(first, place), _spread(second, place)])
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
    few = [one for one in found if one.found.uncommon < FEWEST_UNCOMMON]
    for measure in dict.fromkeys(one.measure for one in few if one.found.n_human > 1):
        runs = [_encoded(one.run) for one in few if one.measure == measure]
        yield (
            f"{measure}: fewer than {FEWEST_UNCOMMON} topics of {listed(runs)} have another value "
            "than the commonest: the interval by t misses far more often than it says"
        )
    if not n_machine:
        yield "the machine judged no topic that people did not: its judgments do not count"
        return
    little = [one for one in found if one.found.weight < LITTLE]
    for measure in dict.fromkeys(one.measure for one in little):
        runs = [_encoded(one.run) for one in little if one.measure == measure]
        yield (
            f"{measure}: lambda is near 0 for {listed(runs)}: the machine's judgments say next to "
            "nothing of people's"
        )


def _encoded(run: str) -> bytes:
    return run.encode("utf-8", "surrogateescape")
