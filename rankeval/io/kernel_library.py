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


FUNCTIONS = {
    "lines": "Pq",
    "parse": "PqPPP",
    "number": "PqPP",
    "copy": "PPqP",
    "rank": "PPP",
    "lines_of": "PqPP",
}
"""What the functions take: pointers and sizes."""


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
    for name, kinds in FUNCTIONS.items():
        function = found[f"rankeval_{name}"]
        function.argtypes = [ctypes.c_int64 if kind == "q" else ctypes.c_void_p for kind in kinds]
        function.restype = ctypes.c_int64 if name in ("lines", "number") else ctypes.c_int32
        setattr(found, f"rankeval_{name}", function)
    return found


def reader() -> str:
    """Say in two words which reader is in use."""
    return "compiled reader" if library() else "Python reader"
