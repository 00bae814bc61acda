"""`rankeval convert`: write a run or qrels in another format."""

from typing import Annotated

import typer

from rankeval.choices import FileKind, listed
from rankeval.cli.options import file_options as files
from rankeval.cli.options import panels
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.reading_options import LineOptions
from rankeval.cli.options.running_options import RunningOptions, reading_progress
from rankeval.errors import UsageError
from rankeval.io.formats.formats import NAMES


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
        str | None, panels.OUTPUT("--output -o OUT", "The same as OUT."), files.WRITTEN
    ] = None,
    to: Annotated[
        str | None,
        panels.OUTPUT(
            "--to -f FORMAT",
            f"Format of OUT: {', '.join(NAMES)}. Default: by the suffix of OUT, where a "
            "further .gz, .bz2, .xz, .zst or .lz4 compresses.",
            any_of=NAMES,
            common=True,
        ),
    ] = None,
    kind: Annotated[
        FileKind | None,
        panels.READING(
            "--kind KIND",
            f"Kind of IN: {listed(FileKind)}. Default: detected from the content.",
            common=True,
        ),
    ] = None,
    source_format: Annotated[
        str | None,
        panels.READING(
            "--from FORMAT",
            "Format of IN. Default: detected from the content.",
            any_of=NAMES,
            common=True,
        ),
    ] = None,
    lines: LineOptions,
    exclude: Annotated[
        str | None,
        panels.RANKINGS(
            "--exclude QRELS",
            "Leave out the documents that QRELS judges: the residual run, to evaluate on the rest.",
        ),
        files.READ,
    ] = None,
    depth: Annotated[
        int | None,
        panels.RANKINGS(
            "--depth -M K", "Keep only the first K documents of each topic, by score.", common=True
        ),
    ] = None,
    topics: Annotated[
        str | None,
        panels.RANKINGS(
            "--topics FILE", "Keep only the topics in FILE: the first word of each line."
        ),
        files.READ,
    ] = None,
    tag: Annotated[
        str | None,
        panels.RANKINGS(
            "--tag TAG",
            "Tag of every line. Default: the tags of IN, or 'run' if OUT's format needs a "
            "tag and IN has none.",
            common=True,
        ),
    ] = None,
    renumber: Annotated[
        bool,
        panels.RANKINGS(
            "--renumber", "Sort lines by score, ties by docno descending, and number ranks from 1."
        ),
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
    from rankeval.evaluation.reading import Reading

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
            reading=Reading(source_format, source_format, **lines.stated()),
            jobs=running.jobs,
            progress=None if progress is None else lambda position: progress(source, position),
        )
    running.warn(done.warnings)
