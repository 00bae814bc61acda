"""Describe topics by the systems: hard and easy ones, and those that carry a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, finite, listed, signed
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import aggregates, values_by_system
from rankeval.evaluation.evaluate import Evaluating, evaluate
from rankeval.evaluation.prepared import require_topics
from rankeval.evaluation.results import Results, RunResult, with_first
from rankeval.evaluation.show import OfRuns, basis
from rankeval.evaluation.shown_texts import NO_TEXTS, ShownTexts, TextsLike, texts_of
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.declared_columns import (
    Declared,
    Rows,
    number,
    percent,
    prose,
    rows,
    table,
    text,
    topic,
)
from rankeval.output.output_formats import Printer
from rankeval.output.shown import InPapers
from rankeval.output.style import Style
from rankeval.output.tables import Block, Note
from rankeval.output.text import MORE
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunsLike

MEASURES = "AP"


@frozen
class TopicFacts:
    """One topic in one measure.

    ========= ==================================================================================
    relevant  number of relevant documents
    mean      mean over the runs; None if the measure is undefined for all
    variance  variance over the runs, with n - 1; None for fewer than two runs
    best, worst  runs with the best and the worst value; the first of several, and None where all
              of several runs have the same value
    influence the change of the mean difference between the two runs compared when the topic is
              left out, as a share of the difference; negative where the difference would shrink.
              None without a difference
    ========= ==================================================================================
    """

    topic: str
    relevant: int
    mean: float | None
    variance: float | None
    best: str | None
    worst: str | None
    influence: float | None


@frozen
class MeasuredTopics:
    """The topics in one measure, the hardest first.

    compared   the two runs whose difference the influence is of: baseline and other
    difference other minus baseline, over the topics for which both have a value; None if undefined
    turned     topics without any one of which the difference has the other sign, or is 0
    """

    measure: str
    compared: tuple[str, str] | None
    difference: float | None
    topics: tuple[TopicFacts, ...]
    turned: tuple[str, ...]


@frozen
class TopicsReport(OfRuns, InPapers):
    """The topics in each measure.

    `runs` are the runs that describe them, and `texts` their queries, where these were given.
    """

    runs: tuple[RunResult, ...]
    digest: str
    measures: tuple[MeasuredTopics, ...]
    texts: ShownTexts = NO_TEXTS


@checked
def topics(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike = MEASURES,
    *,
    baseline: str | None = None,
    other: str | None = None,
    queries: TextsLike | None = None,
    **evaluating: Unpack[Evaluating],
) -> TopicsReport:
    r"""Describe each topic by the values that the runs have on it, the hardest first.

    ========= ==============================================================================
    qrels     judgments, as in `evaluate`
    runs      one or several that describe the topics, or {name: run}
    measures  names or objects; AP by default
    baseline, other  names of the two runs of the comparison that topics have influence on;
              by default the run with the second best value and that with the best
    queries   texts of topics, as in `explain`
    evaluating  keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ========= ==============================================================================

    The influence of topic t on the difference D of n topics is

    .. math:: \frac{D_{-t} - D}{D} = \frac{D - d_t}{(n - 1) D}

    Edge cases
        - Topics for which no run has a value come last, without a mean.
        - One run: no variance and no influence.

    Source: Voorhees and Robertson, "Overview of the TREC 2003 Robust Retrieval Track", for hard
    topics; Cook, "Detection of influential observation in linear regression", Technometrics 19(1),
    1977, for leaving out one observation.

    >>> found = topics({"1": {"a": 1}, "2": {"b": 1}}, [{"1": {"a": 1.0}, "2": {"x": 1.0}}])
    >>> [topic.topic for topic in found.measures[0].topics]
    ['2', '1']
    """
    measures = measure_names(measures)
    require_topics(parse_measures(measures))
    results = evaluate(qrels, runs, [*measures, "NumRel"], **evaluating)
    names = [run.name for run in results.runs]
    for name in (baseline, other):
        with_first(names, name)
    if baseline is not None and baseline == other:
        raise UsageError(f"'{baseline}' cannot be compared with itself", expected="another run")
    shown_texts = texts_of(queries, None, dict.fromkeys(results.runs[0].topics, ()))
    n_measures = len(results.runs[0].scores) - 1
    found = (_measured(results, at, baseline, other) for at in range(n_measures))
    return TopicsReport(results.runs, results.qrels.digest, tuple(found), shown_texts)


def _compared(
    results: Results, at: int, baseline: str | None, other: str | None
) -> tuple[str, str] | None:
    """Return the two runs compared, by default the second best and the best by their values."""
    gains = aggregates(results.runs, at)
    best_first = np.argsort(-gains, kind="stable")[: int(np.isfinite(gains).sum())]
    names = [results.runs[place].name for place in best_first]
    rest = iter([name for name in names if name not in (baseline, other)])
    other = other or next(rest, None)
    baseline = baseline or next(rest, None)
    return (baseline, other) if baseline and other else None


def _measured(results: Results, at: int, baseline: str | None, other: str | None) -> MeasuredTopics:
    *scores, relevant = results.runs[0].scores
    score, topics = scores[at], results.runs[0].topics
    gains = values_by_system(results.runs, at)
    sign = -1.0 if score.loss else 1.0
    counts = (~np.isnan(gains)).sum(axis=1)
    means = np.where(counts > 0, np.nansum(gains, axis=1) / np.maximum(counts, 1), np.nan)
    spread = np.nansum((gains - means[:, np.newaxis]) ** 2, axis=1)
    variances = np.where(counts > 1, spread / np.maximum(counts - 1, 1), np.nan)
    names = [run.name for run in results.runs]
    compared = _compared(results, at, baseline, other)
    difference, influence, turned = None, np.full(len(gains), np.nan), np.zeros(len(gains), bool)
    if compared is not None:
        first, second = map(names.index, compared)
        difference, influence, turned = _influence(sign * (gains[:, second] - gains[:, first]))
    # A best and a worst run are named where they differ, and of a single run.
    apart = np.nanmax(gains, axis=1, initial=-np.inf) > np.nanmin(gains, axis=1, initial=np.inf)
    named = (counts == 1) | apart
    return MeasuredTopics(
        measure=score.measure,
        compared=compared,
        difference=difference,
        topics=tuple(
            TopicFacts(
                topic=topics[t],
                relevant=int(relevant.values[t]),
                mean=finite(sign * means[t] + 0.0),
                variance=finite(variances[t]),
                best=names[int(np.nanargmax(gains[t]))] if named[t] else None,
                worst=names[int(np.nanargmin(gains[t]))] if named[t] else None,
                influence=finite(influence[t] + 0.0),
            )
            for t in np.argsort(means, kind="stable").tolist()
        ),
        turned=tuple(topics[t] for t in np.flatnonzero(turned).tolist()),
    )


def _influence(apart: Floats) -> tuple[float | None, Floats, Booleans]:
    """Return the mean difference, each topic's influence on it, and True where it turns it."""
    there = ~np.isnan(apart)
    n_topics, total = int(there.sum()), float(np.nansum(apart))
    mean = total / n_topics if n_topics else None
    if mean is None or n_topics < 2 or abs(mean) < 1e-12:
        return mean, np.full(len(apart), np.nan), np.zeros(len(apart), dtype=bool)
    without = (total - apart) / (n_topics - 1)
    turned = there & (np.sign(np.where(np.abs(without) < 1e-12, 0.0, without)) != np.sign(mean))
    return mean, (without - mean) / mean, turned


SHOWN = 10


def columns(report: TopicsReport) -> list[Declared]:
    """Return the columns of topics, with their queries where these were given."""
    queries = report.texts.queries
    query = [prose("query", get=lambda one: queries.get(one.topic))] if queries is not None else []
    numbers = [number("mean"), number("variance"), text("best"), text("worst")]
    return [topic("topic"), *query, *numbers, percent("influence")]


def blocks(report: TopicsReport, style: Style) -> Iterator[Block]:
    """Yield a sentence on each measure and its hardest topics; all of them with -q or -v.

    A topic without a relevant document is hard for no run.
    """
    brief = False
    for measured in report.measures:
        yield _headline(measured, report, style)
        title, shown = "all topics, the hardest first", measured.topics
        if len(shown) > SHOWN and not style.per_topic and not style.verbose:
            title, brief = "hardest topics", True
            shown = tuple(one for one in shown if one.mean is not None and one.relevant)[:SHOWN]
        yield table(f"{measured.measure}: {title}", columns(report), shown, style)
    yield from basis(report.runs)
    if brief:
        yield Note(MORE)


def _headline(measured: MeasuredTopics, report: TopicsReport, style: Style) -> str:
    over = f"{count(len(measured.topics), 'topic')}, {count(len(report.runs), 'run')}"
    if measured.compared is None or measured.difference is None:
        return f"{measured.measure}, {over}."
    baseline, other = measured.compared
    reverses = f" Leaving out any one of these topics reverses it: {listed(measured.turned)}."
    return (
        f"{measured.measure}, {over}: {other} - {baseline} is "
        f"{signed(measured.difference, style.decimals)}. Influence: the change of this "
        f"difference without the topic.{reverses if measured.turned else ''}"
    )


def _rows(report: TopicsReport, _: Style) -> Rows:
    by_measure = (({"measure": one.measure}, one.topics) for one in report.measures)
    return rows(columns(report), by_measure)


PRINTER = Printer[TopicsReport](blocks, _rows)
