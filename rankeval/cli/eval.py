"""`rankeval eval`: score runs against one set of judgments."""

import contextlib
import os

import typer

import rankeval
from rankeval.cli import options
from rankeval.cli.progress import reading_progress
from rankeval.errors import printable
from rankeval.render import Format, Names, Style, format_of, notice_lines, write


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
    topics: options.TopicsRule = options.Topics.JUDGED,
    complete: options.Complete = False,
    require_coverage: options.RequireCoverage = False,
    skip_no_relevant: options.SkipNoRelevant = False,
    depth: options.Depth = None,
    judged_only: options.JudgedOnly = False,
    per_query: options.PerQuery = False,
    no_summary: options.NoSummary = False,
    form: options.OutputFormat = None,
    output: options.Output = None,
    digits: options.Digits = 4,
    names: options.NamesStyle = Names.CANONICAL,
    signature: options.Signature = False,
    no_color: options.NoColor = False,
    quiet: options.Quiet = False,
    qrels_format: options.QrelsFormat = None,
    run_format: options.RunFormat = None,
    columns: options.ColumnNames = "",
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
            rankeval.Settings(
                topics=topics.value,
                require_coverage=require_coverage,
                skip_no_relevant=skip_no_relevant,
                min_grade=min_grade,
                depth=depth,
                judged_only=judged_only,
                collection_size=collection_size,
                aggregate=aggregate.value if aggregate else None,
            ),
            weights=weights,
            groups=rankeval.read_groups(group, group_by) if group else None,
            costs=costs,
            reading=rankeval.Reading(qrels_format, run_format, columns),
            jobs=jobs,
            progress=progress,
        )
    if not quiet:
        for line in notice_lines(results.runs):
            typer.echo(f"rankeval: warning: {printable(line)}", err=True)
    write(results, chosen, output, style)


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
