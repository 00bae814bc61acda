"""`rankeval report`: one HTML page of an evaluation."""

from typing import Annotated

from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options import panels
from rankeval.cli.options.evaluating_options import Conventions, ReadingOptions, RunningOptions
from rankeval.cli.options.further_options import Alpha, BaselineRun, RunCostsFile, TextOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import WRITTEN, command_line


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
    parts: measuring.GroupedParts = None,
    conventions: Conventions,
    beside: BaselineRun = None,
    alpha: Alpha = None,
    run_costs: RunCostsFile = None,
    rows: Annotated[
        int, panels.RANKINGS("--rows K", "Documents to show of each ranking. Default: 10.", min=1)
    ] = 10,
    texts: TextOptions,
    title: Annotated[
        str, panels.OUTPUT("--title TEXT", "Heading. Default: the number of runs.", common=True)
    ] = "",
    output: Annotated[
        str,
        panels.OUTPUT("--output -o FILE.html", "Write the page to FILE; - is stdout.", common=True),
        WRITTEN,
    ],
    run_names: files.RunNaming = "tag",
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    r"""Write one self-contained HTML page: tables, tests, pictures, topics and settings.

    Examples:
        rankeval report qrels.txt *.run -o report.html
            one HTML page to send
        rankeval report qrels.txt *.run --baseline bm25.run -m AP -o report.html
            another baseline
        rankeval report qrels.txt *.run --queries topics.tsv --docs docs.tsv -o \
          report.html
            with texts
    """
    from rankeval.commands.report.collect import report as make_report
    from rankeval.commands.report.page import require_page, write_page

    require_page(output if output != files.STREAM else "report.html")
    every = files.baseline_first(beside, files.systems(runs))
    found = make_report(
        qrels,
        [run.path for run in every],
        measures,
        settings=conventions.settings(**reading.stated()),
        alpha=0.05 if alpha is None else alpha,
        **texts.given(),
        rows=rows,
        title=title,
        run_costs=run_costs,
        command=command_line(),
        **measuring.added(parts, measuring.GROUPED),
        run_names=files.run_names(run_names, every),
        jobs=running.jobs,
    )
    write_page(found, output)
    running.warn(found.warnings)
