"""The report of a tuned fusion, as text."""

from collections.abc import Iterator
from operator import itemgetter

from rankeval.base.endings import tell
from rankeval.base.wording import count as counted
from rankeval.base.wording import finite
from rankeval.commands.fuse.tune import Tuning
from rankeval.output.declared_columns import count, name, number, table
from rankeval.output.style import Style
from rankeval.output.tables import Block
from rankeval.output.text import text
from rankeval.output.writing import write_pieces

FOLDS = [
    count("fold", get=itemgetter(0)),
    count("topics", get=lambda row: len(row[1].topics)),
    name("settings", get=lambda row: row[1].settings),
    number("training", get=lambda row: finite(row[1].training)),
    number("held-out", get=lambda row: finite(row[1].held_out)),
]
MEASURES = [
    name("measure", get=itemgetter(0)),
    number("held-out", get=itemgetter(1)),
    number("usual settings", get=itemgetter(2)),
]


def tuning_text(tuning: Tuning, style: Style) -> Iterator[str]:
    """Yield the report."""
    return text(_blocks(tuning, style), style)


def write_tuning(tuning: Tuning, *, to_stderr: bool, quiet: bool) -> None:
    """Print the report, on stderr if standard output has the run."""
    if not to_stderr:
        write_pieces(lambda style: tuning_text(tuning, style), None, Style())
    elif not quiet:
        tell("".join(tuning_text(tuning, Style(colour=False))))


def _blocks(tuning: Tuning, style: Style) -> Iterator[Block]:
    first = next(iter(tuning.held_out))
    topics = counted(sum(len(fold.topics) for fold in tuning.folds), "topic")
    title = f"Settings chosen by {first}, {counted(tuning.tried, 'setting')} tried, {topics}"
    yield table(title, FOLDS, enumerate(tuning.folds, 1), style)
    title = "All topics, each fused by the settings chosen without it"
    measures = [
        (measure, finite(value), finite(tuning.usual[measure]))
        for measure, value in tuning.held_out.items()
    ]
    yield table(title, MEASURES, measures, style)
    yield f"Settings chosen on all topics, for further topics: {tuning.settings}"
