"""`rankeval pool`: the documents of runs that are to be judged."""

from typing import Annotated

import typer

from rankeval.base.frozen import frozen
from rankeval.base.wording import known_word
from rankeval.choices import POOL_ORDERS, SAMPLES, Format
from rankeval.cli.options import completion_values as values
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import panels
from rankeval.cli.options.fusion_options import TiesOfRuns
from rankeval.cli.options.option_groups import grouped, in_any_case
from rankeval.cli.options.output_options import DATA, NumbersOutput, chosen_format
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions
from rankeval.cli.options.text_options import TextOptions
from rankeval.errors import UsageError

LINES = ("trec", "tsv", "jsonl")
"""The formats of a pool."""

SAMPLED = ("trec", "tsv", "csv", "parquet", "arrow")
"""The formats of a sample: lines for assessors, or tables with strata and probabilities."""

TABLES = ("table", *DATA, "markdown", "latex")
"""The formats of the overlap of runs, and of the coverage of a pool."""


@frozen
class PoolOutput(NumbersOutput):
    """The options of `pool`, which writes lines for assessors, or a table."""

    form: Annotated[
        str | None,
        panels.OUTPUT(
            "--format",
            "-f",
            "FORMAT",
            "Format of the pool. trec (default): lines of judgments, topic 0 docno -1; tsv: "
            "topic and docno; jsonl: an object per line. With --sample or --next: trec, tsv, csv, "
            "parquet, arrow; default: by the suffix of -o. With --overlap or --covers: "
            f"Output format: {', '.join(TABLES)}, or one that a plugin adds. Default: by the "
            "suffix of -o, else table.",
            autocompletion=values.one_of((*LINES, *SAMPLED[3:], *TABLES)),
            callback=in_any_case((*LINES, *SAMPLED[3:], *TABLES)),
        ),
    ] = None


@grouped
def pool_runs(
    runs: Annotated[
        list[files.RunFile],
        typer.Argument(metavar="RUN", help="Runs whose documents are pooled, in any format."),
    ],
    *,
    depth: Annotated[
        int | None,
        panels.RANKINGS("--depth", "K", "Pool the first K documents of each run."),
    ] = None,
    order: Annotated[
        str,
        panels.RANKINGS(
            "--order",
            "ORDER",
            "Order of the documents of a topic. depth (default): by docno, and with a budget "
            "as deep as it allows; max-rank: by the best rank; rrf: reciprocal rank fusion; rbp: "
            "by the weights of RBP; mtf: move to front, by the success of runs in --judged.",
            autocompletion=values.one_of(POOL_ORDERS),
            callback=in_any_case(POOL_ORDERS),
        ),
    ] = "depth",
    budget: Annotated[
        int | None,
        panels.RANKINGS(
            "--budget",
            "N",
            "Pool at most N documents of a topic, the first in that order, or with --sample any.",
        ),
    ] = None,
    judged: Annotated[
        str | None,
        panels.RANKINGS(
            "--judged",
            "QRELS",
            "Judgments whose documents are left out; with --next the sample, with its grades.",
        ),
        files.READ,
    ] = None,
    sample: Annotated[
        str | None,
        panels.RANKINGS(
            "--sample",
            "WAY",
            "Draw the documents at random, --budget of each topic, for rankeval estimate. "
            "stratified: as many from each band of ranks; uniform: evenly; by-rank: by the weights "
            "of statAP. -o FILE.tsv has their probabilities, and room for grades.",
            autocompletion=values.one_of(SAMPLES),
            callback=in_any_case(SAMPLES),
        ),
    ] = None,
    next_: Annotated[
        int | None,
        panels.RANKINGS(
            "--next",
            "N",
            "Draw N more documents in all, besides those of --judged FILE.tsv: those that narrow "
            "the differences between the runs most.",
        ),
    ] = None,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            "Measures whose differences --next narrows: P@k, DCG@k, RBP, R@k or AP. Default: "
            "P@10, DCG@10 and AP."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        panels.RANKINGS("--seed", "S", "Seed of --sample and --next. Default: 0."),
    ] = None,
    ties: TiesOfRuns = "docno",
    overlap: Annotated[
        bool,
        panels.OUTPUT(
            "--overlap", "Print instead what each run gives to the pool, and what each two share."
        ),
    ] = False,
    covers: Annotated[
        str | None,
        panels.OUTPUT(
            "--covers",
            "RUN",
            "Print instead how much of another run is covered: the share of its first documents "
            "that are in the pool or judged.",
        ),
        files.READ,
    ] = None,
    run_names: files.RunNaming = "tag",
    plugins: measuring.Plugins = None,
    texts: TextOptions,
    output: PoolOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Pool the first documents of runs, or a sample of them, for assessors to judge."""
    import rankeval
    from rankeval.commands.pool.show import COVERAGE, OVERLAP, write_with_texts
    from rankeval.commands.pool.task import write_pool, write_sample

    if overlap and covers is not None:
        raise UsageError("--overlap and --covers print two tables", remedy="give one of the two")
    measuring.load_plugins(plugins)
    printer = OVERLAP if overlap else COVERAGE if covers is not None else None
    page = output.page(printer) if printer else None
    drawn = sample is not None or next_ is not None
    form = "" if page else _format(output, drawn=drawn)
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
        overlap=overlap,
        sample=sample,
        next=next_,
        measures=measures,
        seed=seed,
        ties=ties,
        **texts.given(),
        reading=reading.reading(),
        run_names=files.run_names(run_names, runs),
        jobs=running.jobs,
    )
    if page:
        page.write(found)
    elif found.texts:
        write_with_texts(found, output.file, output.style(), form)
        running.warn(found.texts.notices())
    elif drawn:
        write_sample(found, output.output or files.STREAM, form)
    else:
        write_pool(found, output.output or files.STREAM, form)


def _format(output: PoolOutput, *, drawn: bool) -> str:
    """Return the format of the lines, that of the suffix for a sample."""
    if not drawn:
        return chosen_format(output.form or "trec", LINES, place="--format")
    from rankeval.io.write import format_for

    form = output.form
    if form is None:
        form = format_for(output.output, None) if output.output else "trec"
    known = known_word(form, SAMPLED)  # parquet and arrow are formats of judgments, not of results
    return known if known in SAMPLED else chosen_format(form, SAMPLED, place="--format")
