"""Compare sets of judgments: how far they agree, and how they rank systems."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Unpack

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count
from rankeval.choices import TextForm
from rankeval.commands.judges.grades import GradesLike, refuse_other_grades, scale_of
from rankeval.commands.judges.judge_agreement import (
    DifferingDocument,
    JudgedPairs,
    JudgesAgreement,
    TopicAgreement,
    TwoJudgesAgreement,
    agreement,
    by_topic,
)
from rankeval.commands.judges.judged_systems import OrderChange, order_changes
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.notice_lines import OfRuns
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.shown_texts import NO_TEXTS, ShownTexts, TextsLike, TextSources
from rankeval.io.formats.detect_format import IRDS, begin, kind_of
from rankeval.io.sources.blocks import is_rereadable
from rankeval.io.sources.parts import one_state
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

MEASURES = "nDCG@10 AP"
UNJUDGED = -1
"""The grade of documents to be judged, which `rankeval pool` writes."""
FROM_SAMPLES = ("infAP", "xinfAP", "infNDCG", "statAP")
"""Measures to which a negative grade says that a document is in the pool, but not judged."""


DIFFERING = 10
"""Documents that are shown of those to which judges gave different grades."""


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
class TwoJudges:
    """Two sets of judgments: documents judged in both, and the order of the systems by measure."""

    first: str
    second: str
    overlap: TwoJudgesAgreement
    measures: tuple[OrderChange, ...]


@frozen
class JudgesReport(OfRuns, InPapers):
    """The comparison of sets of judgments.

    ============== ===================================================================
    judges         the sets of judgments, as given
    agreement      of all of them
    pairs          every two of them, in the order in which they were given
    topics         the agreement by topic, the lowest first
    level          of the intervals
    runs           the runs under each set of judgments, for their warnings
    warnings       what only some of them judged
    unjudged_grade the grade of unjudged documents; None if there is none
    grades         the scale, in ascending order; None if none was given
    differing      the documents whose grades are farthest apart, at most DIFFERING
    texts          queries and texts of these documents, where these were given
    ============== ===================================================================
    """

    judges: tuple[Judge, ...]
    agreement: JudgesAgreement
    pairs: tuple[TwoJudges, ...]
    topics: tuple[TopicAgreement, ...]
    level: float
    runs: tuple[RunResult, ...]
    warnings: tuple[str, ...]
    unjudged_grade: float | None = UNJUDGED
    grades: tuple[float, ...] | None = None
    differing: tuple[DifferingDocument, ...] = ()
    texts: ShownTexts = NO_TEXTS

    __repr__ = InPapers.__repr__


@checked
@one_state()
def judges(
    judgments: Sequence[QrelsLike] | Mapping[str, QrelsLike],
    runs: RunsLike = (),
    measures: MeasuresLike = MEASURES,
    *,
    level: float = 0.95,
    seed: int = 0,
    unjudged_grade: float | None = UNJUDGED,
    grades: GradesLike | None = None,
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    text: TextForm = "window",
    names: Sequence[str | None] = (),
    **evaluating: Unpack[Evaluating],
) -> JudgesReport:
    """Compare two sets of judgments or more, and the rankings of runs by each.

    ============== =========================================================================
    judgments      two sets or more, as in `evaluate`, or {name: judgments}
    runs           two or more, or {name: run}: every measure orders them under each set
    measures       names or objects; nDCG@10 and AP by default
    level          confidence of the intervals
    seed           of the intervals of orders, which draw topics
    unjudged_grade the grade of documents that are not judged, but for infAP, xinfAP, infNDCG
                   and statAP, which know them; with None, every grade is a judgment
    grades         the scale of the judgments, such as range(4) or "0-3"
    names          of the sets of judgments; by default those of their files
    queries, docs, text    texts, as in `explain`, which are shown of the
                   documents whose grades are farthest apart
    evaluating  keywords of `evaluate`: settings or its fields, costs, reading, run_names, jobs
    ============== =========================================================================

    Agreement counts pairs of topic and docno that at least two judged; grades are compared as they
    are, and of several lines for a document the largest grade counts.

    UsageError for fewer than two sets of judgments, for one run, and where no document was judged
    by two of them; InputError for a grade that the scale does not have.

    Source: Voorhees, "Variations in relevance judgments and the measurement of retrieval
    effectiveness", Information Processing and Management 36(5), 2000.

    >>> people = {"1": {"a": 1, "b": 0, "c": 2}}
    >>> model = {"1": {"a": 1, "b": 1, "c": 2}}
    >>> round(judges([people, model]).agreement.kappa["plain"], 3)
    0.5
    """
    sources_of_texts = TextSources(queries, docs, text)
    settings, costs, reading, run_names, jobs = values_of(**evaluating)
    judgments, names = _listed(judgments, names)
    sources, run_names = _sources(runs, reading, run_names)
    _require_enough(judgments, sources)
    refuse_stdin_twice(*judgments, *sources)
    threads = usable_threads(jobs)
    scale = scale_of(grades, unjudged_grade)
    loaded = [judgments_of(given, measures if sources else None, reading) for given in judgments]
    judged = [_judged(judge, unjudged_grade) for judge in loaded]
    if scale is not None:
        for given, one in zip(judgments, judged, strict=True):
            refuse_other_grades(one, scale, unjudged_grade, given, reading)
    pairs = _pairs(judged)
    again = [run.again(settings.form(reading.run()), jobs=threads) for run in sources]
    score = partial(
        evaluate,
        runs=again,
        measures=measures,
        settings=settings,
        costs=costs,
        reading=reading,
        run_names=run_names,
        jobs=threads,
    )
    asked = parse_measures(measures) if sources else []
    ranking = loaded if any(one.measure.name in FROM_SAMPLES for one in asked) else judged
    results = [score(one) for one in ranking] if sources else []
    facts = _facts(loaded, judged, names)
    found = tuple(
        TwoJudges(
            facts[a].name,
            facts[b].name,
            pairs.overlap(a, b, scale=scale or ()),
            order_changes(results[a], results[b], level, seed) if sources else (),
        )
        for a, b in combinations(range(len(loaded)), 2)
    )
    differing = pairs.differing(DIFFERING)
    docnos: dict[str, list[str]] = {}
    for document in differing:
        docnos.setdefault(document.topic, []).append(document.docno)
    return JudgesReport(
        judges=facts,
        agreement=agreement(pairs, level=level, scale=scale or ()),
        pairs=found,
        topics=tuple(by_topic(pairs)),
        level=level,
        runs=tuple(
            replace(run, name=f"{run.name} by {judge.name}")
            for judge, one in zip(facts, results, strict=False)
            for run in one.runs
        ),
        warnings=tuple(_warnings(judged, facts)),
        unjudged_grade=unjudged_grade,
        grades=scale,
        differing=differing,
        texts=sources_of_texts.of(docnos),
    )


def _pairs(judged: Sequence[Qrels]) -> JudgedPairs:
    """Bring together the judges' grades; UsageError if no document was judged by two."""
    pairs = JudgedPairs.of(judged)
    if not pairs.shared.any():
        raise UsageError(
            "no document was judged twice for a topic",
            expected="judgments of the same topics and documents",
            remedy="'rankeval check' shows the names of topics and documents",
        )
    return pairs


def _listed(
    judgments: Sequence[QrelsLike] | Mapping[str, QrelsLike], names: Sequence[str | None]
) -> tuple[Sequence[QrelsLike], Sequence[str | None]]:
    """Return the sets of judgments as a list, and their names as far as they have any."""
    if isinstance(judgments, Mapping):
        return list(judgments.values()), names or tuple(map(str, judgments))
    return [judgments] if isinstance(judgments, str | os.PathLike) else judgments, names


def _sources(
    runs: RunsLike, reading: Reading, run_names: RunNames
) -> tuple[Sequence[RunSource], RunNames]:
    """Return the runs, and their names with those of {name: run}."""
    if isinstance(runs, Sequence) and not runs:
        return [], run_names
    sources, keys = run_sources(runs, reading.run().columns)
    return sources, run_names if keys is None else replace(run_names, given=keys)


def _require_enough(judgments: Sequence[QrelsLike], sources: Sequence[RunSource]) -> None:
    """Raise UsageError for too few sets of judgments, and for a single run."""
    if len(judgments) < 2:
        raise UsageError(
            f"found {count(len(judgments), 'set')} of judgments to compare",
            expected="two sets of judgments or more",
        )
    if len(sources) == 1:
        raise UsageError("found 1 run, which has no order", expected="two runs or more, or none")


def told_apart(
    paths: Sequence[str], reading: Reading = AS_FOUND, *, jobs: int | None = None
) -> tuple[dict[int, QrelsLike], dict[int, RunLike]]:
    """Return judgments and runs among files by their content, each with its place.

    A pipe is read at once, because its content can be seen only once.
    """
    refuse_stdin_twice(*paths)
    found: dict[int, QrelsLike] = {}
    runs: dict[int, RunLike] = {}
    for place, path in enumerate(map(os.fspath, paths)):
        begun = None if path.startswith(IRDS) else begin(path)
        is_run = kind_of(begun, path, reading.qrels()).what == "run"
        if begun is None or is_rereadable(path):
            (runs if is_run else found)[place] = path
        elif is_run:
            form = replace(reading.run(), begun=begun)
            runs[place] = RunSource.of(path).again(form, jobs=usable_threads(jobs))
        else:
            found[place] = read_qrels(
                path, replace(reading.qrels(), begun=begun), reading.duplicates
            )
    return found, runs


def _judged(judgments: Qrels, unjudged_grade: float | None) -> Qrels:
    """Leave out the documents that are only to be judged."""
    if unjudged_grade is None:
        return judgments
    kept = judgments.grade != unjudged_grade
    if not kept.any():
        raise InputError(
            f"holds no judgment, but {count(len(kept), 'document')} of grade {unjudged_grade:g}, "
            "which is that of unjudged documents",
            place=judgments.path,
            expected="a grade for some documents",
            remedy="judge them, or give --unjudged-grade none if it is a grade like others",
        )
    return with_judgments(judgments, kept)


def _facts(
    loaded: Sequence[Qrels], judged: Sequence[Qrels], names: Sequence[str | None]
) -> tuple[Judge, ...]:
    paths = [judge.path for judge in loaded]
    given = [*names, *[None] * (len(loaded) - len(names))]
    in_memory = [not one.path or one.path == "qrels" for one in loaded]
    given = [
        name or (f"judges {place}" if memory else None)
        for place, (name, memory) in enumerate(zip(given, in_memory, strict=True), 1)
    ]
    found = RunNames("stem", given).names([""] * len(loaded), paths)
    return tuple(
        Judge(
            name,
            one.path,
            one.digest,
            len(rest.grade),
            len(rest.topics),
            len(one.grade) - len(rest.grade),
        )
        for name, one, rest in zip(found, loaded, judged, strict=True)
    )


def _warnings(loaded: Sequence[Qrels], facts: Sequence[Judge]) -> list[str]:
    """Return warnings of topics that some did not judge."""
    every = set().union(*(judge.topics for judge in loaded))
    return [
        f"{judge.name} has no judgment for {count(len(every) - judge.topics, 'topic')} of "
        f"{len(every)}"
        for judge in facts
        if judge.topics < len(every)
    ]
