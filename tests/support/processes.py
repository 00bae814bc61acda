"""Commands in processes of their own, whose disk, memory, rights and moments can be chosen."""

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

PRINT_PEAK = """
with open("/proc/self/status") as status:
    peak = next(line for line in status if line.startswith("VmHWM"))
print(int(peak.split()[1]) << 10)
"""
"""Lines of a program that print the bytes of memory it has had at most, on Linux.

ru_maxrss would be that of the process that started it, if that was larger.
"""
PATIENCE = 120
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2

QRELS = "".join(f"{topic} 0 d{i} {i % 3}\n" for topic in range(1, 41) for i in range(8))
RUN = "".join(f"{topic} Q0 d{i} 1 {-i} a\n" for topic in range(1, 41) for i in range(9))
OTHER_RUN = "".join(f"{topic} Q0 d{i} 1 {i} b\n" for topic in range(1, 41) for i in range(9))
INPUTS = {"qrels.txt": QRELS, "a.run": RUN, "b.run": OTHER_RUN}

GATE = ["gate", "qrels.txt", "a.run", "b.run", "--max-drop", "AP=1"]
BOTH = ["qrels.txt", "a.run", "b.run"]
UPDATE = ["gate", "qrels.txt", "{}.json", "b.run", "--max-drop", "AP=1", "--update-baseline"]
WRITERS = {
    "eval": (["eval", "qrels.txt", "a.run", "-q", "-o", "{}.json"], ".json"),
    "compare": (["compare", *BOTH, "-o", "{}.tsv"], ".tsv"),
    "diff": (["diff", *BOTH, "-o", "{}.json"], ".json"),
    "gate --junit": ([*GATE, "--junit", "{}.xml"], ".xml"),
    "gate --json": ([*GATE, "--json", "{}.json"], ".json"),
    "gate -o": ([*GATE, "-o", "{}.txt"], ".txt"),
    "gate --update-baseline": (UPDATE, ".json"),
    "explain": (["explain", "qrels.txt", "a.run", "1", "-m", "AP", "-o", "{}.json"], ".json"),
    "measures": (["measures", "--full", "-o", "{}.md"], ".md"),
    "convert": (["convert", "a.run", "{}.jsonl"], ".jsonl"),
}
"""A command for each way to write a file: its words, and the suffix of the file."""


@dataclass(frozen=True)
class Ended:
    """How a command ended: the exit code, or minus the signal; and its peak memory in bytes."""

    code: int
    stdout: bytes
    stderr: str
    memory: int


def environment(**more: str) -> dict[str, str]:
    """The environment of a shell, in which this checkout is what `rankeval` is.

    Python 3.11 leaves cut-off bytecode behind where the size of files is limited, and later
    processes trip over it: no bytecode is written.
    """
    unwanted = ("NO_COLOR", "FORCE_COLOR", "PYTHONWARNINGS", "GITHUB_STEP_SUMMARY")
    inherited = {name: value for name, value in os.environ.items() if name not in unwanted}
    ours = {"PYTHONPATH": str(ROOT), "COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**inherited, **ours, **more}


def command(words: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "rankeval", *words]


def begun(words: Sequence[str], folder: Path, **options: Any) -> "subprocess.Popen[bytes]":
    """Begin a command in a folder, with pipes at its ends where nothing else is said."""
    ends = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    given = {**ends, "cwd": folder, "env": environment(), **options}
    return subprocess.Popen(command(words), **given)


def ran(words: Sequence[str], folder: Path, **options: Any) -> Ended:
    """Run a command in a folder to its end; TimeoutExpired when it does not come to one."""
    with begun(words, folder, **{"stdin": subprocess.DEVNULL, **options}) as process:
        try:
            stdout, stderr = process.communicate(timeout=PATIENCE)
        except BaseException:
            process.kill()
            raise
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return Ended(process.returncode, stdout or b"", stderr.decode(), memory)


def write_inputs(folder: Path) -> Path:
    for name, text in INPUTS.items():
        (folder / name).write_text(text)
    return folder


def limited(kind: int, amount: int) -> Callable[[], None]:
    """For `preexec_fn`: a limit of the system's, such as RLIMIT_FSIZE."""
    return lambda: resource.setrlimit(kind, (amount, amount))


def without_privileges() -> None:
    """For `preexec_fn`: permissions hold for the superuser, too."""
    if os.geteuid() == 0:
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())
