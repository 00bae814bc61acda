"""A progress bar on stderr, for large files read in a terminal."""

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rankeval.io.sources.blocks import is_rereadable
from rankeval.io.sources.parts import size_of

LARGE = 50 << 20
"""Total bytes from which on a progress bar is shown."""

EVERY = 0.1
"""Seconds between two updates of the bar."""


@contextmanager
def reading_progress(
    paths: Sequence[str], *, wanted: bool
) -> Iterator[Callable[[str, int], None] | None]:
    """Show the progress of reading, if the files are large and stderr is a terminal."""
    sizes = {path: size_of(path) for path in paths if is_rereadable(path)}
    if not wanted or sum(sizes.values()) < LARGE or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,  # it would start a thread, and a process with threads is not forked
    )
    done = dict.fromkeys(sizes, 0)
    shown = -math.inf
    with bar:
        task = bar.add_task("reading", total=sum(sizes.values()))

        def update(path: str, position: int) -> None:
            nonlocal shown
            if path in done:
                done[path] = position
                name = escape("".join(c if c.isprintable() else "?" for c in Path(path).name))
                bar.update(task, completed=sum(done.values()), description=name)
            if time.monotonic() - shown > EVERY:
                bar.refresh()
                shown = time.monotonic()

        yield update
