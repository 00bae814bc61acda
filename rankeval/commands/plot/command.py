"""`rankeval plot`: pictures of results, as files or in the terminal."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

import rankeval
from rankeval.base.frozen import frozen
from rankeval.choices import Format, PictureStyle, RunOrder
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
from rankeval.cli.options.completion_values import in_any_case, one_of
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.option_groups import grouped, is_input
from rankeval.cli.options.output_options import format_by_suffix
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions, reading_progress
from rankeval.cli.options.statistics_options import cutoffs_of
from rankeval.errors import UsageError
from rankeval.plots.kinds import KINDS

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.commands.collections.task import CollectionResults
    from rankeval.commands.plot.task import Picture

HELP = "Kind of plot. Default: ci for one run, forest for several.\n\n\b"


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
    style: Annotated[
        PictureStyle | None,
        panels.OUTPUT(
            "--style", "STYLE", "Style of a picture: light (default), dark or transparent."
        ),
    ] = None

    def keywords(self, output: str | None) -> dict[str, Any]:
        """Return the keywords of `rankeval.plot`; UsageError for a picture's without a picture."""
        for name in ("highlight", "title", "style"):
            if getattr(self, name) and output is None:
                raise UsageError(
                    f"--{name} is that of a picture", remedy=f"add -o FILE.png, or drop --{name}"
                )
        return {
            "sort": self.sort,
            "top": self.top,
            "style": self.style or "light",
            "title": self.title or "",
            "highlight": tuple(self.highlight or ()),
        }


@grouped
def plot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help=HELP + "".join(f"\n{name:9} {one.words}" for name, one in KINDS.items()),
            autocompletion=one_of(tuple(KINDS)),
            callback=in_any_case(tuple(KINDS)),
        ),
    ],
    qrels: files.QrelsPath,
    runs: Annotated[
        list[files.RunFile] | None,
        typer.Argument(
            metavar="RUN",
            help="Runs to draw: run files, or JSON that rankeval eval -q -o FILE.json saved. "
            "NAME=FILE names one.",
        ),
    ] = None,
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
    parts: measuring.CostParts = None,
    conventions: Conventions,
    beside: Annotated[
        files.RunFile | None,
        panels.STATISTICS(
            "--baseline",
            "RUN",
            "Run to compare the others with: forest, topics, scatter. It is drawn first, and once. "
            "Default: the first run. With it, heatmap draws differences from RUN.",
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
        rankeval plot qrels.txt *.run
            differences from the first run, in the terminal
        rankeval plot box qrels.txt *.run -m AP -o box.pdf
            a picture for a paper
        rankeval plot ranks --collections beir.toml
            systems on many collections
    """
    from rankeval.commands.plot.show import PLOT_DATA, notices, show_plot
    from rankeval.commands.plot.task import evaluated, require_uses
    from rankeval.commands.plot.task import plot as picture_of

    measuring.load_plugins(plugins)
    given = [*(runs or ())]
    if kind not in KINDS and is_input(kind):
        given = [files.RunFile.from_argument(qrels), *given]
        files.refuse_overwriting(read=[kind], written=[output, data])
        kind, qrels = "forest" if len(files.systems(given)) > 1 or beside else "ci", kind
    of_kinds = {"cutoffs": cutoffs, "run_costs": run_costs, "alpha": alpha}
    require_uses(kind, {**of_kinds, "against_qrels": against})
    pictures.require_drawable(output, size)
    form = _data_format(data, PLOT_DATA.formats()) if data else ""
    how = {**looks.keywords(output), "alpha": alpha, "run_costs": run_costs, "size": size or "page"}
    draw: Callable[..., Picture] = partial(picture_of, kind, **how)
    show = partial(show_plot, data=data, form=form, output=output, no_color=no_color)
    if collections.collections:
        named = {"QRELS": qrels, "--with": parts, "--baseline": beside}
        refuse_beside({**named, "--run-names": run_names != "tag"})
        stated = {"conventions": conventions.stated(), "files_read": reading.stated()}
        own = KINDS[kind].measures
        asked = measures or ([own] if " " in own else None)
        show(draw(_of_collections(asked, [output, data], stated, collections, running)))
        return
    if not given:
        raise UsageError("no run is given", expected="KIND QRELS RUN...")
    every = files.systems(files.baseline_first(beside, given))
    paths = [run.path for run in every]
    with reading_progress(paths, wanted=not running.quiet) as progress:
        evaluate = partial(
            evaluated,
            *(kind, measures, None if cutoffs is None else cutoffs_of(cutoffs)),
            *(conventions.settings(), reading.reading()),
            files.run_names(run_names, every),
            partial(
                rankeval.evaluate, **measuring.added(parts), jobs=running.jobs, progress=progress
            ),
        )
        results = evaluate(qrels, paths)
        others = None if against is None else evaluate(against, paths, anew=True)
    baseline = results.runs[0].name if beside is not None else None
    show(draw(results, baseline=baseline, against_qrels=others))
    running.warn(notices(running.of_runs, results.runs, kind))


def _of_collections(
    asked: str | Sequence[str] | None,
    written: Sequence[str | None],
    stated: Mapping[str, Any],
    collections: CollectionOptions,
    running: RunningOptions,
) -> "CollectionResults":
    """Evaluate collections, with warnings; `stated` are conventions and reading."""
    from rankeval.commands.collections.command import evaluated

    results = evaluated(collections.read(asked, written, **stated), running)
    running.warn(collection_warnings(results, None, running))
    return results


def _data_format(path: str, forms: Sequence[str]) -> str:
    return Format.TSV if path == files.STREAM else format_by_suffix(path, forms)
