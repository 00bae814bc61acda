"""`--collections` of `eval` and other commands: the same for every collection of a file."""

from rankeval.cli.endings import BAD_INPUT, DONE
from rankeval.cli.options.collections import CollectionOptions, collection_warnings
from rankeval.cli.options.output import NumbersOutput
from rankeval.cli.options.running import RunningOptions
from rankeval.cli.progress import reading_progress
from rankeval.errors import ReaderLeftError
from rankeval.evaluation.evaluate import OnRunError
from rankeval.render import write_result
from rankeval.render.style import Style
from rankeval.support.stderr import tell
from rankeval.tasks.collections.evaluate import CollectionResults, evaluate_collections, is_there
from rankeval.tasks.collections.read import Collection


def evaluated(
    collections: tuple[Collection, ...],
    running: RunningOptions,
    on_run_error: OnRunError = "refuse",
) -> CollectionResults:
    """Evaluate the systems on all collections, with progress; tell errors of runs left out."""
    paths = [path for one in collections for path in one.runs.values() if is_there(path)]
    with reading_progress(paths, wanted=not running.quiet) as progress:
        results = evaluate_collections(
            collections, on_run_error=on_run_error, jobs=running.jobs, progress=progress
        )
    for missing in results.missing:
        if missing.error:
            tell(f"rankeval: {missing.error}\n")
    return results


def show_collections(
    results: CollectionResults,
    chosen: CollectionOptions,
    output: NumbersOutput,
    style: Style,
    sort: str | None,
    running: RunningOptions,
) -> int:
    """Print the results, and return the exit code."""
    from rankeval.documents.collections import report_of
    from rankeval.render.collections import COLLECTIONS
    from rankeval.tasks.collections.means import sorted_systems

    form = output.chosen(COLLECTIONS.formats())
    running.warn(collection_warnings(results, output.decimals(form)))
    if sort:
        results = sorted_systems(results, sort, missing=chosen.rule)
    code = BAD_INPUT if any(missing.error for missing in results.missing) else DONE
    try:
        write_result(COLLECTIONS, report_of(results, chosen.rule), form, output.output, style)
    except BrokenPipeError as closed:  # `| head` must not hide that a run has failed
        raise ReaderLeftError(code, closed) from closed
    return code
