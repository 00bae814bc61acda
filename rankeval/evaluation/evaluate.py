"""Evaluate runs against judgments: the function behind `rankeval eval`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from rankeval.alignment.align import Alignment
from rankeval.alignment.inputs import (
    QrelsLike,
    RunLike,
    RunsLike,
    listed_runs,
    refuse_stdin_twice,
    taken,
)
from rankeval.alignment.interactions import InteractionsLike
from rankeval.alignment.items import CatalogLike, FeaturesLike
from rankeval.alignment.qrels import Qrels
from rankeval.errors import RankevalError, UsageError
from rankeval.evaluation.aggregation import (
    Aggregation,
    GroupsLike,
    WeightsLike,
    aggregation,
)
from rankeval.evaluation.notices import top_unjudged
from rankeval.evaluation.prepare import (
    CostsLike,
    Progress,
    align_run,
    asked_measures,
    extra_needs_of,
    facts_of,
    judgments_of,
)
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.recommending import recommending, refuse_without_unjudged
from rankeval.evaluation.results import FailedRun, Notice, QrelsFacts, Results, RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.score import score_run
from rankeval.evaluation.settings import Settings, settings_or_usual
from rankeval.evaluation.several_runs import results_of_each
from rankeval.io.read import SMALL, total_size
from rankeval.io.unchanged import one_state
from rankeval.measures import MeasuresLike, listed_measures
from rankeval.support.threads import usable_threads

OnRunError = Literal["refuse", "skip"]


@one_state()
def evaluate(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    weights: WeightsLike | None = None,
    groups: GroupsLike | None = None,
    costs: CostsLike | None = None,
    train: InteractionsLike | None = None,
    exclude_seen: bool = False,
    catalog: CatalogLike | None = None,
    item_features: FeaturesLike | None = None,
    bounds: bool = False,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    on_run_error: OnRunError = "refuse",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Results:
    """Score runs against one set of judgments.

    `qrels` is a path, a mapping {topic: {docno: grade}}, one with {docno: {subtopic: grade}}, a
    table or arrays, or a Qrels; each run a path, a mapping {topic: {docno: score}}, a table or
    arrays. A table is a pandas, Polars or pyarrow one, arrays are a mapping from the names of
    columns; the names say which is the topic, the docno and the score or grade, or
    `reading.columns` does. `measures` are names in one string or several, or objects such as `nDCG
    @ 10`, by default DEFAULT_MEASURES. `weights` makes weighted means of averaged measures, and
    `groups` adds values over the topics of each group; both are a path, a mapping from topics, or
    what `read_weights` and `read_groups` give. `costs` is a path or a mapping {docno: cost}, for
    measures that know what reading a document costs. `train` are users' interactions with items,
    as anything that judgments can be, {user: [item, ...]}, pairs of both, or a sparse matrix, for
    measures of recommenders; with `exclude_seen`, items that a user has interacted with are left
    out of the user's ranking first. `catalog` is the number of items that could be recommended, a
    path or the items, and `item_features` a path, a table with a column of items, or {item:
    {feature: value}}. `bounds` adds the least and greatest value
    that judging the unjudged documents could lead to, for the measures that have them. `reading`
    says how files are read, and `run_names` how the runs are named. With `on_run_error="skip"`, the
    other runs are evaluated if some have errors, and `failed` of the results has the errors. `jobs`
    is the number of threads, or of processes for several small runs and for a large one in TREC's
    format (default: all processors that may be used; processes are forked, on Linux and from a
    single thread only). `progress` is told,
    from any thread, a path and how many of its bytes were read.

    Raises RankevalError (InputError, MeasureError, UsageError) for what cannot be used.

    >>> from rankeval import evaluate, nDCG
    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
    >>> runs = {"bm25": {"q1": {"d1": 0.3, "d2": 0.8}, "q2": {"d3": 1.0}}}
    >>> results = evaluate(qrels, runs, ["map", nDCG @ 10])
    >>> results["bm25"]["map"].mean
    0.75
    >>> results.to_dict(per_topic=True)["bm25"]["q1"]
    {'map': 0.5, 'nDCG@10': 0.6309297535714575}
    """
    settings = settings_or_usual(settings)
    measures = listed_measures(measures)
    over_topics = aggregation(settings.aggregate, weights, groups)
    form = settings.form(reading.run())
    listed, names = listed_runs(runs, form.columns)
    every = [taken(run, form) for run in listed]
    if names is not None:
        run_names = replace(run_names, given=names)
    if not every:
        raise UsageError("no run to evaluate", expected="one run or more")
    if on_run_error not in get_args(OnRunError):
        raise UsageError(f"on_run_error cannot be '{on_run_error}'", expected="refuse or skip")
    if bounds:
        require_open_judgments(settings)
    threads = usable_threads(jobs)
    refuse_stdin_twice(qrels, train, catalog, item_features, *every)
    files = [os.fspath(one) for one in (qrels, train, *every) if isinstance(one, str | os.PathLike)]
    if total_size(files) > SMALL:
        from rankeval.io.shares import expect  # small files need none of it

        expect(files, threads)
    judgments = judgments_of(qrels, measures, reading)
    asked, cautious = asked_measures(measures, judgments, settings, as_given=True)
    about_items = recommending(
        train, catalog, item_features, exclude_seen=exclude_seen, reading=reading
    )
    refuse_without_unjudged(asked, settings)
    needs = extra_needs_of(asked, costs, about_items.facts, settings.depth)
    unused = [*about_items.unused(asked), *about_items.unrelated(judgments)]

    def scored(run: RunLike, jobs: int, progress: Progress | None) -> RunResult:
        alignment, path = align_run(
            judgments, run, settings, jobs, progress, reading, needs, about_items.seen
        )
        result = score_run(
            judgments,
            alignment,
            path,
            asked,
            settings,
            over_topics,
            reading=reading,
            cautious=cautious,
            bounds=bounds,
            marks=about_items.marks,
        )
        result = replace(result, warnings=(*result.warnings, *unused))
        return with_likely_reason(result, judgments, alignment, run, settings, reading)

    def scored_or_failed(
        run: RunLike, jobs: int, progress: Progress | None
    ) -> RunResult | FailedRun:
        try:
            return scored(run, jobs, progress)
        except RankevalError as error:
            return FailedRun(
                os.fspath(run) if isinstance(run, str | os.PathLike) else "", str(error)
            )

    work = scored if on_run_error == "refuse" else scored_or_failed
    found = results_of_each(work, every, threads, progress)
    results = results_of_runs(facts_of(judgments), settings, over_topics, reading, found, run_names)
    return replace(results, settings={**results.settings, **about_items.given})


def with_likely_reason(
    result: RunResult,
    judgments: Qrels,
    alignment: Alignment,
    run: RunLike,
    settings: Settings,
    reading: Reading,
) -> RunResult:
    """Add to a result the likely reason if no document of the run is judged."""
    if len(alignment.judged.rank):
        return result
    from rankeval.evaluation.no_match import no_match_notice  # seldom needed

    notice = no_match_notice(judgments, run, settings.form(reading.run()))
    return with_no_match(result, notice, settings)


def with_no_match(result: RunResult, notice: Notice, settings: Settings) -> RunResult:
    """Return the result of a run without a judged document, with the warning that says so."""
    all_are = top_unjudged(settings)
    others = [one for one in result.warnings if one.after != all_are]
    return replace(result, warnings=(*others, notice))


def results_of_runs(
    judgments: QrelsFacts,
    settings: Settings,
    over_topics: Aggregation,
    reading: Reading,
    found: Sequence[RunResult | FailedRun],
    run_names: RunNames = BY_TAG,
) -> Results:
    """Put the results of runs together with the facts about their evaluation, and name them."""
    failed = tuple(one for one in found if isinstance(one, FailedRun))
    evaluated = [one for one in found if not isinstance(one, FailedRun)]
    given = [
        name
        for name, one in zip(run_names.given_for(len(found)), found, strict=True)
        if not isinstance(one, FailedRun)
    ]
    return Results(
        qrels=judgments,
        settings={**settings.facts(), **over_topics.facts(), **reading.facts()},
        runs=tuple(replace(run_names, given=given).name(evaluated)),
        failed=failed,
    )


def require_open_judgments(settings: Settings) -> None:
    """Raise UsageError if unjudged documents are dropped, or ties leave their ranks open."""
    if settings.removes_unjudged:
        raise UsageError(
            "bounds show the effect of judging unjudged documents, and these are removed",
            remedy="drop bounds=True, or judged_only=True and unjudged='remove'",
        )
    if settings.ties == "expected":
        raise UsageError(
            "bounds are not known for means over all orders of equal scores",
            remedy="drop bounds=True, or break ties by another rule",
        )
