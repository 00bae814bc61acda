"""The difference between two runs: topics, the documents behind it, and the unjudged ones."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, replace
from rankeval.base.threads import usable_threads
from rankeval.base.wording import decoded, finite, nearest
from rankeval.commands.compare.task import require_average
from rankeval.errors import UsageError
from rankeval.evaluation.evaluate import Evaluating, score_run, values_of
from rankeval.evaluation.prepared import (
    Prepared,
    grades_of,
    is_condensed,
    least_relevant,
    measured_ranking,
    require_one_order,
    require_topics,
    running_values,
)
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.run_names import RunNames, members, of_systems, own_or
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.show import OfRuns
from rankeval.evaluation.shown_texts import NO_TEXTS, ShownTexts, TextsLike, texts_of
from rankeval.measures import Measure, MeasuresLike, measure_names, parse_measures
from rankeval.output.shown import InPapers
from rankeval.ranking.align import Alignment, top_documents
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, RunSource, named_runs, refuse_stdin_twice
from rankeval.stats import DifferenceSummary, paired_differences, summarize_differences
from rankeval.stats.checked_arrays import NOISE

DEFAULT_MEASURE = "nDCG@10"
TOP, SHOWN = 10, 2


@frozen
class MeasuredDifference:
    """The difference between two runs, A and B, in one measure.

    ======= =============================================================================
    measure canonical name
    loss    True when smaller is better
    summary means and difference (B - A); a win is a topic on which B is better
    topics  the topics that differ most, those first; or those that were asked for
    ======= =============================================================================
    """

    measure: str
    loss: bool
    signature: str
    summary: DifferenceSummary
    topics: tuple[TopicDifference, ...]


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

    def _runs(self) -> tuple[RunResult, ...]:
        return self.a, self.b


@checked
def diff(
    qrels: QrelsLike,
    a: RunLike | Mapping[str, RunLike],
    b: RunLike | Mapping[str, RunLike],
    measure: MeasuresLike = DEFAULT_MEASURE,
    *,
    top: int = TOP,
    shown: int = SHOWN,
    only: Sequence[str] = (),
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
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
    refuse_stdin_twice(qrels, a, b)
    settings, costs, run_names, jobs = values_of(**evaluating)
    given, names = named_runs(a, b, columns=settings.run_form().columns)
    run_names = own_or(run_names, names)
    require_one_order(settings)
    top = top if settings.depth is None else min(top, settings.depth)
    threads = usable_threads(jobs)
    named = measure_names(measure)
    require_topics(parse_measures(named, settings.meanings))
    prepared = Prepared(qrels, named, settings, costs=costs)
    systems = [
        [RunSource.of(run).again(settings.run_form(), jobs=threads) for run in members(system)]
        for system in given
    ]
    alone = max(map(len, systems)) == 1
    (first, second), alignments = _read(prepared, given, systems, run_names, threads)
    for topic in [topic for topic in only if topic not in first.topics]:
        known = nearest(topic, first.topics, "a topic of the judgments")
        raise UsageError(f"the topic '{topic}' was not evaluated", expected=known)
    runs, how = [system[0] for system in systems], (prepared.rules, settings.run_form())
    tops = [top_documents(prepared.judgments, run, top, *how, jobs=threads) for run in runs]
    rankings = TwoRankings(prepared.judgments, alignments, tops, settings)

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
        return MeasuredDifference(
            score.measure, score.loss, score.signature, summary, tuple(topics)
        )

    measures = tuple(difference(at) for at in range(len(first.scores)))
    docnos: dict[str, dict[str, None]] = {}
    for one in (topic for found in measures for topic in found.topics):
        docnos.setdefault(one.topic, {}).update({moved.docno: None for moved in one.documents})
    every = prepared.judgments.topics
    in_a, in_b = (sum(len(rankings.unjudged(run, t, top)) for t in every) for run in (0, 1))
    texts = texts_of(queries, docs, docnos)
    return Difference(first, second, measures, top, (in_a, in_b), texts)


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
    first, second = run_names.name(of_systems(results, given, systems))
    if first.topics != second.topics:
        raise UsageError("the runs have different topics", expected="--topics judged")
    for score in first.scores:
        require_average(score)
    return (first, second), firsts


@frozen
class MovedDocument:
    """A document, its ranks in the two runs, and its contribution to their values.

    ============== ========================================================================
    grade          its grade; None if it is unjudged
    rank_a, rank_b its ranks; None where a run did not retrieve it, or has an unjudged document
                   below the first ranks
    adds_a, adds_b what it adds to the value of the topic, as in `explain`: the value of the
                   ranking cut after its rank minus that of the ranking cut before it
    share          adds_b - adds_a; None where it is not known, as of a system of several runs
    ============== ========================================================================
    """

    docno: str
    grade: float | None
    rank_a: int | None
    rank_b: int | None
    adds_a: float | None = None
    adds_b: float | None = None
    share: float | None = None


@frozen
class TopicDifference:
    """A topic with different values, or different rankings.

    ========== ==============================================================================
    a, b       values; None without judgments, and where the measure is undefined
    difference b - a; None likewise
    documents  those in the first ranks of either run, and relevant ones that only one run
               retrieved: the judged ones, the best grades first, and then the unjudged ones
    rest       the shares of all other documents together: all shares sum to the difference.
               None where shares are not known
    ========== ==============================================================================
    """

    topic: str
    a: float | None
    b: float | None
    difference: float | None
    documents: tuple[MovedDocument, ...]
    rest: float | None = None


class TwoRankings:
    """The rankings of both runs: ranks of judged documents, docnos in the first ranks."""

    def __init__(
        self,
        qrels: Qrels,
        alignments: Sequence[Alignment],
        tops: Sequence[Mapping[bytes, Sequence[bytes]]],
        settings: Settings,
    ) -> None:
        self._qrels, self._tops, self._settings = qrels, tops, settings
        self._topic_of = {decoded(topic): topic for topic in qrels.topics}
        self._judged_of = [alignment.judged for alignment in alignments]
        self._ranks = [
            dict(zip(judged.judgment.tolist(), judged.rank.tolist(), strict=True))
            for judged in self._judged_of
        ]

    def unjudged(self, which: int, topic: bytes, top: int) -> dict[bytes, int]:
        """Return the unjudged documents in the first ranks of a run, with their ranks."""
        known = grades_of(self._qrels, topic)
        ranking = self._tops[which].get(topic, ())[:top]
        return {docno: rank for rank, docno in enumerate(ranking, 1) if docno not in known}

    def topic(
        self, name: str, values: tuple[float, float], measure: Measure, top: int, *, shares: bool
    ) -> TopicDifference:
        """Return the documents that make the topic differ."""
        topic = self._topic_of[name]
        moved = [*self._judged(topic, measure, top), *self._unjudged(topic, top)]
        a, b = values
        rest = None
        if shares:
            adds = [self._adds(which, topic, measure, moved) for which in (0, 1)]
            others = b - a - sum(after - before for before, after in zip(*adds, strict=True))
            rest = finite(0.0 if abs(others) <= NOISE else others)
            moved = [
                replace(one, adds_a=finite(old), adds_b=finite(new), share=finite(new - old))
                for one, old, new in zip(moved, *adds, strict=True)
            ]
        return TopicDifference(name, finite(a), finite(b), finite(b - a), tuple(moved), rest)

    def _judged(self, topic: bytes, measure: Measure, top: int) -> list[MovedDocument]:
        """Return judged documents in the first ranks, and relevant ones that one run lacks."""
        depth = self._settings.depth or sys.maxsize
        least = least_relevant(measure)
        found = []
        for docno, (judgment, grade) in grades_of(self._qrels, topic).items():
            ranks = [ranks.get(judgment) for ranks in self._ranks]
            among = [rank for rank in ranks if rank is not None and rank <= depth]
            if among and (min(among) <= top or (len(among) == 1 and grade >= least)):
                found.append(MovedDocument(decoded(docno), grade, *ranks))
        return sorted(found, key=lambda one: (-(one.grade or 0.0), one.rank_b or np.inf, one.docno))

    def _unjudged(self, topic: bytes, top: int) -> list[MovedDocument]:
        first, second = (self.unjudged(which, topic, top) for which in (0, 1))
        found = [
            MovedDocument(decoded(docno), None, first.get(docno), second.get(docno))
            for docno in {**first, **second}
        ]
        return sorted(found, key=lambda x: (min(filter(None, (x.rank_a, x.rank_b))), x.docno))

    def _adds(
        self, which: int, topic: bytes, measure: Measure, documents: Sequence[MovedDocument]
    ) -> list[float]:
        """Return the contribution of each document to a run's value; 0 if it does not count."""
        chosen = np.arange(len(self._qrels.topics)) == self._qrels.code[topic]
        whole = self._judged_of[which].select(chosen)
        ranking = measured_ranking(measure, self._settings, whole)
        rank_of = dict(zip(ranking.judgment.tolist(), ranking.rank.tolist(), strict=True))
        judgments = {decoded(d): number for d, (number, _) in grades_of(self._qrels, topic).items()}
        # Where unjudged documents are removed, none has a rank.
        last = 0 if is_condensed(measure, self._settings) else int(ranking.retrieved[0])
        ranks = []
        for one in documents:
            own = (one.rank_a, one.rank_b)[which] or 0
            unjudged = own if own <= last else 0
            ranks.append(unjudged if one.grade is None else rank_of.get(judgments[one.docno], 0))
        depths = sorted({depth for rank in ranks if rank for depth in (rank - 1, rank)})
        values = running_values(measure, ranking, np.array(depths, dtype=np.int64))
        return [values[rank] - values[rank - 1] if rank else 0.0 for rank in ranks]
