"""The peak of memory that one input takes, as Linux tells it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STATUS, FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
ALLOWED, PER_BYTE = 300 << 20, 200
"""Bytes beyond what the process has before, in all and for each byte of the input."""


class TooMuchMemoryError(AssertionError):
    """An input took more memory than its size explains."""


@contextmanager
def bounded(size: int) -> Iterator[None]:
    """Let an input of so many bytes take some memory; TooMuchMemoryError when it takes more."""
    try:
        FORGET.write_text("5")  # the peak is what is there now
    except OSError:  # another system
        yield
        return
    before = _kilobytes("VmRSS")
    yield
    taken = (_kilobytes("VmHWM") - before) << 10
    if taken > ALLOWED + PER_BYTE * size:
        raise TooMuchMemoryError(f"{size:,} bytes took {taken:,} bytes of memory")


def _kilobytes(name: str) -> int:
    for line in STATUS.read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    raise LookupError(name)
