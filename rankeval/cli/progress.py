"""A progress bar on stderr, for large files and people who watch."""

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rankeval.io.blocks import is_rereadable

LARGE = 50 << 20
"""Bytes that are worth a bar; less is read in a blink."""

EVERY = 0.1
"""Seconds between two pictures of the bar."""


@contextmanager
def reading_progress(
    paths: Sequence[str], *, wanted: bool
) -> Iterator[Callable[[str, int], None] | None]:
    """Show how far the reading of the files has come, if they are large and somebody watches."""
    sizes = {path: Path(path).stat().st_size for path in paths if is_rereadable(path)}
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
        auto_refresh=False,  # which would take a thread, and with one no process is divided
    )
    done = dict.fromkeys(sizes, 0)
    shown = -math.inf
    with bar:
        task = bar.add_task("reading", total=sum(sizes.values()))

        def told(path: str, position: int) -> None:
            nonlocal shown
            if path in done:
                done[path] = position
                name = escape("".join(c if c.isprintable() else "?" for c in Path(path).name))
                bar.update(task, completed=sum(done.values()), description=name)
            if time.monotonic() - shown > EVERY:
                bar.refresh()
                shown = time.monotonic()

        yield told
