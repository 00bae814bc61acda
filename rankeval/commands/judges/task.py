"""Compare sets of judgments: how far they agree, and how they rank systems."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import combinations, compress
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, replace
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count, decoded, finite
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.comparable_runs import aggregates, rank_of
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import RunNames, own_or
from rankeval.evaluation.show import OfRuns
from rankeval.measures import MeasuresLike
from rankeval.output.shown import InPapers
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunsLike, refuse_stdin_twice, run_sources
from rankeval.stats.kappa_alpha import (
    JudgedUnits,
    agreed,
    alphas,
    coincidences,
    confusion,
    given_shares,
    gwets,
    kappas,
    pair_shares,
)
from rankeval.stats.rank_correlation import OrderAgreement, order_agreement

MEASURES = "nDCG@10 AP"
UNJUDGED = -1
"""The grade of documents to be judged, which `rankeval pool` writes."""


@frozen
class Judge:
    """One set of judgments; its name, path and digest, and the numbers of its parts.

    `unjudged` counts the documents of grade -1. They are left out of `judgments`, and topics that
    have no others out of `topics`.
    """

    name: str
    path: str
    digest: str
    judgments: int
    topics: int
    unjudged: int = 0


@frozen
class TopicAgreement:
    """The agreement on one topic.

    both  documents that at least two judged
    raw   share of equal grades; of several judges, of all pairs of grades
    """

    topic: str
    both: int
    raw: float | None


@frozen
class Orders:
    """How alike the orders of the systems by a measure are under two sets of judgments.

    Tau-AP takes the first as the true one.
    """

    measure: str
    orders: OrderAgreement


@frozen
class TwoJudges:
    """Two sets of judgments: their grades of the documents, and their orders of the runs.

    ===================== ==============================================================
    both                  documents that both judged
    only_first, only_second  documents that one of them judged
    agreement             as in `JudgesReport`, on the documents that both judged
    confusion             documents by the grade of the first, and then of the second
    shift                 mean of second minus first; None without a document
    measures              how alike they order the runs, by measure
    ===================== ==============================================================
    """

    first: str
    second: str
    both: int
    only_first: int
    only_second: int
    agreement: Mapping[str, float | None]
    confusion: Mapping[float, Mapping[float, int]]
    shift: float | None
    measures: tuple[Orders, ...]


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

    ========= =======================================================================
    judges    the sets of judgments, as given
    both      pairs of topic and docno that at least two judges judged
    n_topics  the topics of these
    agreement of all of them: "raw", the share of equal grades (of several judges, of all pairs
              of grades); "kappa.plain" and "kappa.quadratic" (Cohen, of two judges);
              "ac.plain" (Gwet's AC1); "alpha.nominal" and "alpha.ordinal" (Krippendorff)
    pairs     every two of them, in the order in which they were given
    ranked    the runs under each set of judgments, by measure
    topics    the agreement by topic, the lowest first
    runs      the runs under each set of judgments, for their warnings
    warnings  what only some of them judged
    ========= =======================================================================
    """

    judges: tuple[Judge, ...]
    both: int
    n_topics: int
    agreement: Mapping[str, float | None]
    pairs: tuple[TwoJudges, ...]
    ranked: tuple[RankedRun, ...]
    topics: tuple[TopicAgreement, ...]
    runs: tuple[RunResult, ...]
    warnings: tuple[str, ...]


@checked
def judges(
    judgments: Sequence[QrelsLike] | Mapping[str, QrelsLike],
    runs: RunsLike = (),
    measures: MeasuresLike = MEASURES,
    *,
    names: Sequence[str | None] = (),
    **evaluating: Unpack[Evaluating],
) -> JudgesReport:
    """Compare two sets of judgments or more, and the rankings of runs by each.

    ========== =============================================================================
    judgments  two sets or more, as in `evaluate`, or {name: judgments}
    runs       two or more, or {name: run}: every measure orders them under each set
    measures   names or objects; nDCG@10 and AP by default
    names      of the sets of judgments; by default those of their files
    evaluating keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ========== =============================================================================

    Agreement counts pairs of topic and docno that at least two judged; grades are compared as they
    are, and of several lines for a document the largest grade counts. Grade -1, which `pool`
    writes, is no judgment. Runs are measured as by `evaluate`.

    UsageError for fewer than two sets of judgments, for one run, and where no document was judged
    by two of them.

    Source: Voorhees, "Variations in relevance judgments and the measurement of retrieval
    effectiveness", Information Processing and Management 36(5), 2000.

    >>> people = {"1": {"a": 1, "b": 0, "c": 2}}
    >>> model = {"1": {"a": 1, "b": 1, "c": 2}}
    >>> round(judges([people, model]).agreement["kappa.plain"], 3)
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
    judged = [_judged(judge) for judge in loaded]
    topics, topic, grades = _side_by_side(judged)
    given = ~np.isnan(grades)
    shared = given.sum(axis=1) >= 2
    if not shared.any():
        raise UsageError(
            "no document was judged twice for a topic",
            expected="judgments of the same topics and documents",
            remedy="'rankeval check' shows the names of topics and documents",
        )
    results: list[Results] = []
    if sources:
        threads = usable_threads(jobs)
        again = [run.again(settings.run_form(), jobs=threads) for run in sources]
        evaluating |= {"run_names": own_or(run_names, keys), "jobs": threads}
        results = [evaluate(one, again, measures, **evaluating) for one in loaded]
    facts = _facts(loaded, judged, names)
    raw = agreed(coincidences(JudgedUnits.of(grades, topic, len(topics))))
    both = np.bincount(topic[shared], minlength=len(topics)).tolist()
    return JudgesReport(
        judges=facts,
        both=int(shared.sum()),
        n_topics=len(np.unique(topic[shared])),
        agreement=_agreement(grades),
        pairs=tuple(
            _two_judges(
                (facts[a].name, facts[b].name),
                grades[:, [a, b]],
                _orders(results[a], results[b]) if results else (),
            )
            for a, b in combinations(range(len(facts)), 2)
        ),
        ranked=_ranked(results),
        topics=tuple(
            TopicAgreement(decoded(topics[t]), both[t], finite(raw[t]))
            for t in np.argsort(raw, kind="stable").tolist()
        ),
        runs=tuple(
            replace(run, name=f"{run.name} by {judge.name}")
            for judge, one in zip(facts, results, strict=False)
            for run in one.runs
        ),
        warnings=tuple(
            f"{judge.name} has no judgment for "
            f"{count(len(topics) - judge.topics, 'topic')} of {len(topics)}"
            for judge in facts
            if judge.topics < len(topics)
        ),
    )


judges.agreement = judges  # type: ignore[attr-defined]  # by which name others have it


def _judged(judgments: Qrels) -> Qrels:
    """Leave out the documents that are only to be judged."""
    kept = judgments.grade != UNJUDGED
    if not kept.any():
        raise InputError(
            f"has no judgments, but {count(len(kept), 'document')} of grade {UNJUDGED}",
            place=judgments.path,
            expected="a grade for some documents",
        )
    if kept.all():
        return judgments
    sizes = np.bincount(judgments.topic[kept], minlength=len(judgments.topics))
    return judgments.changed(
        topics=tuple(compress(judgments.topics, (sizes > 0).tolist())),
        offsets=offsets_of(sizes[sizes > 0]),
        docno=judgments.docno[kept],
        grade=judgments.grade[kept],
        subtopics=None,
        strata=None,
    )


def _side_by_side(judges: Sequence[Qrels]) -> tuple[list[bytes], Integers, Floats]:
    """Return the topics, and of each document its topic and the grades of all judges, NaN for none.

    Shapes: the index of the topic (n,); grades (n, judges).
    """
    topics = sorted(set().union(*(one.topics for one in judges)))
    number = {topic: i for i, topic in enumerate(topics)}
    known: dict[bytes, int] = {}
    codes = []
    for one in judges:
        docno = np.array([known.setdefault(name, len(known)) for name in one.docnos.names])
        topic = np.array([number[topic] for topic in one.topics])
        codes.append((topic[one.topic], docno[one.docno]))
    n_docnos = max(len(known), 1)
    pairs = np.concatenate([topic * n_docnos + docno for topic, docno in codes])
    every, place = np.unique(pairs, return_inverse=True)
    grades = np.full((len(every), len(judges)), np.nan)
    judge = np.repeat(np.arange(len(judges)), [len(one.grade) for one in judges])
    grades[place, judge] = np.concatenate([one.grade for one in judges])
    return topics, every // n_docnos, grades


def _agreement(grades: Floats) -> dict[str, float | None]:
    """Return each statistic of the grades of documents by judges, shape (n, judges)."""
    units = JudgedUnits.of(grades)
    names, alike, found = units.categories, coincidences(units), {}
    found["raw"] = agreed(alike)
    if grades.shape[1] == 2:
        found["kappa.plain"] = kappas(confusion(units), names)
        found["kappa.quadratic"] = kappas(confusion(units), names, "quadratic")
    found["ac.plain"] = gwets(pair_shares(units), given_shares(units), names)
    found["alpha.nominal"] = alphas(alike, names, "nominal")
    found["alpha.ordinal"] = alphas(alike, names, "ordinal")
    return {name: finite(value[0]) for name, value in found.items()}


def _two_judges(names: tuple[str, str], grades: Floats, measures: tuple[Orders, ...]) -> TwoJudges:
    """Compare two judges by their grades, shape (n, 2)."""
    one, other = ~np.isnan(grades).T
    grades = grades[one & other]
    units = JudgedUnits.of(grades)
    categories = units.categories.tolist()
    change = grades[:, 1] - grades[:, 0]
    return TwoJudges(
        *names,
        both=len(grades),
        only_first=int((one & ~other).sum()),
        only_second=int((other & ~one).sum()),
        agreement=_agreement(grades),
        confusion={
            grade: dict(zip(categories, map(int, row), strict=True))
            for grade, row in zip(categories, confusion(units)[0].tolist(), strict=True)
        },
        shift=float(change.mean()) if change.size else None,
        measures=measures,
    )


def _ranked(results: Sequence[Results]) -> tuple[RankedRun, ...]:
    """Return the same runs under each set of judgments, by measure."""
    found = []
    for at, score in enumerate(results[0].runs[0].scores if results else ()):
        each = [aggregates(one.runs, at) for one in results]
        ranks = [[rank_of(i, gains) for i in range(len(gains))] for gains in each]
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
