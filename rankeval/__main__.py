"""Start the command line: find the command, run it, and turn what went wrong into an exit code."""

import os
import sys
from collections.abc import Sequence

from rankeval.cli import COMMANDS
from rankeval.errors import RankevalError

GENERAL = ("--help", "-h", "--version", "--install-completion", "--show-completion")
DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130


def main() -> None:
    """Run the command that the arguments name; without one it is `eval`."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    try:
        code = _dispatch(list(arguments))
        sys.stdout.flush()
    except RankevalError as error:
        sys.stderr.write(f"rankeval: {_printable(str(error))}\n")
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough. Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    return code


def _dispatch(arguments: list[str]) -> int:
    if arguments and arguments[0] not in (*COMMANDS, *GENERAL):
        arguments = ["eval", *arguments]
    from rankeval.cli.app import run_app  # noqa: PLC0415 - typer is slow to import

    return run_app(arguments)


def _printable(message: str) -> str:
    """The message without anything that a terminal would obey."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in message)


if __name__ == "__main__":
    main()
