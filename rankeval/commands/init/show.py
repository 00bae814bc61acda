"""Print the written files of a new gate, and the next steps."""

from collections.abc import Iterator

from rankeval.base.wording import count
from rankeval.commands.init.task import ATTRIBUTES, HISTORY, NewGate, Setup
from rankeval.errors import printable
from rankeval.evaluation.results import Results
from rankeval.io.formats.toml_tables import OWN_FILE
from rankeval.output.writing import write_pieces


def tell_written(gate: NewGate) -> None:
    """Print the files, and the next steps."""
    write_pieces(lambda _: (f"{line}\n" for line in lines(gate.setup, gate.results)))


def lines(setup: Setup, baseline: Results) -> Iterator[str]:
    """Yield the files, and the next steps."""
    (run,) = baseline.runs
    topics = count(len(run.topics), "topic")
    written = [
        (printable(setup.at(OWN_FILE)), "the suite, explained"),
        (printable(setup.at(setup.baseline)), f"{printable(run.name)} over {topics}"),
        (printable(setup.at(setup.workflow)), "the gate"),
        (printable(setup.at(ATTRIBUTES)), f"git merges {HISTORY}"),
    ]
    width = max(len(path) for path, _ in written)
    yield from (f"wrote {path:{width}}  {what}" for path, what in written)
    yield "next: rankeval gate, and commit these files"
