"""The difference between two runs: topics, documents, and the effect of unjudged documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.shown import InPapers, LookOfResults
from rankeval.base.threads import usable_threads
from rankeval.base.wording import decoded
from rankeval.commands.compare.run_pairs import require_average, summary_of
from rankeval.errors import UsageError
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import CostsLike, Prepared, prepare, require_topics
from rankeval.evaluation.rankings import Rankings, require_one_order
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.score import score_run
from rankeval.evaluation.seeds import members, of_systems
from rankeval.evaluation.settings import Settings, settings_or_usual
from rankeval.io.sources.parts import one_state
from rankeval.measures import Measure, MeasuresLike, measure_names, parse_measures
from rankeval.measures.declare.needs import STRATA
from rankeval.ranking.align import Alignment
from rankeval.ranking.full_rankings import top_documents
from rankeval.ranking.qrels import Qrels, QrelsLike, from_mapping
from rankeval.ranking.run_source import RunLike, RunSource, refuse_stdin_twice
from rankeval.stats import DifferenceSummary, paired_differences, paired_test, summarize_differences

DEFAULT_MEASURE = "nDCG@10"
TOP, SHOWN = 10, 5


@frozen
class MovedDocument:
    """A document and its ranks in the two runs; None where a run did not retrieve it.

    An unjudged document has no grade, and a rank only if it is among the first `top` ranks.
    """

    docno: str
    grade: float | None
    rank_a: int | None
    rank_b: int | None


@frozen
class TopicDifference:
    """A topic with different values.

    judged  judged documents in the first ranks of either run, the best grades first
    entered unjudged documents in the first ranks of B but not in those of A
    """

    topic: str
    a: float
    b: float
    difference: float
    judged: tuple[MovedDocument, ...]
    entered: tuple[MovedDocument, ...]


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
class Difference(InPapers):
    """The difference between two runs, A and B.

    ======== =============================================================================
    measure  canonical name
    loss     True when smaller is better
    a, b     the runs
    top      number of ranks in which documents are compared
    summary  means and difference (B - A); a win is a topic on which B is better
    topics   the topics with the largest differences, the largest first
    holes    the comparison under other assumptions; empty unless requested
    unjudged number of unjudged documents in the first ranks of A and of B
    pool     pairs of topic and docno to judge next; empty unless requested
    further  the differences in the other measures that were named
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
    pool: tuple[tuple[str, str], ...]
    further: tuple[Difference, ...] = ()

    __repr__ = InPapers.__repr__

    def _look(self) -> LookOfResults:
        from rankeval.commands.diff.show import look

        return look()

    @property
    def by_measure(self) -> tuple[Difference, ...]:
        """Return the differences in all measures, this one first."""
        return (self, *self.further)


@one_state()
def diff(
    qrels: QrelsLike,
    a: RunLike,
    b: RunLike,
    measure: MeasuresLike = DEFAULT_MEASURE,
    settings: Settings | None = None,
    *,
    top: int = TOP,
    shown: int = SHOWN,
    holes: bool = False,
    pool: int | None = None,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
) -> Difference:
    """Find the topics and documents that make B differ from A in a measure.

    `measure` may name several, in one string or in several; `further` of the result then holds the
    differences in all but the first. Documents are compared in the first `top` ranks, or in those
    above the depth of `settings` if these are fewer, and the `shown` topics with the largest
    differences are returned. `pool` is the depth down to which unjudged documents are listed for
    judging. With `holes`, the comparison is repeated as if the unjudged documents in the first
    ranks of either run were relevant, with the lowest grade that is relevant to the measure, and
    with all unjudged documents removed from both runs. `costs` and `reading` are as in `evaluate`,
    and `run_names` names the two runs. Of `Seeds` and a path with {seed}, the means by topic are
    compared, and the documents are those of the first run.

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
    refuse_stdin_twice(qrels, a, b)
    settings = settings_or_usual(settings)
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
    if holes or pool:
        _require_single_runs("holes" if holes else "pool", systems)
    runs = [system[0] for system in systems]
    (first, second), alignments = _read(prepared, (a, b), systems, run_names, threads)
    if first.topics != second.topics:
        raise UsageError("the runs have different topics", expected="topics='judged'")
    tops = [
        top_documents(
            *(prepared.judgments, run, max(top, pool or 0), prepared.rules, prepared.form()),
            jobs=threads,
        )
        for run in runs
    ]
    for score in first.scores:
        require_average(score)
    rankings = _TwoRankings(prepared.judgments, alignments, tops)
    evaluated = partial(
        evaluate, runs=runs, measures=named, costs=costs, reading=reading, jobs=threads
    )
    differences = []
    for at, score in enumerate(first.scores):
        pair = score.values, second.scores[at].values
        summary = summary_of(*pair, loss=score.loss)
        pairs = {}
        if holes:
            others = _values_by_case(prepared.measures[at], rankings, settings, top, evaluated)
            pairs = {"not relevant": pair, **others}
        differences.append(
            Difference(
                measure=score.measure,
                loss=score.loss,
                signature=score.signature,
                a=first,
                b=second,
                top=top,
                summary=summary,
                topics=rankings.topics(first.topics, *pair, top, shown),
                holes=tuple(_case(*case, summary.difference) for case in pairs.items()),
                unjudged=(rankings.n_unjudged(0, top), rankings.n_unjudged(1, top)),
                pool=tuple(rankings.pool(pool)) if pool else (),
            )
        )
    return replace(differences[0], further=tuple(differences[1:]))


def _require_single_runs(option: str, systems: Sequence[Sequence[RunSource]]) -> None:
    most = max(map(len, systems))
    if most > 1:
        raise UsageError(
            f"{option} needs the documents of one run, and a system has {most} runs",
            remedy="name one run of it",
        )


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
    return (first, second), firsts


def _values_by_case(
    measure: Measure,
    rankings: _TwoRankings,
    settings: Settings,
    top: int,
    evaluated: Callable[..., Results],
) -> dict[str, tuple[Floats, Floats]]:
    """The values of both runs under each assumption about unjudged documents."""
    if STRATA in measure.definition.needs:
        raise UsageError(
            f"the effect of unjudged documents on {measure} is not known: they have no stratum",
            expected="with holes=True, a measure that needs no strata",
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
    first, second = (
        next(score.values for score in run.scores if score.measure == measure)
        for run in results.runs
    )
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


class _TwoRankings(Rankings):
    """The rankings of both runs: ranks of judged documents, docnos in the first ranks."""

    def n_unjudged(self, which: int, top: int) -> int:
        """Count the unjudged documents in the first ranks of all topics."""
        return sum(len(self.unjudged(which, topic, top)) for topic in self.qrels.topics)

    def topics(
        self, names: Sequence[str], before: Floats, after: Floats, top: int, shown: int
    ) -> tuple[TopicDifference, ...]:
        """Return the topics with the largest differences, the largest first."""
        differences = paired_differences(before, after)
        order = np.argsort(-np.abs(np.nan_to_num(differences)), kind="stable")[:shown]
        return tuple(
            self.topic(names[i], float(before[i]), float(after[i]), float(differences[i]), top)
            for i in order.tolist()
            if np.nan_to_num(differences[i]) != 0
        )

    def topic(self, name: str, a: float, b: float, difference: float, top: int) -> TopicDifference:
        """Return the documents that make the topic differ."""
        topic = self.topic_of[name]
        judged = [
            MovedDocument(document.docno, document.grade, *document.ranks)
            for document in self.judged(topic, top)
        ]
        judged.sort(key=lambda moved: (-(moved.grade or 0.0), moved.rank_b or np.inf, moved.docno))
        before, after = (self.unjudged(which, topic, top) for which in (0, 1))
        return TopicDifference(
            topic=name,
            a=a,
            b=b,
            difference=difference,
            judged=tuple(judged),
            entered=tuple(
                MovedDocument(decoded(docno), None, None, rank)
                for docno, rank in after.items()
                if docno not in before
            ),
        )

    def filled(self, top: int, grade: float, ahead: int | None = None) -> Qrels:
        """Return the judgments with the unjudged documents in either run's first ranks added.

        They get the given grade. With `ahead`, 0 or 1, only documents are added that this run
        ranks higher, or that only this run has in its first ranks. In judgments by subtopic, they
        are relevant to each subtopic that has a document of that grade or a better one.
        """
        by_topic: dict[str, dict[str, Any]] = {}
        for name, topic in self.topic_of.items():
            known = self.grades(topic)
            judged = {docno: self._judged_for(*known[docno]) for docno in known}
            relevant = {
                subtopic: grade
                for grades in judged.values()
                if isinstance(grades, dict)
                for subtopic, value in grades.items()
                if value >= grade
            }
            holes = self._holes(topic, top, ahead)
            whole = grade if self.qrels.subtopics is None else relevant
            by_topic[name] = {_text(docno): judgment for docno, judgment in judged.items()} | {
                _text(docno): whole for docno in holes if whole
            }
        return from_mapping(by_topic, self.qrels.path)

    def _holes(self, topic: bytes, top: int, ahead: int | None) -> set[bytes]:
        ranks = [self.unjudged(which, topic, top) for which in (0, 1)]
        if ahead is None:
            return set(ranks[0]) | set(ranks[1])
        others = ranks[1 - ahead]
        return {docno for docno, rank in ranks[ahead].items() if rank < others.get(docno, np.inf)}

    def _judged_for(self, judgment: int, grade: float) -> float | dict[str, float]:
        """Return the grade of a judgment, or its grades by subtopic."""
        labels = self.qrels.subtopics
        if labels is None:
            return grade
        _, own = labels.of_judgments(np.array([judgment]))
        numbers = [str(number) for number in labels.number[own].tolist()]
        return dict(zip(numbers, labels.grade[own].tolist(), strict=True))

    def pool(self, depth: int) -> list[tuple[str, str]]:
        """Return the pairs to judge by topic, each in order of its better rank in the two runs."""
        pairs = []
        for name, topic in self.topic_of.items():
            best: dict[bytes, int] = {}
            for which in (0, 1):
                for docno, rank in self.unjudged(which, topic, depth).items():
                    best[docno] = min(rank, best.get(docno, rank))
            ordered = sorted(best, key=lambda docno: (best[docno], docno))
            pairs += [(name, decoded(docno)) for docno in ordered]
        return pairs


def _text(name: bytes) -> str:
    """Decode a name so that encoding gives the same bytes; UsageError where that fails."""
    try:
        return name.decode()
    except UnicodeDecodeError as error:
        raise UsageError(
            f"the name '{decoded(name)}' is not in UTF-8", expected="names in UTF-8 for holes=True"
        ) from error
