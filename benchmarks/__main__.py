"""Compare rankeval with other tools: python -m benchmarks [CASE ...] [--trec-eval PATH]."""

import argparse
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.cases import CASES, Case
from benchmarks.processes import Figures, compare

HERE = Path(__file__).parent
REFERENCE = "rankeval"


def main() -> None:
    """Make what data is missing, run the cases, and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=list(CASES), help=", ".join(CASES))
    parser.add_argument("--data", type=Path, default=HERE / "data", help="where the data lies")
    parser.add_argument("--trec-eval", help="path of a trec_eval built with -O3")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each command")
    parser.add_argument("-o", "--output", type=Path, help="write the tables there, too")
    arguments = parser.parse_args()
    unknown = set(arguments.cases) - set(CASES)
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    tables = []
    for name in arguments.cases:
        case = CASES[name]
        _make(case, arguments.data)
        figures = compare(
            case.commands(arguments.data, arguments.trec_eval),
            against=REFERENCE,
            repeat=arguments.repeat,
        )
        tables.append(table(case.title, figures))
        print(tables[-1], flush=True)
    if arguments.output:
        arguments.output.write_text("\n".join(tables))


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
    """A Markdown table: medians, and the ratios to rankeval within each turn."""
    lines = [
        f"### {title}",
        "",
        "| command | wall s | CPU s | peak MB | wall / rankeval | peak / rankeval |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {name} | {f.wall:.2f} | {f.cpu:.2f} | {f.peak:.0f} | "
        f"{f.wall_ratio:.2f} | {f.peak_ratio:.2f} |"
        for name, f in figures.items()
    ]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
