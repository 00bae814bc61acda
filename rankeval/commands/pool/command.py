"""`rankeval pool`: the documents of runs that are to be judged."""

from functools import partial
from typing import Annotated

import typer

from rankeval.base.frozen import frozen
from rankeval.choices import Format, PoolOrder
from rankeval.cli.options import file_options as files
from rankeval.cli.options import panels
from rankeval.cli.options.evaluating_options import (
    ReadingOptions,
    RunningOptions,
    TextOptions,
    TiesOfRuns,
)
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import TABLES, NumbersOutput, chosen_format
from rankeval.errors import UsageError

LINES = ("trec", "tsv", "jsonl")
"""The formats of a pool."""


@frozen
class PoolOutput(NumbersOutput):
    """The options of `pool`, which writes lines for assessors, or a table."""

    form: Annotated[
        str | None,
        panels.OUTPUT(
            "--format -f FORMAT",
            "Format of the pool. trec (default): lines of judgments, topic 0 docno -1; tsv: "
            "topic and docno; jsonl: an object per line. With --overlap or --covers: "
            f"{', '.join(TABLES)}, or one that a plugin adds. Default: by the suffix of -o, else "
            "table.",
            any_of=(*LINES, *TABLES),
        ),
    ] = None


@partial(grouped, not_with={"--overlap": "--covers"})
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
        files.READ,
    ] = None,
    ties: TiesOfRuns = "docno",
    overlap: Annotated[
        bool,
        panels.OUTPUT(
            "--overlap",
            "Print its documents by run and the overlap of the runs instead of the pool.",
        ),
    ] = False,
    covers: Annotated[
        str | None,
        panels.OUTPUT(
            "--covers RUN",
            "Print how much of another run it covers instead of the pool: the share of the "
            "run's first documents "
            "that are in the pool or judged.",
        ),
        files.READ,
    ] = None,
    run_names: files.RunNaming = "tag",
    texts: TextOptions,
    output: PoolOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Pool the first documents of runs, for assessors to judge.

    Examples:
        rankeval pool *.run --depth 10 -o pool.qrels
            ten documents of each run
        rankeval pool *.run --order rrf --budget 50 --judged qrels.txt
            what to judge next
        rankeval pool *.run --depth 10 --covers new.run
            is the pool good for a new run
    """
    import rankeval
    from rankeval.commands.pool.task import COVERAGE, OVERLAP, PRINTER, write_pool
    from rankeval.output.writing import write_result

    printer = OVERLAP if overlap else COVERAGE if covers is not None else None
    page = output.page(printer) if printer else None
    form = "" if page else chosen_format(output.form or "trec", LINES)
    if (texts.queries or texts.docs) and (page or form == Format.TREC):
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
        covers=covers,
        ties=ties,
        **texts.given(),
        **reading.stated(),
        run_names=files.run_names(run_names, runs),
        jobs=running.jobs,
    )
    if page:
        page.write(found)
    elif found.texts or form == Format.JSONL:
        write_result(PRINTER, found, form, output.file, output.style())
        running.warn(found.texts.notices())
    else:
        write_pool(found, output.output or files.STREAM, form)
