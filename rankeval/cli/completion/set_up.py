"""Set completion up for a shell that the command line names."""

from collections.abc import Sequence

from rankeval.errors import UsageError

SHELLS = ("bash", "zsh", "fish")
INSTALL, SHOW = "--install-completion", "--show-completion"


def names_shell(arguments: Sequence[str]) -> bool:
    """Return True for an option of completion with a shell; alone, typer finds the running one."""
    return arguments[:1] in ([INSTALL], [SHOW]) and len(arguments) > 1


def set_up(option: str, shell: str, *more: str) -> int:
    """Install typer's script for a shell, or print it, and return the exit code."""
    # What typer's own options call.
    from typer.completion import get_completion_script, install  # type: ignore[attr-defined]  # not exported

    if shell not in SHELLS or more:
        raise UsageError(
            f"there is no completion for '{' '.join([shell, *more])}'",
            expected=f"one of {', '.join(SHELLS)}",
            remedy=f"'rankeval {option}' alone is for the shell that is running",
        )
    if option == INSTALL:
        _, path = install(shell, "rankeval")
        print(f"{shell} completion installed in {path}; it works in new shells")  # noqa: T201  the command's output
    else:
        script = get_completion_script(
            prog_name="rankeval", complete_var="_RANKEVAL_COMPLETE", shell=shell
        )
        print(script)  # noqa: T201  the command's output
    return 0
