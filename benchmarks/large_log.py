"""Evaluate a log of 200 million rows on one machine: python -m benchmarks.large_log [--rows N].

The log is made in a temporary folder: parts of Parquet with 1,000 items for each user, and 10
judgments for each. An eighth of the parts is evaluated beside all of them: the peak is flat.
"""

import argparse
import tempfile
from pathlib import Path

from benchmarks.cases import rankeval
from benchmarks.make_data import parts
from benchmarks.processes import run

DEPTH = 1_000
MEASURES = "GAUC nDCG@10"


def main() -> None:
    """Make the log, evaluate it, and print rows per second and peaks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000_000, help="rows of the log")
    parser.add_argument("--jobs", type=int, default=1, help="threads")
    arguments = parser.parse_args()
    users = arguments.rows // DEPTH
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        parts(folder, users=users, depth=DEPTH, n_parts=160)
        print(
            "| rows | wall s | CPU s | rows per CPU s | peak MB |\n| --- | --- | --- | --- | --- |"
        )
        for pattern, share in ("part-000[01]*.parquet", 8), ("part-*.parquet", 1):
            rows = arguments.rows // share
            used = run(
                rankeval(
                    str(folder / "log.qrels"),
                    str(folder / "log" / pattern),
                    *("-m", MEASURES, "--jobs", str(arguments.jobs)),
                )
            )
            print(
                f"| {rows:,} | {used.wall:.0f} | {used.cpu:.0f} | {rows / used.cpu:,.0f} | "
                f"{used.peak:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
