"""Draw a picture of results: its numbers, and the file, text or notebook that shows it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Unpack, cast

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.choices import Format, PictureStyle, RunOrder
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import RunsOrResults, runs_or_results, with_measures
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import Progress
from rankeval.evaluation.results import Results, RunResult, with_first
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.io.formats.named_values import RunCostsLike, run_costs_of
from rankeval.io.sources.atomic import atomic_bytes
from rankeval.measures import MeasuresLike, measure_names
from rankeval.output.declared_columns import Row, Written, named_rows
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.output_formats import Printer
from rankeval.output.shown import Shown
from rankeval.output.style import Style
from rankeval.plots import pictures
from rankeval.plots.kinds import KINDS, Choices, Form, Screen, kind_named
from rankeval.plots.look import USUAL_LOOK, Appearance
from rankeval.plots.selection import (
    arranged,
    best_runs,
    drawable_results,
    in_drawing_order,
    plot_data,
    rows_of,
)
from rankeval.plots.selection import measures as needed_measures
from rankeval.ranking.items import CostsLike
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
def plot(
    kind: str | Results | QrelsLike,
    results: Results | QrelsLike | RunsOrResults | None = None,
    runs: RunsOrResults | MeasuresLike | None = None,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    baseline: str | int | None = None,
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
    results       results of `evaluate`, with the measures to draw; or judgments, as
                  `evaluate` takes them
    runs          with judgments: one run or several, or results with values by topic
    measures      the measures to draw, nDCG@10 by default; of results, all. "cutoff" draws
                  nDCG@1,5,10 at these cutoffs, and nDCG at usual ones
    baseline      name or place of the run that others are compared with; the first by default
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
    require_uses(kind, {"alpha": alpha, "run_costs": run_costs})
    if top is not None and top < 2:
        raise UsageError(f"--top {top} leaves too few runs", expected="2 or more")
    pictures.figure_size(size)
    appearance = Appearance(style=style, highlight=tuple(highlight or ()), title=title)
    asked = None if measures is None else measure_names(measures)
    needed = needed_measures(kind, asked)
    if isinstance(drawn, Results):
        given = {"runs": of, "costs": costs, **conventions}
        for name in [name for name, value in given.items() if value]:
            raise UsageError(
                f"{name} is given with results, which are evaluated already",
                remedy=f"leave out {name}, or give judgments instead of the results",
            )
        found = drawn
        if asked is not None:
            chosen = (with_measures(run, needed, "evaluate it, too") for run in drawn.runs)
            found = replace(drawn, runs=tuple(chosen))
    elif of is None:
        raise UsageError("there is no run to draw", expected="results, or judgments and runs")
    else:
        listed, own = runs_or_results(of, settings.run_form().columns)
        run_names = run_names if own is None else replace(run_names, given=own)
        score = partial(evaluate, settings=settings, costs=costs, jobs=jobs, progress=progress)
        found = drawable_results(drawn, listed, needed, settings, score, run_names=run_names)
    names = [run.name for run in found.runs]
    order = with_first(names, names[baseline] if isinstance(baseline, int) else baseline)
    for name in appearance.highlight:
        if name not in names:
            raise UsageError(
                f"--highlight {name} is not among the runs", expected=f"one of {', '.join(names)}"
            )
    every = tuple(found.runs[place] for place in order)
    shown = best_runs(replace(found, runs=every), top)
    spent = None if run_costs is None else run_costs_of(run_costs)
    choices = Choices(
        alpha=0.05 if alpha is None else alpha,
        costs=spent.by_run if spent else None,
        cost=spent.name if spent else "cost",
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


def _document(picture: Picture, _: Style) -> Document:
    facts = {"kind": picture.kind, "qrels": {"digest": picture.digest}}
    rows = [plain(row) for row in rows_of(picture.panels)]
    return headed("rankeval-plot/1", {**facts, "rows": rows})


def _rows(picture: Picture, _: Style) -> Iterator[Row]:
    for row in named_rows(rows_of(picture.panels)):
        yield [Written(one, str(one).lower()) if isinstance(one, bool) else one for one in row]


def in_characters(picture: Picture, style: Style) -> Iterator[str]:
    """Yield the lines of the picture for a terminal, or for a pipe that is as wide."""
    from rankeval.plots.canvas import terminal_text

    width, height = shutil.get_terminal_size()
    # A line is left for the prompt.
    screen = Screen(width, min(height, Screen().height) - 1, bool(style.unicode))
    colour, bounded = bool(style.colour), style.width is not None  # by a terminal
    yield from terminal_text(picture.drawn, screen, colour=colour, bounded=bounded)
    if picture.appearance.note:
        yield f"{picture.appearance.note}\n"


PRINTER = Printer[Picture](document=_document, rows=_rows, drawings={Format.TABLE: in_characters})
"""The numbers drawn, with all their digits, an undefined one null or empty; and the drawing."""
