"""The difference between two runs: topics, documents, and the effect of unjudged documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.base.wording import nearest
from rankeval.choices import TextForm
from rankeval.commands.compare.run_pairs import require_average
from rankeval.commands.diff.moved_documents import TopicDifference, TwoRankings
from rankeval.errors import UsageError
from rankeval.evaluation.evaluate import Evaluating, evaluate, score_run, values_of
from rankeval.evaluation.prepared import Prepared, prepare, require_topics
from rankeval.evaluation.rankings import require_one_order
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import RunNames, members, of_systems
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.shown_texts import NO_TEXTS, ShownTexts, TextsLike, TextSources
from rankeval.evaluation.shown_values import OfRuns
from rankeval.io.sources.parts import one_state
from rankeval.measures import Measure, MeasuresLike, measure_names, parse_measures
from rankeval.measures.declare.facts import STRATA, SUBTOPICS
from rankeval.output.shown import InPapers
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.rank import top_documents
from rankeval.ranking.run_source import RunLike, RunSource, named_runs, refuse_stdin_twice
from rankeval.stats import DifferenceSummary, paired_differences, paired_test, summarize_differences

DEFAULT_MEASURE = "nDCG@10"
TOP, SHOWN = 10, 2


@frozen
class HoleCase:
    """The comparison under an assumption about the unjudged documents in the first ranks.

    ======== =============================================================================
    case     "not relevant", the usual assumption; "relevant"; or "removed" from both runs
    a, b     means; None if no topic has a value
    difference  b - a
    p_value  p-value of the paired t test
    flips    True if the difference has another sign than under the usual assumption
    ======== =============================================================================
    """

    case: str
    a: float | None
    b: float | None
    difference: float | None
    p_value: float
    flips: bool


@frozen
class MeasuredDifference:
    """The difference between two runs, A and B, in one measure.

    ======= =============================================================================
    measure canonical name
    loss    True when smaller is better
    summary means and difference (B - A); a win is a topic on which B is better
    topics  the topics that differ most, those first; or those that were asked for
    holes   the comparison under other assumptions; empty unless requested
    ======= =============================================================================
    """

    measure: str
    loss: bool
    signature: str
    summary: DifferenceSummary
    topics: tuple[TopicDifference, ...]
    holes: tuple[HoleCase, ...]


@frozen
class Difference(OfRuns, InPapers):
    """The difference between two runs, A and B.

    ======== =============================================================================
    a, b     the runs
    measures the difference in each measure
    top      number of ranks in which documents are compared
    unjudged number of unjudged documents in the first ranks of A and of B
    texts    queries of these topics, and texts of their documents, where these were given
    ======== =============================================================================
    """

    a: RunResult
    b: RunResult
    measures: tuple[MeasuredDifference, ...]
    top: int
    unjudged: tuple[int, int]
    texts: ShownTexts = NO_TEXTS

    __repr__ = InPapers.__repr__

    def _runs(self) -> tuple[RunResult, ...]:
        return self.a, self.b


@checked
@one_state()
def diff(
    qrels: QrelsLike,
    a: RunLike | Mapping[str, RunLike],
    b: RunLike | Mapping[str, RunLike],
    measure: MeasuresLike = DEFAULT_MEASURE,
    *,
    top: int = TOP,
    shown: int = SHOWN,
    only: Sequence[str] = (),
    holes: bool = False,
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    text: TextForm = "window",
    **evaluating: Unpack[Evaluating],
) -> Difference:
    """Find the topics and documents that make B differ from A in a measure.

    ========= ==============================================================================
    qrels     judgments, as in `evaluate`
    a, b      the two runs, also as {name: run}
    measure   one or several
    top       ranks in which documents are compared, unless the depth of the settings is less
    shown     topics to return: those with the largest differences
    only      topics to return instead, by name
    holes     compare again as if the unjudged documents in the first ranks of either run had
              the lowest grade that is relevant, and with all of them removed from both runs
    queries, docs, text  texts of topics and documents, as in `explain`
    evaluating  keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ========= ==============================================================================

    Of `Seeds` and a path with {seed}, the means by topic are compared, and the documents are those
    of the first run, without shares.

    >>> from rankeval import diff
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> topic = diff(qrels, bm25, dense, "RR").measures[0].topics[0]
    >>> topic.topic, topic.difference
    ('q1', 0.5)
    """
    if min(top, shown) < 1:
        raise UsageError(f"top is {top}, and shown {shown}", expected="1 or more")
    sources = TextSources(queries, docs, text)
    refuse_stdin_twice(qrels, a, b)
    settings, costs, run_names, jobs = values_of(**evaluating)
    given, names = named_runs(a, b, columns=settings.run_form().columns)
    if any(names):
        run_names = replace(run_names, given=names)
    require_one_order(settings)
    top = top if settings.depth is None else min(top, settings.depth)
    threads = usable_threads(jobs)
    named = measure_names(measure)
    require_topics(parse_measures(named, settings.meanings))
    prepared = prepare(qrels, named, settings, costs=costs)
    systems = [
        [RunSource.of(run).again(prepared.form(), jobs=threads) for run in members(system)]
        for system in given
    ]
    alone = max(map(len, systems)) == 1
    if holes and not alone:
        raise UsageError(
            "holes needs the documents of one run, and a system has several runs",
            remedy="name one run of it",
        )
    (first, second), alignments = _read(prepared, given, systems, run_names, threads)
    for topic in [topic for topic in only if topic not in first.topics]:
        known = nearest(topic, first.topics, "a topic of the judgments")
        raise UsageError(f"the topic '{topic}' was not evaluated", expected=known)
    runs, how = [system[0] for system in systems], (prepared.rules, prepared.form())
    tops = [top_documents(prepared.judgments, run, top, *how, jobs=threads) for run in runs]
    rankings = TwoRankings(prepared.judgments, alignments, tops, settings)

    evaluated = partial(evaluate, runs=runs, measures=named, costs=costs, jobs=threads)

    def difference(at: int) -> MeasuredDifference:
        score, found = first.scores[at], prepared.measures[at]
        pair = score.values, second.scores[at].values
        summary = summarize_differences(*pair)
        if score.loss:
            summary = replace(summary, wins=summary.losses, losses=summary.wins)
        each = zip(*(values.tolist() for values in pair), strict=True)
        values = dict(zip(first.topics, each, strict=True))
        topics = [
            rankings.topic(topic, values[topic], found, top, shares=alone)
            for topic in only or _largest(first.topics, *pair)[:shown]
        ]
        cases = _cases(at, pair, found, rankings, settings, top, evaluated) if holes else []
        return MeasuredDifference(
            score.measure, score.loss, score.signature, summary, tuple(topics), tuple(cases)
        )

    measures = tuple(difference(at) for at in range(len(first.scores)))
    docnos: dict[str, dict[str, None]] = {}
    for one in (topic for found in measures for topic in found.topics):
        docnos.setdefault(one.topic, {}).update({moved.docno: None for moved in one.documents})
    unjudged = (rankings.n_unjudged(0, top), rankings.n_unjudged(1, top))
    return Difference(first, second, measures, top, unjudged, sources.of(docnos))


def _largest(topics: Sequence[str], a: Floats, b: Floats) -> list[str]:
    """Return the topics with different values, the largest differences first."""
    size = np.abs(np.nan_to_num(paired_differences(a, b)))
    order = np.argsort(-size, kind="stable").tolist()
    return [topics[place] for place in order if size[place] != 0]


def _read(
    prepared: Prepared,
    given: Sequence[RunLike],
    systems: Sequence[Sequence[RunSource]],
    run_names: RunNames,
    threads: int,
) -> tuple[tuple[RunResult, RunResult], list[Alignment]]:
    """Return the results of both systems, and the ranks of the first run of each."""
    results, firsts = [], []
    for system in systems:
        aligned = [prepared.align(run, threads) for run in system]
        firsts.append(aligned[0][0])
        results += [score_run(prepared, *run) for run in aligned]
    unnamed = replace(run_names, given=()).name
    of_each = of_systems(results, given, [len(system) for system in systems], unnamed)
    first, second = run_names.name([run for run in of_each if isinstance(run, RunResult)])
    if first.topics != second.topics:
        raise UsageError("the runs have different topics", expected="--topics judged")
    for score in first.scores:
        require_average(score)
    return (first, second), firsts


def _cases(
    at: int,
    usual: tuple[Floats, Floats],
    measure: Measure,
    rankings: TwoRankings,
    settings: Settings,
    top: int,
    evaluated: Callable[..., Results],
) -> Iterator[HoleCase]:
    """Yield the comparison under each assumption about unjudged documents."""
    if {STRATA, SUBTOPICS} & {*measure.definition.needs}:
        raise UsageError(
            f"the effect of unjudged documents on {measure} is not known: they have no strata "
            "and no subtopics",
            expected="with holes, a measure that needs none",
        )
    rel = measure.parameters.get("rel")
    lowest = float(max(rel if isinstance(rel, int | float) else 1, settings.min_grade or 1))
    relevant = evaluated(rankings.filled(top, lowest), settings=settings)
    removed = evaluated(rankings.qrels, settings=replace(settings, judged_only=True))
    sign = np.sign(summarize_differences(*usual).difference or 0.0)
    for case, results in {"not relevant": None, "relevant": relevant, "removed": removed}.items():
        a, b = [run.scores[at].values for run in results.runs] if results else usual
        summary = summarize_differences(a, b)
        difference = summary.difference
        p_value = paired_test(paired_differences(a, b)).p_value
        flips = bool(np.sign(difference or 0.0) != sign)
        means = summary.baseline_mean, summary.run_mean
        yield HoleCase(case, *means, difference, p_value, flips)
