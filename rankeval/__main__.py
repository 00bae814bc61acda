"""Start the command line: find the command, run it, and end with its exit code.

The module imports at its top only what Python itself has imported by then, so that Ctrl-C ends
quietly even while other modules are being imported.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

TREC_EVAL = ("trec_eval", "trec_eval9")
BUG, INTERRUPTED = 70, 130  # as in rankeval.endings, which is imported below


def main() -> None:
    """Run the command that the arguments name, or `eval` if they name none."""
    try:
        _prepare()
        program, _ = os.path.splitext(os.path.basename(sys.argv[0]))  # noqa: PTH119, PTH122  pathlib is not imported yet
        code = run(sys.argv[1:], program=program)
        _flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BaseException:  # noqa: BLE001  reporting another failure failed
        os.write(2, b"rankeval: this is a bug in rankeval, and reporting it failed as well\n")
        code = BUG
    os._exit(code)


def _prepare() -> None:
    """Prepare the process: streams, garbage collection, threads."""
    import gc

    # Python has None for a stream that the shell closed, as with >&-. Writing to this stdout fails,
    # as the descriptor is for reading only; messages on a closed stderr are lost.
    for name, flag in ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY):
        if getattr(sys, name) is None:
            closed = open(os.open(os.devnull, flag), "w", encoding="utf-8")  # noqa: PTH123, SIM115  for good
            setattr(sys, name, closed)
    # Characters that the encoding lacks, and bytes of paths that are no text, print as \\xe9.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # nothing has replaced it yet
    # Collecting garbage, and freeing the data piece by piece at the end, would take a tenth of the
    # time of a small run.
    gc.disable()
    # One thread in numpy's linear algebra: more threads cost start-up time on machines with many
    # processors, and the sums would depend on the number of threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Arrow's own allocator keeps a fifth more of a run in Parquet than the C library.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    # What one thread has freed is taken by others, a fifth less where topics are scattered.
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")


def _flush() -> None:
    for stream in sys.stdout, sys.stderr:
        try:
            stream.flush()
        except (OSError, ValueError):  # ValueError: a plugin has closed it
            continue


def run(arguments: "Sequence[str]", *, program: str = "rankeval") -> int:
    """Run a command line and return its exit code; called trec_eval, it acts as trec_eval."""
    from rankeval.endings import exit_code

    return exit_code(lambda: _dispatch(list(arguments), program))


def _dispatch(arguments: list[str], program: str) -> int:
    if program not in TREC_EVAL and arguments[:1] == ["trec_eval"]:
        program = arguments.pop(0)
    if program in TREC_EVAL:
        # typer is not imported yet: scripts call trec_eval often, for small files.
        from rankeval.trec_eval.command import main as trec_eval

        return trec_eval(arguments, program=program)
    if arguments == ["--version"]:  # nothing else is imported for it
        from rankeval.cli import print_version

        print_version()
        return 0
    import contextlib

    from rankeval.cli import COMMANDS
    from rankeval.cli.app import GENERAL, run_app
    from rankeval.endings import BAD_INPUT

    # A shell that completes words passes no arguments and reads stdout.
    if not arguments and "_RANKEVAL_COMPLETE" not in os.environ:
        with contextlib.redirect_stdout(sys.stderr):
            run_app(["-h"])
        return BAD_INPUT
    if arguments and arguments[0] not in (*COMMANDS, *GENERAL):
        _refuse_words_that_are_no_command(arguments[0])
        arguments = ["eval", *arguments]
    return run_app(arguments)


def _refuse_words_that_are_no_command(word: str) -> None:
    """Refuse a first word that names no file and looks like a mistyped command."""
    import re

    from rankeval.cli import COMMANDS
    from rankeval.errors import UsageError

    if os.path.lexists(word) or not re.fullmatch(r"[A-Za-z][A-Za-z_-]{,20}", word):
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
