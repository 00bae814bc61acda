"""Make one HTML page of an evaluation: tables, tests, pictures, topics and settings."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.threads import usable_threads
from rankeval.base.wording import decoded, finite
from rankeval.choices import CorrectionText, PrintedPart, TestText, TextForm
from rankeval.commands.compare.comparison_words import method_words
from rankeval.commands.compare.method import Method
from rankeval.commands.compare.task import Comparison, compare
from rankeval.commands.report.content import Explorer, MeasureSection, Report, Value
from rankeval.commands.report.documents import (
    ReadRuns,
    first_documents,
    most_different,
    read_runs,
    topic_rankings,
)
from rankeval.commands.report.pages import require_jinja, versions
from rankeval.commands.report.six_pictures import curve_measures, pictures
from rankeval.commands.report.verdict import decisive, leader, verdict
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import Aggregation, GroupsLike, aggregation
from rankeval.evaluation.comparable_runs import RunsOrResults, runs_or_results
from rankeval.evaluation.conventions import averaged_topics, conventions_in_words
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.notice_lines import notice_lines
from rankeval.evaluation.prepared import CostsLike, judgments_of, require_topics
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import results_of
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.evaluation.shown_texts import TextsLike, TextSources
from rankeval.evaluation.shown_values import conventions_sentence, seeds_sentence
from rankeval.evaluation.sorting import in_order
from rankeval.io.formats.named_values import RunCostsLike, run_costs_of
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.style import USUAL_DECIMALS
from rankeval.plots.look import require_matplotlib
from rankeval.plots.selection import drawable_results, ends_of_mean
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, refuse_stdin_twice

if TYPE_CHECKING:
    from rankeval.commands.compare.run_pairs import Pair

USUAL = "nDCG@10 AP RR R@100"
"""Measures of a report where none is named."""


def require_libraries() -> None:
    """Raise UsageError if a library that draws pages is not installed."""
    require_jinja()
    require_matplotlib()


@checked
@one_state()
def report(
    qrels: QrelsLike,
    runs: RunsOrResults,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    baseline: str | None = None,
    test: TestText = "t",
    correction: CorrectionText | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    groups: GroupsLike | None = None,
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    text: TextForm = "window",
    rows: int = 10,
    max_topics: int = 250,
    title: str = "",
    sort: str | None = None,
    printed: PrintedPart = "summary",
    run_costs: RunCostsLike | None = None,
    command: str = "",
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
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
    test, correction, alpha    as in `compare`
    seed        of tests that draw at random
    groups      of topics, to filter by: a path, or {topic: group}
    queries, docs, text    texts of topics and documents, as in `explain`
    rows        documents to show of each ranking
    max_topics  topics to show rankings of: those on which the runs differ most
    title       heading; by default it counts the runs
    sort        a measure or "name" that orders the runs; by default the shown measure
    printed     what a browser prints: "summary", or "all"
    run_costs   what each run costs: {run: cost}, or a file with a header
    command     the command that makes the page again, to be shown at its end
    settings, costs, reading, run_names, jobs    as in `evaluate`
    =========== ===========================================================================

    The page needs no network and no other file. UsageError without jinja2 or matplotlib, and for a
    measure that is no mean over topics.

    >>> from rankeval import report
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> page = report(qrels, {"bm25": bm25, "dense": dense}, "RR AP", title="Two runs")
    >>> page.save("report.html")
    """
    require_libraries()
    settings = settings_from("report", settings, conventions, report.__annotations__)
    spent = None if run_costs is None else run_costs_of(run_costs)
    method = Method(test=test, correction=correction, alpha=alpha, seed=seed)
    listed, names = runs_or_results(runs, reading.run().columns)
    run_names = run_names if names is None else replace(run_names, given=names)
    threads = usable_threads(jobs)
    judgments, read = _read(
        *(qrels, listed, measures, settings),
        costs=costs,
        reading=reading,
        run_names=run_names,
        jobs=threads,
    )
    read, texts = read.with_first(baseline), TextSources(queries, docs, text)
    results = read.results
    compare_with = partial(_compared, results, judgments, settings, method, costs)
    compared = compare_with(0, [score.measure for score in results.runs[0].scores])
    sections = tuple(
        _section(results, i, compared, alpha, sort) for i in range(len(results.runs[0].scores))
    )
    tops = first_documents(judgments, read, settings, reading, rows, threads)
    of_groups, topics = aggregation(None, None, groups), _topics(results)
    shown = [topics[i] for i in most_different(sections[0].values, max_topics)] if tops else []
    rankings = topic_rankings(judgments, tops, shown)
    explorer = _explorer(judgments, topics, of_groups, rankings, texts, rows)
    if not read.sources:
        explorer = replace(explorer, unranked="Saved results hold no rankings to show.")
    red = decisive(results.runs, sections[0])
    warnings = (
        *red,
        *notice_lines(results.runs, USUAL_DECIMALS, read.of_curves()),
        *(compared.warnings if compared else ()),
        *of_groups.warnings(_named(judgments, topics)),
        *explorer.texts.notices(),
    )
    documented = [run for run in results.runs if run.seeds and rankings]
    facts = ("path", "topics", "judgments", "digest")
    return Report(
        qrels={name: getattr(results.qrels, name) for name in facts},
        runs=tuple((run.name, run.path) for run in results.runs),
        sections=sections,
        pictures=tuple(pictures(results, read.curves, compared, sections[0].order)),
        explorer=explorer,
        title=title,
        print_all=printed == "all",
        costs=spent,
        digests=_digests([qrels, *(one.path for of in read.sources for one in of if one.is_file)]),
        alpha=alpha,
        method=method_words(compared) if compared else "",
        settings={name: value for name, value in results.settings.items() if value is not None},
        verdict=_verdict(results, sections[0], compare_with, alpha, len(warnings)),
        warnings=warnings,
        decisive=red,
        command=command,
        versions=versions(),
        topics=averaged_topics(results.runs),
        conventions=(
            *conventions_sentence(conventions_in_words(results.settings)),
            *seeds_sentence(results.runs),
            *(f"Documents are those of {run.seeds[0].path}." for run in documented),
        ),
    )


def _read(
    qrels: QrelsLike,
    runs: Sequence[RunLike | Results],
    measures: MeasuresLike | None,
    settings: Settings,
    **how: Any,
) -> tuple[Qrels, ReadRuns]:
    """Return the judgments, and the results of all runs and curves.

    Where some runs are saved results, their measures are those by default, and there are no curves.
    """
    refuse_stdin_twice(qrels, *runs)
    loaded = [results_of(run) for run in runs]
    saved = [run for run in loaded if isinstance(run, Results)]
    scores = saved[0].runs[0].scores if saved else ()
    held = dict.fromkeys(score.measure for score in scores if score.rule == "mean")
    joined = measure_names((" ".join(held) or USUAL) if measures is None else measures)
    parsed = parse_measures(joined)
    require_topics(parsed)
    names = [str(named.measure) for named in parsed]
    judgments = judgments_of(qrels, joined, how["reading"])
    if not saved:
        curves = () if settings.ties == "expected" else curve_measures(names[0])
        return judgments, read_runs(judgments, loaded, names, curves, settings, **how)
    run_names = how.pop("run_names")
    score = partial(evaluate, settings=settings, **how)
    named = {"reading": how["reading"], "run_names": run_names}
    return judgments, ReadRuns(drawable_results(judgments, loaded, names, settings, score, **named))


def _explorer(
    judgments: Qrels,
    topics: Sequence[str],
    groups: Aggregation,
    rankings: Any,
    texts: TextSources,
    depth: int,
) -> Explorer:
    """Return the topics, and the data on them."""
    docnos = {topic: rankings[topic].docnos if topic in rankings else () for topic in topics}
    labels = groups.labels(_named(judgments, topics))
    return Explorer(
        topics=tuple(topics),
        groups=dict(zip(topics, labels, strict=True)) if labels else {},
        depth=depth,
        rankings=rankings,
        texts=texts.of(docnos),
    )


def _digests(files: Sequence[Any]) -> dict[str, str]:
    """Return the SHA-256 of the bytes of files, in hexadecimal digits."""
    found = {}
    for path in (os.fspath(one) for one in files if isinstance(one, str | os.PathLike)):
        if Path(path).is_file():
            with Path(path).open("rb") as stream:
                found[path] = hashlib.file_digest(stream, "sha256").hexdigest()
    return found


def _named(judgments: Qrels, topics: Sequence[str]) -> list[bytes]:
    """Return topics as they are in the judgments."""
    name_of = {decoded(topic): topic for topic in judgments.topics}
    return [name_of[topic] for topic in topics]


def _topics(results: Results) -> list[str]:
    """Return every topic that some run has."""
    return [*dict.fromkeys(topic for run in results.runs for topic in run.topics)]


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
    return compare(
        judgments, first, others, measures, settings=settings, method=method, costs=costs
    )


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
    pairs = compared.pairs if compared else ()
    if best:  # the baseline and the leader have the verdict of the table
        p = section.summary[best].p_value
        pairs = tuple(replace(one, p=p) if one.run == names[0] else one for one in pairs)
    return verdict(names, section, pairs, alpha, n_warnings)


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
    place_of = {id(run): i for i, run in enumerate(results.runs)}
    topics = {topic: i for i, topic in enumerate(_topics(results))}
    values = np.full((len(scores), len(topics)), np.nan)
    for row, run, score in zip(values, results.runs, scores, strict=True):
        row[[topics[topic] for topic in run.topics]] = score.values
    return MeasureSection(
        name=first.measure,
        loss=first.loss,
        signature=first.signature,
        summary=tuple(
            _value(score, pairs.get(run.name), best, alpha)
            for run, score in zip(results.runs, scores, strict=True)
        ),
        order=tuple(place_of[id(run)] for run in in_order(results.runs, sort or first.measure)),
        values=values,
    )


def _value(score: Score, pair: Pair | None, best: float, alpha: float) -> Value:
    """Return a value with its interval, its difference from the baseline, and the outcome."""
    low, high = ends_of_mean(score, 1.0 - alpha)
    value = Value(
        value=finite(score.aggregate),
        low=low,
        high=high,
        deviation=finite(score.deviation),
        best=bool(score.aggregate == best),
    )
    if pair is None:
        return value
    shown = "better" if pair.gain > 0 else "worse"
    return replace(
        value,
        difference=pair.summary.difference,
        ends=None if pair.low is None or pair.high is None else (pair.low, pair.high),
        p_value=pair.p,
        probability=None if pair.posterior is None else pair.posterior.better,
        verdict=shown if pair.is_shown(alpha) else "",
        wins=(pair.summary.wins, pair.summary.ties, pair.summary.losses),
    )
