"""`rankeval preferences`: strengths of systems by pairwise preferences between their answers."""

from typing import Annotated

import typer

import rankeval
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import output_options as pictures
from rankeval.cli.options import panels
from rankeval.cli.options import statistics_options as statistics
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.cli.options.running_options import WarningOptions


@grouped
def preferences(
    given: Annotated[
        str,
        typer.Argument(
            metavar="PREFS",
            help="Lines of topic, a, b and result: two systems, and which answer is better: a, b "
            "or tie. Text, CSV, TSV or JSON Lines.",
        ),
        files.READ,
    ],
    *,
    plugins: measuring.Plugins = None,
    alpha: statistics.Alpha = None,
    picture: Annotated[
        str | None,
        panels.OUTPUT(
            "--plot",
            "FILE",
            "Draw p-values and shares won of all pairs of systems: .png, .svg, .pdf or .pgf.",
        ),
        files.WRITTEN,
    ] = None,
    size: pictures.Size = None,
    output: NumbersOutput,
    running: WarningOptions,
) -> None:
    """Order systems by pairwise preferences, with intervals and the matrix of wins.

    Strengths are those of Bradley and Terry's model with Davidson's ties (1970), intervals Wald's
    by the sandwich over topics.
    """
    from rankeval.commands.preferences.show import PREFERENCES

    measuring.load_plugins(plugins)
    page = output.page(PREFERENCES)
    pictures.require_drawable(picture, size)
    found = rankeval.preferences(given, alpha=0.05 if alpha is None else alpha)
    if picture is not None:
        from rankeval import plots

        plots.write_picture("pairs", plots.preferences_data(found), picture, size=size or "page")
    running.write(page, found, found.warnings)
