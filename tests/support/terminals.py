"""Commands in a terminal of some size: what a person sees, stdout and stderr in one stream."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence

ESCAPE_CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07")


def seen_in_terminal(words: Sequence[str], columns: int = 80, rows: int = 24) -> str:
    """Return what rankeval prints in a terminal, with its escape codes."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    sizes = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
    environment = {k: v for k, v in os.environ.items() if k not in sizes}
    process = subprocess.Popen(
        [sys.executable, "-m", "rankeval", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**environment, "TERM": "xterm-256color"},
    )
    os.close(theirs)
    printed = bytearray()
    while part := _read(ours):
        printed += part
    os.close(ours)
    assert process.wait() in (0, 1), printed.decode()
    return printed.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    """Return what a terminal was sent; nothing once the other side has closed it."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


def without_codes(seen: str) -> str:
    """What is left on a terminal: without codes, and without lines that were erased again."""
    lines = (line.rpartition("\x1b[2K")[2] for line in seen.split("\n"))
    return ESCAPE_CODES.sub("", "\n".join(lines))
