"""Estimate means over all topics from few judgments of people and many of a machine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import combinations, groupby
from operator import attrgetter
from typing import Unpack

import numpy as np

from rankeval.base import wording
from rankeval.base.arrays import Booleans, Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.base.wording import listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.prepared import judgments_of, require_topics
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.shown_values import OfRuns, conventions_sentence
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.declared_columns import Declared, Row, name, number, signed, table, text
from rankeval.output.output_formats import Printer
from rankeval.output.shown import InPapers
from rankeval.output.style import Style
from rankeval.output.tables import Block, Note
from rankeval.output.text import MORE
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunsLike, refuse_stdin_twice, run_sources
from rankeval.stats.checked_arrays import require_risk
from rankeval.stats.intervals import Estimated, Sample, prediction_powered_mean

MEASURES = "nDCG@10 AP P@10"
LITTLE = 0.1
"""A lambda below this is said to be near 0."""
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
    differences: tuple[RunEstimate, ...]
    results: tuple[RunResult, ...]
    warnings: tuple[str, ...]

    __repr__ = InPapers.__repr__

    def _runs(self) -> tuple[RunResult, ...]:
        return self.results


@checked
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
    if given is not None:
        run_names = replace(run_names, given=given)
    refuse_stdin_twice(human, machine, *sources)
    threads = usable_threads(jobs)
    again = [run.again(settings.run_form(), jobs=threads) for run in sources]
    named = measure_names(MEASURES if measures is None else measures)
    require_topics(parse_measures(named, settings.meanings))
    people, model = (judgments_of(judged, named, settings) for judged in (human, machine))
    _require_topics_of_both(people.topics, model, human)
    evaluating |= {"run_names": run_names, "jobs": threads}
    by_people, by_machine = (evaluate(one, again, named, **evaluating) for one in (people, model))
    judged, values = _values(by_people, by_machine)

    def guess(found: Floats) -> Estimated:
        """Estimate a mean of values by people and by the machine; NaN is no value."""
        first, second = found
        defined = ~np.isnan(second)
        both = judged & defined & ~np.isnan(first)
        sample = Sample(first[both], second[both], second[~judged & defined])
        return prediction_powered_mean(sample, level=level, finite=finite)

    names = [run.name for run in by_people.runs]
    titles = [one.measure for one in by_people.runs[0].scores]
    found = tuple(
        RunEstimate(name, title, guess(values[:, at, i]))
        for at, title in enumerate(titles)
        for i, name in enumerate(names)
    )
    differences = tuple(
        RunEstimate(names[i], title, guess(values[:, at, i] - values[:, at, j]), names[j])
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
    """Raise InputError for topics that only people judged."""
    known = set(model.topics)
    lacking = [topic for topic in topics if topic not in known]
    if lacking:
        raise InputError(
            f"{wording.count(len(lacking), 'topic')} of {len(topics)} not judged by the machine: "
            f"{listed(lacking)}",
            place=os.fspath(human) if isinstance(human, str | os.PathLike) else "",
            expected="topics that the machine judged, too",
            remedy="have the machine judge them, or drop their lines from the judgments of people",
        )


def _values(people: Results, model: Results) -> tuple[Booleans, Floats]:
    """Return which topics people judged, and all values, NaN for none.

    Values have the shape (2, measures, runs, topics): by people, and by the machine.
    """
    topics = dict.fromkeys(topic for run in model.runs for topic in run.topics)
    judged = {topic for run in people.runs for topic in run.topics}
    for score in model.runs[0].scores:
        if score.rule != "mean":
            raise UsageError(
                f"{score.measure} over topics is not a mean ({score.rule})",
                expected="measures that are averaged over topics",
            )
    values = np.full((2, len(model.runs[0].scores), len(model.runs), len(topics)), np.nan)
    for judge, results in enumerate((people, model)):
        for i, run in enumerate(results.runs):
            for at, score in enumerate(run.scores):
                known = dict(zip(score.topics, score.values.tolist(), strict=True))
                values[judge, at, i] = [known.get(topic, np.nan) for topic in topics]
    return np.array([topic in judged for topic in topics]), values


def _warnings(found: Sequence[RunEstimate], n_machine: int) -> Iterator[str]:
    """Yield what a reader of the estimates should doubt."""
    if any(one.found.n_human < 2 for one in found):
        yield "people judged 1 topic with a value: that gives no interval"
    few = (one for one in found if one.found.n_human > 1 and one.found.uncommon < FEWEST_UNCOMMON)
    for measure, runs in _by_measure(few):
        yield (
            f"{measure}: fewer than {FEWEST_UNCOMMON} topics of {runs} have another value "
            "than the commonest: the interval by t misses far more often than it says"
        )
    if not n_machine:
        yield "the machine judged no topic that people did not: its judgments do not count"
        return
    for measure, runs in _by_measure(one for one in found if one.found.weight < LITTLE):
        yield (
            f"{measure}: lambda is near 0 for {runs}: the machine's judgments say next to "
            "nothing of people's"
        )


def _by_measure(found: Iterable[RunEstimate]) -> Iterator[tuple[str, str]]:
    """Yield measures, and the names of their runs in a list."""
    for measure, each in groupby(found, attrgetter("measure")):
        yield measure, listed([one.run.encode("utf-8", "surrogateescape") for one in each])


MEASURE = text("measure", least=0)
WEIGHT = number("weight", "lambda", "found.weight", words=lambda share, _: wording.number(share, 2))


def _means(level: str) -> list[Declared]:
    def ends(found: Estimated, style: Style) -> str:
        low, high = (wording.number(end, style.decimals) for end in (found.low, found.high))
        return wording.UNDEFINED if found.low is None else f"[{low}, {high}]"

    return [
        MEASURE,
        name("run"),
        number("estimate", get="found.value"),
        number("interval", f"{level} CI", "found", words=ends),
        number("people", get="found.human"),
        number("machine", get="found.machine"),
        WEIGHT,
        number("saved", get="found.more", words=lambda more, _: wording.number(more, 0)),
    ]


def _differences(level: str) -> list[Declared]:
    def ends(found: Estimated, style: Style) -> str:
        return wording.interval(found.low, found.high, style.decimals)

    return [
        MEASURE,
        name("run"),
        name("other", "minus"),
        signed("estimate", get="found.value"),
        signed("interval", f"{level} CI", "found", words=ends),
        WEIGHT,
    ]


def _lead(report: EstimateReport, style: Style) -> str:
    """Say how far the best run is before the second in the first measure."""
    score = report.results[0].scores[0]
    runs = [one for one in report.runs if one.measure == score.measure]
    if len(runs) < 2:
        return ""
    best, second = sorted(runs, key=lambda one: one.found.value, reverse=not score.loss)[:2]
    pair = next(
        one
        for one in report.differences
        if one.measure == score.measure and {one.run, one.other} == {best.run, second.run}
    )
    value, low, high = pair.found.value, pair.found.low, pair.found.high
    if pair.run == second.run:
        value, low, high = -value, None if high is None else -high, None if low is None else -low
    return (
        f" {score.measure}: {best.run} - {second.run} is {wording.signed(value, style.decimals)} "
        f"{wording.interval(low, high, style.decimals)}."
    )


def blocks(report: EstimateReport, style: Style) -> Iterator[Block]:
    """Yield what the estimates rest on, the means, and with -v the differences."""
    level = f"{100 * report.level:g}%"
    n_topics = wording.count(report.n_human + report.n_machine, "topic")
    scope = f"these {n_topics}" if report.finite else "all topics that users might ask"
    said = (
        f"Means over {scope}: people judged {report.n_human:,} of {n_topics}, drawn at random; "
        "the machine judged all."
    )
    yield said + _lead(report, style)
    yield table("Estimated means", _means(level), report.runs, style)
    if report.differences and style.verbose:
        yield table("Differences between runs", _differences(level), report.differences, style)
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
