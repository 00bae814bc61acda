"""The pictures of a report, each with its numbers as a table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_uppercase

from rankeval.base.progress import counted
from rankeval.commands.report.reports.report_content import ReportPicture
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.evaluation.settings import Settings
from rankeval.io.formats.named_values import RunCosts
from rankeval.measures import parse_measure
from rankeval.plots import measures as needed
from rankeval.plots.inline_svg import inline_svg
from rankeval.plots.kinds import OFFERED, USUAL, Choices, InReports, PlotKind, plot_data, plot_kinds
from rankeval.plots.selection import with_measures

MOST_POINTS = 3_000
"""Pictures with more points than these are left out: no page could hold them in 15,000 elements."""


def _in_order() -> list[tuple[PlotKind, InReports]]:
    """Return the kinds of plots that reports show, in their order."""
    shown = [(kind, kind.report) for kind in plot_kinds() if kind.report]
    return sorted(shown, key=lambda pair: pair[1].place)


def curve_measures(settings: Settings, first: str) -> tuple[str, ...]:
    """Return the measures of the curves that can be drawn; `first` is the report's first measure.

    Under expected ties they are those that have means over all orders of equal scores.
    """
    every = dict.fromkeys(
        name
        for kind, _ in _in_order()
        if kind.sweep and (settings.ties != "expected" or _has_expectation(kind.name, first))
        for name in _places_of(kind.name, first)
    )
    return tuple(every)


def _places_of(kind: str, first: str) -> Sequence[str]:
    """Return the measures of a curve; none if the first measure has no cutoff to vary."""
    if OFFERED[kind].measures != USUAL:
        return needed(kind)
    return needed(kind, first) if parse_measure(first).definition.at == "cutoff" else ()


def _has_expectation(kind: str, first: str) -> bool:
    """Return True if the measures of a kind have means over all orders of equal scores."""
    return all(parse_measure(name).definition.expected for name in _places_of(kind, first))


def pictures(
    results: Results, curves: Results, alpha: float, spent: RunCosts | None = None
) -> Iterator[ReportPicture]:
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
    first = with_measures(results, [of_first])
    kinds = [*zip(_in_order(), ascii_uppercase, strict=False)]
    for (kind, shown), start in counted(kinds, "pictures", len(kinds)):
        every = OFFERED[kind.name].draws_all
        swept = _places_of(kind.name, of_first) if kind.sweep else ()
        points = len(results.runs) * len(results.runs[0].topics)
        if (
            len(results.runs) < shown.runs
            or (every and len(measures) < 2)
            or (kind.sweep and not (swept and places.issuperset(swept)))
            or (kind.option == "--run-costs" and spent is None)
            or (shown.by_topic and points > MOST_POINTS)
        ):
            continue
        of_curve = with_measures(curves, swept) if kind.sweep else first
        drawn = results if every else of_curve
        title = shown.title if kind.sweep or every else f"{shown.title}: {of_first}"
        try:
            panels = plot_data(kind.name, drawn, choices)
        except UsageError:  # no topic on which all runs have a value: the tables show that
            continue
        svg = inline_svg(kind.name, panels, title, start)
        if svg is None:
            continue
        yield ReportPicture(
            kind=kind.name,
            title=title,
            words=shown.words,
            svg=svg,
            numbers=tuple(found for panel in panels for found in shown.numbers(panel)),
        )
