"""Evaluate runs against judgments: the function behind `rankeval eval`."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TypeVar, Unpack

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import later
from rankeval.base.threads import counted, in_order, usable_threads
from rankeval.base.wording import count, decoded, listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.aggregation import GroupsLike, Total, WeightsLike, aggregation
from rankeval.evaluation.notices import (
    UNJUDGED,
    dropped_lines,
    no_match_notice,
    order_notices,
    restricted,
    run_warnings,
    topics_that_count,
    unlike,
    with_relevant,
)
from rankeval.evaluation.prepared import Items, Prepared, Progress, prepare, when_read
from rankeval.evaluation.results import (
    GroupResult,
    Notice,
    Results,
    RunResult,
    Score,
    ScoreBounds,
)
from rankeval.evaluation.run_names import BY_TAG, RunNames, members, of_systems
from rankeval.evaluation.settings import (
    Settings,
    SettingsFields,
    conventions_in_words,
    marks_of,
    settings_from,
    signature_of,
)
from rankeval.io.files import size_of
from rankeval.io.sources.blocks import BLOCK_SIZE, display_name, is_rereadable
from rankeval.measures import MeasuresLike, NamedMeasure, listed_measures
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment
from rankeval.ranking.items import CostsLike
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunsLike, RunSource, refuse_stdin_twice, run_sources

Result = TypeVar("Result")

LARGE_RUN = 4 * BLOCK_SIZE
"""Bytes from which a run is read in several threads."""

WORTH_SHARING = 4 << 20
"""Total bytes of runs from which threads save time."""

LINE = 40
"""Bytes per line of a run in memory."""


def results_of_each(
    work: Callable[[RunSource, int, Progress | None], Result],
    runs: Sequence[RunSource],
    jobs: int,
    progress: Progress | None,
) -> list[Result]:
    """Score small runs side by side, or large ones in turn, each with all threads."""
    sizes = [] if jobs == 1 or len(runs) == 1 else [_size(run) for run in runs]
    if not sizes or max(sizes) > LARGE_RUN or sum(sizes) < WORTH_SHARING:
        in_turn = runs if progress else counted(runs, "runs", len(runs))
        return [work(run, jobs, progress) for run in in_turn]
    first, *others = runs
    prepared = work(first, jobs, progress)  # which fills caches that all share
    each = zip(others, sizes[1:], strict=True)
    found = in_order(lambda run, _: work(run, 1, progress), each, jobs)
    return [prepared, *(found if progress else counted(found, "runs", len(others)))]


def _size(run: RunSource) -> int:
    """Estimate the bytes of a run; sys.maxsize for a file of unknown size."""
    if not run.is_file:
        return min(run.n_lines * LINE, LARGE_RUN)  # not worth several threads
    return size_of(run.path) if is_rereadable(run.path) else sys.maxsize


class Evaluating(SettingsFields, total=False):
    """The keywords of `evaluate` that functions take which call it, and hand on to it.

    ========= ==============================================================================
    settings  the conventions, as an object; or its fields as keywords, such as topics="both"
    costs     of reading documents
    run_names how runs are named
    jobs      threads, or processes for small runs
    ========= ==============================================================================
    """

    settings: Settings | None
    costs: CostsLike | None
    run_names: RunNames
    jobs: int | None


Values = tuple[Settings, CostsLike | None, RunNames, int | None]


@checked
def values_of(
    *,
    settings: Settings | None = None,
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    **conventions: Unpack[SettingsFields],
) -> Values:
    """Return the values of such keywords, the usual ones of those that are not given."""
    return settings_from(settings, conventions), costs, run_names, jobs


@checked
def evaluate(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    weights: WeightsLike | None = None,
    groups: GroupsLike | None = None,
    costs: CostsLike | None = None,
    items: Items | None = None,
    bounds: bool = False,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    progress: Progress | bool | None = None,
    **conventions: Unpack[SettingsFields],
) -> Results:
    """Score runs against one set of judgments.

    ============= ===========================================================================
    qrels         judgments: a path, {topic: {docno: grade}}, a table, arrays, or a `Qrels`
    runs          a run, several, or {name: run}: a path, {topic: {docno: score}}, a table,
                  arrays, or a `Run`; `Seeds`, or a path with {seed}, is one system of several
    measures      names in one string or several, or objects such as `nDCG @ 10`
    settings      the conventions, as an object; or its fields as keywords, such as
                  topics="both", min_grade=2, ties="expected" or like="trec_eval"; also how
                  files are read: columns={"topic": "user"}, duplicates="best", on_error="skip"
    weights       of topics, for averaged measures: a path, or {topic: weight}
    groups        of topics, for values in each: a path, or {topic: group}
    costs         of reading documents: a path, or {docno: cost}
    items         what measures of recommenders need, as `rankeval.options.Items`
    bounds        add the values that judging the unjudged documents could lead to
    run_names     how runs are named, as `rankeval.options.RunNames`
    jobs          threads, or processes for small runs; all processors by default
    progress      True shows a bar, in a terminal or a notebook; or a function is told, from
                  any thread, a path and how many of its bytes were read
    ============= ===========================================================================

    Raises RankevalError (InputError, MeasureError, UsageError) for what cannot be used, and
    TypeError for an unknown keyword.

    >>> from rankeval import evaluate, nDCG
    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
    >>> runs = {"bm25": {"q1": {"d1": 0.3, "d2": 0.8}, "q2": {"d3": 1.0}}}
    >>> results = evaluate(qrels, runs, ["map", nDCG @ 10])
    >>> results["bm25"]["map"].mean
    0.75
    >>> results.to_dict(per_topic=True)["bm25"]["q1"]
    {'map': 0.5, 'nDCG@10': 0.6309297535714575}
    """
    settings = settings_from(settings, conventions)
    measures = listed_measures(measures)
    over_topics = aggregation(settings.aggregate, weights, groups)
    form = settings.run_form()
    listed, names = run_sources(runs, form.columns)
    systems = [members(run) for run in listed]
    every = [RunSource.of(run).once(form) for runs in systems for run in runs]
    if names is not None:
        run_names = replace(run_names, given=names)
    if not every:
        raise UsageError("no run to evaluate", expected="one run or more")
    threads = usable_threads(jobs)
    refuse_stdin_twice(qrels, *(items.sources() if items else ()), *every)
    with naming_check():
        prepared = prepare(
            qrels,
            measures,
            settings,
            over_topics=over_topics,
            costs=costs,
            items=items,
            bounds=bounds,
        )
    work = partial(_scored, prepared)
    with _shown(every, progress=progress) as listener:
        found = results_of_each(work, every, threads, listener)
    return results_of_runs(prepared, of_systems(found, listed, systems, run_names), run_names)


def _shown(
    runs: Sequence[RunSource], *, progress: Progress | bool | None
) -> AbstractContextManager[Progress | None]:
    """Show a bar if it is wanted: of the bytes of files, or of the number of runs in memory."""
    if progress is not True:
        return nullcontext(None if progress is False else progress)
    from rankeval.base.threads import reading_bar  # seldom needed

    return reading_bar({run.path: size_of(run.path) for run in runs if run.is_file})


def _scored(prepared: Prepared, run: RunSource, jobs: int, progress: Progress | None) -> RunResult:
    with naming_check():
        alignment, path = prepared.align(run, jobs, progress)
    result = score_run(prepared, alignment, path)
    return with_likely_mistakes(result, prepared, alignment, run)


@contextmanager
def naming_check() -> Iterator[None]:
    """Let the error of a wrong line name the command that lists all of them."""
    try:
        yield
    except InputError as error:
        if re.search(r":\d+$", error.place):
            more = "'rankeval check' lists all wrong lines"
            error.remedy = f"{error.remedy}; {more}" if error.remedy else more
        raise


def with_likely_mistakes(
    result: RunResult, prepared: Prepared, alignment: Alignment, run: RunSource
) -> RunResult:
    """Add to a result the likely reason if no document of the run is judged, or all come last."""
    judged, settings = alignment.judged, prepared.settings
    if not alignment.lines:
        return result
    if not len(judged.rank):
        return with_no_match(result, no_match_notice(prepared.judgments, run, prepared.form()))
    if settings.order == "score" and alignment.lines >= ENOUGH and comes_last(judged):
        notices = order_notices(run, prepared.form())
        return replace(result, warnings=(*result.warnings, *notices)) if notices else result
    return result


ENOUGH = 10
"""Documents of a run whose order says something of its scores."""


def comes_last(judged: RankedJudgments) -> bool:
    """Return True if the relevant documents are in the second half of rankings, on the average."""
    relevant = judged.grade > 0
    place = (2 * judged.rank[relevant] - 1) / judged.retrieved[judged.topic[relevant]]
    return bool(place.sum() > len(place))


def with_no_match(result: RunResult, notice: Notice) -> RunResult:
    """Return the result of a run without a judged document, with the warning that says so."""
    others = [one for one in result.warnings if one.kind != UNJUDGED]
    return replace(result, warnings=(*others, notice))


def results_of_runs(
    prepared: Prepared,
    found: Sequence[RunResult],
    run_names: RunNames = BY_TAG,
) -> Results:
    """Put the results of runs together with the facts about their evaluation, and name them."""
    return Results(
        qrels=prepared.qrels,
        settings={**prepared.facts, **prepared.items},
        runs=tuple(run_names.name(found)),
    )


NO_VALUES: Floats = np.zeros(0)
"""The values of topics of a measure that is one number for a whole run."""

ONE_COLLECTION = "check that both files are from the same collection"


def score_run(
    prepared: Prepared,
    alignment: Alignment,
    path: str,
    name: str = "",
    *,
    require_shared: bool = True,
) -> RunResult:
    """Score one aligned run; `path` is "" for a run in memory, and messages have its `name`.

    With `require_shared`, a run without any judged topic is an error.
    """
    settings, over_topics, qrels = prepared.settings, prepared.over_topics, prepared.judgments
    judged, present = alignment.judged, alignment.present
    name = name or (display_name(path) if path else "run")
    if require_shared and (alignment.lines or alignment.without):
        _require_shared_topic(present, qrels.topics, alignment.without, qrels.path, name)
    _require_coverage(settings, present, qrels.topics, name)
    chosen = topics_that_count(judged, settings, present)
    _require_any(judged, chosen, settings)
    counted = restricted(judged, chosen, settings)
    over_topics.require(counted.topics)

    found: dict[str, tuple[Floats, Total]] = {}
    for measure in prepared.measures:
        values = NO_VALUES if measure.definition.of_run else measure.values(counted)
        found[str(measure)] = values, over_topics.total_of(measure, counted)
    topics = tuple(map(decoded, counted.topics))
    asked = [(named, *found[str(named.measure)]) for named in prepared.asked]
    scores = tuple(_score(prepared, counted, topics, *one) for one in asked)
    members = over_topics.members(counted.topics) if over_topics.groups else {}
    return RunResult(
        name=decoded(alignment.last_tag) or name,
        path=path,
        topics=topics,
        scores=scores,
        warnings=when_read(qrels, run_warnings, prepared, alignment, chosen, counted, scores, name),
        groups=tuple(
            GroupResult(group, len(some), tuple(total(values, some) for _, values, total in asked))
            for group, some in members.items()
        ),
        labels=tuple(over_topics.labels(counted.topics)),
        missing=tuple(decoded(qrels.topics[i]) for i in (~present).nonzero()[0].tolist()),
        tied=int(np.count_nonzero(judged.tied_topics)),
        dropped=dropped_lines(alignment),
        judged=len(judged),
        conventions=conventions_in_words(prepared.facts),
    )


def _score(
    prepared: Prepared,
    counted: RankedJudgments,
    topics: tuple[str, ...],
    named: NamedMeasure,
    values: Floats,
    total: Total,
) -> Score:
    """Return the score of a measure; `topics` are the names of the topics that count, as text."""
    measure, over_topics = named.measure, prepared.over_topics
    of_run = measure.definition.of_run
    known = measure.bounds(counted) if prepared.bounds and not of_run else None
    bounds = None
    if known is not None:
        low, high = known.low, known.high
        bounds = ScoreBounds(low, high, total(low), total(high), known.exact)
    marks = [*prepared.marks, *marks_of(measure, counted)]
    conventions = (prepared.settings, over_topics, prepared.qrels, marks)
    return Score(
        measure=str(measure),
        as_given=named.as_given,
        values=values,
        aggregate=total(values),
        rule=over_topics.rule_for(measure.definition).name,
        loss=measure.definition.loss,
        signature=later(signature_of, measure, *conventions),
        bounds=bounds,
        span=measure.range if all(map(math.isfinite, measure.range)) else None,
        topics=() if of_run else topics,
    )


def _require_any(judged: RankedJudgments, chosen: Booleans, settings: Settings) -> None:
    """Raise InputError if leaving out topics without a relevant document leaves none."""
    left_out = settings.skip_no_relevant and not chosen.any()
    if left_out and not with_relevant(judged, settings).all():
        raise InputError(
            "no topic with a relevant document is left", remedy="drop --skip-no-relevant"
        )


def _require_shared_topic(
    present: Booleans, topics: Sequence[bytes], without: Sequence[bytes], qrels: str, name: str
) -> None:
    """Raise InputError for a run without any judged topic; `without` are the topics it has."""
    if not present.any():
        how = unlike(without, topics)
        raise InputError(
            f"no topic in common with {qrels}: the run has {listed(without)}, the qrels have "
            f"{listed(topics)}",
            place=name,
            remedy=(f"write topics alike: they {how}" if how else ONE_COLLECTION)
            + "; 'rankeval check' describes both",
        )


def _require_coverage(
    settings: Settings, present: Booleans, topics: Sequence[bytes], name: str
) -> None:
    """Raise InputError if the settings want a complete run, and it lacks a judged topic."""
    if settings.require_coverage and not present.all():
        missing = [t for t, there in zip(topics, present.tolist(), strict=True) if not there]
        raise InputError(
            f"lacks {len(missing):,} of {count(len(present), 'judged topic')}: {listed(missing)}",
            place=name,
            expected="every judged topic, as --require-coverage asks",
            remedy="complete the run, or drop --require-coverage to score them 0",
        )
