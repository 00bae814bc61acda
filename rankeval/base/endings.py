"""Endings of a command: exit code, what it says of errors, and the log of a workflow."""

import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable
from typing import TypeVar

from rankeval.base.wording import quoted
from rankeval.errors import RankevalError, ReaderLeftError, UsageError, printable

_FIRST = r"(?m)(^|[\r\v\f\x1c-\x1e\x85\u2028\u2029])(\s*):(?=:)"


def in_workflow() -> bool:
    """Return True if the output goes to the log of GitHub Actions."""
    return bool(os.environ.get("GITHUB_ACTIONS"))


def harmless(text: str) -> str:
    """Return whole lines of text in which the runner finds no command."""
    return re.sub(_FIRST, r"\1\2\\x3a", text).replace("##[", r"##\x5b")


def harmless_json(text: str) -> str:
    """Return JSON of the same meaning in which the runner finds no command."""
    return text.replace("##[", r"#\u0023[")  # no line of JSON begins with ::


def harmless_latex(text: str) -> str:
    """Return LaTeX that looks the same, in which the runner finds no command."""
    return re.sub(_FIRST, r"\1\2{}:", text).replace("##[", "##{}[")


def tell(text: str) -> None:
    """Print on stderr. A failure to print is ignored: the exit code does not depend on it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(harmless(text) if in_workflow() else text)


Error = TypeVar("Error", bound=BaseException)

DONE, BAD_INPUT, BUG, INTERRUPTED = 0, 2, 70, 130
"""Exit codes of all commands. `gate` and `check` also exit with 1, for their own findings."""

NOT_REPORTED = 3
"""Exit code of `gate` if it judged, but could not write a report, a history or a state."""

TRACEBACK = "RANKEVAL_TRACEBACK"
"""The environment variable that turns on the traceback of a bug."""

LONGEST = 300
"""The most characters printed of an unexpected exception's message."""

OUT_OF_MEMORY = RankevalError(
    "there is not enough memory for these files, and for the libraries that read them",
    remedy="sort runs by topic, so that they are read in parts, or allow more memory (ulimit -v)",
)


_interrupts: list[int] = []
"""The signal numbers of the interrupts received so far."""


def remember_interrupts() -> None:
    """Record each Ctrl-C, besides raising KeyboardInterrupt.

    Compiled modules that are being imported, such as numpy's, turn that into another exception.
    """

    def interrupt(number: int, _: object) -> None:
        _interrupts.append(number)
        raise KeyboardInterrupt

    # Where interrupts are ignored, as under nohup, they stay ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def exit_code(command: Callable[[], int]) -> int:
    """Run a command and return its exit code; report exceptions on standard error."""
    try:
        code = command()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  a bug must not look as if a rule were broken
        return INTERRUPTED if _interrupts else _report(_of_the_epoch(error))
    return code


def _of_the_epoch(error: Exception) -> Exception:
    """Return the error of a wrong SOURCE_DATE_EPOCH, at which the import of scipy fails, if so."""
    if isinstance(error, ValueError | OverflowError | OSError) and EPOCH in os.environ:
        try:
            require_epoch()
        except RankevalError as wrong:
            return wrong
    return error


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
            _discard_output()
            return error.code if isinstance(error, ReaderLeftError) else DONE
        case OSError():
            _discard_output()
            tell(f"rankeval: {printable(str(error))}\n")
            return BAD_INPUT
        case _:
            _discard_output()
            _report_bug(error)
            return BUG


def discard_unwritten() -> None:
    """Discard output that cannot be written; another flush would fail as the first one did."""
    try:
        if sys.stdout is not None:  # the shell's `>&-`
            sys.stdout.flush()
    except OSError:
        _discard_output()


def _discard_output() -> None:
    """Discard buffered output; Python would complain about it at exit."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # a substitute for stdout has no descriptor, or is closed
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _report_bug(error: Exception) -> None:
    """Report a bug of rankeval in one line, below the traceback if that is turned on."""
    import traceback

    if os.environ.get(TRACEBACK, "0") not in ("", "0"):
        tell("".join(traceback.format_exception(error)))
        advice = "please report it with this traceback"
    else:
        advice = f"please report it with the traceback that {TRACEBACK}=1 in the environment shows"
    said = printable(" ".join("".join(traceback.format_exception_only(error)).split()))
    said = said if len(said) <= LONGEST else f"{said[:LONGEST]}..."
    tell(f"rankeval: this is a bug in rankeval ({said}); {advice}\n")


EPOCH = "SOURCE_DATE_EPOCH"


def require_epoch() -> None:
    """Raise UsageError for a SOURCE_DATE_EPOCH that libraries cannot read as a time."""
    stated = os.environ.get(EPOCH)
    if stated is None:
        return
    from datetime import UTC, datetime

    try:
        datetime.fromtimestamp(int(stated), UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"cannot be {quoted(os.fsencode(stated))}",
            place=EPOCH,
            expected="a whole number of seconds since 1970, such as 1700000000",
            remedy=f"set it to one, or unset {EPOCH}",
        ) from None


DISTRIBUTION = "rankeval-ir"


def installing(extra: str) -> str:
    """Return what installs rankeval with an extra, from where it was installed.

    That is a clone or a wheel on this machine, `.` in the clone itself, else the distribution.
    """
    return f"pip install '{_source()}[{extra}]'"


def _source() -> str:
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        text = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return DISTRIBUTION
    address = urlsplit(json.loads(text)["url"] if text else "")
    path = unquote(address.path) if address.scheme == "file" else ""
    if not os.path.exists(path):  # noqa: PTH110  as pathlib is slow
        return DISTRIBUTION
    return "." if os.path.samefile(path, os.curdir) else path  # noqa: PTH121  likewise
