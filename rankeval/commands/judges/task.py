"""Compare sets of judgments: how far they agree, and how they rank systems."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Unpack

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count, finite
from rankeval.commands.judges.judge_agreement import (
    Agreement,
    JudgedPairs,
    Orders,
    TopicAgreement,
    TwoJudges,
    agreement,
    by_topic,
    two_judges,
)
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.comparable_runs import aggregates, ranks_of
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.shown_values import OfRuns
from rankeval.io.formats.formats import IRDS, begin, kind_of
from rankeval.io.sources.blocks import is_rereadable
from rankeval.measures import MeasuresLike, parse_measures
from rankeval.output.shown import InPapers
from rankeval.ranking.qrels import Qrels, QrelsLike, read_qrels, with_judgments
from rankeval.ranking.run_source import (
    RunLike,
    RunsLike,
    RunSource,
    refuse_stdin_twice,
    run_sources,
)
from rankeval.stats.rank_correlation import order_agreement

MEASURES = "nDCG@10 AP"
UNJUDGED = -1
"""The grade of documents to be judged, which `rankeval pool` writes."""
FROM_SAMPLES = ("infAP", "xinfAP", "infNDCG", "statAP")
"""Measures to which a negative grade says that a document is in the pool, but not judged."""


@frozen
class Judge:
    """One set of judgments; its name, path and digest, and the numbers of its parts.

    `unjudged` counts the documents that have the grade of unjudged ones. They are left out of
    `judgments`, and topics that have no others out of `topics`.
    """

    name: str
    path: str
    digest: str
    judgments: int
    topics: int
    unjudged: int = 0


@frozen
class RankedRun:
    """A run in one measure: its value and its rank under each set of judgments.

    Both are None where the measure is undefined; runs with equal values have the same rank.
    """

    measure: str
    run: str
    values: tuple[float | None, ...]
    ranks: tuple[int | None, ...]


@frozen
class JudgesReport(OfRuns, InPapers):
    """The comparison of sets of judgments.

    ============== ===================================================================
    judges         the sets of judgments, as given
    both           pairs of topic and docno that at least two judges judged
    n_topics       the topics of these
    agreement      of all of them, by statistic, such as "raw" and "kappa.quadratic": the
                   share of equal grades (of several judges, of all pairs of grades);
                   Cohen's kappa, plain and quadratic, for two judges; Gwet's AC1
                   ("ac.plain"); Krippendorff's alpha, nominal and ordinal
    pairs          every two of them, in the order in which they were given
    ranked         the runs under each set of judgments, by measure
    topics         the agreement by topic, the lowest first
    level          of the intervals
    runs           the runs under each set of judgments, for their warnings
    warnings       what only some of them judged
    unjudged_grade the grade of unjudged documents
    ============== ===================================================================
    """

    judges: tuple[Judge, ...]
    both: int
    n_topics: int
    agreement: Mapping[str, Agreement]
    pairs: tuple[TwoJudges, ...]
    ranked: tuple[RankedRun, ...]
    topics: tuple[TopicAgreement, ...]
    level: float
    runs: tuple[RunResult, ...]
    warnings: tuple[str, ...]
    unjudged_grade: float = UNJUDGED

    __repr__ = InPapers.__repr__


@checked
def judges(
    judgments: Sequence[QrelsLike] | Mapping[str, QrelsLike],
    runs: RunsLike = (),
    measures: MeasuresLike = MEASURES,
    *,
    level: float = 0.95,
    unjudged_grade: float = UNJUDGED,
    names: Sequence[str | None] = (),
    **evaluating: Unpack[Evaluating],
) -> JudgesReport:
    """Compare two sets of judgments or more, and the rankings of runs by each.

    ============== =========================================================================
    judgments      two sets or more, as in `evaluate`, or {name: judgments}
    runs           two or more, or {name: run}: every measure orders them under each set
    measures       names or objects; nDCG@10 and AP by default
    level          confidence of the intervals
    unjudged_grade the grade of documents that are not judged, but for infAP, xinfAP, infNDCG
                   and statAP, which know them
    names          of the sets of judgments; by default those of their files
    evaluating     keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ============== =========================================================================

    Agreement counts pairs of topic and docno that at least two judged; grades are compared as they
    are, and of several lines for a document the largest grade counts.

    UsageError for fewer than two sets of judgments, for one run, and where no document was judged
    by two of them.

    Source: Voorhees, "Variations in relevance judgments and the measurement of retrieval
    effectiveness", Information Processing and Management 36(5), 2000.

    >>> people = {"1": {"a": 1, "b": 0, "c": 2}}
    >>> model = {"1": {"a": 1, "b": 1, "c": 2}}
    >>> round(judges([people, model]).agreement["kappa.plain"].value, 3)
    0.5
    """
    settings, _, run_names, jobs = values_of(**evaluating)
    if isinstance(judgments, Mapping):
        judgments, names = list(judgments.values()), names or tuple(map(str, judgments))
    elif isinstance(judgments, str | os.PathLike):
        judgments = [judgments]
    empty = isinstance(runs, Sequence) and not runs
    sources, keys = ([], None) if empty else run_sources(runs, settings.run_form().columns)
    if len(judgments) < 2:
        raise UsageError(
            f"found {count(len(judgments), 'set')} of judgments to compare",
            expected="two sets of judgments or more",
        )
    if len(sources) == 1:
        raise UsageError("found 1 run, which has no order", expected="two runs or more, or none")
    refuse_stdin_twice(*judgments, *sources)
    loaded = [judgments_of(given, measures if sources else None, settings) for given in judgments]
    judged = [_judged(judge, unjudged_grade) for judge in loaded]
    pairs = JudgedPairs.of(judged)
    if not pairs.shared.any():
        raise UsageError(
            "no document was judged twice for a topic",
            expected="judgments of the same topics and documents",
            remedy="'rankeval check' shows the names of topics and documents",
        )
    results: list[Results] = []
    if sources:
        threads = usable_threads(jobs)
        again = [run.again(settings.run_form(), jobs=threads) for run in sources]
        named = replace(run_names, given=run_names.given if keys is None else keys)
        evaluating |= {"run_names": named, "jobs": threads}
        samples = any(one.measure.name in FROM_SAMPLES for one in parse_measures(measures))
        ranking = loaded if samples else judged
        results = [evaluate(one, again, measures, **evaluating) for one in ranking]
    facts = _facts(loaded, judged, names)
    return JudgesReport(
        judges=facts,
        both=int(pairs.shared.sum()),
        n_topics=len({*pairs.topic[pairs.shared].tolist()}),
        agreement=agreement(pairs, level),
        pairs=tuple(
            two_judges(
                pairs,
                [judge.name for judge in facts],
                (a, b),
                _orders(results[a], results[b]) if results else (),
            )
            for a, b in combinations(range(len(facts)), 2)
        ),
        ranked=_ranked(results),
        topics=by_topic(pairs),
        level=level,
        runs=tuple(
            replace(run, name=f"{run.name} by {judge.name}")
            for judge, one in zip(facts, results, strict=False)
            for run in one.runs
        ),
        warnings=_warnings(judged, facts),
        unjudged_grade=unjudged_grade,
    )


def told_apart(
    paths: Sequence[str], reading: Reading
) -> tuple[dict[int, QrelsLike], dict[int, RunLike]]:
    """Return judgments and runs among files by their content, each with its place.

    A pipe is read at once, because its content can be seen only once.
    """
    refuse_stdin_twice(*paths)
    found: dict[int, QrelsLike] = {}
    runs: dict[int, RunLike] = {}
    for place, path in enumerate(paths):
        begun = None if path.startswith(IRDS) else begin(path)
        is_run = kind_of(begun, path, reading.qrels_form()).what == "run"
        once = begun is not None and not is_rereadable(path)
        if is_run:
            form = replace(reading.run_form(), begun=begun)
            runs[place] = RunSource.of(path).again(form) if once else path
        else:
            form = replace(reading.qrels_form(), begun=begun)
            found[place] = read_qrels(path, form, reading.duplicates) if once else path
    return found, runs


def _ranked(results: Sequence[Results]) -> tuple[RankedRun, ...]:
    """Return the same runs under each set of judgments, by measure."""
    found = []
    for at, score in enumerate(results[0].runs[0].scores if results else ()):
        ranks = [ranks_of(aggregates(one.runs, at)) for one in results]
        for i, run in enumerate(results[0].runs):
            values = tuple(finite(one.runs[i].scores[at].aggregate) for one in results)
            places = tuple(one[i] for one in ranks)
            found.append(RankedRun(score.measure, run.name, values, places))
    return tuple(found)


def _orders(first: Results, second: Results) -> tuple[Orders, ...]:
    """Compare the orders of the same runs under two sets of judgments, measure by measure."""
    return tuple(
        Orders(
            score.measure, order_agreement(*(aggregates(one.runs, at) for one in (first, second)))
        )
        for at, score in enumerate(first.runs[0].scores)
    )


def _judged(judgments: Qrels, unjudged_grade: float) -> Qrels:
    """Leave out the documents that are only to be judged."""
    kept = judgments.grade != unjudged_grade
    if not kept.any():
        raise InputError(
            f"has no judgments, but {count(len(kept), 'document')} of grade {unjudged_grade:g}, "
            "which is that of unjudged documents",
            place=judgments.path,
            expected="a grade for some documents",
            remedy="judge them, or name another grade with --unjudged-grade",
        )
    return with_judgments(judgments, kept)


def _facts(
    loaded: Sequence[Qrels], judged: Sequence[Qrels], names: Sequence[str | None]
) -> tuple[Judge, ...]:
    paths = [judge.path for judge in loaded]
    in_memory = [f"judges {n}" * (path in ("", "qrels")) for n, path in enumerate(paths, 1)]
    named = RunNames("tag", names).names(in_memory, paths)
    return tuple(
        Judge(
            name=name,
            path=one.path,
            digest=one.digest,
            judgments=len(rest.grade),
            topics=len(rest.topics),
            unjudged=len(one.grade) - len(rest.grade),
        )
        for name, one, rest in zip(named, loaded, judged, strict=True)
    )


def _warnings(judged: Sequence[Qrels], facts: Sequence[Judge]) -> tuple[str, ...]:
    """Return warnings of topics that some did not judge."""
    every = len(set().union(*(judge.topics for judge in judged)))
    return tuple(
        f"{judge.name} has no judgment for {count(every - judge.topics, 'topic')} of {every}"
        for judge in facts
        if judge.topics < every
    )
