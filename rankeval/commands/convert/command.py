"""`rankeval convert`: write a run or qrels in another format."""

from functools import partial
from typing import Annotated, Any

import typer

from rankeval.base.frozen import record
from rankeval.choices import FILE_FORMATS, FileKind, listed
from rankeval.cli.options.evaluating_options import (
    Collapse,
    Columns,
    Duplicates,
    OnError,
    RunningOptions,
)
from rankeval.cli.options.option_groups import grouped, stated
from rankeval.cli.options.panels import OUTPUT, RANKINGS, READ, READING, WRITTEN
from rankeval.errors import UsageError

COMMON = partial(RANKINGS, common=True)
IN = typer.Argument(metavar="IN", help="Run or qrels to convert; - is stdin.")
OUT = typer.Argument(metavar="OUT", help="File to write, completely or not at all; - is stdout.")
TO = (
    f"Format of OUT: {', '.join(FILE_FORMATS)}. Default: by the suffix of OUT, where a further "
    ".gz, .bz2, .xz, .zst or .lz4 compresses."
)
FORM = OUTPUT("--to -f FORMAT", TO, any_of=FILE_FORMATS, common=True)
KIND = READING("--kind KIND", f"{listed(FileKind)}. Default: by the content.", common=True)
FROM = READING("--from FORMAT", "Format of IN. Default: by the content.", any_of=FILE_FORMATS)
EXCLUDE = RANKINGS("--exclude QRELS", "Leave out the documents that QRELS judges.")
DEPTH = COMMON("--depth -M K", "Keep the first K documents of each topic.")
TOPICS = RANKINGS("--topics FILE", "Keep the topics that begin the lines of FILE.")
TAG = COMMON("--tag TAG", "Tag of every line. Default: that of IN, or 'run'.")
RENUMBER = RANKINGS("--renumber", "Sort lines by score, and number ranks from 1.")


@record
class LineOptions:
    """Names of columns, and rules for malformed lines, duplicates and chunks."""

    columns: Columns = None
    on_error: OnError = None
    duplicates: Duplicates = None
    collapse: Collapse = None


@grouped
def convert_file(
    source: Annotated[str, IN, READ],
    target: Annotated[str | None, OUT, WRITTEN] = None,
    *,
    output: Annotated[str | None, OUTPUT("--output -o OUT", "The same as OUT."), WRITTEN] = None,
    to: Annotated[str | None, FORM] = None,
    kind: Annotated[FileKind | None, KIND] = None,
    source_format: Annotated[str | None, FROM] = None,
    lines: LineOptions,
    exclude: Annotated[str | None, EXCLUDE, READ] = None,
    depth: Annotated[int | None, DEPTH] = None,
    topics: Annotated[str | None, TOPICS, READ] = None,
    tag: Annotated[str | None, TAG] = None,
    renumber: Annotated[bool, RENUMBER] = False,
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

    path = target or output
    if path is None or (target and output):
        raise UsageError("one file to write is needed", expected="rankeval convert IN OUT")
    form: Any = {"qrels_format": source_format, "run_format": source_format}
    form |= stated(vars(lines))
    of_runs: Any = {"exclude": exclude, "depth": depth, "tag": tag, "renumber": renumber}
    done = convert(
        source, path, what=kind, to=to, topics=topics, jobs=running.jobs, **of_runs, **form
    )
    running.warn(done.warnings)
