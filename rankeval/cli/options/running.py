"""Options for warnings, progress and threads."""

from collections.abc import Iterable
from typing import Annotated

import typer

from rankeval.cli.options.panels import OTHER
from rankeval.errors import printable
from rankeval.support.frozen import frozen
from rankeval.support.stderr import tell

Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        min=1,
        help="Number of threads or processes that work at once. Default: one per processor.",
        rich_help_panel=OTHER,
    ),
]


@frozen
class WarningOptions:
    """Warnings and progress."""

    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", help="Print no warnings and no progress on stderr.", rich_help_panel=OTHER
        ),
    ] = False

    def warn(self, lines: Iterable[str]) -> None:
        """Print warnings on stderr, unless --quiet is given."""
        if not self.quiet:
            for line in lines:
                tell(f"rankeval: warning: {printable(line)}\n")


@frozen
class RunningOptions(WarningOptions):
    """Warnings, progress and threads."""

    jobs: Jobs = None
