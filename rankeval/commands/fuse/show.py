"""The report of a tuned fusion, as text."""

from collections.abc import Iterator

from rankeval.base.endings import tell
from rankeval.base.wording import count, finite, number
from rankeval.commands.fuse.tune import Tuning
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Column, Table, numbers
from rankeval.output.text import text
from rankeval.output.writing import write_pieces


def tuning_text(found: Tuning, style: Style) -> Iterator[str]:
    """Yield the report."""
    return text(_blocks(found, style), style)


def write_tuning(found: Tuning, *, to_stderr: bool, quiet: bool) -> None:
    """Print the report, on stderr if standard output has the run."""
    if not to_stderr:
        write_pieces(lambda style: tuning_text(found, style), None, Style())
    elif not quiet:
        tell("".join(tuning_text(found, Style(colour=False))))


def _blocks(found: Tuning, style: Style) -> Iterator[Block]:
    first = next(iter(found.held_out))
    tried = f"{count(found.tried, 'setting')} tried"
    topics = count(sum(len(fold.topics) for fold in found.folds), "topic")
    yield Table(
        f"Settings chosen by {first}, {tried}, {topics}",
        [
            *numbers(["fold", "topics"]),
            Column("settings", NAME),
            *numbers(["training", "held-out"]),
        ],
        [
            [
                str(place),
                str(len(fold.topics)),
                fold.settings,
                *(_number(value, style) for value in (fold.training, fold.held_out)),
            ]
            for place, fold in enumerate(found.folds, 1)
        ],
    )
    yield Table(
        "All topics, each fused by the settings chosen without it",
        [Column("measure", NAME), *numbers(["held-out", "usual settings"])],
        [
            [name, *(_number(value, style) for value in (found.held_out[name], found.usual[name]))]
            for name in found.held_out
        ],
    )
    yield f"Settings chosen on all topics, for further topics: {found.settings}"


def _number(value: float, style: Style) -> str:
    return number(finite(value), style.decimals)
