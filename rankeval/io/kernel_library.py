"""Load the compiled reader, `kernel.c`, where there is one.

`RANKEVAL_KERNEL=0` leaves it out, and a path there names another library of the same source.
"""

import ctypes
import os
import sys
from functools import cache
from typing import Any

VERSION = 3
"""Of the functions, as in kernel.c."""

SWITCH = "RANKEVAL_KERNEL"
HERE = os.path.dirname(__file__)  # noqa: PTH120  small evaluations do without pathlib
NAME = "libkernel." + {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so.1")
"""Not one that Python takes for a module."""


@cache
def library() -> Any:
    """Return the functions of kernel.c; None where they were not compiled, or are not wanted."""
    chosen = os.environ.get(SWITCH, "")
    if chosen == "0":
        return None
    try:
        found = ctypes.CDLL(chosen if len(chosen) > 1 else f"{HERE}/{NAME}")
        if found.rankeval_version() != VERSION:
            return None
    except (OSError, AttributeError):  # there is none, or it is for another machine
        return None
    for name in ("lines", "number"):
        getattr(found, f"rankeval_{name}").restype = ctypes.c_int64
    found.rankeval_lines.argtypes = ctypes.c_char_p, ctypes.c_int64
    return found


def reader() -> str:
    """Say in two words which reader is in use."""
    return "compiled reader" if library() else "Python reader"
