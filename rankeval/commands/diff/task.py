"""The difference between two runs: topics, documents, and the effect of unjudged documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.base.wording import nearest
from rankeval.choices import Contrast, TextForm
from rankeval.commands.compare.run_pairs import require_average, score_of, summary_of
from rankeval.commands.diff.moved_documents import (
    ShareMeasure,
    TopicDifference,
    TwoRankings,
)
from rankeval.errors import UsageError
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.notice_lines import OfRuns
from rankeval.evaluation.prepared import Prepared, prepare, require_topics
from rankeval.evaluation.rankings import require_one_order
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.score import score_run
from rankeval.evaluation.seeds import members, of_systems
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.shown_texts import NO_TEXTS, ShownTexts, TextsLike, TextSources
from rankeval.io.sources.parts import one_state
from rankeval.measures import Measure, MeasuresLike, measure_names, parse_measures
from rankeval.measures.declare.needs import STRATA
from rankeval.output.document_form import HIDDEN
from rankeval.output.shown import InPapers
from rankeval.ranking.align import Alignment
from rankeval.ranking.full_rankings import top_documents
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike, RunSource, refuse_stdin_twice
from rankeval.stats import DifferenceSummary, paired_differences, paired_test, summarize_differences

DEFAULT_MEASURE = "nDCG@10"
TOP, SHOWN = 10, 5


@frozen
class HoleCase:
    """The comparison under an assumption about the unjudged documents in the first ranks.

    ======== =============================================================================
    case     "not relevant", the usual assumption; "relevant"; "removed"; or "relevant if
             higher in A" ("B"): those that only this run has or that it ranks higher. Where
             gains at ranks add up, no judging can be better for that run
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
class Difference(OfRuns, InPapers):
    """The difference between two runs, A and B.

    ======== =============================================================================
    measure  canonical name
    loss     True when smaller is better
    a, b     the runs
    top      number of ranks in which documents are compared
    summary  means and difference (B - A); a win is a topic on which B is better
    topics   the topics that differ most, those first
    holes    the comparison under other assumptions; empty unless requested
    unjudged number of unjudged documents in the first ranks of A and of B
    pool     pairs of topic and docno to judge next; empty unless requested
    further  the differences in the other measures that were named
    contrast what topics are chosen by: "measure", "overlap" or "tau-ap"
    texts    queries of these topics, and texts of their documents, where these were given
    ======== =============================================================================
    """

    measure: str
    loss: bool
    signature: str
    a: RunResult
    b: RunResult
    top: int
    summary: DifferenceSummary
    topics: tuple[TopicDifference, ...]
    holes: tuple[HoleCase, ...]
    unjudged: tuple[int, int]
    pool: tuple[tuple[str, str], ...] = field(metadata=HIDDEN)
    further: tuple[Difference, ...] = ()
    contrast: Contrast = "measure"
    texts: ShownTexts = NO_TEXTS

    __repr__ = InPapers.__repr__

    def _runs(self) -> tuple[RunResult, ...]:
        return self.a, self.b

    @property
    def by_measure(self) -> tuple[Difference, ...]:
        """Return the differences in all measures, this one first."""
        return (self, *self.further)


@checked
@one_state()
def diff(
    qrels: QrelsLike,
    a: RunLike,
    b: RunLike,
    measure: MeasuresLike = DEFAULT_MEASURE,
    *,
    top: int = TOP,
    shown: int = SHOWN,
    only: Sequence[str] = (),
    holes: bool = False,
    pool: int | None = None,
    contrast: Contrast = "measure",
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    text: TextForm = "window",
    **evaluating: Unpack[Evaluating],
) -> Difference:
    """Find the topics and documents that make B differ from A in a measure.

    ========= ==============================================================================
    qrels     judgments, as in `evaluate`
    a, b      the two runs
    measure   one or several; `further` of the result has the differences in all but the first
    top       ranks in which documents are compared, unless the depth of the settings is less
    shown     topics to return: those with the largest differences
    only      topics to return instead, by name
    holes     compare again as if the unjudged documents in the first ranks of either run had
              the lowest grade that is relevant, and with all of them removed from both runs
    pool      depth down to which unjudged documents are listed for judging
    contrast  the topics to return: those with the largest differences in the "measure"; or
              those, with or without judgments, whose first documents have the smallest
              "overlap", or the lowest AP correlation, "tau-ap"
    run_names names of the two runs
    queries, docs, text  texts of topics and documents, as in `explain`
    evaluating  keywords of `evaluate`: settings or its fields, costs, reading, run_names, jobs
    ========= ==============================================================================

    Of `Seeds` and a path with {seed}, the means by topic are compared, and the documents are those
    of the first run, without shares.

    >>> from rankeval import diff
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> topic = diff(qrels, bm25, dense, "RR").topics[0]
    >>> topic.topic, topic.difference
    ('q1', 0.5)
    """
    for name, value in (("top", top), ("shown", shown), ("pool", pool)):
        if value is not None and value < 1:
            raise UsageError(f"{name} is {value}", expected="1 or more")
    sources = TextSources(queries, docs, text)
    refuse_stdin_twice(qrels, a, b)
    settings, costs, reading, run_names, jobs = values_of(**evaluating)
    require_one_order(settings)
    top = top if settings.depth is None else min(top, settings.depth)
    threads = usable_threads(jobs)
    named = measure_names(measure)
    require_topics(parse_measures(named, settings.meanings))
    prepared = prepare(qrels, named, settings, reading, costs=costs)
    systems = [
        [RunSource.of(run).again(prepared.form(), jobs=threads) for run in members(system)]
        for system in (a, b)
    ]
    most = max(map(len, systems))
    if (holes or pool) and most > 1:
        raise UsageError(
            f"{'holes' if holes else 'pool'} needs the documents of one run, and a system has "
            f"{most} runs",
            remedy="name one run of it",
        )
    runs = [system[0] for system in systems]
    results, alignments = _read(prepared, (a, b), systems, run_names, threads)
    deepest = max(top, pool or 0)
    tops = _tops(prepared, runs, deepest, threads, judged_only=contrast == "measure")
    rankings = TwoRankings(prepared.judgments, alignments, tops)
    evaluated = partial(
        evaluate, runs=runs, measures=named, costs=costs, reading=reading, jobs=threads
    )
    for topic in only:
        if topic not in results[0].topics:
            raise UsageError(
                f"the topic '{topic}' was not evaluated",
                expected=nearest(topic, results[0].topics, "a topic of the judgments"),
            )
    asked = tuple(only)
    case = _TwoResults(prepared, results, rankings, top, shown, contrast, most == 1, asked)
    differences = [
        case.difference(at, evaluated if holes else None, pool)
        for at in range(len(results[0].scores))
    ]
    shown_texts = sources.of(_documents_of(differences))
    differences = [replace(found, texts=shown_texts) for found in differences]
    return replace(differences[0], further=tuple(differences[1:]))


@frozen(eq=False)
class _TwoResults:
    """Two runs that were read, and their differences to show."""

    prepared: Prepared
    results: tuple[RunResult, RunResult]
    rankings: TwoRankings
    top: int
    shown: int
    contrast: Contrast
    single: bool
    asked: tuple[str, ...] = ()

    def difference(
        self, at: int, evaluated: Callable[..., Results] | None, pool: int | None
    ) -> Difference:
        """Return the difference in one measure; `evaluated` evaluates the cases of holes."""
        first, second = self.results
        score = first.scores[at]
        pair = score.values, second.scores[at].values
        summary = summary_of(*pair, loss=score.loss)
        measure, settings = self.prepared.measures[at], self.prepared.settings
        pairs = {}
        if evaluated is not None:
            others = _values_by_case(measure, self.rankings, settings, self.top, evaluated)
            pairs = {"not relevant": pair, **others}
        unjudged = [self.rankings.n_unjudged(which, self.top) for which in (0, 1)]
        return Difference(
            measure=score.measure,
            loss=score.loss,
            signature=score.signature,
            a=first,
            b=second,
            top=self.top,
            summary=summary,
            topics=self._topics(ShareMeasure(measure, settings, self.single), *pair),
            holes=tuple(_case(*case, summary.difference) for case in pairs.items()),
            unjudged=(unjudged[0], unjudged[1]),
            pool=tuple(self.rankings.pool(pool)) if pool else (),
            contrast=self.contrast,
        )

    def _topics(
        self, measured: ShareMeasure, before: Floats, after: Floats
    ) -> tuple[TopicDifference, ...]:
        """Return the topics that differ most, those first."""
        names = self.results[0].topics
        values = dict(zip(names, zip(before.tolist(), after.tolist(), strict=True), strict=True))
        alike: Mapping[str, float] = {}
        if self.contrast == "measure":
            size = np.abs(np.nan_to_num(paired_differences(before, after)))
            order = np.argsort(-size, kind="stable")[: self.shown]
            chosen = [names[place] for place in order.tolist() if size[place] != 0]
        else:
            alike = self.rankings.contrasts(self.contrast, self.top)
            chosen = [topic for topic, value in alike.items() if value < 1][: self.shown]
        chosen = [*self.asked] or chosen
        return tuple(
            replace(
                self.rankings.topic(topic, values.get(topic), measured, self.top),
                contrast=alike.get(topic),
            )
            for topic in chosen
        )


def _documents_of(differences: Sequence[Difference]) -> dict[str, list[str]]:
    """Return the docnos that are shown of each topic, each once."""
    found: dict[str, dict[str, None]] = {}
    for difference in differences:
        for topic in difference.topics:
            docnos = found.setdefault(topic.topic, {})
            docnos.update((document.docno, None) for document in topic.documents())
    return {topic: [*docnos] for topic, docnos in found.items()}


def _tops(
    prepared: Prepared, runs: Sequence[RunSource], top: int, threads: int, *, judged_only: bool
) -> list[dict[bytes, tuple[bytes, ...]]]:
    """Return the first documents of the topics of each run."""
    return [
        top_documents(
            *(prepared.judgments, run, top, prepared.rules, prepared.form()),
            jobs=threads,
            judged_only=judged_only,
        )
        for run in runs
    ]


def _read(
    prepared: Prepared,
    given: tuple[RunLike, RunLike],
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


def _values_by_case(
    measure: Measure,
    rankings: TwoRankings,
    settings: Settings,
    top: int,
    evaluated: Callable[..., Results],
) -> dict[str, tuple[Floats, Floats]]:
    """The values of both runs under each assumption about unjudged documents."""
    if STRATA in measure.definition.needs:
        raise UsageError(
            f"the effect of unjudged documents on {measure} is not known: they have no stratum",
            expected="with --holes, a measure that needs no strata",
        )
    rel = measure.parameters.get("rel")
    lowest = float(max(rel if isinstance(rel, int | float) else 1, settings.min_grade or 1))
    condensed = replace(settings, judged_only=True)
    values = partial(_values, measure=str(measure))
    pairs = {
        "relevant": values(evaluated(rankings.filled(top, lowest), settings=settings)),
        "removed": values(evaluated(rankings.qrels, settings=condensed)),
    }
    for which, label in enumerate("AB"):
        filled = rankings.filled(top, lowest, ahead=which)
        pairs[f"relevant if higher in {label}"] = values(evaluated(filled, settings=settings))
    return pairs


def _values(results: Results, measure: str) -> tuple[Floats, Floats]:
    first, second = (score_of(run, measure).values for run in results.runs)
    return first, second


def _case(name: str, values: tuple[Floats, Floats], usual: float | None) -> HoleCase:
    summary = summarize_differences(*values)
    now = summary.difference
    return HoleCase(
        case=name,
        a=summary.baseline_mean,
        b=summary.candidate_mean,
        difference=now,
        p_value=paired_test(paired_differences(*values)).p_value,
        flips=bool(np.sign(now or 0.0) != np.sign(usual or 0.0)),
    )
