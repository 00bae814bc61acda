"""Draw a picture of results: its numbers, and the file, text or notebook that shows it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Unpack

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.choices import PictureStyle, PlotName, RunOrder
from rankeval.commands.collections.collection_means import over_collections
from rankeval.commands.collections.task import CollectionResults
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import RunsOrResults, runs_or_results
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import CostsLike, Progress, require_topics
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import results_of
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.evaluation.sorting import with_first
from rankeval.io.formats.named_values import RunCostsLike, run_costs_of
from rankeval.io.sources.atomic import atomic_bytes
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.shown import Shown
from rankeval.plots.heatmap_plot import TopicValues
from rankeval.plots.kinds import Choices, plot_kind, plot_kinds
from rankeval.plots.look import USUAL_LOOK, Appearance
from rankeval.plots.needed import (
    CUTOFFS,
    drawable_results,
    measures_with_saved,
    require_runs_only,
    saved_among,
)
from rankeval.plots.needed import measures as needed_measures
from rankeval.plots.picture_files import save, suffix_of
from rankeval.plots.plot_tables import Plot, plot_of
from rankeval.plots.whole_figure import figure, figure_size
from rankeval.ranking.qrels import QrelsLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NUMBERS = (".tsv", ".csv", ".json", ".jsonl")
"""Suffixes of files that get the numbers of a picture."""


@frozen(eq=False)
class Picture(Plot, Shown):
    """A picture of results, which a terminal shows in characters and a notebook as SVG.

    ========== ===============================================================================
    runs       the runs, the baseline first
    size       column, page, slide, or WIDTHxHEIGHT in inches
    appearance style, font, title and highlighted runs
    ========== ===============================================================================

    `to_frame`, `to_polars` and `save("numbers.tsv")` give the numbers drawn.
    """

    runs: tuple[RunResult, ...] = ()
    size: str = "page"
    appearance: Appearance = USUAL_LOOK

    __repr__ = Shown.__repr__

    def figure(self) -> Figure:
        """Return a new figure of matplotlib; UsageError for a size that cannot hold it."""
        return figure(self.kind, self.panels, size=self.size, appearance=self.appearance)

    def to_svg(self, *, svg_text: bool = False) -> str:
        """Return the picture as SVG; with `svg_text`, letters are text and not outlines."""
        return self._picture(".svg", svg_text=svg_text).decode()

    @checked
    def save(self, path: str | os.PathLike[str], *, svg_text: bool = False) -> None:
        """Write the picture, or its numbers, to a file, whole or not at all.

        The suffix names the format: .png, .svg or .pdf, and .tsv, .csv, .json or .jsonl for
        the numbers. With `svg_text`, letters of SVG are text and not outlines.
        """
        name = os.fspath(path)
        suffix = PurePath(name).suffix.lower()
        if suffix in NUMBERS:
            Shown.save(self, path)
            return
        suffix_of(name)
        picture = self._picture(suffix, svg_text=svg_text)
        with atomic_bytes(name) as stream:
            stream.write(picture)

    def _picture(self, suffix: str, *, svg_text: bool) -> bytes:
        return save(self.figure(), f"picture{suffix}", outlines=not svg_text)


@checked
@one_state()
def plot(
    kind: PlotName,
    results: Results | CollectionResults | QrelsLike,
    runs: RunsOrResults | None = None,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    baseline: str | None = None,
    against_qrels: Results | QrelsLike | None = None,
    cutoffs: Sequence[int] | None = None,
    alpha: float | None = None,
    run_costs: RunCostsLike | None = None,
    sort: RunOrder | None = None,
    top: int | None = None,
    size: str = "page",
    style: PictureStyle = "light",
    font: str = "sans",
    title: str = "",
    highlight: Sequence[str] = (),
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    progress: Progress | bool | None = None,
    **conventions: Unpack[SettingsFields],
) -> Picture:
    """Draw a picture of results, or of runs and judgments.

    ============= ===========================================================================
    kind          the kind of plot, such as "forest", "box" or "pr" (docs/plots.md)
    results       results of `evaluate`, with the measures to draw; of several collections, for
                  "grid" and others; or judgments, as `evaluate` takes them
    runs          with judgments: one run or several, or results with values by topic
    measures      with judgments: the measures to draw, nDCG@10 by default
    baseline      name of the run that others are compared with; the first by default
    against_qrels for "slope": results of the same runs under other judgments, or these
    cutoffs       for "cutoff", with judgments: the cutoffs to draw
    alpha         1 - the level of intervals, 0.05 by default
    run_costs     for "tradeoff": {run: cost}, or a file with a header
    sort          order of the runs: "value" (the default), "name" or "given"
    top           number of the best runs to draw, with the baseline
    size          "column", "page", "slide", or WIDTHxHEIGHT in inches
    style         "light", "dark" or "transparent"
    font          "sans", "serif", or the name of a font
    title         title above the picture
    highlight     names of runs to draw in colour, the others in grey
    settings, costs, reading, run_names, jobs, progress    with judgments: as in `evaluate`
    ============= ===========================================================================

    UsageError for a kind that does not exist, for one that
    cannot draw the results, and for keywords that it has no use for. Drawing needs matplotlib;
    the numbers and the picture in characters do not.

    >>> from rankeval import evaluate, plot
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> results = evaluate(qrels, {"bm25": bm25, "dense": dense}, "RR")
    >>> picture = plot("forest", results, baseline="bm25", size="column")
    >>> picture.to_frame()[["run", "baseline", "difference"]].values.tolist()
    [['dense', 'bm25', 0.25]]
    >>> picture.save("forest.svg")  # doctest: +SKIP
    """
    settings = settings_from("plot", settings, conventions, plot.__annotations__)
    of_kinds = {"cutoffs": cutoffs, "alpha": alpha, "run_costs": run_costs}
    require_uses(kind, {**of_kinds, "against_qrels": against_qrels})
    if top is not None and top < 2:
        raise UsageError(f"--top {top} leaves too few runs", expected="2 or more")
    figure_size(size)
    look = Appearance(style=style, font=font, highlight=tuple(highlight), title=title)
    if isinstance(results, Results | CollectionResults):
        evaluating = {"runs": runs, "cutoffs": cutoffs, "costs": costs, **conventions}
        _refuse_beside_results(evaluating)
    score = partial(evaluate, costs=costs, jobs=jobs, progress=progress)
    evaluation = PlotEvaluation(kind, measures, cutoffs, settings, reading, run_names, score)
    choices = _choices(alpha, run_costs)
    if against_qrels is not None:
        others = evaluation.of(against_qrels, runs, anew=True)
        choices = replace(choices, against=(others.qrels.path or "against_qrels", others))
    if isinstance(results, CollectionResults):
        require_collections(kind)
        found = over_collections(results)
    else:
        found = evaluation.of(results, runs)
    order = with_first([run.name for run in found.runs], baseline)
    found = replace(found, runs=tuple(found.runs[place] for place in order))
    choices = replace(
        choices,
        sort=sort or "value",
        top=top,
        differences=baseline is not None,
    )
    drawn = plot_of(kind, found, choices)
    return Picture(
        kind,
        _named_items(drawn.panels) if isinstance(results, CollectionResults) else drawn.panels,
        drawn.digest,
        drawn.listed,
        drawn.note,
        found.runs,
        size,
        replace(look, note=drawn.note),
    )


@frozen(eq=False)
class PlotEvaluation:
    """The way to evaluate runs for a kind of plot.

    ========= ================================================================================
    measures  the measures to draw; None for those that the kind draws by default
    cutoffs   the cutoffs of "cutoff"; None for the usual ones
    score     evaluates: `evaluate` with costs, threads and progress
    ========= ================================================================================
    """

    kind: str
    measures: MeasuresLike | None
    cutoffs: Sequence[int] | None
    settings: Settings
    reading: Reading
    run_names: RunNames
    score: Callable[..., Results]

    def names(self, saved: Sequence[Results]) -> Sequence[str]:
        """Return the names of the measures to evaluate, of saved results those that they have."""
        asked = None if self.measures is None else measure_names(self.measures)
        if saved:
            return measures_with_saved(self.kind, asked, saved)
        ranks = CUTOFFS if self.cutoffs is None else self.cutoffs
        return needed_measures(self.kind, asked, cutoffs=ranks)

    def of(
        self, given: Results | QrelsLike, runs: RunsOrResults | None, *, anew: bool = False
    ) -> Results:
        """Return results as they are given, or those of runs with judgments.

        Runs may be saved results, unless they are to be evaluated `anew`.
        """
        if isinstance(given, Results):
            return given if self.measures is None else self._chosen(given)
        if runs is None:
            raise UsageError("there is no run to draw", expected="results, or judgments and runs")
        listed, names = runs_or_results(runs, self.reading.run().columns)
        run_names = self.run_names if names is None else replace(self.run_names, given=names)
        loaded = [results_of(run) for run in listed]
        saved = saved_among(loaded)
        if anew:
            require_runs_only(saved)
        measures = self.names(saved)
        require_topics(parse_measures(list(measures), self.settings.meanings))
        score = partial(self.score, settings=self.settings, reading=self.reading)
        if not saved:
            return score(given, listed, measures, run_names=run_names)
        return drawable_results(
            *(given, loaded, measures, self.settings, score),
            reading=self.reading,
            run_names=run_names,
        )

    def swept(self) -> Sequence[str]:
        """Return the names of measures that only places of a curve need."""
        return self.names(())[1:] if plot_kind(self.kind).sweep else ()

    def _chosen(self, results: Results) -> Results:
        """Return results of the measures to draw only; UsageError where one is missing."""
        names = self.names(())
        held = results.runs[0]
        for name in names:
            if name not in held:
                raise UsageError(
                    f"the results hold no values of {name}",
                    expected=f"one of {', '.join(held)}",
                    remedy="evaluate it, too",
                )
        chosen = (replace(run, scores=tuple(run[n] for n in names)) for run in results.runs)
        return replace(results, runs=tuple(chosen))


def require_uses(kind: str, given: Mapping[str, object]) -> None:
    """Raise UsageError for keywords that the kind has no use for."""
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if value is not None and plot_kind(kind).option != option:
            *users, last = (f"'{each.name}'" for each in plot_kinds() if each.option == option)
            named = f"{', '.join(users)} and {last}" if users else last
            raise UsageError(
                f"{option} is for {named}, and this is '{kind}'", remedy=f"drop {option}"
            )


def _refuse_beside_results(given: Mapping[str, object]) -> None:
    """Raise UsageError for arguments that evaluate runs, where there are results already."""
    for name, value in given.items():
        if value:
            raise UsageError(
                f"{name} is given with results, which are evaluated already",
                remedy=f"leave out {name}, or give judgments in place of the results",
            )


def _choices(alpha: float | None, run_costs: RunCostsLike | None) -> Choices:
    """Return the choices of kinds that draw intervals or costs."""
    spent = None if run_costs is None else run_costs_of(run_costs)
    return Choices(
        alpha=0.05 if alpha is None else alpha,
        costs=spent.by_run if spent else None,
        cost=spent.name if spent else "cost",
    )


def require_collections(kind: str) -> None:
    """Raise UsageError for a kind that cannot draw collections in the place of topics."""
    if not plot_kind(kind).collections:
        able = ", ".join(each.name for each in plot_kinds() if each.collections)
        raise UsageError(
            f"'{kind}' draws the topics of one collection",
            expected=f"of several collections, one of {able}",
        )


def _named_items(panels: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return panels whose columns are called collections."""
    return tuple(
        replace(panel, item="collection") if isinstance(panel, TopicValues) else panel
        for panel in panels
    )
