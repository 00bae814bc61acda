"""Usage and help of a command, with its options in groups."""

import shlex
import sys
from typing import Any

from typer.core import TyperCommand

from rankeval.cli.examples import EXAMPLES
from rankeval.cli.options.collections import without_arguments
from rankeval.cli.options.parts import with_parts
from rankeval.errors import masked


class Command(TyperCommand):
    """A command whose help is the same for every version of typer.

    The help shows the metavar and help of each argument, and the names, metavar and help of each
    option, in the group that `rich_help_panel` names. The help texts name the defaults.
    """

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002  nothing is cut
        """Return the whole first paragraph, for the list of commands."""
        return " ".join((self.help or "").partition("\n\n")[0].split())

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Let the words of all choices be written in any case."""
        super().__init__(*arguments, **named)
        for param in self.params:
            if hasattr(param.type, "case_sensitive"):
                param.type.case_sensitive = False

    # Contexts and formatters are click's, which newer typers include: no type names them.
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options and arguments; parts of runs and judgments become arguments."""
        params = self.get_params(ctx)
        with without_arguments(args, params):
            return super().parse_args(ctx, with_parts(args, params))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words after the command's name in its usage line."""
        params = self.get_params(ctx)
        arguments = [p for p in params if p.param_type_name == "argument"]
        return [
            "[OPTIONS]",
            *(f"{p.metavar}..." if p.nargs < 0 else f"{p.metavar}" for p in arguments),
        ]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  click's signature
        """Write the examples, each with what it does below it."""
        if self.name not in EXAMPLES:
            return
        with formatter.section("Examples"):
            for line, purpose in EXAMPLES[self.name]:
                for text in (*_continued(line, formatter.width - 2), f"    {purpose}"):
                    formatter.write(f"  {text}\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options in their groups."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            group, name = "Arguments", f"{param.metavar}"
            if param.param_type_name == "option":
                group = getattr(param, "rich_help_panel", None) or "Other options"
                # Long names are aligned, with or without a short name before them.
                short = [opt for opt in param.opts if not opt.startswith("--")]
                long = [opt for opt in param.opts if opt.startswith("--")]
                name = (", ".join([*short, ""]) or "    ") + ", ".join(long)
                name += f" {param.metavar}" if param.metavar else ""
            groups.setdefault(group, []).append((name, getattr(param, "help", None) or ""))
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)


def command_line() -> str:
    """Return the command line of this process, quoted for a shell."""
    return shlex.join(["rankeval", *map(masked, sys.argv[1:])])


def _continued(line: str, width: int) -> list[str]:
    """Break a command line between words, with a backslash at the end of each part but the last."""
    lines = [""]
    for word in shlex.split(line, posix=False):
        if lines[-1] and len(lines[-1]) + len(word) + 3 > width:
            lines[-1] += " \\"
            lines.append("  ")
        lines[-1] += word if not lines[-1].strip() else f" {word}"
    return lines
