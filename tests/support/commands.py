"""Run the command line inside the test's own process, with its streams caught."""

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
import typer

from rankeval.__main__ import run
from rankeval.cli.app import application


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str


def run_command(arguments: Sequence[str], stdin: bytes = b"") -> Outcome:
    """Run `rankeval` with the arguments; an exception that gets out fails the test."""
    streams = {name: io.TextIOWrapper(io.BytesIO(), "utf-8") for name in ("stdout", "stderr")}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        for name, stream in streams.items():
            patched.setattr(sys, name, stream)
        code = run(arguments)
    for stream in streams.values():
        stream.flush()
    return Outcome(code, *(s.buffer.getvalue().decode() for s in streams.values()))


@cache
def built_commands() -> dict[str, Any]:
    """The commands by their names, as typer builds them; building them takes a while."""
    group: Any = typer.main.get_command(application())
    return dict(group.commands)
