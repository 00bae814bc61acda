"""The tables of error rates that docs/statistics/ shows."""

import argparse
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rates in percent: each row has labels, and a rate for each method.

    `repetitions` are those behind each column of rates; empty where all columns have as many.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[float, ...]], ...]
    repetitions: tuple[int, ...] = ()

    def markdown(self) -> str:
        """Return the table as Markdown, below its title."""
        n_labels = len(self.rows[0][0])
        marks = ["---"] * n_labels + ["---:"] * (len(self.heads) - n_labels)
        lines = [f"{self.title}:", "", f"| {' | '.join(self.heads)} |", f"|{'|'.join(marks)}|"]
        lines += [
            f"| {' | '.join([*labels, *map(_shown, rates)])} |" for labels, rates in self.rows
        ]
        return "\n".join([*lines, ""])


def _shown(rate: float) -> str:
    """Return a rate with one decimal; a dash where there is none, and no 0 below 0."""
    return "–" if math.isnan(rate) else f"{round(rate, 1) + 0.0:.1f}"


def print_tables(
    description: str | None, tables: Callable[..., Iterable[Table]], **efforts: int
) -> None:
    """Print tables as Markdown; each effort, such as seed=1, is an option with this default."""
    parser = argparse.ArgumentParser(description=description)
    for name, usual in efforts.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    for table in tables(**vars(parser.parse_args())):
        print(table.markdown(), flush=True)
