"""The pictures of a report, each with its numbers as a table."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite, number
from rankeval.commands.report.reports.report_content import Numbers, Picture
from rankeval.commands.report.reports.svg import inline_svg
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.evaluation.settings import Settings
from rankeval.io.formats.named_values import RunCosts
from rankeval.measures import parse_measure
from rankeval.plots import Choices, plot_data
from rankeval.plots import measures as needed
from rankeval.plots.between_measures import Agreement
from rankeval.plots.by_cost import Tradeoff
from rankeval.plots.by_run import Boxes, MeanRanks, Means
from rankeval.plots.curves import ELEVEN, Curves, GainCurves

IDS = "ABCDEFGHIJK"
"""Letters with which the ids in each picture begin."""

MOST_POINTS = 10_000
"""Pictures with more points than these are left out: a page could not be sent any more."""


@frozen
class ReportPlot:
    """A kind of plot in a report.

    ======= ========================================================================================
    title   heading
    words   what the picture shows
    curve   True if it draws measures of its own, and not those of the report
    every   True if it draws all measures of the report, and not the first only
    runs    the fewest runs that it draws
    by_topic True if it draws a point for each topic and run
    costs   True if it draws what runs cost, which must be given
    ======= ========================================================================================
    """

    title: str
    words: str
    curve: bool = False
    every: bool = False
    runs: int = 1
    by_topic: bool = False
    costs: bool = False


PICTURES: Mapping[str, ReportPlot] = {
    "ci": ReportPlot(
        "Means",
        "Means with intervals. Intervals that overlap do not tell that runs are equal.",
    ),
    "box": ReportPlot(
        "Distributions",
        "Distributions over topics: quartiles, median (line), mean (diamond) and outliers.",
    ),
    "ranks": ReportPlot(
        "Mean ranks",
        "Mean ranks over topics, 1 being the best. Bars join runs that Nemenyi's test cannot tell "
        "apart.",
        runs=2,
    ),
    "topics": ReportPlot(
        "Differences",
        "Differences from the baseline by topic, the best topics for the run first.",
        runs=2,
        by_topic=True,
    ),
    "scatter": ReportPlot(
        "Topic by topic",
        "A point for each topic: above the diagonal the run has the greater value.",
        runs=2,
        by_topic=True,
    ),
    "agreement": ReportPlot(
        "Agreement of measures",
        "Kendall's tau and tau-AP between the orders in which the measures put the runs.",
        every=True,
        runs=3,
    ),
    "pr": ReportPlot(
        "Precision and recall",
        "Interpolated precision at levels of recall, averaged over topics.",
        curve=True,
    ),
    "prg": ReportPlot(
        "Precision gain and recall gain",
        "Gain curves averaged over topics, with lines of equal F gain.",
        curve=True,
    ),
    "tradeoff": ReportPlot(
        "Values and costs",
        "Value and cost of each run; those on the Pareto front are filled and joined.",
        costs=True,
    ),
    "cutoff": ReportPlot(
        "Values by cutoff",
        "The measure at other cutoffs, averaged over topics.",
        curve=True,
    ),
    "judged": ReportPlot(
        "Unjudged documents",
        "Share of the documents at a rank that are unjudged.",
        curve=True,
    ),
}
"""The plots of a report, in the order in which they are shown."""


def curve_measures(settings: Settings, first: str) -> tuple[str, ...]:
    """Return the measures of the curves that can be drawn; `first` is the report's first measure.

    Under expected ties they are those that have means over all orders of equal scores.
    """
    every = dict.fromkeys(
        name
        for kind, one in PICTURES.items()
        if one.curve and (settings.ties != "expected" or _has_expectation(kind, first))
        for name in _places_of(kind, first)
    )
    return tuple(every)


def _places_of(kind: str, first: str) -> Sequence[str]:
    """Return the measures of a curve; none if the first measure has no cutoff to vary."""
    if kind != "cutoff":
        return needed(kind)
    return needed(kind, first) if parse_measure(first).definition.at == "cutoff" else ()


def _has_expectation(kind: str, first: str) -> bool:
    """Return True if the measures of a kind have means over all orders of equal scores."""
    return all(parse_measure(name).definition.expected for name in _places_of(kind, first))


def _only(results: Results, measures: Collection[str]) -> Results:
    """Return the results without other measures."""
    runs = (
        replace(run, scores=tuple(score for score in run.scores if score.measure in measures))
        for run in results.runs
    )
    return replace(results, runs=tuple(runs))


def pictures(
    results: Results, curves: Results, alpha: float, spent: RunCosts | None = None
) -> Iterator[Picture]:
    """Yield the pictures that the results allow.

    `results` hold the measures of the report, and `curves` those of `curve_measures`; `spent` is
    what each run costs.
    """
    places = {score.measure for score in curves.runs[0].scores}
    of_first = results.runs[0].scores[0].measure
    choices = Choices(alpha=alpha)
    if spent is not None:
        choices = replace(choices, costs=spent.by_run, cost=spent.name)
    measures = dict.fromkeys(score.measure for score in results.runs[0].scores)
    first = replace(
        results, runs=tuple(replace(run, scores=run.scores[:1]) for run in results.runs)
    )
    for place, (kind, one) in enumerate(PICTURES.items()):
        points = len(results.runs) * len(results.runs[0].topics)
        if (
            len(results.runs) < one.runs
            or (one.every and len(measures) < 2)
            or (one.curve and not _there(_places_of(kind, of_first), places))
            or (one.costs and spent is None)
            or (one.by_topic and points > MOST_POINTS)
        ):
            continue
        of_curve = _only(curves, _places_of(kind, of_first)) if one.curve else first
        drawn = results if one.every else of_curve
        alone = not (one.curve or one.every)
        title = f"{one.title}: {results.runs[0].scores[0].measure}" if alone else one.title
        try:
            panels = plot_data(kind, drawn, choices)
        except UsageError:  # no topic on which all runs have a value: the tables show that
            continue
        yield Picture(
            kind=kind,
            title=title,
            words=one.words,
            svg=inline_svg(kind, panels, title, IDS[place]),
            numbers=tuple(found for panel in panels for found in _NUMBERS[kind](panel)),
        )


def _there(wanted: Sequence[str], known: set[str]) -> bool:
    """Return True if a curve has measures, and all of them are known."""
    return bool(wanted) and known.issuperset(wanted)


def _means(data: Means) -> Iterator[Numbers]:
    level = f"{100 * data.level:g}%"
    yield Numbers(
        f"Mean {data.measure} with {level} interval",
        ("Run", "Mean", "Low", "High"),
        tuple(
            (run, *map(_short, ends))
            for run, *ends in zip(data.runs, data.mean, data.low, data.high, strict=True)
        ),
    )


def _boxes(data: Boxes) -> Iterator[Numbers]:
    heads = ("Run", "Topics", "Mean", "Low", "First quartile", "Median", "Third quartile", "High")
    rows = (
        (
            box.run,
            str(box.n_topics),
            *map(_short, (box.mean, box.low, box.first, box.median, box.third, box.high)),
            str(len(box.outliers)),
        )
        for box in data.boxes
    )
    yield Numbers(f"Distribution of {data.measure}", (*heads, "Outliers"), tuple(rows))


def _ranks(data: MeanRanks) -> Iterator[Numbers]:
    test = data.test
    yield Numbers(
        f"Mean ranks by {data.measure}; critical difference {_short(test.critical_difference)} "
        f"at alpha = {test.alpha:g}; runs with a group in common cannot be told apart",
        ("Run", "Mean rank", "Groups"),
        tuple((row["run"], _short(row["mean_rank"]), row["groups"]) for row in data.rows()),
    )


def _agreement(data: Agreement) -> Iterator[Numbers]:
    for title, values in (("Kendall's tau", data.tau), ("tau-AP, truth: the row", data.tau_ap)):
        yield Numbers(
            title,
            ("Measure", *data.measures),
            tuple(
                (name, *map(_short, row)) for name, row in zip(data.measures, values, strict=True)
            ),
        )


def _curves(data: Curves) -> Iterator[Numbers]:
    chosen = np.flatnonzero(np.isin(data.x, _places(data.axis)))
    title = {"recall": "Interpolated precision", "rank": "Share of unjudged documents"}
    yield Numbers(
        f"{title.get(data.axis, data.measure)} by {data.axis}",
        ("Run", *(f"{place:g}" for place in data.x[chosen])),
        tuple(
            (run, *map(_short, heights[chosen]))
            for run, heights in zip(data.runs, data.y, strict=True)
        ),
    )


def _costs(data: Tradeoff) -> Iterator[Numbers]:
    rows = zip(data.runs, data.costs, data.values, data.on_front, strict=True)
    yield Numbers(
        f"{data.measure} and {data.cost}",
        ("Run", data.cost, data.measure, "Pareto front"),
        tuple(
            (run, f"{cost:g}", _short(value), "yes" if on_front else "no")
            for run, cost, value, on_front in rows
        ),
    )


def _places(axis: str) -> tuple[float, ...]:
    """Return the places of a curve that its table shows."""
    return ELEVEN if axis == "recall" else (1, 2, 3, 5, 10, 20, 30, 50, 100)


def _gains(data: GainCurves) -> Iterator[Numbers]:
    chosen = np.flatnonzero(np.isin(data.recall_gain, ELEVEN))
    yield Numbers(
        "Precision gain by recall gain, and the area under the curve",
        ("Run", "Area", *(f"{place:g}" for place in data.recall_gain[chosen])),
        tuple(
            (run, _short(area), *map(_short, heights[chosen]))
            for run, area, heights in zip(data.runs, data.area, data.precision_gain, strict=True)
        ),
    )


def _in_tables_of_topics(_: Any) -> Iterator[Numbers]:
    return iter(())


def _short(value: float | None) -> str:
    return number(None if value is None else finite(value), 4)


_NUMBERS: Mapping[str, Callable[[Any], Iterator[Numbers]]] = {
    "ci": _means,
    "box": _boxes,
    "ranks": _ranks,
    "topics": _in_tables_of_topics,
    "scatter": _in_tables_of_topics,
    "agreement": _agreement,
    "pr": _curves,
    "prg": _gains,
    "tradeoff": _costs,
    "cutoff": _curves,
    "judged": _curves,
}
