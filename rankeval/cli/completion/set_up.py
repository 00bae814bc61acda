"""Set completion up for a shell: the one that the command line names, or the running one."""

from collections.abc import Sequence
from pathlib import Path

from rankeval.errors import UsageError

SHELLS = ("bash", "zsh", "fish")
INSTALL, SHOW = "--install-completion", "--show-completion"

BASH = """\
_rankeval_completion() {
    local IFS=$'\\n' word
    COMPREPLY=()
    while read -r word; do
        COMPREPLY+=("$word")
    done < <(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD="$COMP_CWORD" \\
        _RANKEVAL_COMPLETE=complete_bash "$1")
    case ${COMPREPLY[0]-} in
        # A parameter of a measure goes on. Old versions of bash put a space here.
        *[=,\\(]) compopt -o nospace 2>/dev/null ;;
    esac
    return 0
}

complete -o default -F _rankeval_completion rankeval
"""
# Typer's takes every word that is found for a pattern of files.

ZSH = """\
#compdef rankeval

_rankeval() {
  eval "$(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _RANKEVAL_COMPLETE=complete_zsh rankeval)"
}

if [ "$funcstack[1]" = _rankeval ]; then
  _rankeval "$@"
else
  compdef _rankeval rankeval
fi
"""
# Typer's does nothing at the first tab of a shell, which only loads it.


def sets_up(arguments: Sequence[str]) -> bool:
    """Return True for an option of completion with a shell, or alone in a shell of ours."""
    if arguments[:1] not in ([INSTALL], [SHOW]):
        return False
    return len(arguments) > 1 or running_shell() in SHELLS


def running_shell() -> str:
    """Return the name of the shell that runs rankeval, or nothing where it is not known."""
    import shellingham  # as typer does

    try:
        return str(shellingham.detect_shell()[0])
    except shellingham.ShellDetectionFailure:
        return ""


def set_up(option: str, *shells: str) -> int:
    """Install the script for a shell, or print it, and return the exit code."""
    # What typer's own options call.
    from typer.completion import get_completion_script, install  # type: ignore[attr-defined]  # not exported

    shell, *more = shells or (running_shell(),)
    if shell not in SHELLS or more:
        raise UsageError(
            f"there is no completion for '{' '.join([shell, *more])}'",
            expected=f"one of {', '.join(SHELLS)}",
            remedy=f"'rankeval {option}' alone is for the shell that is running",
        )
    script = {"bash": BASH, "zsh": ZSH}.get(shell) or get_completion_script(
        prog_name="rankeval", complete_var="_RANKEVAL_COMPLETE", shell=shell
    )
    if option == INSTALL:
        _, path = install(shell, "rankeval")
        Path(path).write_text(script, encoding="utf-8")
        print(f"{shell} completion installed in {path}; it works in new shells")  # noqa: T201  the command's output
    else:
        print(script)  # noqa: T201  the command's output
    return 0
