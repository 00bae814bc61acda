"""Prepare an evaluation: the judgments, the measures, and the aligned runs."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from rankeval.alignment.align import Alignment, align, align_columns
from rankeval.alignment.costs import DocumentCosts, costs_of, read_costs
from rankeval.alignment.inputs import (
    LoadedRun,
    QrelsLike,
    RunLike,
    path_or_lines,
)
from rankeval.alignment.judgments import judgments_from
from rankeval.alignment.qrels import Qrels
from rankeval.alignment.rules import NO_EXTRA_NEEDS, ExtraNeeds
from rankeval.errors import UsageError
from rankeval.evaluation.other_tools import TOOLS
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import QrelsFacts
from rankeval.evaluation.settings import Settings
from rankeval.io import trec
from rankeval.measures import MeasuresLike, NamedMeasure, parse_measures
from rankeval.measures.base.needs import COSTS, ELSEWHERE, STRATA, SUBTOPICS, Need

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
        dropped=judgments.dropped,
    )


def label_for(measures: MeasuresLike | None) -> str | None:
    """Return the column of labels that the measures need from the judgments, or None."""
    wanted = {need for named in parse_measures(measures or "") for need in named.measure.considers}
    return next((label for need, label in LABELS.items() if need in wanted), None)


LABELS: Mapping[Need, str] = {STRATA: trec.STRATUM, SUBTOPICS: trec.SUBTOPIC}
"""The column of the qrels that holds what a measure needs."""


def extra_needs_of(asked: Iterable[NamedMeasure], costs: CostsLike | None = None) -> ExtraNeeds:
    """Return the data of a run that the measures need besides its judged documents."""
    measures = [named.measure for named in asked]
    elsewhere = any(ELSEWHERE in measure.considers for measure in measures)
    if costs is None:
        return ExtraNeeds(elsewhere=True) if elsewhere else NO_EXTRA_NEEDS
    if not any(COSTS in measure.considers for measure in measures):
        raise UsageError(
            "costs are given, but no measure takes them",
            expected="a measure such as TBG, UMeasure, or INST(max_rel=3,out='EC')",
        )
    if isinstance(costs, Mapping):
        costs = costs_of(costs)
    elif not isinstance(costs, DocumentCosts):
        costs = read_costs(os.fspath(costs))
    return ExtraNeeds(elsewhere=elsewhere, costs=costs)


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


def align_run(
    qrels: Qrels,
    run: RunLike,
    settings: Settings,
    jobs: int,
    progress: Progress | None = None,
    reading: Reading = AS_FOUND,
    needs: ExtraNeeds = NO_EXTRA_NEEDS,
) -> tuple[Alignment, str]:
    """Align a run; return it and its path, "" for a run in memory."""
    rules, form = settings.rules_with(reading), settings.form(reading.run())
    lines = path_or_lines(run, form)
    if isinstance(lines, LoadedRun):
        alignment = align_columns(qrels, lines.parts, rules, lines.path or "run", needs=needs)
        return replace(alignment, dropped=lines.dropped), lines.path
    told = None if progress is None else lambda position: progress(lines, position)
    alignment = align(qrels, lines, rules, form, needs=needs, jobs=jobs, progress=told)
    return replace(alignment, dropped=dict(form.problems.counts) if form.problems else {}), lines
