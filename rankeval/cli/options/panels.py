"""Options as they are declared, under the headings of a command's help, and completion."""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from typer.core import TyperCommand


class Use(str):
    """Use of the file that a parameter names, READ or WRITTEN; part of its annotation."""

    __slots__ = ()


READ, WRITTEN = Use("read"), Use("written")


class Option(NamedTuple):
    """An option as its annotation declares it; typer's is made for the command that is run.

    ============== =========================================================================
    panel          the heading in the help
    declared       the names, and the word for the value; a flag has none
    text           the help text, which names the default
    any_of         words that it takes in any case, and that a shell completes
    common         True for one that is first in the help, and that `-h` shows
    autocompletion completes a word for a shell
    callback       checks the value
    min, max       limits of a number
    ============== =========================================================================
    """

    panel: str
    declared: str
    text: str
    any_of: Sequence[str] = ()
    common: bool = False
    autocompletion: Callable[[str], list[str]] | None = None
    callback: Callable[[Any], Any] | None = None
    min: int | None = None
    max: int | None = None


COMMON = "Common options"
OTHER_OPTIONS = "Other options"
COLLECTIONS = "--collections"
"""The option that takes the place of QRELS and runs."""

RULES = partial(Option, "Rules")
MEASURES = partial(Option, "Measures")
FUSION = partial(Option, "Fusion")
RANKINGS = partial(Option, "Topics and rankings")
STATISTICS = partial(Option, "Statistics")
OUTPUT = partial(Option, "Output")
TEXTS = partial(Option, "Texts of topics and documents")
READING = partial(Option, "Reading files")
REPORTS = partial(Option, "Reports")
OTHER = partial(Option, OTHER_OPTIONS)
"""`OUTPUT("--output -o FILE", "Write to FILE.")` declares an option in a panel of the help."""


SHORT = "rankeval.short help"
"""In a context's facts: True where help was asked for by -h."""


class Command(TyperCommand):
    """A command whose help is the same for every version of typer.

    The help shows the metavar and help of each argument, and the names, metavar and help of each
    option, in the group that `rich_help_panel` names. The help texts name the defaults.
    """

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002  nothing is cut
        """Return the whole first paragraph, for the list of commands."""
        return " ".join((self.help or "").partition("\n\n")[0].split())

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Take the examples out of the help."""
        super().__init__(*arguments, **named)
        self.help, _, examples = (self.help or "").partition("Examples:\n")
        self.examples = [line[2:] for line in examples.splitlines()]

    # Contexts and formatters are click's, which newer typers include: no type names them.
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options and arguments."""
        ctx.meta[SHORT] = "-h" in args and "--help" not in args
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words after the command's name in its usage line."""
        arguments = [one for one in self.get_params(ctx) if one.param_type_name == "argument"]
        return ["[OPTIONS]", *(f"{one.metavar}{'...' * (one.nargs < 0)}" for one in arguments)]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the whole help, or for -h the common options and an example."""
        if not ctx.meta.get(SHORT):
            super().format_help(ctx, formatter)
            return
        self.format_usage(ctx, formatter)
        with formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text(self.get_short_help_str())
        for param in self.get_params(ctx):
            heading, *lines = (getattr(param, "help", None) or "").splitlines() or [""]
            if param.param_type_name == "argument" and lines:  # a word in each line
                with formatter.section(heading.rstrip(".")):
                    for line in filter(str.isprintable, filter(None, lines)):
                        formatter.write(f"  {line}\n")
        options = parameters_by_panel(self.get_params(ctx))[COMMON]
        room = max(len(aligned(names)) for names, _ in options) + 2
        with formatter.section(COMMON):
            for names, text in options:
                said = summary(text, formatter.width - room - 2)
                formatter.write(f"  {aligned(names):{room}}{said}\n")
        ends = [n for n, line in enumerate(self.examples, 1) if line.startswith("    ")]
        self._write_examples(formatter, "Example", self.examples[: ends[0]])
        formatter.write(f"\nAll options: '{ctx.command_path} --help'.\n")

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  click's signature
        """Write the examples, each with its description below it."""
        self._write_examples(formatter, "Examples", self.examples)

    def _write_examples(self, formatter: Any, heading: str, lines: Iterable[str]) -> None:
        with formatter.section(heading):
            for line in lines:
                formatter.write(f"{line}\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options in their groups."""
        for group, entries in parameters_by_panel(self.get_params(ctx)).items():
            with formatter.section(group):
                formatter.write_dl([(aligned(names), text) for names, text in entries])


def parameters_by_panel(params: Iterable[Any]) -> dict[str, list[tuple[str, str]]]:
    """Return the arguments and options with their help texts, by heading, the common ones first."""
    groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], COMMON: []}
    for param in params:
        heading = getattr(param, "rich_help_panel", None) or OTHER_OPTIONS
        names = param.metavar or ""
        if param.param_type_name == "argument":
            heading = "Arguments"
        else:
            names = " ".join([", ".join(sorted(param.opts, key=len)), names]).rstrip()
        groups.setdefault(heading, []).append((names, param.help or ""))
    groups[OTHER_OPTIONS] = groups.pop(OTHER_OPTIONS, [])  # the last
    return {heading: entries for heading, entries in groups.items() if entries}


def aligned(names: str) -> str:
    """Return names of an option with the long ones aligned, a short one before them or not."""
    return f"    {names}" if names.startswith("--") else names


def summary(text: str, width: int) -> str:
    """Return the first sentence of a help text, as far as a line goes."""
    sentence = re.split(r"[.;](?:\s|$)", " ".join(text.split()), maxsplit=1)[0]
    if len(sentence) <= width:
        return sentence
    cut = sentence[: width - 1].rpartition(" ")[0].rstrip(",:")
    clause = "" if ": " in cut else sentence[: width + len(", ")].rpartition(", ")[0]
    return clause or f"{cut} …"


def command_line() -> str:
    """Return the command line of this process, quoted for a shell."""
    from shlex import join  # few commands say it

    return join(["rankeval", *sys.argv[1:]])


CUTOFFS = ("1", "3", "5", "10", "20", "50", "100", "1000")


def one_of(words: Sequence[str]) -> Callable[[str], list[str]]:
    """Return a completer of a few words."""

    def beginning_with(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return beginning_with


def complete_measures(incomplete: str) -> list[str]:
    """Complete the last of the measures in a text: its name, or its cutoff."""
    last = re.split(r"[ ,]", incomplete)[-1]
    name, at, cutoff = last.partition("@")
    before = incomplete.removesuffix(last)
    if at:
        return [f"{before}{name}@{number}" for number in one_of(CUTOFFS)(cutoff)]
    return [f"{before}{word}" for word in one_of(_names_of_measures())(last)]


def _names_of_measures() -> list[str]:
    import rankeval
    from rankeval.doors import modules_by_name  # importing the measures takes too long

    names = modules_by_name(rankeval.__path__[0], "measures")
    return [name for name, module in names.items() if module == "measures"]


def complete_order(incomplete: str) -> list[str]:
    """Complete the key of an order of runs: name, or a measure."""
    return [*one_of(["name"])(incomplete), *complete_measures(incomplete)]
