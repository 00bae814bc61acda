"""Describe topics by the systems: hard and easy ones, and those that carry a comparison."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.errors import UsageError
from rankeval.evaluation.evaluate import Evaluating, evaluate
from rankeval.evaluation.notice_lines import OfRuns
from rankeval.evaluation.prepared import require_topics
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.shown_texts import NO_TEXTS, ShownTexts, TextsLike, TextSources
from rankeval.evaluation.system_pairs import values_by_system
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.shown import InPapers
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunsLike

MEASURES = "AP"


@frozen
class TopicFacts:
    """One topic in one measure.

    ========= ==================================================================================
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
    loss: bool
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

    __repr__ = InPapers.__repr__


@checked
@one_state()
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
    evaluating  keywords of `evaluate`: settings or its fields, costs, reading, run_names, jobs
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
    results = evaluate(qrels, runs, measures, **evaluating)
    names = [run.name for run in results.runs]
    for name in (baseline, other):
        if name is not None and name not in names:
            raise UsageError(f"no run is named '{name}'", expected=f"one of {', '.join(names)}")
    if baseline is not None and baseline == other:
        raise UsageError(f"'{baseline}' cannot be compared with itself", expected="another run")
    found = tuple(
        _measured(results, at, _compared(results, at, baseline, other))
        for at in range(len(results.runs[0].scores))
    )
    shown_texts = TextSources(queries).of(dict.fromkeys(results.runs[0].topics, ()))
    return TopicsReport(results.runs, results.qrels.digest, found, shown_texts)


def _compared(
    results: Results, at: int, baseline: str | None, other: str | None
) -> tuple[int, int] | None:
    """Return the places of the two runs compared, in the order of their values by default."""
    scores = [run.scores[at] for run in results.runs]
    gains = np.array([-s.aggregate if s.loss else s.aggregate for s in scores])
    order = [i for i in np.argsort(-gains, kind="stable").tolist() if not np.isnan(gains[i])]
    names = [run.name for run in results.runs]
    chosen = [names.index(name) for name in (baseline, other) if name is not None]
    rest = [place for place in order if place not in chosen]
    if len(chosen) + len(rest) < 2:
        return None
    if baseline is None and other is None:
        return rest[1], rest[0]
    if baseline is None:
        return rest[0], chosen[0]
    return (chosen[0], chosen[1]) if other is not None else (chosen[0], rest[0])


def _measured(results: Results, at: int, compared: tuple[int, int] | None) -> MeasuredTopics:
    score = results.runs[0].scores[at]
    gains = values_by_system(results.runs, at)
    sign = -1.0 if score.loss else 1.0
    counts = (~np.isnan(gains)).sum(axis=1)
    filled = np.where(np.isnan(gains), 0.0, gains)
    means = np.where(counts > 0, filled.sum(axis=1) / np.maximum(counts, 1), np.nan)
    spread = np.where(np.isnan(gains), 0.0, gains - means[:, np.newaxis])
    variances = np.where(counts > 1, (spread**2).sum(axis=1) / np.maximum(counts - 1, 1), np.nan)
    names = [run.name for run in results.runs]
    difference, influence, turned = None, np.full(len(gains), np.nan), np.zeros(len(gains), bool)
    if compared is not None:
        apart = sign * (gains[:, compared[1]] - gains[:, compared[0]])
        difference, influence, turned = _influence(apart)
    topics = results.runs[0].topics
    order = np.lexsort((np.arange(len(topics)), means)).tolist()
    named = [_worth_naming(row[~np.isnan(row)]) for row in gains]
    return MeasuredTopics(
        measure=score.measure,
        loss=score.loss,
        compared=None if compared is None else (names[compared[0]], names[compared[1]]),
        difference=difference,
        topics=tuple(
            TopicFacts(
                topic=topics[t],
                mean=finite(sign * means[t] + 0.0),
                variance=finite(variances[t]),
                best=names[int(np.nanargmax(gains[t]))] if named[t] else None,
                worst=names[int(np.nanargmin(gains[t]))] if named[t] else None,
                influence=finite(influence[t] + 0.0),
            )
            for t in order
        ),
        turned=tuple(topics[t] for t in np.flatnonzero(turned).tolist()),
    )


def _worth_naming(values: Floats) -> bool:
    """Return whether a best and a worst of these values say something."""
    return len(values) == 1 or (len(values) > 1 and bool(np.ptp(values) > 0))


def _influence(apart: Floats) -> tuple[float | None, Floats, Floats]:
    """Return the mean difference, each topic's influence on it, and True where it turns it."""
    there = ~np.isnan(apart)
    n_topics = int(there.sum())
    nothing = np.full(len(apart), np.nan)
    if not n_topics:
        return None, nothing, np.zeros(len(apart), dtype=bool)
    total = float(apart[there].sum())
    mean = total / n_topics
    if n_topics < 2 or abs(mean) < 1e-12:
        return mean, nothing, np.zeros(len(apart), dtype=bool)
    without = (total - np.where(there, apart, 0.0)) / (n_topics - 1)
    turned = there & (np.sign(np.where(np.abs(without) < 1e-12, 0.0, without)) != np.sign(mean))
    return mean, np.where(there, (without - mean) / mean, np.nan), turned
