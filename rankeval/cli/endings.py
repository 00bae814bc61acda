"""How a command ends: its exit code, and what is said of what went wrong."""

import os
import signal
import sys
from collections.abc import Callable

from rankeval.errors import RankevalError, ReaderLeftError, printable
from rankeval.support.stderr import tell

DONE, BAD_INPUT, BUG, INTERRUPTED = 0, 2, 70, 130
"""A command's own 1 says that a rule is broken, or that a file is wrong."""

TRACEBACK = "RANKEVAL_TRACEBACK"
"""The environment variable that asks for the traceback of a bug."""

LONGEST = 300
"""Characters of what an unexpected exception says."""

OUT_OF_MEMORY = RankevalError(
    "there is not enough memory for these files",
    remedy="sort runs by topic, which lets them be read in parts; or give it more memory",
)


_came: list[int] = []
"""The interrupts that came, by the number of their signal."""


def remember_interrupts() -> None:
    """Let Ctrl-C be known by more than its KeyboardInterrupt.

    Compiled modules that are being imported, such as numpy's, turn that into another exception.
    """

    def interrupt(number: int, _: object) -> None:
        _came.append(number)
        raise KeyboardInterrupt

    # Where interrupts are ignored, as under nohup, they stay ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def exit_code(command: Callable[[], int]) -> int:
    """Run a command and give its exit code; what it raises is told on standard error."""
    try:
        code = command()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  a bug must not look as if a rule were broken
        return INTERRUPTED if _came else _told(error)
    return code


def _told(error: Exception) -> int:
    """Say what an exception means to the user, and give the exit code."""
    match error:
        case RankevalError():
            tell(f"rankeval: {error}\n")
            return BAD_INPUT
        case MemoryError():
            tell(f"rankeval: {OUT_OF_MEMORY}\n")
            return BAD_INPUT
        case BrokenPipeError():
            # The reader has seen enough.
            _discard_output()
            return error.code if isinstance(error, ReaderLeftError) else DONE
        case OSError():
            _discard_output()
            tell(f"rankeval: {printable(str(error))}\n")
            return BAD_INPUT
        case _:
            _discard_output()
            _tell_bug(error)
            return BUG


def _discard_output() -> None:
    """Let what is still buffered go nowhere: Python would complain of it at its exit."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # what stands in for standard output has none, or is closed
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _tell_bug(error: Exception) -> None:
    """Say in a line that rankeval is wrong, after the traceback where that is asked for."""
    import traceback

    if os.environ.get(TRACEBACK, "0") not in ("", "0"):
        tell("".join(traceback.format_exception(error)))
        how = "please report it with this traceback"
    else:
        how = f"please report it with the traceback, which {TRACEBACK}=1 in the environment shows"
    said = printable(" ".join("".join(traceback.format_exception_only(error)).split()))
    said = said if len(said) <= LONGEST else f"{said[:LONGEST]}..."
    tell(f"rankeval: this is a bug of rankeval ({said}); {how}\n")
