"""Score several runs: small ones in processes or threads, large ones with all threads for each."""

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from rankeval.base.threads import in_order
from rankeval.evaluation.prepared import Progress
from rankeval.io.sources.blocks import BLOCK_SIZE, is_rereadable
from rankeval.io.sources.parts import is_remote, size_of
from rankeval.ranking.run_source import RunSource

Result = TypeVar("Result")

LARGE_RUN = 4 * BLOCK_SIZE
"""Bytes from which a run is read in several threads."""

WORTH_SHARING = 4 << 20
"""Total bytes of runs from which processes save time."""

LINE = 40
"""Bytes per line of a run in memory."""


def results_of_each(
    work: Callable[[RunSource, int, Progress | None], Result],
    runs: Sequence[RunSource],
    jobs: int,
    progress: Progress | None,
) -> list[Result]:
    """Score small runs side by side, or large ones in turn, each with all threads."""
    sizes = [_size(run) for run in runs]
    if jobs == 1 or len(runs) == 1 or max(sizes) > LARGE_RUN or sum(sizes) < WORTH_SHARING:
        return [work(run, jobs, progress) for run in runs]
    from rankeval.base.processes import can_share  # not needed to score one run

    # What reads remote files does not survive a fork.
    if can_share() and not any(run.is_file and is_remote(run.path) for run in runs):
        return _in_processes(work, runs, sizes, jobs, progress)
    each = zip(runs, sizes, strict=True)
    return list(in_order(lambda run, _: work(run, 1, progress), each, jobs))


def _in_processes(
    work: Callable[[RunSource, int, Progress | None], Result],
    runs: Sequence[RunSource],
    sizes: Sequence[int],
    jobs: int,
    progress: Progress | None,
) -> list[Result]:
    """Score the first run, which fills caches that all share, then the others in processes."""
    from rankeval.base.processes import in_processes

    first, *others = runs
    prepared = work(first, jobs, progress)
    found: dict[int, Result] = {}
    for number, result in in_processes(
        lambda number: work(others[number], 1, None), len(others), min(jobs, len(others))
    ):
        found[number] = result
        run = others[number]
        if progress is not None and run.is_file:
            progress(run.path, sizes[number + 1])
    rest = (
        found[number] if number in found else work(run, jobs, progress)
        for number, run in enumerate(others)
    )
    return [prepared, *rest]


def _size(run: RunSource) -> int:
    """Estimate the bytes of a run; sys.maxsize for a file of unknown size."""
    if not run.is_file:
        return min(run.n_lines * LINE, LARGE_RUN)  # not worth several threads
    return size_of(run.path) if is_rereadable(run.path) else sys.maxsize
