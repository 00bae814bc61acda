"""Write the files of a new gate, and say what to do next."""

from collections.abc import Iterator

from rankeval.base.wording import count
from rankeval.choices import Format
from rankeval.commands.eval.show import write
from rankeval.commands.init.task import ATTRIBUTES, HISTORY, Setup, texts
from rankeval.errors import printable
from rankeval.evaluation.results import Results
from rankeval.io.formats.toml_tables import OWN_FILE
from rankeval.io.sources.atomic import atomic_text, create_folder, write_errors
from rankeval.output.style import Style
from rankeval.output.writing import write_pieces


def write_setup(setup: Setup, baseline: Results) -> None:
    """Write the files of a gate, those that need nothing else last, and say what they are."""
    files = [*texts(setup)]
    for path in (setup.baseline, *(path for path, _ in files)):
        with write_errors(path):
            create_folder(path)
    write(baseline, Format.JSON, setup.baseline, Style(per_topic=True))
    for path, text in files:
        with atomic_text(path) as stream:
            stream.write(text)
    write_pieces(lambda _: (f"{line}\n" for line in lines(setup, baseline)))


def lines(setup: Setup, baseline: Results) -> Iterator[str]:
    """Yield the files, and what to do next."""
    (run,) = baseline.runs
    topics = count(len(run.topics), "topic")
    written = [
        (OWN_FILE, "the suite, explained"),
        (printable(setup.baseline), f"{printable(run.name)} over {topics}"),
        (setup.workflow, "the gate"),
        (ATTRIBUTES, f"git merges {HISTORY}"),
    ]
    width = max(len(path) for path, _ in written)
    yield from (f"wrote {path:{width}}  {what}" for path, what in written)
    yield "next: rankeval gate, and commit these files"
