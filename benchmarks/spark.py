"""Compare one machine with Spark: python -m benchmarks spark [--rows N] [--turns N].

GAUC and nDCG@10 of a log in 16 parts of Parquet, made in a temporary folder, with a tenth as many
judgments: by rankeval on one machine, by rankeval.spark on local[2], and by Spark's own
RankingMetrics, which has no GAUC and is given nDCG@10 alone. The two take turns; the ratio is that
of the two of a turn, with the least and the greatest. CPU is that of all processes of a turn,
which only Linux tells: Python's driver and workers, and Java.
"""

import argparse
import ctypes
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pyarrow import compute, parquet

from benchmarks.cases import rankeval
from benchmarks.make_data import parts
from benchmarks.processes import run

DEPTH = 100
MEASURES = "GAUC nDCG@10"
TITLES = {
    "rankeval": "rankeval.spark on local[2]",
    "metrics": "RankingMetrics on local[2], nDCG@10 alone",
}
PEERS = Path(__file__).parent / "peers"
PR_SET_CHILD_SUBREAPER = 36


class Turn(NamedTuple):
    """Seconds of a process, those in its session, CPU of all its processes, mean of nDCG@10."""

    wall: float
    session: float
    cpu: float
    value: float


def main(given: list[str]) -> None:
    """Make the log, evaluate it by each, and print seconds and the mean of nDCG@10."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks spark", description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000, help="rows of the log")
    parser.add_argument("--turns", type=int, default=3, help="evaluations by each on Spark")
    arguments = parser.parse_args(given)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    _adopt_orphans()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        parts(folder, users=arguments.rows // DEPTH, depth=DEPTH)
        log, qrels = str(folder / "log"), str(folder / "log.qrels")
        for part in Path(qrels).iterdir():  # RankingMetrics knows no grades above 1
            rows = parquet.read_table(part)
            grade = compute.min_element_wise(rows["grade"], 1)
            parquet.write_table(rows.set_column(2, "grade", grade), part)
        report = folder / "report.json"
        used = run(rankeval(qrels, log, "-m", MEASURES, "--jobs", "2", "-o", str(report)))
        value = json.loads(report.read_text())["runs"][0]["measures"]["nDCG@10"]["mean"]
        print(f"### {arguments.rows:,} rows, {arguments.rows // 10:,} judgments\n")
        print("| | wall s | CPU s | nDCG@10 |\n| --- | --- | --- | --- |")
        print(
            f"| one machine, two threads | {used.wall:.1f} | {used.cpu:.1f} | {value!r} |",
            flush=True,
        )
        turns = []
        for turn in range(arguments.turns):
            order = [*TITLES] if turn % 2 == 0 else [*reversed(TITLES)]
            turns.append({peer: _timed(peer, qrels, log) for peer in order})
        for peer, title in TITLES.items():
            each = [turn[peer] for turn in turns]
            wall, seconds, cpu = (
                statistics.median(getattr(turn, name) for turn in each)
                for name in ("wall", "session", "cpu")
            )
            words = f"{wall:.1f}, {seconds:.1f} in the session"
            print(f"| {title} | {words} | {cpu:.1f} | {each[0].value!r} |")
        print("\nrankeval.spark / RankingMetrics")
        for name in ("wall", "cpu"):
            ratios = [
                getattr(turn["rankeval"], name) / getattr(turn["metrics"], name) for turn in turns
            ]
            low, middle, high = min(ratios), statistics.median(ratios), max(ratios)
            print(f"{name}: {middle:.2f} ({low:.2f} to {high:.2f})")


def _timed(peer: str, qrels: str, log: str) -> Turn:
    """Evaluate by one of the two in a process of its own."""
    before, started = _cpu_of_children(), time.perf_counter()
    printed = subprocess.run(
        [sys.executable, str(PEERS / "on_spark.py"), peer, qrels, log],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ).stdout
    wall, found = time.perf_counter() - started, json.loads(printed)
    with suppress(ChildProcessError):  # Java and its workers end after the driver
        while True:
            os.wait()
    return Turn(wall, found["seconds"], _cpu_of_children() - before, found["value"])


def _cpu_of_children() -> float:
    """Return the CPU seconds of all children that have ended, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _adopt_orphans() -> None:
    """Let processes whose parent has ended become children of this one, which counts their CPU."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


if __name__ == "__main__":
    main(sys.argv[1:])
