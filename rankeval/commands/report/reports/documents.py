"""The runs, the files and the judged documents of a report, with their ranks in each run."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.commands.check.findings import FileReport
from rankeval.commands.check.show import FILE_REPORTS
from rankeval.commands.check.task import check
from rankeval.commands.report.reports.report_content import (
    Documents,
    InputFile,
    MeasureSection,
    TopicDocuments,
)
from rankeval.evaluation.evaluate import results_of_each, results_of_runs, with_likely_reason
from rankeval.evaluation.prepared import CostsLike, Progress, asked_measures, prepare
from rankeval.evaluation.rankings import Rankings
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.score import score_run
from rankeval.evaluation.seeds import members, of_systems
from rankeval.evaluation.settings import Settings
from rankeval.io.sources.blocks import is_rereadable
from rankeval.output.output_formats import TEXT
from rankeval.output.style import Style
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunLike, RunSource


@frozen(eq=False)
class ReadRuns:
    """Runs after one reading: results for each list of measures, ranks, the runs of each system."""

    results: tuple[Results, ...]
    alignments: tuple[Alignment, ...]
    sources: tuple[tuple[RunSource, ...], ...]


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

    Ranks are those of the first run of each system. The warnings of results are about the measures
    of their list only.
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

    def scored(
        run: RunSource, jobs: int, progress: Progress | None
    ) -> tuple[list[RunResult], Alignment]:
        alignment, path = together.align(run, jobs, progress)
        found = [
            with_likely_reason(score_run(of_list, alignment, path), of_list, alignment, run)
            for of_list in prepared
        ]
        return found, alignment

    runs = [run for system in sources for run in system]
    sizes = [len(system) for system in sources]
    found = results_of_each(scored, runs, jobs, None)
    named = replace(run_names, given=()).name
    results = tuple(
        results_of_runs(together, of_systems(of_list, systems, sizes, named), run_names)
        for of_list in zip(*(of_run for of_run, _ in found), strict=True)
    )
    firsts = [0, *accumulate(sizes)][:-1]
    return ReadRuns(results, tuple(found[first][1] for first in firsts), sources)


MESSAGES = 5
"""The most malformed lines of a file that are shown."""


def input_files(
    names: Sequence[str], paths: Sequence[str], reading: Reading = AS_FOUND
) -> tuple[InputFile, ...]:
    """Return what is known of files, the judgments first.

    Pipes and values in memory, whose path is "", have neither digest nor check; nor is a run
    checked where the judgments are no file.
    """
    there = [path for path in paths if path and is_rereadable(path)]
    checked: dict[str, FileReport] = {}
    if paths[0] in there:
        found = check(there, max_problems=MESSAGES, reading=reading)
        checked = dict(zip(there, found, strict=True))
    return tuple(
        _file(name, path, checked.get(path)) for name, path in zip(names, paths, strict=True)
    )


def _file(name: str, path: str, found: FileReport | None) -> InputFile:
    digest = sha256(path) if path and Path(path).is_file() else ""
    if found is None:
        return InputFile(name, path, digest)
    said = "".join(FILE_REPORTS.text([found], TEXT, Style(colour=False)))
    return InputFile(name, path, digest, said.rstrip(), tuple(found.warnings))


def sha256(path: str) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal digits."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


MOST_TOPICS, MOST_ROWS = 250, 12
"""The most topics, and the most documents of a topic, that a report lists: it is to be sent."""


def judged_documents(
    qrels: Qrels, alignments: Sequence[Alignment], section: MeasureSection, depth: int
) -> Documents:
    """Return the judged documents among the first `depth` ranks of any run.

    They are those of the topics on which the runs differ most in the measure of the section.
    """
    rankings = Rankings(qrels, alignments)
    chosen = _most_different(section)
    return Documents(
        depth=depth,
        topics=tuple(
            _of_topic(rankings, row.topic, depth) for row in section.topics if row.topic in chosen
        ),
        every=len(chosen) == len(section.topics),
    )


def _most_different(section: MeasureSection) -> frozenset[str]:
    """Return the topics with the largest span between the best run and the worst."""
    values = np.array(
        [[np.nan if v.value is None else v.value for v in row.values] for row in section.topics]
    )
    highest = np.where(np.isnan(values), -np.inf, values).max(axis=1)
    lowest = np.where(np.isnan(values), np.inf, values).min(axis=1)
    order = np.argsort(-np.maximum(highest - lowest, -1.0), kind="stable")[:MOST_TOPICS]
    return frozenset(section.topics[i].topic for i in order.tolist())


def _of_topic(rankings: Rankings, name: str, depth: int) -> TopicDocuments:
    topic = rankings.topic_of[name]
    found = rankings.judged(topic, depth)
    found.sort(key=lambda one: (-one.grade, one.best_rank, one.docno))
    return TopicDocuments(
        topic=name,
        documents=tuple(found[:MOST_ROWS]),
        left_out=max(0, len(found) - MOST_ROWS),
        unjudged=rankings.count_unjudged(topic, depth),
    )
