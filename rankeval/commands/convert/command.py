"""`rankeval convert`: write a run or qrels in another format."""

from typing import Annotated

import typer

from rankeval.choices import FILE_FORMATS, FileKind, listed
from rankeval.cli.options import file_options as files
from rankeval.cli.options.evaluating_options import LineOptions, RunningOptions, reading_progress
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.panels import OUTPUT, RANKINGS, READING
from rankeval.errors import UsageError


@grouped
def convert_file(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="Run or qrels to convert; - is stdin."), files.READ
    ],
    target: Annotated[
        str | None,
        typer.Argument(metavar="OUT", help="File to write, completely or not at all; - is stdout."),
        files.WRITTEN,
    ] = None,
    *,
    output: Annotated[
        str | None, OUTPUT("--output -o OUT", "The same as OUT."), files.WRITTEN
    ] = None,
    to: Annotated[
        str | None,
        OUTPUT(
            "--to -f FORMAT",
            f"Format of OUT: {', '.join(FILE_FORMATS)}. Default: by the suffix of OUT, where a "
            "further .gz, .bz2, .xz, .zst or .lz4 compresses.",
            any_of=FILE_FORMATS,
            common=True,
        ),
    ] = None,
    kind: Annotated[
        FileKind | None,
        READING("--kind KIND", f"{listed(FileKind)}. Default: by the content.", common=True),
    ] = None,
    source_format: Annotated[
        str | None,
        READING("--from FORMAT", "Format of IN. Default: by the content.", any_of=FILE_FORMATS),
    ] = None,
    lines: LineOptions,
    exclude: Annotated[
        str | None,
        RANKINGS("--exclude QRELS", "Leave out the documents that QRELS judges."),
        files.READ,
    ] = None,
    depth: Annotated[
        int | None,
        RANKINGS("--depth -M K", "Keep the first K documents of each topic.", common=True),
    ] = None,
    topics: Annotated[
        str | None,
        RANKINGS("--topics FILE", "Keep the topics that begin the lines of FILE."),
        files.READ,
    ] = None,
    tag: Annotated[
        str | None,
        RANKINGS("--tag TAG", "Tag of every line. Default: that of IN, or 'run'.", common=True),
    ] = None,
    renumber: Annotated[
        bool, RANKINGS("--renumber", "Sort lines by score, and number ranks from 1.")
    ] = False,
    running: RunningOptions,
) -> None:
    """Convert runs and qrels between file formats.

    A warning names the data that the format of OUT cannot hold.

    Examples:
        rankeval convert bm25.run bm25.parquet
            formats by content and by suffix
        rankeval convert run.json - --to trec
            to standard output
        rankeval convert run.gz top.tsv.gz -M 100 --to msmarco
            100 documents per topic
    """
    from rankeval.commands.convert.task import convert

    if (target is None) == (output is None):
        found = "no file to write" if target is None else f"two files to write: {target}, {output}"
        raise UsageError(found, expected="rankeval convert IN OUT")
    with reading_progress([source], wanted=not running.quiet) as progress:
        done = convert(
            source,
            target or output or "",
            what=kind,
            to=to,
            exclude=exclude,
            depth=depth,
            topics=topics,
            tag=tag,
            renumber=renumber,
            qrels_format=source_format,
            run_format=source_format,
            **lines.stated(),
            jobs=running.jobs,
            progress=None if progress is None else lambda position: progress(source, position),
        )
    running.warn(done.warnings)
