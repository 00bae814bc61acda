"""`rankeval report`: one HTML page of an evaluation."""

from pathlib import PurePath
from typing import Annotated

from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import panels
from rankeval.cli.options import statistics_options as statistics
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.given_command import command_line
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions
from rankeval.errors import UsageError

SUFFIXES = (".html", ".htm")


@grouped
def report(
    qrels: files.QrelsPath,
    runs: files.RunPaths,
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures to report: -m "nDCG@10 AP"; separated by spaces, repeatable. The pictures '
            "show the first. Default: nDCG@10, AP, RR and R@100."
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
            "Run to compare the others with; it is shown first, and once. Default: the first run.",
        ),
    ] = None,
    test: statistics.AnyTestName = "t",
    correction: statistics.CorrectionName = None,
    alpha: statistics.Alpha = None,
    seed: statistics.Seed = None,
    run_costs: statistics.RunCostsFile = None,
    rows: Annotated[
        int,
        panels.RANKINGS(
            "--rows",
            "K",
            "List judged documents among the first K of any run. Default: 10.",
            min=1,
        ),
    ] = 10,
    output: Annotated[
        str,
        panels.OUTPUT(
            "--output",
            "-o",
            "FILE.html",
            "Write the page to FILE, completely or not at all; - is stdout.",
        ),
        files.WRITTEN,
    ],
    run_names: files.RunNaming = "tag",
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Write one self-contained HTML page: tables, tests, pictures, topics and settings."""
    from rankeval.commands.compare.method import Method
    from rankeval.commands.report.reports.collect import report as content
    from rankeval.commands.report.show import require_libraries, write_page
    from rankeval.io.formats.named_values import read_run_costs

    require_libraries()
    if output != files.STREAM and PurePath(output).suffix.lower() not in SUFFIXES:
        raise UsageError(
            "a report is an HTML page", place=output, expected=f"one of {' '.join(SUFFIXES)}"
        )
    measuring.load_plugins(plugins)
    method = Method.from_options(
        test=test,
        correction=correction,
        alpha=0.05 if alpha is None else alpha,
        seed=seed or 0,
    )
    spent = read_run_costs(run_costs) if run_costs else None
    runs = files.systems(runs)
    every = files.baseline_first(beside, runs)
    found = content(
        qrels,
        [run.path for run in every],
        measures,
        conventions.settings(),
        method=method,
        depth=rows,
        command=command_line(),
        costs=costs,
        spent=spent,
        reading=reading.reading(),
        run_names=files.run_names(run_names, every),
        jobs=running.jobs,
    )
    write_page(found, output)
    running.warn(found.warnings)
