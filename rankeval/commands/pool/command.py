"""`rankeval pool`: the documents of runs that are to be judged."""

from typing import Annotated

import typer

from rankeval.choices import PoolOrder
from rankeval.cli.options import file_options as files
from rankeval.cli.options import panels
from rankeval.cli.options.evaluating_options import ReadingOptions, RunningOptions
from rankeval.cli.options.further_options import TextOptions, TiesOfRuns
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.cli.options.panels import READ
from rankeval.errors import UsageError


@grouped
def pool_runs(
    runs: Annotated[
        list[files.RunFile],
        typer.Argument(metavar="RUN", help="Runs whose documents are pooled, in any format."),
    ],
    *,
    depth: Annotated[
        int | None,
        panels.RANKINGS("--depth K", "Pool the first K documents of each run.", common=True),
    ] = None,
    order: Annotated[
        PoolOrder,
        panels.RANKINGS(
            "--order ORDER",
            "Order of the documents of a topic. depth (default): by docno, and with a budget "
            "as deep as it allows; max-rank: by the best rank; rrf: reciprocal rank fusion; rbp: "
            "by the weights of RBP; mtf: move to front, by the success of runs in --judged.",
        ),
    ] = "depth",
    budget: Annotated[
        int | None,
        panels.RANKINGS(
            "--budget N",
            "Pool at most N documents of a topic, the first by --order.",
            common=True,
        ),
    ] = None,
    judged: Annotated[
        str | None,
        panels.RANKINGS("--judged QRELS", "Judgments whose documents are left out.", common=True),
        READ,
    ] = None,
    ties: TiesOfRuns = "docno",
    overlap: Annotated[
        bool,
        panels.OUTPUT(
            "--overlap",
            "Print its documents by run and the overlap of the runs instead of the pool.",
        ),
    ] = False,
    run_names: files.RunNaming = "tag",
    texts: TextOptions,
    output: NumbersOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Pool the first documents of runs, for assessors to judge.

    Without --format, lines of judgments of grade -1, whatever the suffix of -o; tsv, csv and jsonl
    have topic and docno. The other formats are those of --overlap.

    Examples:
        rankeval pool *.run --depth 10 -o pool.qrels
            ten documents of each run
        rankeval pool *.run --order rrf --budget 50 --judged qrels.txt
            what to judge next
    """
    import rankeval
    from rankeval.commands.pool.task import DOCUMENTS, OVERLAP, write_lines

    lines = not overlap and output.form in (None, "trec")
    page = None if lines else output.page(OVERLAP if overlap else DOCUMENTS)
    if (texts.queries or texts.docs) and (overlap or lines):
        raise UsageError(
            "--queries and --docs are for the lines of a pool that people read",
            remedy="add -f tsv or -f jsonl",
        )
    found = rankeval.pool(
        [run.path for run in runs],
        depth=depth,
        order=order,
        budget=budget,
        judged=judged,
        ties=ties,
        **texts.given(),
        **reading.stated(),
        run_names=files.run_names(run_names, runs),
        jobs=running.jobs,
    )
    if page is None:
        write_lines(found, output.output or files.STREAM)
    else:
        page.write(found)
        running.warn(found.texts.notices())
