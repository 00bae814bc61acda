"""Whole processes, timed in alternation: wall and CPU seconds, and peak memory."""

import os
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Usage:
    """What one process took."""

    wall: float
    cpu: float
    peak: float


@dataclass(frozen=True)
class Figures:
    """Medians over the runs of a command, and the median of its ratios to another, run by run.

    Peaks are None for calls within a process.
    """

    wall: float
    cpu: float
    peak: float | None
    wall_ratio: float
    peak_ratio: float | None


def run(command: Sequence[str]) -> Usage:
    """Run a command to its end, without its output; RuntimeError when it fails."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, close_fds=False
    ) as process:
        assert process.stderr is not None
        complaint = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{complaint.decode()}")
    kilobyte = 1 if os.uname().sysname == "Darwin" else 1024
    return Usage(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * kilobyte / MEGABYTE)


def compare(
    commands: Mapping[str, Sequence[str]], *, against: str, repeat: int
) -> dict[str, Figures]:
    """Run the commands in turn, A B C A B C …, after one turn that is not counted.

    Ratios are taken within a turn, so that they hold when the machine's speed drifts.
    """
    for command in commands.values():
        run(command)
    turns = [{name: run(command) for name, command in commands.items()} for _ in range(repeat)]
    return {
        name: Figures(
            wall=statistics.median(turn[name].wall for turn in turns),
            cpu=statistics.median(turn[name].cpu for turn in turns),
            peak=statistics.median(turn[name].peak for turn in turns),
            wall_ratio=statistics.median(turn[name].wall / turn[against].wall for turn in turns),
            peak_ratio=statistics.median(turn[name].peak / turn[against].peak for turn in turns),
        )
        for name in commands
    }
