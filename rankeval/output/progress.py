"""The progress of work, in one line of a terminal."""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rankeval.base.threads import listener


@contextmanager
def showing_progress(sizes: Mapping[str, int] | None = None, wait: float = 0.0) -> Iterator[Any]:
    """Show on stderr how far this thread's computations are while the block runs.

    With the sizes of files, it yields a function that shows how far one is read: it takes a path
    and how many of its bytes were read. Nothing is shown for some seconds. Where stderr is no
    terminal, it has a line every ten seconds.
    """
    start, pause, wait = ("\r\x1b[K", 0.1, wait) if sys.stderr.isatty() else ("\n", 10.0, 10.0)
    begun = following = time.monotonic() + wait

    def update(what: str, done: int, total: int) -> None:
        nonlocal following
        if time.monotonic() >= following:
            sys.stderr.write(f"{start}{what}: {done / max(total, 1):.0%}")
            sys.stderr.flush()
            following = time.monotonic() + pause

    token = listener.set(update)
    try:
        yield (lambda path, at: update("reading", at, sizes.get(path, at))) if sizes else None
    finally:
        listener.reset(token)
        sys.stderr.write(start if following > begun else "")  # an empty line behind what was shown
