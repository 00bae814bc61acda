"""Collect the content of a report: values, tests, pictures, files and warnings."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.threads import usable_threads
from rankeval.base.wording import decoded, finite
from rankeval.commands.compare.comparison_words import method_words
from rankeval.commands.compare.method import Method
from rankeval.commands.compare.run_pairs import Pair
from rankeval.commands.compare.task import USUAL as USUAL_METHOD
from rankeval.commands.compare.task import Comparison, compare
from rankeval.commands.report.reports.documents import (
    ReadRuns,
    first_documents,
    input_file,
    input_files,
    most_different,
    read_runs,
    topic_rankings,
)
from rankeval.commands.report.reports.pictures import curve_measures, pictures
from rankeval.commands.report.reports.report_content import (
    USUAL_PAGE,
    Explorer,
    InputFile,
    MeasureSection,
    PageChoices,
    Report,
    Value,
)
from rankeval.commands.report.reports.verdict import decisive, leader, verdict
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import Aggregation, aggregation
from rankeval.evaluation.conventions import averaged_topics, conventions_in_words
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.notice_lines import notice_lines
from rankeval.evaluation.prepared import CostsLike, judgments_of, require_topics
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import results_of
from rankeval.evaluation.settings import Settings, settings_or_usual
from rankeval.evaluation.shown_values import conventions_sentence, seeds_sentence, single_runs
from rankeval.evaluation.sorting import in_order
from rankeval.io.formats.named_values import RunCosts
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.pages import require_jinja, versions
from rankeval.output.style import USUAL_DECIMALS
from rankeval.plots.look import require_matplotlib
from rankeval.plots.needed import drawable_results, saved_among
from rankeval.plots.selection import ends_of_mean
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, refuse_stdin_twice

USUAL = "nDCG@10 AP RR R@100"
"""Measures of a report where none is named."""


def require_libraries() -> None:
    """Raise UsageError if a library that draws pages is not installed."""
    require_jinja()
    require_matplotlib()


def collect_report(
    qrels: QrelsLike,
    runs: Sequence[RunLike | Results],
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    method: Method = USUAL_METHOD,
    page: PageChoices = USUAL_PAGE,
    command: str = "",
    spent: RunCosts | None = None,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
) -> Report:
    """Evaluate runs and return the content of a report.

    `method` holds the test and the correction, and the level of intervals; `page` says what is
    shown; `command` is the command line that makes the report again; `spent` is what each run
    costs. Other arguments are as in `evaluate`. Where some runs are saved results, their measures
    are shown by default, and no rankings. UsageError if a measure is no mean over topics.
    """
    settings = settings_or_usual(settings)
    refuse_stdin_twice(qrels, *runs)
    loaded = [results_of(run) for run in runs]
    joined = measure_names(_usual(loaded) if measures is None else measures)
    parsed = parse_measures(joined)
    require_topics(parsed)
    names = [str(named.measure) for named in parsed]
    threads = usable_threads(jobs)
    judgments = judgments_of(qrels, joined, reading)
    read = _read(
        *(judgments, loaded, names, settings),
        costs=costs,
        reading=reading,
        run_names=run_names,
        jobs=threads,
    ).with_first(page.baseline)
    results, curves = read.results
    compare_with = partial(_compared, results, judgments, settings, method, costs)
    compared = compare_with(0, names)
    sections = tuple(
        _section(results, i, compared, method.alpha, page.sort)
        for i in range(len(results.runs[0].scores))
    )
    tops = first_documents(judgments, read, settings, reading, page.depth, threads)
    groups = aggregation(None, None, page.groups)
    explorer = _explorer(judgments, results, sections[0].values, tops, groups, page)
    if not read.sources:
        explorer = replace(explorer, unranked="Saved results hold no rankings to show.")
    red = decisive(results.runs, sections[0])
    warnings = (
        *red,
        *notice_lines(results.runs, USUAL_DECIMALS),
        *(compared.warnings if compared else ()),
        *groups.warnings(_named(judgments, results)),
        *explorer.texts.notices(),
    )
    facts = ("path", "topics", "judgments", "digest")
    return Report(
        qrels={name: getattr(results.qrels, name) for name in facts},
        runs=tuple((run.name, run.path) for run in results.runs),
        sections=sections,
        pictures=tuple(pictures(results, curves, method.alpha, spent)),
        explorer=explorer,
        page=page,
        costs=spent,
        files=_files(qrels, read, reading),
        alpha=method.alpha,
        method=method_words(compared) if compared else "",
        settings={name: value for name, value in results.settings.items() if value is not None},
        verdict=_verdict(results, sections[0], compare_with, method.alpha, len(warnings)),
        warnings=warnings,
        decisive=red,
        command=command,
        versions=versions(),
        topics=averaged_topics(results.runs),
        conventions=_conventions(results, of_documents=bool(explorer.rankings)),
    )


def _usual(loaded: Sequence[RunLike | Results]) -> str:
    """Return the measures that are shown where none is named, of saved results those they hold."""
    saved = saved_among(loaded)
    scores = saved[0].runs[0].scores if saved else ()
    return " ".join(dict.fromkeys(s.measure for s in scores if s.rule == "mean")) or USUAL


def _read(
    judgments: Qrels,
    loaded: Sequence[RunLike | Results],
    measures: Sequence[str],
    settings: Settings,
    *,
    run_names: RunNames,
    **how: Any,
) -> ReadRuns:
    """Return the results of all runs; where some are saved, without rankings and curves."""
    if not saved_among(loaded):
        lists = [measures, curve_measures(settings, measures[0])]
        return read_runs(judgments, loaded, lists, settings, run_names=run_names, **how)
    score = partial(evaluate, settings=settings, **how)
    found = drawable_results(
        *(judgments, loaded, measures, settings, score),
        reading=how["reading"],
        run_names=run_names,
    )
    return ReadRuns((found, found), ())


def _explorer(
    judgments: Qrels,
    results: Results,
    values: Floats,
    tops: Sequence[Mapping[bytes, Sequence[bytes]]],
    groups: Aggregation,
    page: PageChoices,
) -> Explorer:
    """Return the topics; `values` are those that the runs differ in, and `tops` of each run."""
    topics = _topics(results)
    shown = [topics[i] for i in most_different(values, page.most)] if tops else []
    rankings = topic_rankings(judgments, tops, shown)
    docnos = {topic: rankings[topic].docnos if topic in rankings else () for topic in topics}
    labels = groups.labels(_named(judgments, results))
    return Explorer(
        topics=tuple(topics),
        groups=dict(zip(topics, labels, strict=True)) if labels else {},
        depth=page.depth,
        rankings=rankings,
        texts=page.texts.of(docnos),
    )


def _files(qrels: QrelsLike, read: ReadRuns, reading: Reading) -> tuple[InputFile, ...]:
    """Return the known facts of the files of the judgments and of all runs."""
    if not read.sources:
        (judged,) = input_files(["Judgments"], [_path(qrels)], reading)
        return (judged, *(input_file(run.name, run.path) for run in read.results[0].runs))
    runs = [run.name for run in single_runs(read.results[0].runs)]
    paths = [run.path if run.is_file else "" for system in read.sources for run in system]
    return input_files(["Judgments", *runs], [_path(qrels), *paths], reading)


def _named(judgments: Qrels, results: Results) -> list[bytes]:
    """Return the topics of some run as they are in the judgments."""
    name_of = {decoded(topic): topic for topic in judgments.topics}
    return [name_of[topic] for topic in _topics(results)]


def _compared(
    results: Results,
    judgments: Qrels,
    settings: Settings,
    method: Method,
    costs: CostsLike | None,
    baseline: int,
    measures: Sequence[str],
) -> Comparison | None:
    """Compare the runs with the one at that place; None for a single run."""
    first, *others = (
        replace(results, runs=(run,))
        for run in (results.runs[baseline], *results.runs[:baseline], *results.runs[baseline + 1 :])
    )
    if not others:
        return None
    return compare(judgments, first, others, measures, settings, method=method, costs=costs)


def _verdict(
    results: Results,
    section: MeasureSection,
    compare_with: Callable[[int, Sequence[str]], Comparison | None],
    alpha: float,
    n_warnings: int,
) -> tuple[str, ...]:
    """Return the first sentences, after comparing the leader of the section with all others."""
    best = leader(section)
    compared = None if best is None else compare_with(best, [section.name])
    names = [run.name for run in results.runs]
    return verdict(names, section, compared.pairs if compared else (), alpha, n_warnings)


def _conventions(results: Results, *, of_documents: bool) -> tuple[str, ...]:
    """Return non-default settings, how systems are averaged, and whose documents are listed."""
    systems = [run for run in results.runs if run.seeds and of_documents]
    return (
        *conventions_sentence(conventions_in_words(results.settings)),
        *seeds_sentence(results.runs),
        *(f"Documents are those of {run.seeds[0].path}." for run in systems),
    )


def _path(given: object) -> str:
    """Return the path of a file; "" for values in memory."""
    return os.fspath(given) if isinstance(given, str | os.PathLike) else ""


def _topics(results: Results) -> list[str]:
    """Return every topic that some run has."""
    return [*dict.fromkeys(topic for run in results.runs for topic in run.topics)]


def _section(
    results: Results, place: int, compared: Comparison | None, alpha: float, sort: str | None
) -> MeasureSection:
    scores = [run.scores[place] for run in results.runs]
    first = scores[0]
    if first.rule == "sum":
        raise UsageError(
            f"{first.measure} is a sum over topics, and reports show means",
            remedy=f"leave {first.measure} out",
        )
    every = compared.pairs if compared else ()
    pairs = {pair.run: pair for pair in every if pair.measure == first.measure}
    known = [score.aggregate for score in scores if not np.isnan(score.aggregate)]
    best = (min if first.loss else max)(known, default=np.nan)
    summary = []
    for run, score in zip(results.runs, scores, strict=True):
        low, high = ends_of_mean(score, 1.0 - alpha)
        value = Value(
            value=finite(score.aggregate),
            low=low,
            high=high,
            deviation=finite(score.deviation),
            best=bool(score.aggregate == best),
        )
        pair = pairs.get(run.name)
        summary.append(value if pair is None else _tested(value, pair, alpha))
    place_of = {id(run): i for i, run in enumerate(results.runs)}
    return MeasureSection(
        name=first.measure,
        loss=first.loss,
        signature=first.signature,
        summary=tuple(summary),
        order=tuple(place_of[id(run)] for run in in_order(results.runs, sort or first.measure)),
        values=_values(results, scores),
    )


def _tested(value: Value, pair: Pair, alpha: float) -> Value:
    """Return a value with its difference from the baseline, and the outcome of the test."""
    verdict = ""
    if pair.is_shown(alpha):
        verdict = "better" if pair.gain > 0 else "worse"
    return replace(
        value,
        difference=pair.summary.difference,
        ends=None if pair.low is None or pair.high is None else (pair.low, pair.high),
        p_value=pair.p_value,
        probability=None if pair.posterior is None else pair.posterior.better,
        verdict=verdict,
        wins=(pair.summary.wins, pair.summary.ties, pair.summary.losses),
    )


def _values(results: Results, scores: Sequence[Score]) -> Floats:
    """Return the values by run and topic; NaN where a run lacks the topic."""
    place = {topic: i for i, topic in enumerate(_topics(results))}
    values = np.full((len(scores), len(place)), np.nan)
    for row, run, score in zip(values, results.runs, scores, strict=True):
        row[[place[topic] for topic in run.topics]] = score.values
    return values
