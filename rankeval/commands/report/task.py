"""Make one HTML page of an evaluation: tables, tests, pictures, topics and settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from rankeval.base.checked import checked
from rankeval.choices import CorrectionText, PrintedPart, TestText, TextForm
from rankeval.commands.compare.method import Method
from rankeval.commands.report.reports.collect import collect_report, require_libraries
from rankeval.commands.report.reports.report_content import PageChoices, Report
from rankeval.evaluation.aggregation import GroupsLike
from rankeval.evaluation.comparable_runs import RunsOrResults, runs_or_results
from rankeval.evaluation.prepared import CostsLike
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.evaluation.shown_texts import TextsLike, TextSources
from rankeval.io.formats.named_values import RunCostsLike, run_costs_of
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike
from rankeval.ranking.qrels import QrelsLike


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

    The page needs no network and no other file. UsageError without jinja2 or matplotlib.

    >>> from rankeval import report
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> page = report(qrels, {"bm25": bm25, "dense": dense}, "RR AP", title="Two runs")
    >>> page.save("report.html")
    """
    require_libraries()
    settings = settings_from("report", settings, conventions, report.__annotations__)
    listed, names = runs_or_results(runs, reading.run().columns)
    return collect_report(
        qrels,
        listed,
        measures,
        settings,
        method=Method(test=test, correction=correction, alpha=alpha, seed=seed),
        page=PageChoices(
            baseline=baseline,
            title=title,
            sort=sort,
            depth=rows,
            most=max_topics,
            print_all=printed == "all",
            groups=groups,
            texts=TextSources(queries, docs, text),
        ),
        command=command,
        spent=None if run_costs is None else run_costs_of(run_costs),
        costs=costs,
        reading=reading,
        run_names=run_names if names is None else replace(run_names, given=names),
        jobs=jobs,
    )
