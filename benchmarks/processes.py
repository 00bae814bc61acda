"""Whole processes, timed in alternation: wall and CPU seconds, and peak memory."""

import os
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEGABYTE = 1 << 20
BETWEEN_LOOKS = 0.005
"""Seconds between two looks at the memory of processes."""


ENVIRONMENT = {
    "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir(), "rankeval-benchmarks")),
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
}
"""That of commands, whose modules are compiled once, as those of an installed package are."""


@dataclass(frozen=True)
class Usage:
    """What one process took, or one call, whose peak is not known."""

    wall: float
    cpu: float
    peak: float | None = None


@dataclass(frozen=True)
class Figures:
    """Medians over the turns of a command, and of its ratios within each turn.

    Ratios are those to the first command, and that of trec_eval to this one, where it reads the
    same data.
    """

    wall: float
    cpu: float
    peak: float | None
    wall_ratio: float
    cpu_ratio: float
    peer: float | None
    peer_ratio: float | None


def figures_of(
    turns: Sequence[Mapping[str, Usage]], peaks: Mapping[str, float] | None = None
) -> dict[str, Figures]:
    """Return the figures of each command.

    trec_eval's command has the rest of the name: of `rankeval, 30 runs` it is `trec_eval, 30 runs`.
    Within turns, ratios hold when the machine's speed drifts.
    """
    names = [*turns[0]]

    def middle(what: str, name: str, of: str | None = None) -> Any:
        if name not in names:
            return None
        each = [getattr(t[name], what) / (getattr(t[of], what) if of else 1) for t in turns]
        return statistics.median(each)

    found = {}
    for name in names:
        other = name.replace("rankeval", "trec_eval", 1)
        peer = "" if other == name else other if other in names else "trec_eval"
        found[name] = Figures(
            wall=middle("wall", name),
            cpu=middle("cpu", name),
            peak=peaks and peaks[name],
            wall_ratio=middle("wall", name, names[0]),
            cpu_ratio=middle("cpu", name, names[0]),
            peer=middle("wall", peer),
            peer_ratio=middle("wall", peer, name),
        )
    return found


def run(command: Sequence[str]) -> Usage:
    """Run a command to its end, without its output; RuntimeError when it fails."""
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        close_fds=False,
        env=ENVIRONMENT,
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


def peak_together(command: Sequence[str]) -> float:
    """Run a command, and return the most megabytes that its processes hold together.

    Memory that several of them share counts once. 0 where the system does not tell, as only
    Linux does.
    """
    most = 0
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=nowhere, stderr=nowhere, env=ENVIRONMENT) as process:
        while process.poll() is None:
            processes = list(_with_children(process.pid))
            held = sum(map(_share_of_memory, processes))
            if processes == list(_with_children(process.pid)):  # else a fork was counted in part
                most = max(most, held)
            time.sleep(BETWEEN_LOOKS)
    return most / MEGABYTE


def _with_children(process: int) -> Iterator[int]:
    yield process
    with suppress(OSError):  # it has ended
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            yield from _with_children(int(child))


def _share_of_memory(process: int) -> int:
    """Return the bytes of a process; of those that n processes share, the n-th part."""
    with suppress(OSError):
        told = Path(f"/proc/{process}/smaps_rollup").read_text()
        found = re.search(r"^Pss: *(\d+) kB", told, re.MULTILINE)
        return int(found[1]) << 10 if found else 0
    return 0


def compare(commands: Mapping[str, Sequence[str]], *, repeat: int) -> dict[str, Figures]:
    """Run the commands in turn, A B C A B C …, after one turn that looks at memory only.

    The peak of a command is that of its largest process, or of all together where that is more.
    """
    together = {name: peak_together(command) for name, command in commands.items()}
    turns = [{name: run(command) for name, command in commands.items()} for _ in range(repeat)]
    peaks = {
        name: max(together[name], statistics.median(turn[name].peak for turn in turns))
        for name in commands
    }
    return figures_of(turns, peaks)
