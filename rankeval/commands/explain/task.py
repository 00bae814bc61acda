"""Explain the value of a measure on a topic, rank by rank."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Unpack

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, replace
from rankeval.base.threads import usable_threads
from rankeval.base.wording import decoded, listed, nearest
from rankeval.commands.explain.documentation import documentation
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.evaluate import Evaluating, values_of
from rankeval.evaluation.notices import dropped_lines
from rankeval.evaluation.prepared import (
    Items,
    Prepared,
    is_condensed,
    least_relevant,
    measured_ranking,
    require_one_order,
    running_values,
)
from rankeval.evaluation.run_names import own_or
from rankeval.evaluation.settings import (
    conventions_in_words,
    dropped_notices,
    signature_of,
)
from rankeval.evaluation.shown_texts import NO_TEXTS, ShownTexts, TextsLike, texts_of
from rankeval.io.blocks import display_name
from rankeval.io.columns import Columns
from rankeval.io.python_values import as_bytes
from rankeval.measures import Measure, MeasuresLike, definitions, measure_names, parse_measures
from rankeval.output.shown import InPapers
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import FullRanking, align_columns, rank_all
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, RunSource, named_runs, refuse_stdin_twice


@frozen
class ExplainedDocument:
    """A retrieved document, and its contribution to the value.

    ============ =========================================================================
    rank         1-based rank
    grade        grade; None if it is unjudged
    relevant     True if the grade is relevant
    ties         first and last rank of the documents with the same score; None for one alone
    terms        terms of the measure's formula: those of the document, if judged, and of the rank
    running      the value of the ranking cut after this rank; NaN where it is undefined
    contribution the difference to the running value of the rank above; NaN likewise
    ============ =========================================================================
    """

    rank: int
    docno: str
    score: float
    grade: float | None
    relevant: bool
    ties: tuple[int, int] | None
    terms: Mapping[str, float]
    contribution: float
    running: float


@frozen
class MissedDocument:
    """A relevant document that did not count; its rank if it is retrieved below the cutoff."""

    docno: str
    grade: float
    rank: int | None


@frozen
class Explanation(InPapers):
    """The explanation of a measure's value for a topic.

    ========== ============================================================================
    topic, run names of the topic and the run
    measure    canonical name
    formula    the formula in the measure's documentation
    value      the topic's value; NaN where it is undefined
    quantities counts and other numbers of which the value is made, by name
    retrieved  number of documents retrieved
    documents  the documents at the first ranks, and relevant ones at lower ranks
    missed     relevant documents that are not retrieved, or retrieved below the cutoff
    signature  the conventions behind the value
    warnings   notes about lines that were dropped from the files
    conventions those that are not the default, in words
    texts      query of the topic, and texts of the documents, where these were given
    ========== ============================================================================
    """

    topic: str
    run: str
    measure: str
    formula: str
    value: float
    quantities: Mapping[str, float]
    retrieved: int = 0
    documents: tuple[ExplainedDocument, ...] = ()
    missed: tuple[MissedDocument, ...] = ()
    signature: str = ""
    warnings: tuple[str, ...] = ()
    conventions: tuple[str, ...] = ()
    texts: ShownTexts = NO_TEXTS

    def _printable(self) -> list[Explanation]:
        return [self]


DEFAULT_MEASURE = "nDCG@10"
SHOWN = 20
COUNTS = {"NumRet": (), "NumRel": ("rel",), "NumRelRet": ("rel", "cutoff")}
"""Counts shown with every explanation, and the parameters that they share with the measure."""


@checked
def explain(
    qrels: QrelsLike,
    run: RunLike | Mapping[str, RunLike],
    topic: str | int,
    measures: MeasuresLike | None = None,
    *,
    items: Items | None = None,
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    shown: int = SHOWN,
    **evaluating: Unpack[Evaluating],
) -> list[Explanation]:
    """Explain the values of some measures for one topic of a run.

    ========== =============================================================================
    qrels, run judgments and a run, also as {name: run}, as in `evaluate`
    topic      name of the topic, or its number
    measures   names or objects; nDCG@10 by default
    queries    texts of topics, shown with them: {topic: text}, a table, a path, or a
               function from a name to its text
    docs       texts of documents, likewise
    shown      first ranks to list, 20 by default; below them, those with a relevant document
    run_names  name of the run
    evaluating  keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ========== =============================================================================

    Settings about rankings and measures have an effect here, others have none; ties must be broken
    by docno, input or rank.

    Raises RankevalError for input that cannot be used, such as a topic that one side lacks.

    >>> from rankeval import explain
    >>> (one,) = explain({"q1": {"d1": 1}}, {"q1": {"d7": 2, "d1": 1}}, "q1", "AP")
    >>> one.value, [document.contribution for document in one.documents]
    (0.5, [0.0, 0.5])
    """
    names = measure_names(DEFAULT_MEASURE if measures is None else measures)
    settings, costs, run_names, jobs = values_of(**evaluating)
    (run,), given = named_runs(run, columns=settings.run_form().columns)
    run_names = own_or(run_names, given)
    asked = parse_measures(names, settings.meanings)
    if not asked or shown < 1:
        problem = "no rank" if asked else "no measure"
        raise UsageError(f"{problem} to explain", expected="a measure, and 1 rank or more")
    require_one_order(settings)
    threads = usable_threads(jobs)
    refuse_stdin_twice(qrels, run)
    prepared = Prepared(qrels, names, settings, costs=costs, items=items)
    judgments, wanted = prepared.judgments, as_bytes(topic, "topic")
    if wanted not in judgments.code:
        name, names = decoded(wanted), [decoded(one) for one in judgments.topics]
        raise UsageError(
            f"no judgments for the topic '{name}'",
            place=judgments.path,
            # Numbers share digits by chance.
            expected=nearest(name, names, listed(judgments.topics), cutoff=0.75),
            remedy="name the topic last, after the files" if os.path.isfile(name) else "",  # noqa: PTH113  any text
        )
    form, rules = settings.run_form(), prepared.rules
    source = RunSource.of(run).lines(form)
    found = source.map_parts(form, partial(_of_topic, wanted), jobs=threads)
    parts = [part for block in found for part in block]
    place = display_name(source.path) or "run"
    if not parts:
        problem = f"no ranking for the topic '{decoded(wanted)}'"
        raise UsageError(problem, place=place, expected="a topic of the run")
    ranking = rank_all(parts, rules)
    if not ranking.docnos:
        raise InputError(f"no document is left for the topic '{topic}'", place=place)
    alignment = align_columns(judgments, parts, rules, needs=prepared.needs)
    prepared.refuse_duplicates(alignment, source)
    whole = alignment.judged.select(np.arange(len(judgments.topics)) == judgments.code[wanted])
    dropped = {place: dropped_lines(alignment, form.problems), judgments.path: judgments.dropped}
    facts = {
        "topic": decoded(wanted),
        "run": run_names.names([decoded(alignment.last_tag)], [source.path])[0],
        "warnings": tuple(str(one) for of in dropped.items() for one in dropped_notices(*of)),
        "conventions": conventions_in_words(settings.facts()),
    }
    explained = [
        _explained(prepared, settings.apply_to(one), ranking, whole, shown, facts) for one in asked
    ]
    docnos = [one.docno for each in explained for one in each.documents]
    docnos += [one.docno for each in explained for one in each.missed]
    texts = texts_of(queries, docs, {decoded(wanted): dict.fromkeys(docnos)})
    return [replace(one, texts=texts) for one in explained]


def _of_topic(topic: bytes, columns: Columns) -> list[Columns]:
    """Return the lines of a topic in a block."""
    return [columns.part(i, i + 1) for i, one in enumerate(columns.topics) if one == topic]


def _explained(
    prepared: Prepared,
    measure: Measure,
    ranking: FullRanking,
    whole: RankedJudgments,
    shown: int,
    facts: Mapping[str, Any],
) -> Explanation:
    settings = prepared.settings
    judged = measured_ranking(measure, settings, whole)
    value = float(measure.values(judged)[0])
    limit = _last_rank(measure, judged, value)
    # A measure that removes unjudged documents is explained by the shortened ranking.
    condensed = is_condensed(measure, settings)
    drawn = judged if condensed else ranking
    whole = whole.condensed if condensed else whole
    qrels, running = prepared.judgments, _running_values(shown, measure, judged, value, limit)
    docnos: Sequence[bytes] = ranking.docnos
    if condensed:
        docnos = [qrels.docnos.names[code] for code in qrels.docno[judged.judgment].tolist()]
    marks = prepared.marks_of(measure, judged)
    return Explanation(
        measure=str(measure),
        formula=documentation(measure.definition.function).formula,
        value=value,
        quantities=_quantities(measure, judged),
        retrieved=int(judged.retrieved[0]),
        documents=_documents(measure, judged, drawn, docnos, running),
        missed=_missed(qrels, measure, judged, whole, limit),
        signature=signature_of(measure, settings, Aggregation(), prepared.qrels, marks),
        **facts,
    )


def _running_values(
    shown: int, measure: Measure, judged: RankedJudgments, value: float, limit: int
) -> dict[int, tuple[float, float]]:
    """Return the value before and at each rank that is listed, by rank.

    These are the first ranks, those of relevant documents, and the last one that counts if the
    value is not reached before.
    """
    relevant = judged.rank[(judged.grade >= least_relevant(measure)) & (judged.rank <= limit)]
    ranks = np.union1d(np.arange(1, min(shown, limit) + 1), relevant)
    running = running_values(measure, judged, np.union1d(np.union1d(ranks - 1, ranks), [limit]))
    if len(ranks) and not _same(running[int(ranks[-1])], value):
        ranks = np.append(ranks, limit)
        running |= running_values(measure, judged, np.array([limit - 1]))
    return {rank: (running[rank - 1], running[rank]) for rank in ranks.tolist()}


def _documents(
    measure: Measure,
    judged: RankedJudgments,
    ranking: FullRanking | RankedJudgments,
    docnos: Sequence[bytes],
    running: Mapping[int, tuple[float, float]],
) -> tuple[ExplainedDocument, ...]:
    """Return the documents at the ranks that have running values.

    `ranking` is the whole one, or the judged documents where there are no others.
    """
    of_rows, of_places = measure.terms("rows", judged), measure.terms("places", judged)
    relevant = judged.grade >= least_relevant(measure)
    row_of = dict(zip(judged.rank.tolist(), range(len(judged.rank)), strict=True))

    def document(rank: int, before: float, at_rank: float) -> ExplainedDocument:
        row, place = row_of.get(rank), rank - 1
        first, last = int(ranking.tie_first[place]), int(ranking.tie_last[place])
        terms = {} if row is None else {n: column[row].item() for n, column in of_rows.items()}
        terms |= {n: c[place].item() for n, c in of_places.items() if rank <= len(c)}
        return ExplainedDocument(
            rank=rank,
            docno=decoded(docnos[place]),
            score=float(ranking.score[place]),
            grade=None if row is None else judged.grade[row].item(),
            relevant=row is not None and bool(relevant[row]),
            ties=(first, last) if first < last else None,
            terms=terms,
            contribution=at_rank - before,
            running=at_rank,
        )

    return tuple(document(rank, *values) for rank, values in running.items())


def _last_rank(measure: Measure, judged: RankedJudgments, value: float) -> int:
    """Return the last rank that counts: the cutoff, or the length of the ranking.

    Some measures apply their cutoff to judged documents only; it is not a rank for them.
    """
    retrieved = int(judged.retrieved[0])
    cutoff: Any = measure.parameters.get("cutoff") or retrieved
    found = running_values(measure, judged, np.array([min(cutoff, retrieved)]))
    return next((rank for rank, at in found.items() if _same(at, value)), retrieved)


def _same(one: float, other: float) -> bool:
    return one == other or bool(np.isnan(one) and np.isnan(other))


def _quantities(measure: Measure, judged: RankedJudgments) -> dict[str, float]:
    """Return counts, the values of the measures that make up this one, and its own quantities."""
    parts = [_related(measure, name, shared) for name, shared in COUNTS.items()]
    parts += [
        _related(measure, name, tuple(measure.parameters)) for name in measure.definition.parts
    ]
    values = {str(part): float(part.values(judged)[0]) for part in parts if part != measure}
    own = measure.terms("quantities", judged)
    return values | {name: float(column[0]) for name, column in own.items()}


def _related(measure: Measure, name: str, shared: Sequence[str]) -> Measure:
    """Return another measure with the parameters that it shares with this one."""
    definition = definitions()[name]
    given = measure.parameters
    return definition.measure(
        {n: given[n] for n in shared if given.get(n) is not None and n in definition.parameters}
    )


def _missed(
    qrels: Qrels, measure: Measure, judged: RankedJudgments, whole: RankedJudgments, limit: int
) -> tuple[MissedDocument, ...]:
    """Return the relevant documents that are not in the ranks up to the limit, best first.

    Their ranks are those in `whole`, which has the judged documents of any depth.
    """
    code = qrels.code[whole.topics[0]]
    start, stop = qrels.offsets[code : code + 2].tolist()
    grade = qrels.grade[start:stop]
    rank = np.zeros(stop - start, dtype=np.int64)
    rank[whole.judgment - start] = whole.rank
    wanted = grade >= least_relevant(measure)
    wanted[judged.judgment[judged.rank <= limit] - start] = False
    order = np.lexsort((np.where(rank > 0, rank, np.iinfo(np.int64).max), -grade))
    names = qrels.docnos.names
    return tuple(
        MissedDocument(
            docno=decoded(names[int(qrels.docno[start + i])]),
            grade=grade[i].item(),
            rank=int(rank[i]) or None,
        )
        for i in order.tolist()
        if wanted[i]
    )
