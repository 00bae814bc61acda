"""`rankeval reproduce`: how close a reproduction comes to the original experiment."""

from typing import Annotated

import rankeval
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import output_options as pictures
from rankeval.cli.options import panels
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions
from rankeval.cli.options.statistics_options import cutoffs_of


@grouped
def reproduce(
    qrels: files.QrelsPath,
    *,
    original: Annotated[
        tuple[files.RunFile, files.RunFile],
        panels.EXPERIMENTS(
            "--original",
            "BASE ADVANCED",
            "Both runs of the original: baseline and advanced. NAME=FILE names one.",
        ),
    ],
    replicated: Annotated[
        tuple[files.RunFile, files.RunFile],
        panels.EXPERIMENTS("--replicated", "BASE ADVANCED", "Both runs of the reproduction."),
    ],
    other_qrels: Annotated[
        str | None,
        panels.EXPERIMENTS(
            "--other-qrels",
            "QRELS",
            "Judgments of the reproduction, if it has other topics. Only the effects and "
            "unpaired tests are defined then.",
        ),
        files.READ,
    ] = None,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures to compare: -m "nDCG@10 AP"; separated by spaces, repeatable. Default: AP, '
            "nDCG@10 and P@10."
        ),
    ] = None,
    cutoffs: Annotated[
        str,
        panels.RANKINGS(
            "--cutoffs",
            "K,...",
            "Cutoffs of Kendall's tau Union and RBO. Default: 5,10,20,100,1000.",
        ),
    ] = "5,10,20,100,1000",
    plugins: measuring.Plugins = None,
    costs: measuring.Costs = None,
    conventions: Conventions,
    run_names: files.RunNaming = "tag",
    picture: Annotated[
        str | None,
        panels.OUTPUT(
            "--plot",
            "FILE",
            "Draw RBO and Kendall's tau Union by cutoff: .png, .svg, .pdf or .pgf.",
        ),
        files.WRITTEN,
    ] = None,
    output: NumbersOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Compare a reproduction with the original: errors, effects, and overlap of rankings."""
    from rankeval.commands.reproduce.show import REPRODUCTION
    from rankeval.commands.reproduce.task import MEASURES

    measuring.load_plugins(plugins)
    page = output.page(REPRODUCTION)
    pictures.require_drawable(picture)
    found = rankeval.reproduce(
        qrels,
        (original[0].path, original[1].path),
        (replicated[0].path, replicated[1].path),
        measures or MEASURES,
        conventions.settings(),
        other_qrels=other_qrels,
        cutoffs=cutoffs_of(cutoffs),
        costs=costs,
        reading=reading.reading(),
        run_names=files.run_names(run_names, [*original, *replicated]),
        jobs=running.jobs,
    )
    if picture is not None:
        from rankeval import plots

        plots.write_picture("cutoff", plots.reproduction_data(found), picture)
    of_runs = running.of_runs(found.runs, page.decimals)
    running.write(page, found, [*of_runs, *found.warnings])
