"""The panels of a command's help: their headings, and the options declared under each."""

from collections.abc import Sequence
from typing import Any

import typer

from rankeval.cli.options.completion_values import in_any_case, one_of


class Panel(str):
    """The heading of a panel; called, it declares an option under it.

    `OUTPUT("--output -o FILE", "Write to FILE.")` has the names of the option, the word for its
    value and its help text; a flag has no word for its value. Other arguments are typer's.
    """

    __slots__ = ()

    def __call__(
        self, *words: str, any_of: Sequence[str] = (), common: bool = False, **more: Any
    ) -> Any:
        """Return typer's option; `any_of` are words that it takes in any case, and completes.

        Those that are `common` stand first in the help, and `-h` shows them alone.
        """
        if any_of:
            more |= {"autocompletion": one_of(any_of), "callback": in_any_case(any_of)}
        declared = " ".join(words[:-1]).split()
        names = [word for word in declared if word.startswith("-")]
        return typer.Option(
            *names,
            metavar=" ".join(declared[len(names) :]) or None,
            help=words[-1],
            rich_help_panel=CommonPanel(self) if common else self,
            case_sensitive=False,
            **more,
        )


class CommonPanel(Panel):
    """The panel of an option that stands among the common ones."""

    __slots__ = ()


COMMON = "Common options"
COLLECTIONS = "--collections"
"""The option that takes the place of QRELS and runs."""
RULES = Panel("Rules")
MEASURES = Panel("Measures")
FUSION = Panel("Fusion")
RANKINGS = Panel("Topics and rankings")
STATISTICS = Panel("Statistics")
OUTPUT = Panel("Output")
TEXTS = Panel("Texts of topics and documents")
READING = Panel("Reading files")
REPORTS = Panel("Reports")
OTHER = Panel("Other options")
