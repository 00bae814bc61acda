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
    and how many of its bytes were read. Nothing is shown for some seconds.
    """
    begun = following = time.monotonic() + wait

    def update(what: str, done: int, total: int) -> None:
        nonlocal following
        if time.monotonic() >= following:
            sys.stderr.write(f"\r\x1b[K{what}: {done / max(total, 1):.0%}")
            sys.stderr.flush()
            following = time.monotonic() + 0.1

    token = listener.set(update)
    try:
        yield (lambda path, at: update("reading", at, sizes.get(path, at))) if sizes else None
    finally:
        listener.reset(token)
        if following > begun:  # something was shown
            sys.stderr.write("\r\x1b[K")  # an empty line
