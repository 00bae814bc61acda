"""Compare rankeval with other tools: python -m benchmarks [CASE ...] [--trec-eval PATH].

`python -m benchmarks spark` compares with Spark, and `python -m benchmarks.large_log` evaluates 200
million rows.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.cases import CASES, Case
from benchmarks.processes import Figures, compare

HERE = Path(__file__).parent


def main() -> None:
    """Make what data is missing, run the cases, and print a table for each."""
    if sys.argv[1:2] == ["spark"]:  # it makes its own data, and starts Spark
        from benchmarks.spark import main as on_spark

        on_spark(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=list(CASES), help=", ".join(CASES))
    parser.add_argument("--data", type=Path, default=HERE / "data", help="where the data lies")
    parser.add_argument("--trec-eval", help="path of a trec_eval built with -O3")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each command")
    parser.add_argument(
        "-o", "--output", type=Path, help="write the tables into FILE.md, and FILE.png beside it"
    )
    arguments = parser.parse_args()
    unknown = set(arguments.cases) - set(CASES)
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    results = {}
    for name in arguments.cases:
        case = CASES[name]
        results[case.title] = _figures(case, arguments.data, arguments.trec_eval, arguments.repeat)
        print(table(case.title, results[case.title]), flush=True)
    if arguments.output:
        from benchmarks.picture import draw

        arguments.output.write_text("\n".join(map(table, results, results.values())))
        draw(results, arguments.output.with_suffix(".png"))


def _figures(case: Case, folder: Path, trec_eval: str | None, repeat: int) -> Mapping[str, Figures]:
    if case.commands is None:
        # A process of its own: a child's peak is at least that of the process that starts it.
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks.in_memory", str(repeat)]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        return {name: Figures(**figures) for name, figures in json.loads(printed).items()}
    _make(case, folder)
    return compare(case.commands(folder, trec_eval), repeat=repeat)


def _make(case: Case, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for kind in case.data:
        made = folder / f".{kind}"
        if not made.exists():
            subprocess.run(
                [sys.executable, "-m", "benchmarks.make_data", kind, str(folder)], check=True
            )
            made.touch()


def table(title: str, figures: Mapping[str, Figures]) -> str:
    """A Markdown table: medians, and the median ratios within each turn."""
    beside = any(f.peer is not None for f in figures.values())
    names = ["command", "wall s", "CPU s", "peak MB"]
    names += [*["trec_eval, wall s", "trec_eval / command"] * beside, "wall / first", "CPU / first"]
    rows = [names, ["---", *["---:"] * (len(names) - 1)]]
    for command, f in figures.items():
        row = [command, _told(f.wall, 2), _told(f.cpu, 3), _told(f.peak, 0)]
        row += [_told(f.peer, 2), _told(f.peer_ratio, 2)] * beside
        rows.append([*row, _told(f.wall_ratio, 2), _told(f.cpu_ratio, 2)])
    return "\n".join([f"### {title}", "", *(f"| {' | '.join(row)} |" for row in rows), ""])


def _told(number: float | None, decimals: int) -> str:
    return "–" if number is None else f"{number:.{decimals}f}"


if __name__ == "__main__":
    main()
