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
    number("held-out", get=lambda row: finite(row[1])),
    number("usual settings", get=lambda row: finite(row[2])),
]


def blocks(tuning: Tuning, style: Style) -> Iterator[Block]:
    """Yield the folds, the values over all topics, and the settings for further topics."""
    first = next(iter(tuning.held_out))
    topics = counted(sum(len(fold.topics) for fold in tuning.folds), "topic")
    title = f"Settings chosen by {first}, {counted(tuning.tried, 'setting')} tried, {topics}"
    yield table(title, FOLDS, enumerate(tuning.folds, 1), style)
    title = "All topics, each fused by the settings chosen without it"
    measures = [(name, value, tuning.usual[name]) for name, value in tuning.held_out.items()]
    yield table(title, MEASURES, measures, style)
    yield f"Settings chosen on all topics, for further topics: {tuning.settings}"


def write_tuning(tuning: Tuning, *, to_stderr: bool, quiet: bool) -> None:
    """Print the report, on stderr if standard output has the run."""
    if not to_stderr:
        write_pieces(lambda style: text(blocks(tuning, style), style))
    elif not quiet:
        style = Style(colour=False)
        tell("".join(text(blocks(tuning, style), style)))
