"""Commands in forks of one process that has imported them: many in the time of a few.

Run as a program, it reads a call per line from standard input as JSON, and prints its exit code.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from tests.support.modules import importable
from tests.support.processes import ROOT, Ended, environment

CLOSED, FULL, UNREAD, READ = "closed", "full", "unread", "read"
"""States of a stream: the shell closed it, its disk is full, its reader is gone, or all is well."""

STREAMS = ("stdin", "stdout", "stderr")


class Forks:
    """Runs commands, one fork each, with standard streams in the states that are asked for."""

    def __init__(self, process: "subprocess.Popen[str]", caught: Path) -> None:
        self._process = process
        self._caught = caught

    def ran(self, words: Sequence[str], folder: Path, **states: str) -> Ended:
        """Run a command in a folder, with `stdin`, `stdout` and `stderr` in these states."""
        files = {name: str(self._caught / name) for name in STREAMS}
        for file in files.values():
            Path(file).write_bytes(b"")
        call = {"words": list(words), "folder": str(folder), "states": states, "files": files}
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(call), file=self._process.stdin, flush=True)
        code = int(self._process.stdout.readline())
        out, err = (Path(files[name]).read_bytes() for name in STREAMS[1:])
        return Ended(code, out, err.decode(), 0)


@contextmanager
def forks(caught: Path) -> Iterator[Forks]:
    """Start the process that forks; streams are caught in files of a folder."""
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Forks(process, caught)
        assert process.stdin
        process.stdin.close()


def _redirect(number: int, state: str, file: str) -> None:
    """Put a stream into a state, as a shell and Python's start do."""
    flags = os.O_WRONLY | os.O_APPEND if number else os.O_RDONLY
    match state:
        case "closed":
            os.close(number)
            setattr(sys, STREAMS[number], None)
            return
        case "full":
            opened = os.open("/dev/full", flags)
        case "unread":
            read, opened = os.pipe()
            os.close(read)
        case _:
            opened = os.open(file, flags)
    os.dup2(opened, number)
    os.close(opened)


def _run(words: Sequence[str], folder: str, states: dict[str, str], files: dict[str, str]) -> None:
    from rankeval.__main__ import main

    os.chdir(folder)
    for number in reversed(range(len(STREAMS))):
        name = STREAMS[number]
        _redirect(number, states.get(name, READ), files[name])
    sys.argv = ["rankeval", *words]
    main()


def _serve() -> NoReturn:
    for module in *importable(), "pyarrow.parquet", "scipy.stats":
        import_module(module)

    while line := sys.stdin.readline():
        call = json.loads(line)
        if not (pid := os.fork()):
            _run(**call)
        _, status = os.waitpid(pid, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    sys.exit()


if __name__ == "__main__":
    _serve()
