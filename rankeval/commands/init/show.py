"""Print the written files of a new gate, and the next steps."""

from collections.abc import Iterator

from rankeval.base.wording import count
from rankeval.commands.init.task import NewGate
from rankeval.errors import printable
from rankeval.output.writing import write_pieces


def tell_written(gate: NewGate) -> None:
    """Print the files, and the next steps."""
    write_pieces(lambda _: (f"{line}\n" for line in lines(gate)))


def lines(gate: NewGate) -> Iterator[str]:
    """Yield the files, and the next steps."""
    (run,) = gate.results.runs
    topics = count(len(run.topics), "topic")
    whats = ("the suite, explained", "the gate", f"{printable(run.name)} over {topics}")
    paths = [printable(path) for path in gate.written]
    width = max(map(len, paths))
    for path, what in zip(paths, whats, strict=True):
        yield f"wrote {path:{width}}  {what}"
    yield "next: rankeval gate, and commit these files"
