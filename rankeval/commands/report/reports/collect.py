"""Collect what a report shows: values of runs and topics, tests, pictures, files and warnings."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypedDict, Unpack

import numpy as np

from rankeval.base.threads import usable_threads
from rankeval.base.wording import finite
from rankeval.commands.compare.method import Method
from rankeval.commands.compare.reports.comparison_words import method_words
from rankeval.commands.compare.run_pairs import Pair
from rankeval.commands.compare.task import USUAL as USUAL_METHOD
from rankeval.commands.compare.task import Comparison, compare
from rankeval.commands.report.reports.documents import input_files, judged_documents, read_runs
from rankeval.commands.report.reports.pictures import curve_measures, pictures
from rankeval.commands.report.reports.report_content import MeasureSection, Report, TopicRow, Value
from rankeval.commands.report.reports.verdict import leader, verdict
from rankeval.errors import UsageError
from rankeval.evaluation.conventions import conventions_in_words
from rankeval.evaluation.prepared import CostsLike, judgments_of, require_topics
from rankeval.evaluation.rankings import ONE_ORDER
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import Settings, settings_or_usual
from rankeval.io.formats.named_values import RunCosts
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.notice_lines import notice_lines
from rankeval.output.pages import versions
from rankeval.output.style import USUAL_DECIMALS
from rankeval.output.values import (
    averaged_topics,
    conventions_sentence,
    seeds_sentence,
    single_runs,
)
from rankeval.plots.selection import ends_of_mean
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, refuse_stdin_twice

USUAL = "nDCG@10 AP RR R@100"
"""Measures of a report where none is named."""

SHADES = 10
"""Shades of the heat map, from the least to the greatest value of a measure."""

DEPTH = 10
"""First ranks whose judged documents are listed."""


class Evaluating(TypedDict, total=False):
    """Arguments of `evaluate` that a report hands on."""

    costs: CostsLike | None
    reading: Reading
    run_names: RunNames
    jobs: int | None


def report(
    qrels: QrelsLike,
    runs: Sequence[RunLike],
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    method: Method = USUAL_METHOD,
    depth: int = DEPTH,
    command: str = "",
    spent: RunCosts | None = None,
    **evaluating: Unpack[Evaluating],
) -> Report:
    """Evaluate runs, the first of which is the baseline, and return what a report shows.

    `method` holds the test and the correction, and the level of intervals; `depth` is the number of
    first ranks whose judged documents are listed; `command` is the command line that makes the
    report again; `spent` is what each run costs. Other arguments are as in `evaluate`. UsageError
    if a measure is no mean over topics.
    """
    settings = settings_or_usual(settings)
    joined = measure_names(USUAL if measures is None else measures)
    parsed = parse_measures(joined)
    require_topics(parsed)
    names = [str(named.measure) for named in parsed]
    refuse_stdin_twice(qrels, *runs)
    threads, reading = usable_threads(evaluating.get("jobs")), evaluating.get("reading", AS_FOUND)
    costs = evaluating.get("costs")
    judgments = judgments_of(qrels, joined, reading)
    read = read_runs(
        judgments,
        runs,
        [names, curve_measures(settings, names[0])],
        settings,
        costs=costs,
        reading=reading,
        run_names=evaluating.get("run_names", BY_TAG),
        jobs=threads,
    )
    results, curves = read.results
    compare_with = partial(_compared, results, judgments, settings, method, costs)
    compared = compare_with(0, names)
    sections = tuple(
        _section(results, i, compared, method.alpha) for i in range(len(results.runs[0].scores))
    )
    documents = None
    if settings.ties in ONE_ORDER:
        documents = judged_documents(judgments, read.alignments, sections[0], depth)
    warnings = (
        *notice_lines(results.runs, USUAL_DECIMALS),
        *(compared.warnings if compared else ()),
    )
    facts = ("path", "topics", "judgments", "digest")
    return Report(
        qrels={name: getattr(results.qrels, name) for name in facts},
        runs=tuple((run.name, run.path) for run in results.runs),
        sections=sections,
        pictures=tuple(pictures(results, curves, method.alpha, spent)),
        documents=documents,
        files=input_files(
            ["Judgments", *(run.name for run in single_runs(results.runs))],
            [_path(qrels), *(run.path if run.is_file else "" for of in read.sources for run in of)],
            reading,
        ),
        alpha=method.alpha,
        method=method_words(compared) if compared else "",
        settings={name: value for name, value in results.settings.items() if value is not None},
        verdict=_verdict(results, sections[0], compare_with, method.alpha, len(warnings)),
        warnings=warnings,
        command=command,
        versions=versions(),
        topics=averaged_topics(results.runs),
        conventions=_conventions(results, of_documents=documents is not None),
    )


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
    """Return what is not the default, how systems are averaged, and whose documents are listed."""
    systems = [run for run in results.runs if run.seeds and of_documents]
    return (
        *conventions_sentence(conventions_in_words(results.settings)),
        *seeds_sentence(results.runs),
        *(f"Documents are those of {run.seeds[0].path}." for run in systems),
    )


def _path(given: object) -> str:
    """Return the path of a file; "" for values in memory."""
    return os.fspath(given) if isinstance(given, str | os.PathLike) else ""


def _section(
    results: Results, place: int, compared: Comparison | None, alpha: float
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
    return MeasureSection(
        name=first.measure,
        loss=first.loss,
        signature=first.signature,
        summary=tuple(summary),
        topics=_topics(results, scores),
    )


def _tested(value: Value, pair: Pair, alpha: float) -> Value:
    """Return a value with its difference from the baseline, and what the test says of it."""
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
    )


def _topics(results: Results, scores: Sequence[Score]) -> tuple[TopicRow, ...]:
    """Return the values of every topic that some run has; each run may lack some."""
    topics = dict.fromkeys(topic for run in results.runs for topic in run.topics)
    places = [{topic: i for i, topic in enumerate(run.topics)} for run in results.runs]
    every = np.concatenate([score.values for score in scores])
    known = every[~np.isnan(every)]
    span = scores[0].span or (
        (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    )

    def value(run: int, topic: str) -> Value:
        place = places[run].get(topic)
        found = None if place is None else finite(scores[run].values[place])
        return Value(found, shade=None if found is None else shade(found, span))

    return tuple(
        TopicRow(topic, tuple(value(i, topic) for i in range(len(scores)))) for topic in topics
    )


def shade(value: float, span: tuple[float, float]) -> int:
    """Return the shade of a value, from 0 at the low end to 9 at the high end."""
    low, high = span
    if not high > low:
        return 0
    return min(SHADES - 1, max(0, int((value - low) / (high - low) * SHADES)))
