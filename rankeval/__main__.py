"""Start the command line: find the command, run it, and turn what went wrong into an exit code."""

import os
import sys
from collections.abc import Sequence

from rankeval.errors import RankevalError

COMMANDS = ("eval",)
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
        if sys.stderr is not None:  # the shell's `2>&-`
            sys.stderr.write(f"rankeval: {error}\n")
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
    from rankeval.cli.app import run_app

    return run_app(arguments)


if __name__ == "__main__":
    main()
