"""The installed command in a process of its own, and what it took."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

RANKEVAL = which("rankeval", path=str(Path(sys.executable).parent)) or "rankeval"
PATIENCE = 300

MEASURING = """
import os, resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as out:
    print(used.ru_maxrss, used.ru_utime + used.ru_stime, file=out)
sys.exit(code)
"""
"""Runs a command from a small process: the peak of a forked one is at least its parent's size."""


@dataclass(frozen=True)
class Done:
    """What a command printed, the exit code, peak memory in bytes and seconds of processors."""

    code: int
    out: str
    err: str
    memory: int = 0
    seconds: float = 0.0

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


def ran(folder: Path, *words: object, code: int = 0, stdin: bytes = b"") -> Done:
    """Run `rankeval` in a folder; it ends with the code, and never with a traceback."""
    return _ran(folder, [RANKEVAL, *map(str, words)], code, stdin)


def measured(folder: Path, *words: object) -> Done:
    """The same, with the memory of its largest process and the time of all of them."""
    return measured_command(folder, [RANKEVAL, *map(str, words)])


def measured_command(folder: Path, command: Sequence[str]) -> Done:
    """Measure a command that has to end with 0."""
    taken = folder / f"taken.{os.getpid()}"
    done = _ran(folder, [sys.executable, "-ISc", MEASURING, str(taken), *command], 0, b"")
    memory, seconds = taken.read_text().split()
    return Done(done.code, done.out, done.err, int(memory) * 1024, float(seconds))


def _ran(folder: Path, command: Sequence[str], code: int, stdin: bytes) -> Done:
    unwanted = ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "NO_COLOR", "FORCE_COLOR", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environment, "COLUMNS": "200"},
        input=stdin,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err, err
    assert done.returncode == code, f"{command}: {err}"
    return Done(done.returncode, out, err)
