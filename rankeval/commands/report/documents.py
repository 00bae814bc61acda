"""The runs of a report after one reading, and the first documents of each run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import decoded
from rankeval.commands.report.content import TopicRankings
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.rankings import ONE_ORDER, Rankings
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import Results
from rankeval.evaluation.seeds import members
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.sorting import with_first
from rankeval.plots.selection import with_measures, without_measures
from rankeval.ranking.full_rankings import top_documents
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunLike, RunSource

Tops = Sequence[Mapping[bytes, Sequence[bytes]]]
"""The first documents of each run by topic."""


@frozen(eq=False)
class ReadRuns:
    """Runs after one reading: results, those of curves, and the runs of each system.

    Where some are saved results, there are no curves, and no sources to read rankings from.
    """

    results: Results
    curves: Results | None = None
    sources: tuple[tuple[RunSource, ...], ...] = ()

    def of_curves(self) -> list[str]:
        """Return the measures that only curves need."""
        shown = [score.measure for score in self.results.runs[0].scores]
        curves = self.curves.runs[0].scores if self.curves else ()
        return [score.measure for score in curves if score.measure not in shown]

    def with_first(self, name: str | None) -> "ReadRuns":
        """Return the runs with one of them as the first; UsageError for one that is not there."""
        order = with_first([run.name for run in self.results.runs], name)
        results, curves = (
            found and replace(found, runs=tuple(found.runs[i] for i in order))
            for found in (self.results, self.curves)
        )
        sources = tuple(self.sources[i] for i in order) if self.sources else ()
        return ReadRuns(results or self.results, curves, sources)


def read_runs(
    judgments: Qrels,
    systems: Sequence[RunLike],
    names: Sequence[str],
    curves: Sequence[str],
    settings: Settings,
    **how: Any,
) -> ReadRuns:
    """Read each run once, and evaluate it for the measures of the page and of curves."""
    form = settings.form(how["reading"].run())
    sources = tuple(
        tuple(RunSource.of(run).again(form, jobs=how["jobs"]) for run in members(system))
        for system in systems
    )
    runs = [of[0] if len(of) == 1 else one for one, of in zip(systems, sources, strict=True)]
    every = evaluate(judgments, runs, list(dict.fromkeys([*names, *curves])), settings, **how)
    read = ReadRuns(
        with_measures(every, names), with_measures(every, curves) if curves else None, sources
    )
    told = (
        replace(run, warnings=tuple(without_measures(run.warnings, read.of_curves())))
        for run in read.results.runs
    )
    return replace(read, results=replace(read.results, runs=tuple(told)))


def first_documents(
    judgments: Qrels, read: ReadRuns, settings: Settings, reading: Reading, depth: int, jobs: int
) -> Tops:
    """Return the first documents by topic, of the first run of each system.

    There are none under rules for ties that give no document one rank.
    """
    if settings.ties not in ONE_ORDER:
        return []
    rules, form = settings.rules_with(reading), settings.form(reading.run())
    depth = min(depth, settings.depth or depth)
    return [
        top_documents(judgments, system[0], depth, rules, form, jobs=jobs)
        for system in read.sources
    ]


def topic_rankings(qrels: Qrels, tops: Tops, topics: Iterable[str]) -> dict[str, TopicRankings]:
    """Return the first documents of all runs on some topics."""
    judged = Rankings(qrels, ())
    found = {}
    for name in topics:
        topic = judged.topic_of[name]
        grades = judged.grades(topic)
        firsts = [top.get(topic, ()) for top in tops]
        place = {docno: i for i, docno in enumerate(dict.fromkeys(chain.from_iterable(firsts)))}
        found[name] = TopicRankings(
            docnos=tuple(map(decoded, place)),
            grades=tuple(grades[docno][1] if docno in grades else None for docno in place),
            rankings=tuple(tuple(place[docno] for docno in docnos) for docnos in firsts),
        )
    return found


def most_different(values: Floats, most: int) -> list[int]:
    """Return the places of the topics with the largest span between best and worst, in order.

    `values` has a row for each run. A topic without two values has no span.
    """
    highest = np.where(np.isnan(values), -np.inf, values).max(axis=0)
    lowest = np.where(np.isnan(values), np.inf, values).min(axis=0)
    order = np.argsort(-np.maximum(highest - lowest, -1.0), kind="stable")
    return np.sort(order[:most]).tolist()
