"""Evaluate runs against judgments: what the command line does, in as many words."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rankeval.alignment.align import Alignment, align, align_columns
from rankeval.alignment.costs import DocumentCosts, costs_of, read_costs
from rankeval.alignment.inputs import (
    HeldRun,
    QrelsLike,
    RunLike,
    as_table,
    refuse_stdin_twice,
    run_list,
    taken,
)
from rankeval.alignment.qrels import (
    Qrels,
    from_columns,
    from_mapping,
    judgments_or_subtopics,
    read_qrels,
)
from rankeval.alignment.rank import NOTHING, Kept
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import (
    GroupsLike,
    WeightsLike,
    aggregation,
)
from rankeval.evaluation.other_tools import TOOLS
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import QrelsFacts, Results, RunResult
from rankeval.evaluation.score import score_run
from rankeval.evaluation.settings import Settings
from rankeval.io import trec
from rankeval.io.blocks import BLOCK_SIZE, is_rereadable
from rankeval.io.form import Form
from rankeval.io.read import expect
from rankeval.measures import NamedMeasure, parse_measures
from rankeval.measures.base.needs import COSTS, ELSEWHERE, STRATA, SUBTOPICS, Need
from rankeval.support.threads import in_order

if TYPE_CHECKING:
    from rankeval.io.mappings import ByDocno

DEFAULT_MEASURES = "NumQ AP Rprec RR P@10 nDCG@10 ERR@20 SetF R@1000 Unjudged@10"

LARGE_RUN = 4 * BLOCK_SIZE
"""Bytes that are work for several threads."""

WORTH_SHARING = 4 << 20
"""Bytes of several runs that take longer than to start other processes does."""

LINE = 40
"""Bytes that a line counts for where a run is in memory."""

Progress = Callable[[str, int], None]
"""Is told a path, and how many bytes of that file were read."""

CostsLike = str | os.PathLike[str] | Mapping[str, float] | DocumentCosts


def evaluate(
    qrels: QrelsLike,
    runs: RunLike | Sequence[RunLike],
    measures: str | Iterable[str] | None = None,
    settings: Settings | None = None,
    *,
    weights: WeightsLike | None = None,
    groups: GroupsLike | None = None,
    costs: CostsLike | None = None,
    bounds: bool = False,
    reading: Reading = AS_FOUND,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Results:
    """Score runs against one set of judgments.

    `qrels` is a path, a mapping {topic: {docno: grade}}, one with {docno: {subtopic: grade}}, a
    table or arrays, or a Qrels; each run a path, a mapping {topic: {docno: score}}, a table or
    arrays. A table is a pandas, Polars or pyarrow one, arrays are a mapping from the names of
    columns; the names say which is the topic, the docno and the score or grade, or
    `reading.columns` does. `measures` are names in one string or several, by default
    DEFAULT_MEASURES. `weights` makes weighted means of averaged measures, and `groups` adds values
    over the topics of each group; both are a path, a mapping from topics, or what `read_weights`
    and `read_groups` give. `costs` is a path or a mapping {docno: cost}, for measures that know
    what reading a document costs. `bounds` adds the least and greatest value that judging the
    unjudged documents could lead to, for the measures that have them. `reading` says how files
    are read. `jobs` is the number of threads, or of processes for several small runs (default: all
    processors that may be used; processes are forked, on Linux and from a single thread only).
    `progress` is told, from any thread, a path and how many of its bytes were read.

    Raises RankevalError (InputError, MeasureError, UsageError) for what cannot be used.
    """
    settings = settings or Settings()
    over_topics = aggregation(settings.aggregate, weights, groups)
    every = run_list(runs)
    if not every:
        raise UsageError("no run to evaluate", expected="one run or more")
    if bounds:
        _require_open_judgments(settings)
    threads = usable_threads(jobs)
    refuse_stdin_twice(qrels, *every)
    expect(os.fspath(one) for one in (qrels, *every) if isinstance(one, str | os.PathLike))
    judgments = judgments_of(qrels, measures, reading)
    asked, cautious = asked_measures(measures, judgments, settings, as_given=True)
    kept = kept_for(asked, costs)

    def scored(run: RunLike, jobs: int, progress: Progress | None) -> RunResult:
        return score_run(
            judgments,
            *aligned(judgments, run, settings, jobs, progress, reading, kept),
            asked,
            settings,
            over_topics,
            reading=reading,
            cautious=cautious,
            bounds=bounds,
        )

    return Results(
        qrels=QrelsFacts(
            path=judgments.path,
            topics=len(judgments.topics),
            judgments=len(judgments.grade),
            digest=judgments.digest,
            dropped=judgments.dropped,
        ),
        settings={**settings.facts(), **over_topics.facts(), **reading.facts()},
        runs=tuple(_distinctly_named(_of_each(scored, every, threads, progress))),
    )


def _of_each(
    work: Callable[[RunLike, int, Progress | None], RunResult],
    runs: Sequence[RunLike],
    jobs: int,
    progress: Progress | None,
) -> list[RunResult]:
    """Work on several small runs at once, or on one after the other with all threads."""
    sizes = [_size(run) for run in runs]
    if jobs == 1 or len(runs) == 1 or max(sizes) > LARGE_RUN or sum(sizes) < WORTH_SHARING:
        return [work(run, jobs, progress) for run in runs]
    from rankeval.support.processes import can_share  # one run is scored without

    if can_share():
        return _in_processes(work, runs, sizes, jobs, progress)
    each = zip(runs, sizes, strict=True)
    return list(in_order(lambda run, _: work(run, 1, progress), each, jobs))


def _in_processes(
    work: Callable[[RunLike, int, Progress | None], RunResult],
    runs: Sequence[RunLike],
    sizes: Sequence[int],
    jobs: int,
    progress: Progress | None,
) -> list[RunResult]:
    """Work on the first run, which prepares what all need, and on the others in processes."""
    from rankeval.support.processes import in_processes

    first, *others = runs
    prepared = work(first, jobs, progress)
    found: dict[int, RunResult] = {}
    for number, result in in_processes(
        lambda number: work(others[number], 1, None), len(others), min(jobs, len(others))
    ):
        found[number] = result
        run = others[number]
        if progress is not None and isinstance(run, str | os.PathLike):
            progress(os.fspath(run), sizes[number + 1])
    rest = (
        found[number] if number in found else work(run, jobs, progress)
        for number, run in enumerate(others)
    )
    return [prepared, *rest]


def _size(run: RunLike) -> int:
    """About how many bytes a run has; very many where that is not known of a file."""
    if not isinstance(run, str | os.PathLike):
        parts = run.parts if isinstance(run, HeldRun) else run
        values = parts.values() if isinstance(parts, Mapping) else [parts]
        n_lines = sum(len(value) for value in values if isinstance(value, Sized))
        return min(n_lines * LINE, LARGE_RUN)  # it has no work for several threads
    path = os.fspath(run)
    return Path(path).stat().st_size if is_rereadable(path) else sys.maxsize


def usable_threads(jobs: int | None) -> int:
    """How many threads to work in: as many as wanted, else one per processor."""
    if jobs is not None and jobs < 1:
        raise UsageError(f"cannot work in {jobs} threads", expected="1 or more")
    return jobs or usable_processors()


def usable_processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def judgments_of(
    qrels: QrelsLike,
    measures: str | Iterable[str] | None = None,
    reading: Reading = AS_FOUND,
) -> Qrels:
    """Judgments from whatever holds them, with what the measures need of them."""
    if isinstance(qrels, Qrels):
        return qrels
    asked = parse_measures(_joined(measures or ""))
    wanted = {need for named in asked for need in named.measure.considers}
    label = next((label for need, label in LABELS.items() if need in wanted), None)
    form = replace(reading.qrels(), label=label)
    table = as_table(qrels)
    if table is not None:
        from rankeval.io import tables

        parts = tuple(tables.columns_in_memory(table, Form("qrels", columns=form.columns)))
        return judgments_or_subtopics(
            lambda label: from_columns(parts, "qrels", trec.QRELS, label, reading.duplicates), label
        )
    if isinstance(qrels, Mapping):
        return from_mapping(cast("Mapping[str, ByDocno]", qrels), label=label)
    return read_qrels(os.fspath(qrels), form, reading.duplicates)  # type: ignore[arg-type]  # nothing else is left


LABELS: Mapping[Need, str] = {STRATA: trec.STRATUM, SUBTOPICS: trec.SUBTOPIC}
"""The column of the qrels that holds what a measure needs."""


def kept_for(asked: Iterable[NamedMeasure], costs: CostsLike | None = None) -> Kept:
    """What of a run the measures need beside its judged documents."""
    measures = [named.measure for named in asked]
    elsewhere = any(ELSEWHERE in measure.considers for measure in measures)
    if costs is None:
        return Kept(elsewhere=True) if elsewhere else NOTHING
    if not any(COSTS in measure.considers for measure in measures):
        raise UsageError(
            "costs are given, but no measure takes them",
            expected="a measure such as TBG, UMeasure, or INST(max_rel=3,out='EC')",
        )
    if isinstance(costs, Mapping):
        costs = costs_of(costs)
    elif not isinstance(costs, DocumentCosts):
        costs = read_costs(os.fspath(costs))
    return Kept(elsewhere=elsewhere, costs=costs)


def asked_measures(
    measures: str | Iterable[str] | None,
    qrels: Qrels,
    settings: Settings,
    *,
    as_given: bool = False,
) -> tuple[list[NamedMeasure], bool]:
    """The measures with the settings put in, and whether to caution the reader about them.

    A measure that is named twice, as with `map AP`, is there once, or `as_given` once per name.
    """
    tool = TOOLS[settings.like].measures if settings.like else ""
    if measures is None and tool:
        names = tool
    elif measures is None:
        names = DEFAULT_MEASURES
        if qrels.highest_grade > 4:
            names = names.replace("ERR@", "ERR(max_rel='qrels')@")
    else:
        names = _joined(measures)
    asked: dict[tuple[str, str], NamedMeasure] = {}
    for named in parse_measures(names, settings.meanings):
        measure = settings.of(named)
        key = (str(measure), named.as_given if as_given else "")
        asked.setdefault(key, replace(named, measure=measure, note=settings.note(named)))
    if not asked:
        raise UsageError("no measure to compute", expected="one measure or more, such as nDCG@10")
    return list(asked.values()), bool(measures)


def _joined(measures: str | Iterable[str]) -> str:
    """Names of measures in one string."""
    return measures if isinstance(measures, str) else " ".join(measures)


def aligned(
    qrels: Qrels,
    run: RunLike,
    settings: Settings,
    jobs: int,
    progress: Progress | None = None,
    reading: Reading = AS_FOUND,
    kept: Kept = NOTHING,
) -> tuple[Alignment, str]:
    """Align a run, and give its path, "" for one in memory."""
    rules, form = settings.rules_with(reading), settings.form(reading.run())
    lines = taken(run, form)
    if isinstance(lines, HeldRun):
        alignment = align_columns(qrels, lines.parts, rules, lines.path or "run", kept=kept)
        return replace(alignment, dropped=lines.dropped), lines.path
    told = None if progress is None else lambda position: progress(lines, position)
    alignment = align(qrels, lines, rules, form, kept=kept, jobs=jobs, progress=told)
    return replace(alignment, dropped=dict(form.problems.counts) if form.problems else {}), lines


def _require_open_judgments(settings: Settings) -> None:
    """Raise UsageError where unjudged documents are dropped, or have no one place."""
    if settings.removes_unjudged:
        raise UsageError(
            "bounds tell what judging unjudged documents could do, and these are removed",
            remedy="drop --bounds, or --judged-only and --unjudged remove",
        )
    if settings.ties == "expected":
        raise UsageError(
            "bounds are not known for means over all orders of equal scores",
            remedy="drop --bounds, or break ties by another rule",
        )


def _distinctly_named(runs: Sequence[RunResult]) -> list[RunResult]:
    """Runs whose tags are the same get their paths as names, and a number if need be."""
    tags = Counter(run.name for run in runs)
    named = [replace(run, name=run.path or run.name) if tags[run.name] > 1 else run for run in runs]
    seen: Counter[str] = Counter()
    distinct = []
    for run in named:
        seen[run.name] += 1
        again = seen[run.name]
        distinct.append(replace(run, name=f"{run.name} ({again})") if again > 1 else run)
    return distinct
