"""The runs and the files of a report, and the first documents of each run."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import decoded
from rankeval.commands.check.findings import FileReport
from rankeval.commands.check.show import FILE_REPORTS
from rankeval.commands.check.task import check
from rankeval.commands.report.reports.report_content import InputFile, TopicRankings
from rankeval.evaluation.evaluate import results_of_each, results_of_runs, with_likely_mistakes
from rankeval.evaluation.prepared import CostsLike, Progress, asked_measures, prepare
from rankeval.evaluation.rankings import ONE_ORDER, Rankings
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.score import score_run
from rankeval.evaluation.seeds import members, of_systems
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.sorting import with_first
from rankeval.io.sources.blocks import is_rereadable
from rankeval.output.output_formats import TEXT
from rankeval.output.style import Style
from rankeval.ranking.full_rankings import top_documents
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunLike, RunSource


@frozen(eq=False)
class ReadRuns:
    """Runs after one reading: results for each list of measures, and the runs of each system.

    Where some are saved results, there are none to read rankings from.
    """

    results: tuple[Results, ...]
    sources: tuple[tuple[RunSource, ...], ...]

    def with_first(self, name: str | None) -> "ReadRuns":
        """Return the runs with one of them as the first; UsageError for one that is not there."""
        order = with_first([run.name for run in self.results[0].runs], name)
        results = (replace(each, runs=tuple(each.runs[i] for i in order)) for each in self.results)
        sources = tuple(self.sources[i] for i in order) if self.sources else ()
        return ReadRuns(tuple(results), sources)


def read_runs(
    judgments: Qrels,
    systems: Sequence[RunLike],
    lists: Iterable[Sequence[str]],
    settings: Settings,
    *,
    costs: CostsLike | None = None,
    reading: Reading,
    run_names: RunNames,
    jobs: int,
) -> ReadRuns:
    """Align each run once, and evaluate it for each list of measures.

    The warnings of results are about the measures of their list only.
    """
    form = settings.form(reading.run())
    sources = tuple(
        tuple(RunSource.of(run).again(form, jobs=jobs) for run in members(system))  # as of a pipe
        for system in systems
    )
    every = [*lists]
    names = [name for of_list in every for name in of_list]
    together = prepare(judgments, names, settings, reading, costs=costs, as_given=True)
    prepared = [
        replace(together, asked=asked_measures(of_list, judgments, settings, as_given=True))
        for of_list in every
    ]

    def scored(run: RunSource, jobs: int, progress: Progress | None) -> list[RunResult]:
        alignment, path = together.align(run, jobs, progress)
        return [
            with_likely_mistakes(score_run(of_list, alignment, path), of_list, alignment, run)
            for of_list in prepared
        ]

    runs = [run for system in sources for run in system]
    sizes = [len(system) for system in sources]
    found = results_of_each(scored, runs, jobs, None)
    named = replace(run_names, given=()).name
    results = tuple(
        results_of_runs(together, of_systems(of_list, systems, sizes, named), run_names)
        for of_list in zip(*found, strict=True)
    )
    return ReadRuns(results, sources)


def first_documents(
    judgments: Qrels, read: ReadRuns, settings: Settings, reading: Reading, depth: int, jobs: int
) -> list[Mapping[bytes, Sequence[bytes]]]:
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


MESSAGES = 5
"""The most malformed lines of a file that are shown."""


def input_files(
    names: Sequence[str], paths: Sequence[str], reading: Reading = AS_FOUND
) -> tuple[InputFile, ...]:
    """Return the known facts of files, the judgments first.

    Pipes and values in memory, whose path is "", have neither digest nor check; nor is a run
    checked where the judgments are no file.
    """
    there = [path for path in paths if path and is_rereadable(path)]
    checked: dict[str, FileReport] = {}
    if paths[0] in there:
        found = check(there, max_problems=MESSAGES, reading=reading)
        checked = dict(zip(there, found, strict=True))
    return tuple(
        input_file(name, path, checked.get(path)) for name, path in zip(names, paths, strict=True)
    )


def input_file(name: str, path: str, found: FileReport | None = None) -> InputFile:
    """Return the known facts of a file, with the findings of `rankeval check`."""
    digest = sha256(path) if path and Path(path).is_file() else ""
    if found is None:
        return InputFile(name, path, digest)
    said = "".join(FILE_REPORTS.text([found], TEXT, Style(colour=False)))
    return InputFile(name, path, digest, said.rstrip(), tuple(found.warnings))


def sha256(path: str) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal digits."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def topic_rankings(
    qrels: Qrels, tops: Sequence[Mapping[bytes, Sequence[bytes]]], topics: Iterable[str]
) -> dict[str, TopicRankings]:
    """Return the first documents of all runs, which `tops` holds, on some topics."""
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
