"""`rankeval plot`: pictures of results, as files or in the terminal."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

import rankeval
from rankeval.base.frozen import frozen
from rankeval.choices import Format, PictureStyle, PlotName, RunOrder
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import output_options as pictures
from rankeval.cli.options import panels
from rankeval.cli.options import statistics_options as statistics
from rankeval.cli.options.collection_options import (
    CollectionOptions,
    collection_warnings,
    refuse_beside,
)
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import format_by_suffix
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions, reading_progress
from rankeval.cli.options.statistics_options import cutoffs_of
from rankeval.errors import UsageError
from rankeval.plots.kinds import KNOWN, OFFERED

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.commands.collections.task import CollectionResults


@frozen
class PictureOptions:
    """Which runs a picture shows, in which order, and how it looks."""

    sort: Annotated[
        RunOrder | None,
        panels.OUTPUT(
            "--sort",
            "ORDER",
            "Order of the runs: value (of the first measure, the best first; default), name or "
            "given. --data keeps the given order.",
        ),
    ] = None
    top: Annotated[
        int | None,
        panels.OUTPUT(
            "--top", "N", "Draw the N best runs by the first measure, with the baseline.", min=2
        ),
    ] = None
    highlight: Annotated[
        list[str] | None,
        panels.OUTPUT(
            "--highlight", "RUN", "Draw RUN in colour and the others in grey. Repeatable."
        ),
    ] = None
    title: Annotated[str | None, panels.OUTPUT("--title", "TEXT", "Title above a picture.")] = None
    font: Annotated[
        str | None,
        panels.OUTPUT(
            "--font", "NAME", "Font of a picture: sans (default), serif or one that is installed."
        ),
    ] = None
    style: Annotated[
        PictureStyle | None,
        panels.OUTPUT(
            "--style", "STYLE", "Style of a picture: light (default), dark or transparent."
        ),
    ] = None
    svg_text: Annotated[
        bool,
        panels.OUTPUT("--svg-text", "Write the letters of SVG as text, not as outlines."),
    ] = False

    def require_picture(self, output: str | None) -> None:
        """Raise UsageError for options of pictures without one."""
        given = {
            "--highlight": self.highlight,
            "--title": self.title,
            "--font": self.font,
            "--style": self.style,
        }
        for option, value in given.items():
            if value and output is None:
                raise UsageError(
                    f"{option} is that of a picture", remedy=f"add -o FILE.png, or drop {option}"
                )
        if self.svg_text and not (output or "").lower().endswith(".svg"):
            raise UsageError("--svg-text is for SVG", remedy="add -o FILE.svg, or drop --svg-text")

    def keywords(self) -> dict[str, Any]:
        """Return the keywords of `rankeval.plot` for these options."""
        return {
            "sort": self.sort,
            "top": self.top,
            "style": self.style or "light",
            "font": self.font or "sans",
            "title": self.title or "",
            "highlight": tuple(self.highlight or ()),
        }


@grouped
def plot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help=" ".join(
                ["Kind of plot.", *(f"{name}: {one.words}." for name, one in OFFERED.items())]
            ),
        ),
        panels.Words(OFFERED),
    ],
    qrels: files.QrelsPath,
    runs: Annotated[
        list[files.RunFile],
        typer.Argument(
            metavar="RUN",
            help="Runs to draw: run files, or JSON that rankeval eval -q -o FILE.json saved. "
            "NAME=FILE names one.",
        ),
    ],
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures to draw, a panel for each: -m "nDCG@10 AP". Repeatable. Default: nDCG@10; '
            "for agreement, several common ones. pr, prg and judged draw their own."
        ),
    ] = None,
    cutoffs: Annotated[
        str | None,
        panels.MEASURES(
            "--cutoffs",
            "K,...",
            "Cutoffs that 'cutoff' draws: 1,5,10,100. Default: 1 to 20, and wider steps to 100.",
            common=True,
        ),
    ] = None,
    plugins: measuring.Plugins = None,
    costs: measuring.Costs = None,
    conventions: Conventions,
    beside: Annotated[
        files.RunFile | None,
        panels.STATISTICS(
            "--baseline",
            "RUN",
            "Run that forest, topics and scatter compare the others with; it is drawn first, and "
            "once. Default: the first run. With it, heatmap draws differences from RUN.",
            common=True,
        ),
    ] = None,
    against: Annotated[
        str | None,
        panels.STATISTICS(
            "--against-qrels",
            "FILE",
            "Other judgments of the same runs: slope joins the ranks under QRELS and FILE.",
        ),
        files.READ,
    ] = None,
    rank_intervals: Annotated[
        bool,
        panels.STATISTICS(
            "--rank-intervals",
            "Draw the ranks that the runs may have over all topics, and their chances to be best, "
            "in place of the mean ranks of 'ranks'.",
        ),
    ] = False,
    alpha: statistics.Alpha = None,
    run_costs: statistics.RunCostsFile = None,
    output: Annotated[
        str | None,
        panels.OUTPUT(
            "--output",
            "-o",
            "FILE",
            "Write a picture to FILE: .png, .svg or .pdf; completely or not at all. Default: "
            "draw in the terminal.",
            common=True,
        ),
        files.WRITTEN,
    ] = None,
    size: pictures.Size = None,
    looks: PictureOptions,
    run_names: files.RunNaming = "tag",
    data: Annotated[
        str | None,
        panels.OUTPUT(
            "--data",
            "FILE",
            "Write the numbers drawn: .tsv, .csv, .json or .jsonl. - prints them as TSV "
            "instead of drawing in the terminal.",
            common=True,
        ),
        files.WRITTEN,
    ] = None,
    no_color: Annotated[
        bool,
        panels.OUTPUT("--no-color", "Draw in the terminal without colours."),
    ] = False,
    reading: ReadingOptions,
    collections: CollectionOptions,
    running: RunningOptions,
) -> None:
    """Draw a picture of the results of each RUN, to a file or in the terminal.

    Examples:
        rankeval plot pr qrels.txt a.run b.run
            precision by recall, in the terminal
        rankeval plot box qrels.txt *.run -m AP -o box.pdf
            a picture for a paper
        rankeval plot ranks --collections beir.toml
            systems on many collections
    """
    from rankeval.commands.plot.show import PlotOutput, notices, show_plot
    from rankeval.commands.plot.task import Picture, PlotEvaluation, require_uses
    from rankeval.commands.plot.task import plot as picture_of
    from rankeval.plots.plot_tables import PLOT_DATA

    measuring.load_plugins(plugins)
    kind = _with_intervals(kind) if rank_intervals else kind
    of_kinds = {"cutoffs": cutoffs, "run_costs": run_costs, "alpha": alpha}
    require_uses(kind, {**of_kinds, "against_qrels": against})
    pictures.require_drawable(output, size)
    looks.require_picture(output)
    form = _data_format(data, PLOT_DATA.formats()) if data else ""
    shown = PlotOutput(data, form, output, looks.svg_text, no_color)
    how = {**looks.keywords(), "alpha": alpha, "run_costs": run_costs, "size": size or "page"}
    draw: Callable[..., Picture] = partial(picture_of, cast("PlotName", kind), **how)
    if collections.collections:
        named = {"QRELS": qrels, "--costs": costs, "--baseline": beside}
        refuse_beside({**named, "--run-names": run_names != "tag"})
        stated = conventions.stated(), reading.stated()
        found = _of_collections(kind, measures, [output, data], stated, collections, running)
        show_plot(draw(found), shown)
        return
    every = files.systems(files.baseline_first(beside, runs))
    paths = [run.path for run in every]
    with reading_progress(paths, wanted=not running.quiet) as progress:
        score = partial(rankeval.evaluate, costs=costs, jobs=running.jobs, progress=progress)
        evaluation = PlotEvaluation(
            kind,
            measures,
            None if cutoffs is None else cutoffs_of(cutoffs),
            conventions.settings(),
            reading.reading(),
            files.run_names(run_names, every),
            score,
        )
        results = evaluation.of(qrels, paths)
        others = None if against is None else evaluation.of(against, paths, anew=True)
    baseline = results.runs[0].name if beside is not None else None
    picture = draw(results, baseline=baseline, against_qrels=others)
    show_plot(picture, shown)
    running.warn(notices(running.of_runs, results.runs, evaluation.swept()))


def _with_intervals(kind: str) -> str:
    """Return the kind that --rank-intervals makes of ranks; UsageError for another one."""
    if kind != "ranks":
        raise UsageError(
            f"--rank-intervals is for 'ranks', and this is '{kind}'",
            remedy="drop --rank-intervals",
        )
    return "rank-intervals"


def _of_collections(
    kind: str,
    measures: list[str] | None,
    written: Sequence[str | None],
    stated: tuple[Mapping[str, object], Mapping[str, object]],
    collections: CollectionOptions,
    running: RunningOptions,
) -> "CollectionResults":
    """Evaluate collections, with warnings; `stated` are conventions and reading."""
    from rankeval import plots
    from rankeval.commands.collections.command import evaluated
    from rankeval.commands.plot.task import require_collections

    asked = measures or (plots.measures(kind) if KNOWN[kind].draws_all else None)
    conventions, files_read = stated
    read = collections.read(asked, written, conventions=conventions, files_read=files_read)
    require_collections(kind)
    results = evaluated(read, running)
    running.warn(collection_warnings(results, None, running))
    return results


def _data_format(path: str, forms: Sequence[str]) -> str:
    if path == files.STREAM:
        return Format.TSV
    return format_by_suffix(path, forms)
