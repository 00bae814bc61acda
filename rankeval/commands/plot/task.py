"""Draw a picture of results: its numbers, and the file, text or notebook that shows it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Unpack, cast

from rankeval.base.checked import checked
from rankeval.base.frozen import record, replace
from rankeval.choices import PictureStyle, RunOrder
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import over_common_topics, with_measures
from rankeval.evaluation.evaluate import Evaluating, evaluate
from rankeval.evaluation.results import Results, RunResult, with_first
from rankeval.io.atomic import atomic_bytes
from rankeval.io.files import StrPath
from rankeval.io.small_tables import RunCosts, RunCostsLike, run_costs_of
from rankeval.measures import MeasuresLike, measure_names
from rankeval.output.declared_columns import Row, Written, named_rows
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.output_formats import Printer
from rankeval.output.shown import Shown
from rankeval.output.style import Style
from rankeval.plots import pictures, selection
from rankeval.plots.canvas import terminal_text
from rankeval.plots.kinds import KINDS, Choices, Form, Screen, kind_named
from rankeval.plots.look import USUAL_LOOK, Appearance
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunsLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@record
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

    `to_frame` and `save("numbers.tsv")` give the numbers drawn.
    """

    kind: str
    panels: tuple[Form, ...]
    order: tuple[str, ...]
    digest: str
    runs: tuple[RunResult, ...]
    size: str = "page"
    appearance: Appearance = USUAL_LOOK

    def _repr_html_(self) -> str:
        svg = pictures.save(self.figure(), "picture.svg").decode()
        return svg[svg.index("<svg") :]

    @property
    def drawn(self) -> tuple[Form, ...]:
        """The panels with the runs in the order of the drawing."""
        return selection.arranged(self.panels, self.order)

    def figure(self) -> Figure:
        """Return a new figure of matplotlib."""
        return pictures.figure(self.drawn, size=self.size, appearance=self.appearance)

    @checked
    def save(self, path: StrPath) -> None:
        """Write the picture, or its numbers, to a file, whole or not at all.

        The suffix names the format: .png, .svg or .pdf, and .tsv, .csv, .json or .jsonl for
        the numbers.
        """
        name = os.fspath(path)
        if PurePath(name).suffix.lower() in (".tsv", ".csv", ".json", ".jsonl"):
            Shown.save(self, path)
        else:
            with atomic_bytes(name) as stream:
                stream.write(pictures.save(self.figure(), name))


@checked
def plot(
    kind: str | Results | QrelsLike,
    results: Results | QrelsLike | RunsLike | None = None,
    runs: RunsLike | MeasuresLike | None = None,
    measures: MeasuresLike | None = None,
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
    **evaluating: Unpack[Evaluating],
) -> Picture:
    """Draw a picture of results, or of runs and judgments.

    ============= ===========================================================================
    kind          the kind of plot, such as "forest", "box" or "pr" (docs/plots.md); it may be left
                  out: "forest" of several runs, "ci" of one
    results       results of `evaluate`, with the measures to draw; or judgments, as
                  `evaluate` takes them
    runs          with judgments: one run or several
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
    evaluating    with judgments, keywords of `evaluate`: settings or its fields, costs,
                  run_names, jobs
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
    drawn, of = cast("Any", results), cast("Any", runs)
    if not isinstance(kind, str) or (kind not in KINDS and os.path.lexists(kind)):
        kind, drawn = "", kind
        if results is not None:
            of, measures = results, cast("Any", runs) if measures is None else measures
    usual = kind or "forest"
    for option, value in (("--alpha", alpha), ("--run-costs", run_costs)):
        if value is not None and kind_named(usual).option != option:
            raise UsageError(f"'{usual}' has no use for {option}", remedy=f"drop {option}")
    if top is not None and top < 2:
        raise UsageError(f"--top {top} leaves too few runs", expected="2 or more")
    pictures.figure_size(size)
    needed = selection.measures(usual, None if measures is None else measure_names(measures))
    found = _results(drawn, of, needed, evaluating, some=measures is not None)
    names = [run.name for run in found.runs]
    for name in highlight or ():
        with_first(names, name)  # UsageError if no run has the name
    order = with_first(names, names[baseline] if isinstance(baseline, int) else baseline)
    every = tuple(found.runs[place] for place in order)
    shown = selection.best_runs(replace(found, runs=every), top)
    kind = kind or ("forest" if len(every) > 1 else "ci")
    spent = run_costs_of(run_costs) if run_costs is not None else RunCosts("cost", {})
    choices = Choices(0.05 if alpha is None else alpha, spent.by_run, spent.name)
    return Picture(
        kind,
        selection.plot_data(kind, shown, choices),
        tuple(run.name for run in selection.in_drawing_order(shown, sort)),
        found.qrels.digest,
        every,
        size,
        Appearance(style, tuple(highlight or ()), title),
    )


def _results(
    given: Any, runs: Any, needed: Sequence[str], evaluating: Evaluating, *, some: bool
) -> Results:
    """Return results with what a plot needs; with `some`, none but these measures of results."""
    if not isinstance(given, Results):
        found = evaluate(given, runs, needed, **evaluating)
        return replace(found, runs=tuple(over_common_topics(found.runs)))
    if refused := [name for name, value in {"runs": runs, **evaluating}.items() if value]:
        raise UsageError(
            f"{refused[0]} is given with results, which are evaluated already",
            remedy=f"leave out {refused[0]}, or give judgments instead of the results",
        )
    chosen = [with_measures(run, needed, "evaluate it, too") for run in given.runs if some]
    return replace(given, runs=tuple(chosen)) if some else given


def _document(picture: Picture, _: Style) -> Document:
    facts = {"kind": picture.kind, "qrels": {"digest": picture.digest}}
    rows = [plain(row) for row in selection.rows_of(picture.panels)]
    return headed("rankeval-plot/1", {**facts, "rows": rows})


def _rows(picture: Picture, _: Style) -> Iterator[Row]:
    for row in named_rows(selection.rows_of(picture.panels)):
        yield [Written(one, str(one).lower()) if isinstance(one, bool) else one for one in row]


def _drawing(picture: Picture, style: Style) -> Iterator[str]:
    width, height = shutil.get_terminal_size()
    # A line is left for the prompt.
    screen = Screen(width, min(height, Screen().height) - 1, bool(style.unicode))
    yield from terminal_text(picture.drawn, screen, colour=bool(style.colour))


PRINTER = Printer[Picture](document=_document, rows=_rows, drawings={"table": _drawing})
"""The numbers drawn, with all their digits, an undefined one null or empty; and the drawing."""
