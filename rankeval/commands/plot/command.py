"""`rankeval plot`: pictures of results, as files or in the terminal."""

import sys
from functools import partial
from typing import Annotated

import typer

import rankeval
from rankeval.base.frozen import record
from rankeval.choices import PictureStyle, RunOrder, known_word
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options import panels
from rankeval.cli.options.evaluating_options import Conventions, ReadingOptions, RunningOptions
from rankeval.cli.options.further_options import Alpha, BaselineRun, RunCostsFile
from rankeval.cli.options.option_groups import grouped, is_input
from rankeval.cli.options.panels import WRITTEN, one_of
from rankeval.output.output_formats import format_of
from rankeval.plots.kinds import KINDS

HELP = "Kind of plot. Default: ci for one run, forest for several.\n\n\b"
RUNS = "Run files. NAME=FILE names a run."
OUTPUT = "Write a picture to FILE: .png, .svg or .pdf. Default: draw in the terminal."
DATA = "Write the numbers drawn: .tsv, .csv, .json or .jsonl; - prints them instead of a drawing."


@record
class PictureOptions:
    """Which runs a picture shows, and how it looks."""

    size: Annotated[
        str, panels.OUTPUT("--size SIZE", "column, page (default), slide, or inches: 5x3.5.")
    ] = "page"
    sort: Annotated[
        RunOrder,
        panels.OUTPUT("--sort ORDER", "Order of the runs: value (default), name or given."),
    ] = "value"
    top: Annotated[
        int | None, panels.OUTPUT("--top N", "Draw the N best runs, with the baseline.", min=2)
    ] = None
    highlight: Annotated[
        list[str] | None, panels.OUTPUT("--highlight RUN", "Draw the others in grey. Repeatable.")
    ] = None
    title: Annotated[str, panels.OUTPUT("--title TEXT", "Title above a picture.")] = ""
    style: Annotated[
        PictureStyle, panels.OUTPUT("--style STYLE", "light (default), dark or transparent.")
    ] = "light"


@partial(grouped, needs=dict.fromkeys(("--size", "--highlight", "--title", "--style"), "--output"))
def plot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help=HELP + "".join(f"\n{name:9} {one.words}" for name, one in KINDS.items()),
            autocompletion=one_of(tuple(KINDS)),
            callback=lambda kind: known_word(kind, KINDS),
        ),
    ],
    qrels: files.QrelsPath,
    runs: Annotated[list[files.RunFile] | None, typer.Argument(metavar="RUN", help=RUNS)] = None,
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures to draw, a panel for each: -m "nDCG@10 AP". Repeatable. Default: nDCG@10, '
            "of cutoff nDCG, or P@1,5,10. pr, prg, judged and agreement have their own."
        ),
    ] = None,
    parts: measuring.CostParts = None,
    conventions: Conventions,
    beside: BaselineRun = None,
    alpha: Alpha = None,
    run_costs: RunCostsFile = None,
    output: Annotated[
        str | None, panels.OUTPUT("--output -o FILE", OUTPUT, common=True), WRITTEN
    ] = None,
    looks: PictureOptions,
    run_names: files.RunNaming = "tag",
    data: Annotated[str | None, panels.OUTPUT("--data FILE", DATA, common=True), WRITTEN] = None,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Draw a picture of the results of each RUN, to a file or in the terminal.

    Examples:
        rankeval plot qrels.txt *.run
            differences from the first run, in the terminal
        rankeval plot box qrels.txt *.run -m AP -o box.pdf
            a picture for a paper
    """
    from rankeval.commands.plot.task import PRINTER
    from rankeval.output.style import USUAL_DECIMALS, Style
    from rankeval.output.writing import prints_unicode, write_result
    from rankeval.plots.pictures import suffix_of

    given = [*(runs or ())]
    if kind not in KINDS and is_input(kind):
        files.refuse_overwriting(read=[kind], written=[output, data])
        given = [files.RunFile.from_argument(qrels), *given]
        kind, qrels = "", kind
    form = format_of(data, PRINTER.formats()) if data and data != files.STREAM else "tsv"
    if output is not None:
        suffix_of(output)
    every = files.systems(files.baseline_first(beside, given))
    picture = rankeval.plot(
        kind,
        qrels,
        [run.path for run in every],
        measures,
        settings=conventions.settings(**reading.stated()),
        **measuring.added(parts),
        run_names=files.run_names(run_names, every),
        jobs=running.jobs,
        alpha=alpha,
        run_costs=run_costs,
        **vars(looks),
    )
    if data:
        write_result(PRINTER, picture, form, data)
    if output is not None:
        picture.save(output)
    elif data != files.STREAM:
        write_result(PRINTER, picture, "table", style=Style(unicode=prints_unicode(sys.stdout)))
    running.warn(running.of_runs(picture.runs, USUAL_DECIMALS))
