"""Draw a picture of results: its numbers, and the file, text or notebook that shows it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Unpack, cast

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.choices import PictureStyle, RunOrder
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import RunsOrResults, runs_or_results, with_measures
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import CostsLike, Progress
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.evaluation.sorting import with_first
from rankeval.io.formats.named_values import RunCostsLike, run_costs_of
from rankeval.io.sources.atomic import atomic_bytes
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, measure_names
from rankeval.output.shown import Shown
from rankeval.plots import pictures
from rankeval.plots.form import Form
from rankeval.plots.kinds import KINDS, Choices, kind_named
from rankeval.plots.look import USUAL_LOOK, Appearance
from rankeval.plots.selection import (
    CUTOFFS,
    arranged,
    best_runs,
    drawable_results,
    in_drawing_order,
    plot_data,
)
from rankeval.plots.selection import measures as needed_measures
from rankeval.ranking.qrels import QrelsLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@frozen(eq=False)
class Picture(Shown):
    """A picture of results, which a terminal shows in characters and a notebook as SVG.

    ========== ===============================================================================
    kind       the kind of plot
    panels     the numbers drawn, with the runs as given
    order      names of the runs as they are drawn
    digest     that of the judgments
    runs       the runs, the baseline first
    size       column, page, slide, or WIDTHxHEIGHT in inches
    appearance style, title and highlighted runs
    ========== ===============================================================================

    `to_frame`, `to_polars` and `save("numbers.tsv")` give the numbers drawn.
    """

    kind: str
    panels: tuple[Form, ...]
    order: tuple[str, ...]
    digest: str
    runs: tuple[RunResult, ...]
    size: str = "page"
    appearance: Appearance = USUAL_LOOK

    __repr__ = Shown.__repr__

    def _repr_html_(self) -> str:
        svg = self.to_svg()
        return svg[svg.index("<svg") :]

    @property
    def drawn(self) -> tuple[Form, ...]:
        """The panels with the runs in the order of the drawing."""
        return arranged(self.panels, self.order)

    def figure(self) -> Figure:
        """Return a new figure of matplotlib."""
        return pictures.figure(self.kind, self.drawn, size=self.size, appearance=self.appearance)

    def to_svg(self) -> str:
        """Return the picture as SVG."""
        return pictures.save(self.figure(), "picture.svg").decode()

    @checked
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture, or its numbers, to a file, whole or not at all.

        The suffix names the format: .png, .svg or .pdf, and .tsv, .csv, .json or .jsonl for
        the numbers.
        """
        name = os.fspath(path)
        if PurePath(name).suffix.lower() in (".tsv", ".csv", ".json", ".jsonl"):
            Shown.save(self, path)
            return
        pictures.suffix_of(name)
        picture = pictures.save(self.figure(), name)
        with atomic_bytes(name) as stream:
            stream.write(picture)


@checked
@one_state()
def plot(
    kind: str | Results | QrelsLike,
    results: Results | QrelsLike | RunsOrResults | None = None,
    runs: RunsOrResults | MeasuresLike | None = None,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    baseline: str | int | None = None,
    against_qrels: Results | QrelsLike | None = None,
    cutoffs: Sequence[int] | None = None,
    alpha: float | None = None,
    run_costs: RunCostsLike | None = None,
    sort: RunOrder = "value",
    top: int | None = None,
    size: str = "page",
    style: PictureStyle = "light",
    title: str = "",
    highlight: Sequence[str] | None = None,
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    progress: Progress | bool | None = None,
    **conventions: Unpack[SettingsFields],
) -> Picture:
    """Draw a picture of results, or of runs and judgments.

    ============= ===========================================================================
    kind          the kind of plot, such as "forest", "box" or "pr" (docs/plots.md); it may be left
                  out: "forest" of several runs, "ci" of one
    results       results of `evaluate`, with the measures to draw; of several
                  collections; or judgments, as `evaluate` takes them
    runs          with judgments: one run or several, or results with values by topic
    measures      the measures to draw, nDCG@10 by default; of results, all
    baseline      name or place of the run that others are compared with; the first by default
    against_qrels for "slope": results of the same runs under other judgments, or these
    cutoffs       for "cutoff", with judgments: the cutoffs to draw
    alpha         1 - the level of intervals, 0.05 by default
    run_costs     for "tradeoff": {run: cost}, or a file with a header
    sort          order of the runs: "value", "name" or "given"
    top           number of the best runs to draw, with the baseline
    size          "column", "page", "slide", or WIDTHxHEIGHT in inches
    style         "light", "dark" or "transparent"
    title         title above the picture
    highlight     names of runs to draw in colour, the others in grey
    settings, costs, run_names, jobs, progress    with judgments: as in `evaluate`
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
    settings = settings_from(settings, conventions)
    drawn: Any = results
    of: Any = runs
    if not isinstance(kind, str) or (kind not in KINDS and os.path.lexists(kind)):
        drawn = kind
        if results is not None:
            of, measures = results, cast("Any", runs) if measures is None else measures
        kind = _usual_kind(drawn, of, settings)
    of_kinds = {"cutoffs": cutoffs, "alpha": alpha, "run_costs": run_costs}
    require_uses(kind, {**of_kinds, "against_qrels": against_qrels})
    if top is not None and top < 2:
        raise UsageError(f"--top {top} leaves too few runs", expected="2 or more")
    pictures.figure_size(size)
    appearance = Appearance(style=style, highlight=tuple(highlight or ()), title=title)
    if isinstance(drawn, Results):
        given = {"runs": of, "cutoffs": cutoffs, "costs": costs, **conventions}
        for name in [name for name, value in given.items() if value]:
            raise UsageError(
                f"{name} is given with results, which are evaluated already",
                remedy=f"leave out {name}, or give judgments instead of the results",
            )
    score = partial(evaluate, settings=settings, costs=costs, jobs=jobs, progress=progress)
    evaluated = partial(_evaluated, kind, measures, cutoffs, settings, run_names, score)
    found = evaluated(drawn, of)
    others = None if against_qrels is None else evaluated(against_qrels, of)
    spent = None if run_costs is None else run_costs_of(run_costs)
    names = [run.name for run in found.runs]
    order = with_first(names, names[baseline] if isinstance(baseline, int) else baseline)
    for name in appearance.highlight:
        if name not in names:
            raise UsageError(
                f"--highlight {name} is not among the runs", expected=f"one of {', '.join(names)}"
            )
    every = tuple(found.runs[place] for place in order)
    shown = best_runs(replace(found, runs=every), top)
    choices = Choices(
        alpha=0.05 if alpha is None else alpha,
        costs=spent.by_run if spent else None,
        cost=spent.name if spent else "cost",
        against=None if others is None else (others.qrels.path or "against_qrels", others),
        differences=baseline is not None,
        item=drawn.unit if isinstance(drawn, Results) else "topic",
    )
    note = f"the best {top} of {len(every)} runs" if len(shown.runs) < len(every) else ""
    return Picture(
        kind,
        plot_data(kind, shown, choices),
        tuple(run.name for run in in_drawing_order(shown, sort)),
        found.qrels.digest,
        every,
        size,
        replace(appearance, note=note),
    )


def _evaluated(
    kind: str,
    measures: MeasuresLike | None,
    cutoffs: Sequence[int] | None,
    settings: Settings,
    run_names: RunNames,
    score: Callable[..., Results],
    given: Results | QrelsLike,
    runs: RunsOrResults | None,
) -> Results:
    """Return results with the measures to draw: of results, or of runs, which may be saved ones."""
    if isinstance(given, Results) and given.unit == "collection" and kind_named(kind).of_topics:
        able = [f"'{name}'" for name, record in KINDS.items() if not record.of_topics]
        raise UsageError(
            f"'{kind}' draws the topics of one collection",
            expected=f"of several collections, one of {', '.join(able)}",
        )
    asked = None if measures is None else measure_names(measures)
    needed = needed_measures(kind, asked, cutoffs=cutoffs or CUTOFFS)
    if isinstance(given, Results):
        if asked is None:
            return given
        chosen = (with_measures(run, needed, "evaluate it, too") for run in given.runs)
        return replace(given, runs=tuple(chosen))
    if runs is None:
        raise UsageError("there is no run to draw", expected="results, or judgments and runs")
    listed, names = runs_or_results(runs, settings.run_form().columns)
    run_names = run_names if names is None else replace(run_names, given=names)
    return drawable_results(given, listed, needed, settings, score, run_names=run_names)


def _usual_kind(results: object, runs: object, settings: Settings) -> str:
    """Return the kind for judgments and runs, or for results, where none is named."""
    if isinstance(results, Results):
        several = len(results.runs) > 1
    else:
        columns = settings.run_form().columns
        several = runs is not None and len(runs_or_results(runs, columns)[0]) > 1
    return "forest" if several else "ci"


def require_uses(kind: str, given: Mapping[str, object]) -> None:
    """Raise UsageError for keywords that the kind has no use for."""
    own = kind_named(kind).option
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if value is not None and own != option:
            users = [f"'{each}'" for each, one in KINDS.items() if one.option == option]
            raise UsageError(
                f"{option} is for {' and '.join(users)}, and this is '{kind}'",
                remedy=f"drop {option}",
            )
