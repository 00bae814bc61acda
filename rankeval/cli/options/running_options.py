"""Options for warnings, progress, threads, and where an evaluation runs."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from rankeval.base.endings import tell
from rankeval.base.frozen import frozen
from rankeval.cli.options.panels import OTHER
from rankeval.errors import printable
from rankeval.io.sources.blocks import is_rereadable
from rankeval.io.sources.parts import size_of
from rankeval.output.style import Style
from rankeval.output.text import MORE, note
from rankeval.output.writing import for_terminal

LARGE = 50 << 20
"""Total bytes from which on a progress bar is shown."""


@contextmanager
def reading_progress(
    paths: Sequence[str], *, wanted: bool
) -> Iterator[Callable[[str, int], None] | None]:
    """Show the progress of reading, if the files are large and stderr is a terminal."""
    sizes = {path: size_of(path) for path in paths if is_rereadable(path)}
    if not wanted or sum(sizes.values()) < LARGE or not sys.stderr.isatty():
        yield None
        return
    from rankeval.base.progress_bar import reading_bar

    with reading_bar(sizes) as update:
        yield update


if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.cli.options.output_options import Printout
    from rankeval.evaluation.results import RunResult


def noted(line: str) -> str:
    """Return a warning as stderr shows it: a note on a terminal, one line elsewhere."""
    if sys.stderr.isatty():
        return note(line, for_terminal(Style(), sys.stderr)) + "\n"
    return f"rankeval: warning: {line}\n"


Jobs = Annotated[
    int | None,
    OTHER(
        "--jobs N",
        "Number of threads or processes that work at once. Default: one per processor.",
        min=1,
    ),
]


@frozen
class WarningOptions:
    """Warnings and progress."""

    quiet: Annotated[
        bool, OTHER("--quiet", "Print no warnings and no progress on stderr.", common=True)
    ] = False

    verbose: Annotated[
        bool,
        OTHER(
            "--verbose -v",
            "Print all tables, and every warning in full. Default: the answer, and a line for each "
            "kind of warning, about the run that has most of it.",
            common=True,
        ),
    ] = False

    def warn(self, lines: Iterable[str]) -> None:
        """Print warnings on stderr, unless --quiet is given."""
        if not self.quiet:
            for line in lines:
                tell(noted(printable(line)))

    def of_runs(
        self, runs: Sequence["RunResult"], digits: int | None = None, hidden: Collection[str] = ()
    ) -> list[str]:
        """Return the warnings of runs whose numbers have some decimals, in brief or in full."""
        from rankeval.evaluation.notice_lines import brief_lines, notice_lines  # --help: no numpy

        full = [*notice_lines(runs, digits, hidden)]
        brief = full if self.verbose else [*brief_lines(runs, digits, hidden)]
        return brief if brief == full else [*brief[:-1], f"{brief[-1]}; {MORE}"]

    def write(self, page: "Printout", result: object, warnings: Iterable[str]) -> None:
        """Print a result, and its warnings below; these where a reader leaves early, too."""
        try:
            page.write(result)
        except BrokenPipeError:
            self.warn(warnings)
            raise
        self.warn(warnings)


@frozen
class RunningOptions(WarningOptions):
    """Warnings, progress and threads."""

    jobs: Jobs = None
