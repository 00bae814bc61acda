"""How a command presents itself: its usage, and its options grouped by what they are about."""

from typing import Any

from typer.core import TyperCommand


class Command(TyperCommand):
    """A command whose help reads the same whatever typer's version.

    An argument shows its metavar and its help; an option its names, its metavar and its help
    in the group that `rich_help_panel` names. Defaults stand in the help texts, in words.
    """

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002  nothing is cut
        """Return the whole first paragraph, for the list of commands."""
        return " ".join((self.help or "").partition("\n\n")[0].split())

    # Contexts and formatters are click's, which newer typers carry inside: no type names them.
    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command's name in its usage line."""
        params = self.get_params(ctx)
        arguments = [p for p in params if p.param_type_name == "argument"]
        return [
            "[OPTIONS]",
            *(f"{p.metavar}..." if p.nargs < 0 else f"{p.metavar}" for p in arguments),
        ]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options in their groups."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            group, name = "Arguments", f"{param.metavar}"
            if param.param_type_name == "option":
                group = getattr(param, "rich_help_panel", None) or "Other options"
                # A long name stands below the others whether or not there is a short one.
                short = [opt for opt in param.opts if not opt.startswith("--")]
                long = [opt for opt in param.opts if opt.startswith("--")]
                name = (", ".join([*short, ""]) or "    ") + ", ".join(long)
                name += f" {param.metavar}" if param.metavar else ""
            groups.setdefault(group, []).append((name, getattr(param, "help", None) or ""))
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)
