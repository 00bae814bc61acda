"""The manual page rankeval(1), made from the commands and their options."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from rankeval.cli.app import application
from rankeval.cli.options.given_command import EXAMPLES, parameters_by_panel
from rankeval.version import __version__


def man_page() -> str:
    """Return the page in roff: the commands, and the arguments, options and examples of each."""
    return "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    group: Any = typer.main.get_command(application())
    yield f'.TH RANKEVAL 1 "" "rankeval {__version__}" "User Commands"'
    yield ".SH NAME"
    yield "rankeval \\- evaluate rankings against relevance judgments"
    yield ".SH SYNOPSIS"
    yield from (".B rankeval", "[\\fIOPTIONS\\fR] \\fIQRELS\\fR \\fIRUN\\fR...", ".br")
    yield from (".B rankeval", "\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]...", ".br")
    yield from (".B rankeval help", "[\\fICOMMAND\\fR]")
    yield ".SH DESCRIPTION"
    yield "Without the name of a command, rankeval acts as"
    yield from (".B rankeval eval", "does: it scores each run against the judgments.")
    yield ".SH COMMANDS"
    for name, command in group.commands.items():
        yield from (".TP", f".B {_text(name)}", _text(command.get_short_help_str()))
    for name, command in group.commands.items():
        yield from _command(name, command)
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES.items():
        yield from (".TP", f".B {code}", _text(meaning))
    yield ".SH ENVIRONMENT"
    yield from (".TP", ".B NO_COLOR", "Print tables without colours.")
    yield from (".TP", ".B RANKEVAL_TRACEBACK", "Show the traceback of a bug.")
    yield ".SH SEE ALSO"
    yield from (".BR trec_eval (1)", ".PP", "The pages in docs/ explain conventions, statistics,")
    yield "file formats and the gate."


EXIT_CODES = {
    "0": "success",
    "1": "gate: a rule is broken; check: a file has errors, or with --strict oddities",
    "2": "a file, a measure or an option cannot be used, or the output cannot be written",
    "70": "a bug in rankeval",
    "130": "interrupted with Ctrl-C",
}


def _command(name: str, command: Any) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(typer.Context(command)))
    yield f".SH RANKEVAL {_text(name).upper()}"
    yield from (f".B rankeval {_text(name)}", _text(usage), ".PP")
    for paragraph in (command.help or "").split("\n\n"):
        yield from (_text(paragraph), ".PP")
    for heading, entries in parameters_by_panel(command.params).items():
        yield f".SS {_text(heading)}"
        for term, help_ in entries:
            yield from (".TP", f".B {_text(term)}", _text(help_))
    if name in EXAMPLES:
        yield ".SS Examples"
        for line, purpose in EXAMPLES[name]:
            yield from (".TP", f".B {_text(line)}", _text(purpose))


def _text(text: str) -> str:
    """Escape a text in one line: backslashes, hyphens, quotes, and dots that begin a request."""
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    line = re.sub(r'"', r"\\(dq", line)
    return f"\\&{line}" if line.startswith(".") else line


if __name__ == "__main__":
    print(man_page(), end="")  # noqa: T201  `make docs` writes it to docs/rankeval.1
