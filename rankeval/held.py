"""Runs that can be read only once, held so that they can be looked at again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rankeval.io.columns import Columns
from rankeval.io.formats import Form
from rankeval.io.reading import map_blocks


@dataclass(frozen=True, eq=False)
class HeldRun:
    """A run whose lines are in memory: standard input, or another pipe.

    path    what it was read from
    parts   its lines, block by block
    dropped lines that are wrong and were left out, counted by kind
    """

    path: str
    parts: tuple[Columns, ...]
    dropped: Mapping[str, int]


def held_run(
    path: str, form: Form, *, jobs: int = 1, progress: Callable[[int], None] | None = None
) -> HeldRun:
    """Read a run and keep all of its lines."""
    parts = map_blocks(path, form, _whole, jobs=jobs, progress=progress)
    return HeldRun(path, tuple(parts), dict(form.problems.counts) if form.problems else {})


def _whole(columns: Columns) -> Columns:
    return columns
