"""`rankeval plot`: pictures of results, as files or in the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated

import typer

import rankeval
import rankeval.measures
from rankeval.base.frozen import frozen
from rankeval.choices import Format, PictureStyle, RunOrder
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import output_options as pictures
from rankeval.cli.options import panels
from rankeval.cli.options import statistics_options as statistics
from rankeval.cli.options.collection_options import CollectionOptions, refuse_beside
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import format_by_suffix
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions, reading_progress
from rankeval.cli.options.statistics_options import cutoffs_of
from rankeval.cli.options.text_options import Queries
from rankeval.errors import UsageError
from rankeval.plots.kinds import KNOWN, OFFERED, Choices, plot_kind, plot_kinds

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.results import Results
    from rankeval.plots.look import Appearance
    from rankeval.plots.plot_tables import Plot


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
    cluster: Annotated[
        bool,
        panels.OUTPUT(
            "--cluster",
            "Put similar runs and similar topics of heatmap side by side, in place of --sort.",
        ),
    ] = False
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

    def order(self) -> RunOrder:
        """Return the order of the runs; UsageError for two orders."""
        if self.cluster and self.sort:
            raise UsageError(
                f"--cluster and --sort {self.sort} are two orders of the runs",
                remedy="drop one of the two",
            )
        return "given" if self.cluster else self.sort or "value"

    def chosen(self, choices: Choices, *, differences: bool) -> Choices:
        """Return choices with the runs that are drawn and their order."""
        return replace(
            choices,
            sort=self.order(),
            top=self.top,
            cluster=self.cluster,
            differences=differences,
        )

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

    def appearance(self, note: str) -> "Appearance":
        """Return the appearance of the picture; the note says which runs are left out."""
        from rankeval.plots.look import Appearance

        return Appearance(
            style=self.style or "light",
            font=self.font or "sans",
            highlight=tuple(self.highlight or ()),
            title=self.title or "",
            note=note,
        )


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
            "Write a picture to FILE: .png, .svg, .pdf or .pgf; completely or not at all. Default: "
            "draw in the terminal.",
        ),
        files.WRITTEN,
    ] = None,
    size: pictures.Size = None,
    looks: PictureOptions,
    run_names: files.RunNaming = "tag",
    group_runs: files.GroupRuns = None,
    data: Annotated[
        str | None,
        panels.OUTPUT(
            "--data",
            "FILE",
            "Write the numbers drawn: .tsv, .csv, .json or .jsonl. - prints them as TSV "
            "instead of drawing in the terminal.",
        ),
        files.WRITTEN,
    ] = None,
    queries: Queries = None,
    no_color: Annotated[
        bool,
        panels.OUTPUT("--no-color", "Draw in the terminal without colours."),
    ] = False,
    reading: ReadingOptions,
    collections: CollectionOptions,
    running: RunningOptions,
) -> None:
    """Draw a picture of the results of each RUN, to a file or in the terminal."""
    from rankeval.commands.plot.show import PlotOutput, notices, show_plot
    from rankeval.evaluation.prepared import require_topics
    from rankeval.evaluation.saved_results import results_of
    from rankeval.plots.needed import drawable_results, require_runs_only, saved_among
    from rankeval.plots.plot_tables import PLOT_DATA, plot_of

    measuring.load_plugins(plugins)
    kind = _with_intervals(kind) if rank_intervals else kind
    _require_titles(kind, output, queries, collections)
    of_kinds = {"--cutoffs": cutoffs, "--run-costs": run_costs, "--alpha": alpha}
    more = {"--against-qrels": against, "--cluster": looks.cluster or None}
    _require_uses(kind, {**of_kinds, **more})
    pictures.require_drawable(output, size)
    looks.require_picture(output)
    form = _data_format(data, PLOT_DATA.formats()) if data else ""
    choices = looks.chosen(_choices(alpha, run_costs), differences=beside is not None)
    files_out = PlotOutput(data, form, output, size or "page", looks.svg_text, no_color, queries)
    show = partial(show_plot, appearance=looks.appearance, shown=files_out)
    if collections.collections:
        named = {"QRELS": qrels, "--costs": costs, "--baseline": beside}
        refuse_beside({**named, **files.stated_names(run_names, group_runs)})
        stated = conventions.stated(), reading.stated()
        written = [output, data]
        show(_of_collections(kind, measures, written, stated, collections, choices, running))
        return
    collections.require_unused()
    every = files.systems(files.baseline_first(beside, runs))
    paths = [run.path for run in every]
    loaded = [results_of(path) for path in paths]
    saved = saved_among(loaded)
    names = _drawn_measures(kind, measures, cutoffs, saved)
    settings, how = conventions.settings(), reading.reading()
    require_topics(rankeval.measures.parse_measures(list(names), settings.meanings))
    naming = files.run_names(run_names, every, group_runs)
    with reading_progress(paths, wanted=not running.quiet) as progress:
        evaluate = partial(
            rankeval.evaluate,
            settings=settings,
            costs=costs,
            reading=how,
            jobs=running.jobs,
            progress=progress,
        )
        if saved:
            results = drawable_results(
                qrels, loaded, names, settings, evaluate, reading=how, run_names=naming
            )
        else:
            results = evaluate(qrels, paths, names, run_names=naming)
        if against is not None:
            require_runs_only(saved)
            others = evaluate(against, paths, names, run_names=naming)
            choices = replace(choices, against=(against, others))
    show(plot_of(kind, results, choices))
    swept = names[1:] if plot_kind(kind).sweep else []
    running.warn(notices(running.of_runs, results.runs, swept))


def _with_intervals(kind: str) -> str:
    """Return the kind that --rank-intervals makes of ranks; UsageError for another one."""
    if kind != "ranks":
        raise UsageError(
            f"--rank-intervals is for 'ranks', and this is '{kind}'",
            remedy="drop --rank-intervals",
        )
    return "rank-intervals"


def _choices(alpha: float | None, run_costs: str | None) -> Choices:
    """Return the choices of kinds that draw intervals or costs."""
    from rankeval.io.formats.named_values import read_run_costs

    spent = read_run_costs(run_costs) if run_costs else None
    return Choices(
        alpha=0.05 if alpha is None else alpha,
        costs=spent.by_run if spent else None,
        cost=spent.name if spent else "cost",
    )


def _drawn_measures(
    kind: str, measures: list[str] | None, cutoffs: str | None, saved: "Sequence[Results]"
) -> "Sequence[str]":
    """Return the names of the measures that a kind draws, of saved results those that they have."""
    from rankeval import plots
    from rankeval.plots.needed import CUTOFFS, measures_with_saved

    if saved:
        return measures_with_saved(kind, measures, saved)
    ranks = CUTOFFS if cutoffs is None else cutoffs_of(cutoffs)
    return plots.measures(kind, measures, cutoffs=ranks)


def _of_collections(
    kind: str,
    measures: list[str] | None,
    written: Sequence[str | None],
    stated: tuple[Mapping[str, object], Mapping[str, object]],
    collections: CollectionOptions,
    choices: Choices,
    running: RunningOptions,
) -> "Plot":
    """Read collections, and return the plot of them; `stated` are conventions and reading."""
    from rankeval import plots
    from rankeval.commands.collections.command import plotted

    asked = measures or (plots.measures(kind) if KNOWN[kind].draws_all else None)
    conventions, files_read = stated
    read = collections.read(asked, written, conventions=conventions, files_read=files_read)
    return plotted(kind, read, collections, choices, running)


WITH_TOPICS = ("topics", "scatter")
"""Kinds of plots that draw a bar or a point for each topic."""


def _require_titles(
    kind: str, output: str | None, queries: str | None, collections: CollectionOptions
) -> None:
    """Raise UsageError for queries of a picture that has no place for them."""
    if queries is None:
        return
    if collections.collections:
        refuse_beside({"--queries": queries})
    if kind not in WITH_TOPICS or PurePath(output or "").suffix.lower() != ".svg":
        raise UsageError(
            "--queries titles the topics of a picture in SVG",
            expected=f"{' or '.join(WITH_TOPICS)}, with -o FILE.svg",
            remedy="drop --queries",
        )


def _require_uses(kind: str, given: Mapping[str, object]) -> None:
    """Raise UsageError for options that the kind has no use for."""
    for option, value in given.items():
        if value is not None and plot_kind(kind).option != option:
            *users, last = (f"'{each.name}'" for each in plot_kinds() if each.option == option)
            named = f"{', '.join(users)} and {last}" if users else last
            raise UsageError(
                f"{option} is for {named}, and this is '{kind}'", remedy=f"drop {option}"
            )


def _data_format(path: str, forms: Sequence[str]) -> str:
    if path == files.STREAM:
        return Format.TSV
    return format_by_suffix(path, forms)
