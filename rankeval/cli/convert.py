"""`rankeval convert`: write a run, judgments or preferences in another format."""

from enum import StrEnum
from typing import Annotated

import typer

from rankeval.cli.options import files, panels
from rankeval.cli.options.groups import grouped
from rankeval.cli.options.reading import LineOptions
from rankeval.cli.options.running import RunningOptions
from rankeval.cli.progress import reading_progress
from rankeval.io.format_names import NAMES


class Kind(StrEnum):
    """What a file holds."""

    RUN = "run"
    QRELS = "qrels"
    PREFS = "prefs"


@grouped
def convert_file(
    source: Annotated[
        str,
        typer.Argument(metavar="IN", help="A run, judgments or preferences; - is stdin."),
        files.READ,
    ],
    target: Annotated[
        str,
        typer.Argument(metavar="OUT", help="The file to write, whole or not at all; - is stdout."),
        files.WRITTEN,
    ],
    *,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=f"{', '.join(NAMES)}. By default what the suffix of OUT says; one more suffix, "
            "gz, bz2, xz, zst or lz4, compresses.",
            rich_help_panel=panels.OUTPUT,
        ),
    ] = None,
    kind: Annotated[
        Kind | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help=f"What IN holds: {', '.join(Kind)}. By default what its content says.",
            rich_help_panel=panels.READING,
        ),
    ] = None,
    source_format: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help="The format of IN, where its content does not tell it.",
            rich_help_panel=panels.READING,
        ),
    ] = None,
    lines: LineOptions,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "-M",
            metavar="K",
            help="The first K documents of a topic only, by score.",
            rich_help_panel=panels.RANKINGS,
        ),
    ] = None,
    topics: Annotated[
        str | None,
        typer.Option(
            "--topics",
            metavar="FILE",
            help="These topics only: the first word of each line.",
            rich_help_panel=panels.RANKINGS,
        ),
        files.READ,
    ] = None,
    tag: Annotated[
        str | None,
        typer.Option(
            "--tag",
            metavar="TAG",
            help="The tag of every line. TREC's format needs one, and without it is 'run'.",
            rich_help_panel=panels.RANKINGS,
        ),
    ] = None,
    renumber: Annotated[
        bool,
        typer.Option(
            "--renumber",
            help="Order lines by score, ties by docno descending, and count ranks from 1.",
            rich_help_panel=panels.RANKINGS,
        ),
    ] = False,
    running: RunningOptions,
) -> None:
    """Convert between the formats of runs, judgments and preferences.

    'rankeval convert bm25.run bm25.parquet' takes both formats from the files.
    'rankeval convert run.json - --to trec' prints TREC's lines.
    'rankeval convert run.gz top.tsv.gz --depth 100 --to msmarco' takes 100 documents per topic.
    What a format cannot hold is told in a warning.
    """
    from rankeval.evaluation.reading import Reading
    from rankeval.tasks.convert.convert import convert

    with reading_progress([source], wanted=not running.quiet) as progress:
        done = convert(
            source,
            target,
            what=kind,
            to=to,
            depth=depth,
            topics=topics,
            tag=tag,
            renumber=renumber,
            reading=Reading(source_format, source_format, **lines.stated()),
            jobs=running.jobs,
            progress=None if progress is None else lambda position: progress(source, position),
        )
    running.warn(done.warnings)
