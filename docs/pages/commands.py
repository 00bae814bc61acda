"""A page for every command, made from its options: usage, arguments, options and examples."""

from collections.abc import Iterator
from typing import Any

import typer

from docs.pages.texts import cell, escaped
from rankeval.cli.app import application
from rankeval.cli.options.panels import parameters_by_panel

EXIT_CODES = {
    "0": "success",
    "1": "gate: a rule is broken; check: a file has errors, or with --strict oddities",
    "2": "a file, a measure or an option cannot be used, or the output cannot be written",
    "3": "gate: judged, but a report or the history could not be written",
    "70": "a bug in rankeval",
    "130": "interrupted with Ctrl-C",
}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the Markdown of each page."""
    group: Any = typer.main.get_command(application())
    yield "commands/index.md", "\n".join(_overview(group))
    for name, command in group.commands.items():
        yield f"commands/{name}.md", "\n".join(_command(name, command))


def _overview(group: Any) -> Iterator[str]:
    yield "# Commands\n"
    yield "Without the name of a command, rankeval acts as `rankeval eval` does. These pages are"
    yield "made from the options, as `rankeval COMMAND --help` shows them.\n"
    yield "| command | |\n| :--- | :--- |"
    for name, command in group.commands.items():
        yield f"| [{name}]({name}.md) | {cell(command.get_short_help_str(limit=200))} |"
    yield "\n## Exit codes\n"
    yield "| code | meaning |\n| ---: | :--- |"
    for code, meaning in EXIT_CODES.items():
        yield f"| {code} | {cell(meaning)} |"


def _command(name: str, command: Any) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(typer.Context(command)))
    yield f"# rankeval {name}\n"
    for paragraph in (command.help or "").replace("\b", "").split("\n\n"):
        yield f"{escaped(' '.join(paragraph.split()))}\n"
    yield f"```text\nrankeval {name} {usage}\n```\n"
    if getattr(command, "examples", None):
        yield "## Examples\n\n```bash"
        yield from (
            f"# {line.strip()}\n" if line.startswith(" " * 6) else line.strip()
            for line in command.examples
        )
        yield "```\n"
    for heading, entries in parameters_by_panel(command.params).items():
        yield f"## {heading}\n"
        yield f"| {'argument' if heading == 'Arguments' else 'option'} | meaning |\n| :--- | :--- |"
        for term, meaning in entries:
            yield f"| `{term.replace('|', chr(92) + '|')}` | {cell(meaning)} |"
        yield ""
