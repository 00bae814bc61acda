"""Look at memory and the environment before large libraries are imported, which end badly there."""

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rankeval.base.wording import quoted
from rankeval.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

ROOM = {"numpy": 86 << 20, "scipy": 100 << 20, "matplotlib": 100 << 20}
"""Bytes of address space that libraries take with their linear algebra, which ends the process by
itself, or waits for ever, where it gets none. Measured with OPENBLAS_NUM_THREADS=1 on Linux."""

EPOCH = "SOURCE_DATE_EPOCH"
READ_EPOCH = ("scipy", "matplotlib")
"""Libraries that read EPOCH, or import one that does."""


def require_epoch() -> None:
    """Raise UsageError for a SOURCE_DATE_EPOCH that libraries cannot read as a time."""
    stated_time()


def stated_time() -> "datetime | None":
    """Return the time of SOURCE_DATE_EPOCH, which makes documents the same; None if it is not set.

    UsageError for what is no time.
    """
    stated = os.environ.get(EPOCH)
    if stated is None:
        return None
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(int(stated), UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"cannot be {quoted(os.fsencode(stated))}",
            place=EPOCH,
            expected="a whole number of seconds since 1970, such as 1700000000",
            remedy=f"set it to one, or unset {EPOCH}",
        ) from None


class _Guard:
    """Stands before the finders of modules, and finds nothing."""

    def __init__(self, *, memory_is_limited: bool) -> None:
        self._room = ROOM if memory_is_limited else {}

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """Raise MemoryError where a library has no room, UsageError for a wrong environment."""
        if name in READ_EPOCH:
            require_epoch()
        if name in self._room:
            import mmap

            try:
                mmap.mmap(-1, self._room[name]).close()
            except OSError:
                raise MemoryError from None


def guard_imports() -> None:
    """Look before large libraries are imported; for memory if it is limited, as by `ulimit -v`."""
    limited = False
    with suppress(ImportError):  # there is no such module on Windows
        import resource

        limited = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    sys.meta_path.insert(0, _Guard(memory_is_limited=limited))
