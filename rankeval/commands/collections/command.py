"""`--collections` of `eval` and other commands: the same for every collection of a file."""

from rankeval.base.endings import BAD_INPUT, DONE, tell
from rankeval.choices import OnRunError
from rankeval.cli.options.collection_options import collection_warnings
from rankeval.cli.options.evaluating_options import RunningOptions, reading_progress
from rankeval.cli.options.output_options import Printout
from rankeval.commands.collections.read_collections import Collection
from rankeval.commands.collections.task import CollectionResults, evaluate_collections, is_there
from rankeval.errors import ReaderLeftError


def evaluated(
    collections: tuple[Collection, ...],
    running: RunningOptions,
    on_run_error: OnRunError = "refuse",
) -> CollectionResults:
    """Evaluate the systems on all collections, with progress; print errors of runs left out."""
    paths = [
        path for collection in collections for path in collection.runs.values() if is_there(path)
    ]
    with reading_progress(paths, wanted=not running.quiet) as progress:
        results = evaluate_collections(
            collections, on_run_error=on_run_error, jobs=running.jobs, progress=progress
        )
    for missing in results.missing:
        if missing.error:
            tell(f"rankeval: {missing.error}\n")
    return results


def show_collections(
    results: CollectionResults, page: Printout, sort: str | None, running: RunningOptions
) -> int:
    """Print the results, the collections as topics, and return the exit code."""
    from rankeval.commands.collections.collection_means import over_collections

    warnings = collection_warnings(results, page.decimals, running)
    code = BAD_INPUT if any(missing.error for missing in results.missing) else DONE
    means = over_collections(results, partial=True)
    try:
        running.write(page, means.sorted(sort) if sort else means, warnings)
    except BrokenPipeError as closed:  # `| head` must not hide that a run has failed
        raise ReaderLeftError(code, closed) from closed
    return code
