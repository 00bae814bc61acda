"""Give memory that is no longer used back to the system."""

import sys

MANY = 1 << 18
"""Rows from which on what their reading leaves behind is worth the time of giving it back."""


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
