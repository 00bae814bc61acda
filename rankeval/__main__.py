"""Start the command line: find the command, run it, and turn what went wrong into an exit code."""

import contextlib
import gc
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from rankeval.cli import COMMANDS
from rankeval.cli.messages import tell
from rankeval.errors import RankevalError, ReaderLeftError, UsageError, printable

TREC_EVAL = ("trec_eval", "trec_eval9")
GENERAL = ("--help", "-h", "--version", "--install-completion", "--show-completion")
DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
OUT_OF_MEMORY = RankevalError(
    "there is not enough memory for these files",
    remedy="sort runs by topic, which lets them be read in parts; or give it more memory",
)


def main() -> None:
    """Run the command that the arguments name; without one it is `eval`."""
    for name in "stdout", "stderr":
        # Python has None for a stream that the shell closed, as with >&-.
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  for good
    # To collect garbage, and to free all that was read piece by piece at the end, would take a
    # tenth of the time that a small run takes.
    gc.disable()
    # One thread in numpy's linear algebra: more of them cost start-up time on machines with many
    # processors, and their sums would depend on how many there are.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = run(sys.argv[1:], program=Path(sys.argv[0]).stem)
    for stream in sys.stdout, sys.stderr:
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)


def run(arguments: Sequence[str], *, program: str = "rankeval") -> int:
    """Run a command line and return its exit code; under trec_eval's name it is trec_eval."""
    try:
        code = _dispatch(list(arguments), program)
        sys.stdout.flush()
    except RankevalError as error:
        tell(f"rankeval: {error}\n")
        return BAD_INPUT
    except MemoryError:
        tell(f"rankeval: {OUT_OF_MEMORY}\n")
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError as closed:
        # The reader has seen enough.
        _discard_output()
        return closed.code if isinstance(closed, ReaderLeftError) else DONE
    except OSError as error:
        _discard_output()
        tell(f"rankeval: {printable(str(error))}\n")
        return BAD_INPUT
    return code


def _discard_output() -> None:
    """Let what is still buffered go nowhere: Python would complain of it at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(arguments: list[str], program: str) -> int:
    if program not in TREC_EVAL and arguments[:1] == ["trec_eval"]:
        program = arguments.pop(0)
    if program in TREC_EVAL:
        # Before typer is imported: scripts call trec_eval often, for small files.
        from rankeval.trec_eval.command import main as trec_eval

        return trec_eval(arguments, program=program)
    from rankeval.cli.app import run_app

    # A shell that completes words calls without arguments, and reads stdout.
    if not arguments and "_RANKEVAL_COMPLETE" not in os.environ:
        with contextlib.redirect_stdout(sys.stderr):
            run_app(["--help"])
        return BAD_INPUT
    if arguments and arguments[0] not in (*COMMANDS, *GENERAL):
        _refuse_mistyped_command(arguments[0])
        arguments = ["eval", *arguments]
    return run_app(arguments)


def _refuse_mistyped_command(word: str) -> None:
    """Complain of a word that is no file but looks like a command, or could have been meant."""
    looks_like_one = re.fullmatch(r"[A-Za-z][A-Za-z_-]{,20}", word)
    if not looks_like_one or os.path.lexists(word):
        return
    import difflib

    close = difflib.get_close_matches(word, COMMANDS, n=1)
    raise UsageError(
        f"there is no command and no file '{word}'",
        expected=f"perhaps {close[0]}"
        if close
        else f"a qrels file or one of: {', '.join(COMMANDS)}",
        remedy="'rankeval --help' lists the commands",
    )


if __name__ == "__main__":
    main()
