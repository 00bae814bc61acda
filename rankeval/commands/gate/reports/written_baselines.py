"""Write new baselines, and print their content in lines."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rankeval.base.wording import count, number, signed
from rankeval.choices import Format
from rankeval.commands.gate.new_baselines import NewBaseline
from rankeval.errors import printable
from rankeval.output.style import Style
from rankeval.output.writing import write_pieces

if TYPE_CHECKING:
    from rankeval.evaluation.results import Score

DECIMALS = 4
"""Decimals of means when a baseline is updated."""


def write_baselines(baselines: Sequence[NewBaseline]) -> None:
    """Write the values of each new baseline to its file, and create the folders of these."""
    from rankeval.commands.eval.show import write
    from rankeval.io.sources.atomic import create_folder, write_errors

    for one in baselines:
        with write_errors(one.path):
            create_folder(one.path)
        write(one.results, Format.JSON, one.path, Style(per_topic=True))


def told_means(baselines: Iterable[NewBaseline]) -> Iterator[str]:
    """Yield the content of each baseline, and the old and the new mean of each measure."""
    for one in baselines:
        yield held(one)
        yield from (f"{printable(measure)}: {change}" for measure, change in changes(one))


def held(baseline: NewBaseline) -> str:
    """Return the content of a baseline, in words."""
    run = baseline.run
    measures = ", ".join(dict.fromkeys(score.measure for score in run.scores))
    values = f"{run.name} for {measures} over {count(len(run.topics), 'topic')}"
    return f"{printable(baseline.path)}: now holds the values of {printable(values)}"


def changes(baseline: NewBaseline) -> Iterator[tuple[str, str]]:
    """Yield each measure, and its old and its new mean."""
    before = baseline.before
    old = {} if before is None else {one.measure: one.aggregate for one in before.scores}
    for measure, score in {score.measure: score for score in baseline.run.scores}.items():
        yield measure, _change(old, score)


def _change(old: dict[str, float], score: "Score") -> str:
    new = number(score.aggregate, DECIMALS)
    if score.measure not in old:
        return f"{new} (no old value)"
    before = old[score.measure]
    return f"{number(before, DECIMALS)} -> {new} ({signed(score.aggregate - before, DECIMALS)})"


def print_lines(lines: Iterable[str]) -> None:
    """Print lines that are safe on a terminal."""
    write_pieces(lambda _: (f"{line}\n" for line in lines))
