"""Endings of a command: exit code, what it says of errors, and the log of a workflow."""

import contextlib
import os
import re
import sys
from collections.abc import Callable

from rankeval.errors import RankevalError, ReaderLeftError, printable

_FIRST = r"(?m)(^|[\r\v\f\x1c-\x1e\x85\u2028\u2029])(\s*):(?=:)"


def in_workflow() -> bool:
    """Return True if the output goes to the log of GitHub Actions."""
    return bool(os.environ.get("GITHUB_ACTIONS"))


def harmless(text: str) -> str:
    """Return whole lines of text in which the runner finds no command."""
    return re.sub(_FIRST, r"\1\2\\x3a", text).replace("##[", r"##\x5b")


def tell(text: str) -> None:
    """Print on stderr. A failure to print is ignored: the exit code does not depend on it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(harmless(text) if in_workflow() else text)


DONE, BAD_INPUT, BUG, INTERRUPTED = 0, 2, 70, 130
"""Exit codes of all commands. `gate` and `check` also exit with 1, for their own findings."""

NOT_REPORTED = 3
"""Exit code of `gate` if it judged, but could not write a report, a history or a state."""

TRACEBACK = "RANKEVAL_TRACEBACK"
"""The environment variable that turns on the traceback of a bug."""

OUT_OF_MEMORY = RankevalError(
    "there is not enough memory for these files, and for the libraries that read them",
    remedy="sort runs by topic, so that they are read in parts, or allow more memory (ulimit -v)",
)


def exit_code(command: Callable[[], int]) -> int:
    """Run a command and return its exit code; report exceptions on standard error."""
    try:
        code = command()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  a bug must not look as if a rule were broken
        return _report(error)
    return code


def _report(error: Exception) -> int:
    """Report an exception to the user, and return the exit code."""
    match error:
        case MemoryError():
            tell(f"rankeval: {OUT_OF_MEMORY}\n")
            return BAD_INPUT
        case RankevalError():
            tell(f"rankeval: {error}\n")
            return BAD_INPUT
        case BrokenPipeError():
            # The reader of the pipe has stopped reading.
            discard_unwritten()
            return error.code if isinstance(error, ReaderLeftError) else DONE
        case OSError():
            discard_unwritten()
            tell(f"rankeval: {printable(str(error))}\n")
            return BAD_INPUT
        case _:
            discard_unwritten()
            _report_bug(error)
            return BUG


def discard_unwritten() -> None:
    """Discard output that cannot be written; Python would complain about it at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        # A substitute for stdout has no descriptor, or is closed.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report_bug(error: Exception) -> None:
    """Report a bug of rankeval in one line, below the traceback if that is turned on."""
    import traceback

    if os.environ.get(TRACEBACK, "0") not in ("", "0"):
        tell("".join(traceback.format_exception(error)))
        advice = "please report it with this traceback"
    else:
        advice = f"please report it with the traceback that {TRACEBACK}=1 in the environment shows"
    said = printable(" ".join("".join(traceback.format_exception_only(error)).split()))[:300]
    tell(f"rankeval: this is a bug in rankeval ({said}); {advice}\n")


def installing(extra: str) -> str:
    """Return what installs rankeval with an extra."""
    return f"pip install 'rankeval-ir[{extra}]'"
