"""Give memory back to the system, and tell where there is none left."""

import errno
import re
import sys

MANY = 1 << 18
"""Rows from which on what their reading leaves behind is worth the time of giving it back."""


_NO_ROOM = re.compile(
    "cannot allocate memory|failed to map segment|out of memory|static TLS|memory allocation",
    re.IGNORECASE,
)


def is_for_lack_of_memory(error: BaseException) -> bool:
    """Return True for an exception that says that memory is used up, as failing imports do."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError) or getattr(seen, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(seen, ImportError) and _NO_ROOM.search(str(seen)):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def give_back(n_rows: int) -> None:
    """Give back what reading many rows has left behind in the C library and in Arrow.

    GNU's C library keeps freed arrays of up to 32 MB, and the next arrays seldom fit into them.
    """
    if n_rows < MANY:
        return
    import ctypes  # only many rows are worth it

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # other C libraries have none
    if trim is not None:
        trim(0)
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
