"""Run the commands of a transcript again.

A transcript is a text file: a line that begins with "$ " is a command, lines that begin with "# "
say what follows, and the rest is what the commands print, on standard output and standard error, on
a terminal of 80 columns without colours. After `| cat` the output is that of a pipe. `cat FILE`
prints a file, and [exit N] follows what ends with another status than 0.
"""

import io
import math
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rankeval.__main__ import run
from rankeval.cli.options import option_groups

HERE = Path(__file__).parent
WIDTH = 80
ENVIRONMENT = {"COLUMNS": str(WIDTH), "LINES": "24", "TERM": "xterm", "NO_COLOR": "1"}
PIPED = ["|", "cat"]


class _Stream(io.TextIOWrapper):
    """Text into bytes that another stream writes to as well, on a terminal or not."""

    def __init__(self, buffer: io.BytesIO, *, terminal: bool) -> None:
        super().__init__(buffer, "utf-8", write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        """Return True for a terminal."""
        return self._terminal


def transcripts() -> list[Path]:
    """The files that hold transcripts."""
    return sorted(HERE.glob("*.txt"))


def repeated(transcript: str) -> Iterator[str]:
    """Yield the commands and remarks of a transcript, with what the commands print now."""
    blank = ""
    for line in transcript.splitlines():
        if line.startswith("# "):
            yield f"{blank}{line}\n"
            blank = ""
        elif line.startswith("$ "):
            yield f"{blank}{line}\n{printed(line[2:])}"
            blank = "\n"


def printed(line: str) -> str:
    """Run a command in the current folder, and return what it prints and how it ends."""
    words = expanded(line)
    if words[0] == "cat":
        return "".join(Path(word).read_text("utf-8") for word in words[1:])
    piped = words[-2:] == PIPED
    assert words[0] == "rankeval", line
    held = io.BytesIO()
    streams = [_Stream(held, terminal=not piped), _Stream(held, terminal=True)]
    with pytest.MonkeyPatch.context() as patched:
        for name, value in ENVIRONMENT.items():
            patched.setenv(name, value)
        patched.delenv("FORCE_COLOR", raising=False)
        patched.setattr(sys, "argv", ["rankeval"])
        patched.setattr(option_groups, "PATIENCE", math.inf)  # who looks later sees no progress
        patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        patched.setattr(sys, "stdout", streams[0])
        patched.setattr(sys, "stderr", streams[1])
        code = run(words[1:-2] if piped else words[1:])
    text = held.getvalue().decode()
    for stream in streams:
        stream.detach()  # one that is collected would close the bytes of both
    return text + ("" if not code else f"[exit {code}]\n")


def expanded(line: str) -> list[str]:
    """Return the words of a command, with the files that patterns outside quotes match."""
    return [word for one in _split(line) for word in _expanded(one)]


def _split(line: str) -> list[tuple[str, bool]]:
    """Split a command as a shell does; True beside a word that was not quoted."""
    words = shlex.split(line)
    raw = shlex.split(line, posix=False)
    assert len(words) == len(raw), line
    return [(word, word == one) for word, one in zip(words, raw, strict=True)]


def _expanded(word: tuple[str, bool]) -> list[str]:
    text, bare = word
    found = map(str, Path().glob(text)) if bare and "*" in text else ()
    return sorted(found, key=os.fsencode) or [text]
