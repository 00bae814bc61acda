"""`rankeval eval`: score runs against one set of judgments."""

import contextlib
import os
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, cast

import typer

import rankeval
from rankeval.cli import options
from rankeval.cli.progress import reading_progress
from rankeval.errors import printable
from rankeval.render import Format, Names, Style, format_of, notice_lines, write

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.repetitions import CollapseBy, Duplicates


def evaluate(
    qrels: options.QrelsPath,
    runs: options.RunPaths,
    measures: options.Measures = None,
    plugins: options.Plugins = None,
    min_grade: options.MinGrade = None,
    collection_size: options.CollectionSize = None,
    aggregate: options.Aggregate = None,
    weights: options.Weights = None,
    group: options.Groups = None,
    group_by: options.GroupBy = None,
    costs: options.Costs = None,
    like: options.Like = None,
    bounds: options.Bounds = False,
    topics: options.TopicsRule = None,
    complete: options.Complete = False,
    require_coverage: options.RequireCoverage = False,
    skip_no_relevant: options.SkipNoRelevant = False,
    depth: options.Depth = None,
    judged_only: options.JudgedOnly = False,
    unjudged: options.UnjudgedRule = None,
    ties: options.TiesRule = None,
    order: options.OrderBy = None,
    per_query: options.PerQuery = False,
    no_summary: options.NoSummary = False,
    form: options.OutputFormat = None,
    output: options.Output = None,
    digits: options.Digits = 4,
    names: options.NamesStyle = Names.CANONICAL,
    signature: options.Signature = False,
    no_color: options.NoColor = False,
    qrels_format: options.QrelsFormat = None,
    run_format: options.RunFormat = None,
    columns: options.ColumnNames = "",
    on_error: options.OnError = "refuse",
    duplicates: options.DuplicatesRule = "refuse",
    collapse: options.CollapseRegex = None,
    collapse_sep: options.CollapseSep = None,
    collapse_by: options.CollapseRule = "first",
    quiet: options.Quiet = False,
    jobs: options.Jobs = None,
) -> None:
    """Score each RUN against QRELS.

    Files may be compressed with gzip, bzip2, xz, zstd or lz4; - is standard input.
    """
    if complete and topics is options.Topics.BOTH:
        raise rankeval.UsageError(
            "--complete and --topics both contradict each other", remedy="give one of the two"
        )
    if group_by and not group:
        raise rankeval.UsageError(
            "--group-by needs the file that has the column", remedy="give it with --group FILE"
        )
    _refuse_measures_among_runs(runs)
    if output:
        others = [path for path in (weights, group, costs) if path]
        options.refuse_overwriting(output, [qrels, *runs, *others, *(plugins or ())])
    for plugin in plugins or ():
        rankeval.load_plugin(plugin)
    settings = _settings(
        like,
        topics=options.Topics.JUDGED if complete else topics,
        require_coverage=require_coverage,
        skip_no_relevant=skip_no_relevant,
        min_grade=min_grade,
        depth=depth,
        judged_only=judged_only,
        collection_size=collection_size,
        aggregate=aggregate,
        unjudged=unjudged,
        ties=ties,
        order=order,
    )
    style = Style(
        per_topic=per_query,
        summary=not no_summary,
        digits=digits,
        names=names,
        signature=signature,
        colour=False if no_color else None,
    )
    chosen = form or (format_of(output) if output and output != "-" else Format.TABLE)
    with reading_progress(runs, wanted=not quiet) as progress:
        results = rankeval.evaluate(
            qrels,
            runs,
            measures,
            settings,
            weights=weights,
            groups=rankeval.read_groups(group, group_by) if group else None,
            costs=costs,
            bounds=bounds,
            reading=rankeval.Reading(
                qrels_format,
                run_format,
                columns,
                cast("Literal['refuse', 'skip']", on_error),
                cast("Duplicates", duplicates),
                collapse,
                collapse_sep,
                cast("CollapseBy", collapse_by),
            ),
            jobs=jobs,
            progress=progress,
        )
    if not quiet:
        for line in notice_lines(results.runs):
            typer.echo(f"rankeval: warning: {printable(line)}", err=True)
    write(results, chosen, output, style)


def _settings(like: options.Tool | None, **given: Any) -> "rankeval.Settings":
    """The settings that the options state, the others as the tool has them."""
    stated: dict[str, Any] = {
        name: value.value if isinstance(value, StrEnum) else value
        for name, value in given.items()
        if value is not None and value is not False
    }
    if like:
        return rankeval.Settings.like_tool(like.value, **stated)
    return rankeval.Settings(**stated)


def _refuse_measures_among_runs(runs: list[str]) -> None:
    """Complain of `-m AP nDCG@10`, which makes a run of what was meant as a measure."""
    for run in runs:
        if run == "-" or os.path.lexists(run):
            continue
        with contextlib.suppress(rankeval.MeasureError):
            rankeval.parse_measure(run)
            raise rankeval.UsageError(
                "no such file, but a measure of this name",
                place=run,
                expected=f'several measures in one string, -m "AP {run}", or -m before each',
            )
