"""Prepare an evaluation: the judgments, the measures, and the aligned runs."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from rankeval.alignment.align import Alignment, align, align_columns, align_whole_topics
from rankeval.alignment.costs import DocumentCosts, costs_of, read_costs
from rankeval.alignment.inputs import (
    LoadedRun,
    QrelsLike,
    RunLike,
    path_or_lines,
)
from rankeval.alignment.judgments import judgments_from
from rankeval.alignment.qrels import Qrels
from rankeval.alignment.recommended import NO_FACTS, ItemFacts
from rankeval.alignment.rules import NO_EXTRA_NEEDS, ExtraNeeds
from rankeval.alignment.topk import TopK
from rankeval.errors import MeasureError, UsageError
from rankeval.evaluation.notices import by_kind
from rankeval.evaluation.other_tools import TOOLS
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import QrelsFacts, TopicDigests
from rankeval.evaluation.settings import Settings
from rankeval.io import trec
from rankeval.measures import Measure, MeasuresLike, NamedMeasure, parse_measures
from rankeval.measures.base.needs import (
    CATALOG,
    COSTS,
    ELSEWHERE,
    FEATURES,
    LISTS,
    STRATA,
    SUBTOPICS,
    TRAIN,
    Need,
)
from rankeval.support.paths import path_text

DEFAULT_MEASURES = "NumQ AP Rprec RR P@10 nDCG@10 ERR@20 SetF R@1000 Unjudged@10"

Progress = Callable[[str, int], None]
"""Callback that is given a path and the number of bytes read from it."""

CostsLike = str | os.PathLike[str] | Mapping[str, float] | DocumentCosts


def judgments_of(
    qrels: QrelsLike,
    measures: MeasuresLike | None = None,
    reading: Reading = AS_FOUND,
) -> Qrels:
    """Load judgments, with the labels that the measures need."""
    if isinstance(qrels, Qrels):
        return qrels
    form = replace(reading.qrels(), label=label_for(measures))
    return judgments_from(qrels, form, reading.duplicates)


def facts_of(judgments: Qrels) -> QrelsFacts:
    """Return the facts about judgments that results hold."""
    return QrelsFacts(
        path=judgments.path,
        topics=len(judgments.topics),
        judgments=len(judgments.grade),
        digest=judgments.digest,
        dropped=by_kind(judgments.dropped),
        of_topics=TopicDigests(judgments.topics, judgments.topic_digests),
    )


def label_for(measures: MeasuresLike | None) -> str | None:
    """Return the column of labels that the measures need from the judgments, or None."""
    asked = parse_measures("" if measures is None else measures)
    wanted = {need for named in asked for need in named.measure.considers}
    return next((label for need, label in LABELS.items() if need in wanted), None)


LABELS: Mapping[Need, str] = {STRATA: trec.STRATUM, SUBTOPICS: trec.SUBTOPIC}
"""The column of the qrels that holds what a measure needs."""


def extra_needs_of(
    asked: Iterable[NamedMeasure],
    costs: CostsLike | None = None,
    facts: ItemFacts = NO_FACTS,
    depth: int | None = None,
) -> ExtraNeeds:
    """Return the data of a run that the measures need besides its judged documents.

    `facts` are known of items, and no ranking is looked at below `depth`. MeasureError if a
    measure needs a fact that is not given.
    """
    measures = [named.measure for named in asked]
    elsewhere = any(ELSEWHERE in measure.considers for measure in measures)
    listed = _listed(measures, facts, depth)
    if costs is None:
        if not elsewhere and not listed:
            return NO_EXTRA_NEEDS
        return ExtraNeeds(elsewhere=elsewhere, listed=listed, facts=facts)
    if not any(COSTS in measure.considers for measure in measures):
        raise UsageError(
            "costs are given, but no measure takes them",
            expected="a measure such as TBG, UMeasure, or INST(max_rel=3,out='EC')",
        )
    if isinstance(costs, Mapping):
        costs = costs_of(costs)
    elif not isinstance(costs, DocumentCosts):
        costs = read_costs(path_text(costs, "what stands for costs", also="{docno: cost}"))
    return ExtraNeeds(elsewhere=elsewhere, costs=costs, listed=listed, facts=facts)


def _listed(measures: Iterable[Measure], facts: ItemFacts, depth: int | None) -> int:
    """Return the ranks down to which measures look at all documents; 0 if none does."""
    deepest = 0
    for measure in measures:
        if LISTS not in measure.considers:
            continue
        for need in measure.considers:
            if need in FACTS and getattr(facts, need.name) is None:
                raise MeasureError(f"{measure} needs {need.what}", expected=need.given)
        cutoff: Any = measure.parameters["cutoff"]
        deepest = max(deepest, cutoff)
    return deepest if depth is None else min(deepest, depth)


FACTS = (TRAIN, CATALOG, FEATURES)
"""The needs that ItemFacts answer, by the names of its fields."""


class Graded(Protocol):
    """Judgments, of which no more than the highest grade need be known."""

    @property
    def highest_grade(self) -> float:
        """The highest grade of all."""


def asked_measures(
    measures: MeasuresLike | None,
    qrels: Graded,
    settings: Settings,
    *,
    as_given: bool = False,
) -> tuple[list[NamedMeasure], bool]:
    """Apply the settings to the measures; return them, and True if the user named them.

    A measure that is named twice, as with `map AP`, is returned once, or with `as_given` once per
    name.
    """
    tool = TOOLS[settings.like].measures if settings.like else ""
    wanted: MeasuresLike
    if measures is None and tool:
        wanted = tool
    elif measures is None:
        wanted = DEFAULT_MEASURES
        if qrels.highest_grade > 4:
            wanted = wanted.replace("ERR@", "ERR(max_rel='qrels')@")
    else:
        wanted = measures
    asked: dict[tuple[str, str], NamedMeasure] = {}
    for named in parse_measures(wanted, settings.meanings):
        measure = settings.apply_to(named)
        key = (str(measure), named.as_given if as_given else "")
        asked.setdefault(key, replace(named, measure=measure, note=settings.note(named)))
    if not asked:
        raise UsageError("no measure to compute", expected="one measure or more, such as nDCG@10")
    return list(asked.values()), bool(measures)


def require_topics(asked: Iterable[NamedMeasure]) -> None:
    """Raise MeasureError for a measure of a whole run, where values of topics are needed."""
    for named in asked:
        if named.measure.definition.of_run:
            raise MeasureError(
                f"{named.measure} is one number for a whole run, without values of topics",
                expected="measures of topics, such as nDCG@10",
                remedy=f"leave it out; rankeval eval computes {named.measure}",
            )


def align_run(
    qrels: Qrels,
    run: RunLike,
    settings: Settings,
    jobs: int,
    progress: Progress | None = None,
    reading: Reading = AS_FOUND,
    needs: ExtraNeeds = NO_EXTRA_NEEDS,
    seen: Qrels | None = None,
) -> tuple[Alignment, str]:
    """Align a run; return it and its path, "" for a run in memory.

    Documents that a topic has interactions with in `seen` are left out of its ranking.
    """
    rules, form = replace(settings.rules_with(reading), seen=seen), settings.form(reading.run())
    if isinstance(run, TopK):
        return align_whole_topics(qrels, run.pieces(), rules, needs=needs), ""
    lines = path_or_lines(run, form)
    if isinstance(lines, LoadedRun):
        alignment = align_columns(qrels, lines.parts, rules, lines.path or "run", needs=needs)
        return replace(alignment, dropped=lines.dropped), lines.path
    told = None if progress is None else lambda position: progress(lines, position)
    alignment = align(qrels, lines, rules, form, needs=needs, jobs=jobs, progress=told)
    return replace(alignment, dropped=dict(form.problems.counts) if form.problems else {}), lines
