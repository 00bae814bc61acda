"""Compare one machine with Spark: python -m benchmarks spark [--rows N] [--turns N].

GAUC and nDCG@10 of a log in 16 parts of Parquet, made in a temporary folder, with a tenth as many
judgments: by rankeval on one machine, by rankeval.spark on local[2], and by Spark's own
RankingMetrics, which has no GAUC and is given nDCG@10 alone. The two take turns; the ratio is that
of the two of a turn, with the least and the greatest.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


def main(given: list[str]) -> None:
    """Make the log, evaluate it by each, and print seconds and the mean of nDCG@10."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks spark", description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000, help="rows of the log")
    parser.add_argument("--turns", type=int, default=3, help="evaluations by each on Spark")
    arguments = parser.parse_args(given)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
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
        print("| | wall s | nDCG@10 |\n| --- | --- | --- |")
        print(f"| one machine, two threads | {used.wall:.1f} | {value!r} |", flush=True)
        turns = [
            {peer: _timed(peer, qrels, log) for peer in TITLES} for _ in range(arguments.turns)
        ]
        for peer, title in TITLES.items():
            wall, seconds = (statistics.median(turn[peer][i] for turn in turns) for i in (0, 1))
            value = turns[0][peer][2]
            print(f"| {title} | {wall:.1f}, {seconds:.1f} in the session | {value!r} |")
        ratios = [turn["rankeval"][0] / turn["metrics"][0] for turn in turns]
        low, middle, high = min(ratios), statistics.median(ratios), max(ratios)
        print(f"\nrankeval.spark / RankingMetrics: {middle:.2f} ({low:.2f} to {high:.2f})")


def _timed(peer: str, qrels: str, log: str) -> tuple[float, float, float]:
    """Return the seconds of a process, those in its session, and the mean of nDCG@10."""
    started = time.perf_counter()
    printed = subprocess.run(
        [sys.executable, str(PEERS / "on_spark.py"), peer, qrels, log],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ).stdout
    found = json.loads(printed)
    return time.perf_counter() - started, found["seconds"], found["value"]


if __name__ == "__main__":
    main(sys.argv[1:])
