"""New baselines of suites: their values, how they are written, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, number, signed
from rankeval.choices import Format
from rankeval.commands.gate.suites.suite import Suite
from rankeval.errors import RankevalError, printable
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.saved_results import load
from rankeval.evaluation.show import write
from rankeval.io.sources.atomic import create_folder, write_errors
from rankeval.output.style import Style
from rankeval.output.writing import write_pieces

DECIMALS = 4
"""Decimals of means when a baseline is updated."""


@frozen(eq=False)
class NewBaseline:
    """The values that a baseline is to hold, and those that it holds now.

    ======= ==========================================================================
    path    where the baseline is
    results the new values, of one run
    before  the run that it holds now; None for a new file
    ======= ==========================================================================
    """

    path: str
    results: Results
    before: RunResult | None

    @property
    def run(self) -> RunResult:
        """The run whose values it is to hold."""
        return self.results.runs[0]


def new_baseline(suite: Suite, results: Results) -> NewBaseline:
    """Return the new baseline of a suite, with its present content."""
    path, before = suite.files().baseline, None
    with suppress(RankevalError, ValueError):  # a new file, or another kind of one
        (before,) = load(path).runs
    return NewBaseline(path, results, before)


def told_apart(baselines: Sequence[NewBaseline]) -> Iterator[RunResult]:
    """Yield the runs for warnings; those of several baselines are named with them."""
    for one in baselines:
        run = one.run
        yield run if len(baselines) == 1 else replace(run, name=f"{one.path}: {run.name}")


def write_baselines(baselines: Sequence[NewBaseline]) -> None:
    """Write the values of each new baseline to its file, and create the folders of these."""
    for one in baselines:
        with write_errors(one.path):
            create_folder(one.path)
        write(one.results, Format.JSON, one.path, Style(per_topic=True))


def told_means(baselines: Iterable[NewBaseline]) -> Iterator[str]:
    """Yield the content of each baseline, and the old and the new mean of each measure."""
    for one in baselines:
        run = one.run
        scores = {score.measure: score for score in run.scores}
        values = f"{run.name} for {', '.join(scores)} over {count(len(run.topics), 'topic')}"
        yield f"{printable(one.path)}: now holds the values of {printable(values)}"
        old = {} if one.before is None else {was.measure: was for was in one.before.scores}
        for measure, score in scores.items():
            change = f"{number(score.aggregate, DECIMALS)} (no old value)"
            if measure in old:
                before = old[measure].aggregate
                moved = signed(score.aggregate - before, DECIMALS)
                after = number(score.aggregate, DECIMALS)
                change = f"{number(before, DECIMALS)} -> {after} ({moved})"
            yield f"{printable(measure)}: {change}"


def print_lines(lines: Iterable[str]) -> None:
    """Print lines that are safe on a terminal."""
    write_pieces(lambda _: (f"{line}\n" for line in lines))
