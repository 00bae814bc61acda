"""Estimate means over all topics from few judgments of people and many of a machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import Unpack

import numpy as np

from rankeval.base import wording
from rankeval.base.arrays import Booleans, Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.prepared import judgments_of, require_topics
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.run_names import own_or
from rankeval.evaluation.show import OfRuns, conventions_sentence
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.declared_columns import Row, number, table, text
from rankeval.output.output_formats import Printer
from rankeval.output.shown import InPapers
from rankeval.output.style import Style
from rankeval.output.tables import Block, Note
from rankeval.output.text import MORE
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunsLike, refuse_stdin_twice, run_sources
from rankeval.stats.checked_arrays import require_risk
from rankeval.stats.intervals import Estimated, Sample, prediction_powered_mean

MEASURES = "nDCG@10 AP P@10"
FEWEST_UNCOMMON = 5
"""Topics whose value is not the commonest one, from which on intervals by t are not doubted."""


@frozen
class RunEstimate:
    """The estimate of a run in one measure, or of its mean minus that of another run."""

    run: str
    measure: str
    found: Estimated
    other: str | None = None


@frozen
class EstimateReport(OfRuns, InPapers):
    """Means over all topics, from the topics that people judged and those that a machine judged.

    ============= =====================================================================
    human         digest of the judgments of people
    machine       digest of the judgments of the machine
    n_human       topics that both judged
    n_machine     topics that only the machine judged
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
    level: float
    runs: tuple[RunEstimate, ...]
    differences: tuple[RunEstimate, ...]
    results: tuple[RunResult, ...]
    warnings: tuple[str, ...]

    def _runs(self) -> tuple[RunResult, ...]:
        return self.results


@checked
def estimate(
    human: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    *,
    machine: QrelsLike,
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
    alpha         intervals have the level 1 - alpha
    evaluating  keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ============= ==========================================================================

    Shapes: R runs and m measures give R m estimates, and R (R - 1) / 2 m of differences.

    Errors: InputError for topics of people that the machine lacks; UsageError for a measure whose
    value over topics is not a mean.

    Source: Angelopoulos, Duchi and Zrnic, "PPI++: efficient prediction-powered inference", arXiv
    2311.01453, 2023.

    >>> machine = {str(topic): {"a": topic % 2, "b": 1} for topic in range(8)}
    >>> people = {topic: machine[topic] for topic in "0123"}
    >>> run = {str(topic): {"a": 2.0, "b": 1.0} for topic in range(8)}
    >>> estimate(people, run, "P@1", machine=machine).runs[0].found.value
    0.5
    """
    settings, _, run_names, jobs = values_of(**evaluating)
    level = 1.0 - require_risk(alpha, "alpha")
    sources, given = run_sources(runs, settings.run_form().columns)
    run_names = own_or(run_names, given)
    refuse_stdin_twice(human, machine, *sources)
    threads = usable_threads(jobs)
    again = [run.again(settings.run_form(), jobs=threads) for run in sources]
    named = measure_names(MEASURES if measures is None else measures)
    require_topics(parse_measures(named, settings.meanings))
    people, model = (judgments_of(judged, named, settings) for judged in (human, machine))
    if lacking := [topic for topic in people.topics if topic not in set(model.topics)]:
        raise InputError(
            f"{wording.count(len(lacking), 'topic')} of {len(people.topics)} not judged by the "
            f"machine: {wording.listed(lacking)}",
            place=os.fspath(human) if isinstance(human, str | os.PathLike) else "",
            expected="topics that the machine judged, too",
        )
    evaluating |= {"run_names": run_names, "jobs": threads}
    by_people, by_machine = (
        evaluate(one, again, named, **evaluating).runs for one in (people, model)
    )
    topics = [*dict.fromkeys(topic for run in by_machine for topic in run.topics)]
    of_people = {topic for run in by_people for topic in run.topics}
    judged = np.array([topic in of_people for topic in topics])
    found, differences = [], []
    for at, score in enumerate(by_machine[0].scores):
        if score.rule != "mean":
            raise UsageError(
                f"{score.measure} over topics is not a mean ({score.rule})",
                expected="measures that are averaged over topics",
            )
        values = [
            np.array([_by_topic(run, at, topics) for run in both])
            for both in zip(by_people, by_machine, strict=True)
        ]
        for run, of_run in zip(by_machine, values, strict=True):
            found.append(RunEstimate(run.name, score.measure, _guess(of_run, judged, level)))
        for j, i in combinations(range(len(values)), 2):  # each run minus those before it
            guess = _guess(values[i] - values[j], judged, level)
            names = by_machine[i].name, score.measure
            differences.append(RunEstimate(*names, guess, by_machine[j].name))
    n_human, n_machine = len(people.topics), len(model.topics) - len(people.topics)
    return EstimateReport(
        human=people.digest,
        machine=model.digest,
        n_human=n_human,
        n_machine=n_machine,
        level=level,
        runs=tuple(found),
        differences=tuple(differences),
        results=by_machine,
        warnings=tuple(_warnings(found, n_machine)),
    )


def _by_topic(run: RunResult, at: int, topics: Sequence[str]) -> list[float]:
    """Return the values of topics, NaN for none."""
    known = run.scores[at].per_topic
    return [known.get(topic, np.nan) for topic in topics]


def _guess(values: Floats, judged: Booleans, level: float) -> Estimated:
    """Estimate a mean of the values of topics by people and by the machine, shape (2, n)."""
    first, second = values
    known = ~np.isnan(second)
    both = judged & known & ~np.isnan(first)
    sample = Sample(first[both], second[both], second[~judged & known])
    return prediction_powered_mean(sample, level=level)


def _warnings(found: Sequence[RunEstimate], n_machine: int) -> Iterator[str]:
    """Yield what a reader of the estimates should doubt."""
    if any(one.found.n_human < 2 for one in found):
        yield "people judged 1 topic with a value: that gives no interval"
    few = (one for one in found if one.found.n_human > 1 and one.found.uncommon < FEWEST_UNCOMMON)
    if doubted := [f"{one.measure} of {one.run}" for one in few]:
        yield (
            f"fewer than {FEWEST_UNCOMMON} topics have another value than the commonest, so that "
            f"the interval by t misses far more often than it says: {wording.listed(doubted)}"
        )
    if not n_machine:
        yield "the machine judged no topic that people did not: its judgments do not count"


def blocks(report: EstimateReport, style: Style) -> Iterator[Block]:
    """Yield what the estimates rest on, and the means; with -v the differences, too."""

    def ends(found: Estimated, style: Style) -> str:
        low, high = (wording.number(end, style.decimals) for end in (found.low, found.high))
        return wording.UNDEFINED if found.low is None else f"[{low}, {high}]"

    columns = [
        text("measure", least=0),
        text("run", get=lambda one: f"{one.run} - {one.other}" if one.other else one.run),
        number("estimate", get="found.value"),
        number("interval", f"{100 * report.level:g}% CI", "found", words=ends),
        number("people", get="found.human"),
        number("machine", get="found.machine"),
        number("lambda", get="found.weight", words=lambda share, _: wording.number(share, 2)),
        number("saved", get="found.more", words=lambda more, _: wording.number(more, 0)),
    ]
    n_topics = wording.count(report.n_human + report.n_machine, "topic")
    yield (
        f"Means over all topics that users might ask: people judged {report.n_human:,} of "
        f"{n_topics}, drawn at random; the machine judged all."
    )
    shown = [*report.runs, *report.differences] if style.verbose else report.runs
    yield table("Estimated means", columns, shown, style)
    yield from conventions_sentence(words for run in report.results for words in run.conventions)
    if report.differences and not style.verbose:
        yield Note(MORE)


def rows(report: EstimateReport, _: Style) -> Iterator[Row]:
    """Yield a row for each number of an estimate."""
    yield ["run", "other", "measure", "statistic", "value"]
    for one in (*report.runs, *report.differences):
        for statistic, value in asdict(one.found).items():
            yield [one.run, one.other, one.measure, statistic, value]


PRINTER = Printer[EstimateReport](blocks, rows)
