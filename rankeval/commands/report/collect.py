"""Make one HTML page of an evaluation: tables, tests, pictures, topics and settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count, finite, visible
from rankeval.choices import TextForm
from rankeval.commands.compare.comparison_words import method_words
from rankeval.commands.compare.task import Comparison
from rankeval.commands.report.explorer import explorer_data, most_different
from rankeval.commands.report.page import Cell, MeasureSection, Report, require_page
from rankeval.commands.report.six_pictures import curve_measures, pictures
from rankeval.commands.report.verdict import verdict
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import GroupsLike, aggregation
from rankeval.evaluation.comparable_runs import RunsOrResults, runs_or_results
from rankeval.evaluation.conventions import conventions_in_words
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import CostsLike, judgments_of, require_topics
from rankeval.evaluation.rankings import ONE_ORDER, Rankings
from rankeval.evaluation.results import Results, in_order, with_first
from rankeval.evaluation.run_names import BY_TAG, RunNames, members
from rankeval.evaluation.saved_results import results_of
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.evaluation.shown_texts import TextsLike, TextSources
from rankeval.evaluation.shown_values import conventions_sentence, notice_lines, seeds_sentence
from rankeval.io.formats.named_values import RunCostsLike, run_costs_of
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.style import USUAL_DECIMALS
from rankeval.plots.selection import (
    drawable_results,
    ends_of_mean,
    with_measures,
    without_measures,
)
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.rank import top_documents
from rankeval.ranking.run_source import RunSource, refuse_stdin_twice

USUAL = "nDCG@10 AP RR R@100"
"""Measures of a report where none is named."""


@checked
@one_state()
def report(
    qrels: QrelsLike,
    runs: RunsOrResults,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    groups: GroupsLike | None = None,
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    text: TextForm = "window",
    rows: int = 10,
    max_topics: int = 250,
    title: str = "",
    run_costs: RunCostsLike | None = None,
    command: str = "",
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    **conventions: Unpack[SettingsFields],
) -> Report:
    """Evaluate runs for one HTML page: tables, tests, pictures, topics and settings.

    =========== ===========================================================================
    qrels       judgments, as `evaluate` takes them
    runs        a run, several, or {name: run}; runs may be results with values by topic,
                which hold no rankings to show
    measures    nDCG@10, AP, RR and R@100 by default; the pictures show the first
    baseline    name of the run that others are compared with; the first by default
    alpha       as in `compare`
    groups      of topics, to filter by: a path, or {topic: group}
    queries, docs, text    texts of topics and documents, as in `explain`
    rows        documents to show of each ranking
    max_topics  topics to show rankings of: those on which the runs differ most
    title       heading; by default it counts the runs
    run_costs   what each run costs: {run: cost}, or a file with a header
    command     the command that makes the page again, to be shown at its end
    settings, costs, run_names, jobs    as in `evaluate`
    =========== ===========================================================================

    The page needs no network and no other file. UsageError without jinja2 or matplotlib, and for a
    measure that is not a mean over topics.

    >>> from rankeval import report
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> page = report(qrels, {"bm25": bm25, "dense": dense}, "RR AP", title="Two runs")
    >>> page.save("report.html")
    """
    require_page("report.html")
    settings = settings_from(settings, conventions)
    spent = None if run_costs is None else run_costs_of(run_costs)
    texts, of_groups = TextSources(queries, docs, text), aggregation(None, None, groups)
    threads = usable_threads(jobs)
    how = {"costs": costs, "jobs": threads}
    given = (qrels, runs, measures, settings, run_names, baseline)
    judgments, every, sources, names = _read(*given, how)
    results = with_measures(every, names)
    compared = results.compare(alpha=alpha) if len(results.runs) > 1 else None
    topics = [*dict.fromkeys(topic for run in results.runs for topic in run.topics)]
    sections = [_section(results, topics, i, compared, alpha) for i in range(len(names))]
    rankings = Rankings(judgments, ())
    named = [rankings.topic_of[topic] for topic in topics]
    tops = []
    if settings.ties in ONE_ORDER:
        depth, form = min(rows, settings.depth or rows), settings.run_form()
        first = partial(top_documents, judgments, top=depth, rules=settings.rules(), form=form)
        tops = [first(run, jobs=threads) for run in sources]
    ranked = most_different(sections[0].values, max_topics) if tops else []
    data, missing = explorer_data(
        [run.name for run in results.runs],
        sections,
        topics,
        rankings,
        tops,
        [topics[i] for i in ranked],
        texts,
    )
    data |= {
        "groups": [*map(visible, of_groups.labels(named))] or None,
        "depth": rows,
        "unranked": "Without one order of equal scores, there are no rankings to show."
        if sources
        else "Saved results have no rankings to show.",
    }
    of_curves = [s.measure for s in every.runs[0].scores if s.measure not in names]
    warnings = (
        *without_measures(notice_lines(every.runs, USUAL_DECIMALS, of_curves), of_curves),
        *(compared.warnings if compared else ()),
        *of_groups.warnings(named),
        *missing,
    )
    doubt = [f"{count(len(warnings), 'warning')} below may affect this."] if warnings else []
    seeded = [run for run in results.runs if run.seeds and tops]
    return Report(
        results=results,
        method=method_words(compared) if compared else "",
        sections=tuple(sections),
        pictures=tuple(pictures(every, names[0], compared, sections[0].order)),
        data=data,
        verdict=(*verdict(results, sections[0], alpha), *doubt),
        warnings=warnings,
        title=title,
        alpha=alpha,
        costs=spent,
        command=command,
        conventions=(
            *conventions_sentence(conventions_in_words(results.settings)),
            *seeds_sentence(results.runs),
            *(f"Documents are those of {run.seeds[0].path}." for run in seeded),
        ),
    )


def _read(
    qrels: QrelsLike,
    runs: RunsOrResults,
    measures: MeasuresLike | None,
    settings: Settings,
    run_names: RunNames,
    baseline: str | None,
    how: Mapping[str, Any],
) -> tuple[Qrels, Results, list[RunSource], list[str]]:
    """Return judgments, results, what to read rankings from, and the measures of the page.

    The baseline comes first. Every run is read once, and evaluated for the page and for curves.
    Where some runs are saved results, their measures are those by default, and there are no curves
    and no rankings.
    """
    listed, given = runs_or_results(runs, settings.run_form().columns)
    run_names = run_names if given is None else replace(run_names, given=given)
    refuse_stdin_twice(qrels, *listed)
    loaded = [results_of(run) for run in listed]
    saved = [run for run in loaded if isinstance(run, Results)]
    held = [score.measure for one in saved for score in one.runs[0].scores if score.rule == "mean"]
    parsed = parse_measures(
        measure_names((" ".join(held) or USUAL) if measures is None else measures)
    )
    require_topics(parsed)
    names = list(dict.fromkeys(str(one.measure) for one in parsed))
    judgments = judgments_of(qrels, names, settings)
    score: Callable[..., Results] = partial(evaluate, settings=settings, **how)
    if saved:
        sources = []
        every = drawable_results(judgments, loaded, names, settings, score, run_names=run_names)
    else:
        form = settings.run_form()
        systems = [
            [RunSource.of(run).again(form, jobs=how["jobs"]) for run in members(system)]
            for system in loaded
        ]
        sources = [of[0] for of in systems]
        once = [of[0] if len(of) == 1 else one for one, of in zip(loaded, systems, strict=True)]
        curves = () if settings.ties == "expected" else curve_measures(names[0])
        wanted = list(dict.fromkeys([*names, *curves]))
        every = score(judgments, once, wanted, run_names=run_names)
    order = with_first([run.name for run in every.runs], baseline)
    every = replace(every, runs=tuple(every.runs[place] for place in order))
    return judgments, every, [sources[place] for place in order if sources], names


def _section(
    results: Results, topics: Sequence[str], i: int, compared: Comparison | None, alpha: float
) -> MeasureSection:
    scores = [run.scores[i] for run in results.runs]
    first, runs = scores[0], results.runs
    if first.rule == "sum":
        raise UsageError(
            f"{first.measure} is a sum over topics, and reports show means",
            remedy=f"leave {first.measure} out",
        )
    every = compared.pairs if compared else ()
    pairs = {pair.run: pair for pair in every if pair.measure == first.measure}
    known = [score.aggregate for score in scores if not np.isnan(score.aggregate)]
    best = (min if first.loss else max)(known, default=np.nan)
    place = {topic: column for column, topic in enumerate(topics)}
    values, cells = np.full((len(scores), len(topics)), np.nan), []
    for row, run, score in zip(values, runs, scores, strict=True):
        row[[place[topic] for topic in run.topics]] = score.values
        value, deviation = finite(score.aggregate), finite(score.deviation)
        ends, is_best = ends_of_mean(score, 1.0 - alpha), bool(score.aggregate == best)
        cells.append(Cell(value, *ends, deviation, is_best, pairs.get(run.name)))
    place_of = {id(run): i for i, run in enumerate(runs)}
    order = tuple(place_of[id(run)] for run in in_order(runs, first.measure))
    return MeasureSection(first.measure, first.loss, first.signature, tuple(cells), order, values)
