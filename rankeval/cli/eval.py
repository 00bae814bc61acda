"""`rankeval eval`: score runs against one set of judgments."""

import typer

import rankeval
from rankeval.cli import options
from rankeval.cli.progress import reading_progress
from rankeval.render import Format, Names, Style, format_of, write
from rankeval.results import RunResult


def evaluate(
    qrels: options.QrelsPath,
    runs: options.RunPaths,
    measures: options.Measures = None,
    per_query: options.PerQuery = False,
    no_summary: options.NoSummary = False,
    complete: options.Complete = False,
    plugins: options.Plugins = None,
    min_grade: options.MinGrade = None,
    depth: options.Depth = None,
    judged_only: options.JudgedOnly = False,
    collection_size: options.CollectionSize = None,
    aggregate: options.Aggregate = None,
    weights: options.Weights = None,
    group: options.Groups = None,
    group_by: options.GroupBy = None,
    topics: options.TopicsRule = options.Topics.JUDGED,
    require_coverage: options.RequireCoverage = False,
    skip_no_relevant: options.SkipNoRelevant = False,
    form: options.OutputFormat = None,
    output: options.Output = None,
    digits: options.Digits = 4,
    names: options.NamesStyle = Names.CANONICAL,
    signature: options.Signature = False,
    no_color: options.NoColor = False,
    quiet: options.Quiet = False,
    jobs: options.Jobs = None,
) -> None:
    """Score each RUN against QRELS."""
    if complete and topics is options.Topics.BOTH:
        raise rankeval.UsageError(
            "--complete and --topics both contradict each other", remedy="give one of the two"
        )
    if group_by and not group:
        raise rankeval.UsageError(
            "--group-by needs the file that has the column", remedy="give it with --group FILE"
        )
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
            jobs=jobs,
            progress=progress,
        )
    if not quiet:
        for line in warning_lines(results.runs):
            typer.echo(line, err=True)
    write(results, chosen, output, style)


def warning_lines(runs: tuple[RunResult, ...]) -> list[str]:
    """What to warn of; a warning that all of several runs share is told once."""
    shared = set.intersection(*(set(run.warnings) for run in runs)) if len(runs) > 1 else set()
    lines = [f"rankeval: warning: {w}" for w in runs[0].warnings if w in shared]
    for run in runs:
        name = run.path if len(runs) > 1 else ""
        place = f"{name}: " if name else ""
        lines += [f"rankeval: warning: {place}{w}" for w in run.warnings if w not in shared]
    return lines
