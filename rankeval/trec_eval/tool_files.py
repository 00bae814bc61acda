"""Read files as trec_eval does: regular, not empty, and only up to the first NUL."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from rankeval.errors import printable
from rankeval.io.sources.blocks import newlines
from rankeval.io.sources.parts import STDIN, unchanged
from rankeval.trec_eval.tool_version import BAD_INPUT, Failure

NUL = b"\0"


def cannot_read(path: bytes, reader: str, kind: str, status: int = BAD_INPUT) -> Failure:
    """Return the failure for a file that is missing, empty or not regular."""
    name = printable(os.fsdecode(path))
    return Failure(
        status,
        f"trec_eval.{reader}: Cannot read {kind} file '{name}'\ntrec_eval: Quit in file '{name}'",
    )


def malformed(path: bytes, reader: str, line: int, status: int = BAD_INPUT) -> Failure:
    """Return the failure for a wrong line; lines of data are counted from 1."""
    return Failure(
        status,
        f"trec_eval.{reader}: Malformed line {line}\n"
        f"trec_eval: Quit in file '{printable(os.fsdecode(path))}'",
    )


def is_readable(path: bytes) -> bool:
    """Return True if this is a regular file that is not empty and may be read."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a path of bytes
        return stat.S_ISREG(found.st_mode) and found.st_size > 0 and os.access(path, os.R_OK)
    except (OSError, ValueError):
        return False


def read_text(path: bytes) -> bytes | None:
    """Return the bytes of a file up to a NUL, with a final newline; None if it cannot be read."""
    if not is_readable(path):
        return None
    try:
        with unchanged(os.fsdecode(path)):
            text = Path(os.fsdecode(path)).read_bytes().partition(NUL)[0]
    except OSError:
        return None
    return text if text.endswith(b"\n") or not text else text + b"\n"


def without_comments(text: bytes) -> bytes:
    """Drop lines that begin with #, except that the line after a comment is always data."""
    if not text.startswith(b"#") and b"\n#" not in text:
        return text
    data = []
    after_comment = False
    for line in text.split(b"\n")[:-1]:
        after_comment = line.startswith(b"#") and not after_comment
        if not after_comment:
            data.append(line + b"\n")
    return b"".join(data)


def run_blocks(
    path: str, size: int, *, progress: Callable[[int], None] | None = None
) -> Iterator[tuple[bytes, int]]:
    """Yield a run in blocks of whole lines, each with the number of its first line.

    No byte is decoded or skipped; reading ends at a NUL.
    """
    with unchanged(path), Path(path).open("rb", buffering=0) as stream:
        yield from _blocks(stream, size, progress)


def standard_input_blocks(
    path: str, size: int, *, progress: Callable[[int], None] | None = None
) -> Iterator[tuple[bytes, int]]:
    """Yield standard input in blocks of whole lines, whatever the path."""
    del path
    with unchanged(STDIN):
        yield from _blocks(sys.stdin.buffer, size, progress)


def _blocks(
    stream: BinaryIO, size: int, progress: Callable[[int], None] | None
) -> Iterator[tuple[bytes, int]]:
    carry: list[bytes] = []
    line = 1
    while data := stream.read(size):
        if progress is not None:
            progress(len(data))
        ended = NUL in data
        if ended:
            data = data.partition(NUL)[0]
        cut = data.rfind(b"\n") + 1
        if cut:
            yield b"".join((*carry, memoryview(data)[:cut])), line
            line += newlines(data)
            carry = []
        carry.append(data[cut:])
        if ended:
            break
    rest = b"".join(carry)
    if rest:
        yield rest + b"\n", line
