"""Answer a shell that completes a command line, by typer's protocol for bash, zsh and fish."""

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from rankeval.cli.completion.found_words import Word, completions
from rankeval.cli.options.short_help import summary

VARIABLE = "_RANKEVAL_COMPLETE"
_BREAKS = re.compile(r"[@=:(]+")
"""Characters at which bash breaks words that rankeval takes as one, such as nDCG@10."""

HELP = 76
"""The most characters shown of a word's description."""


class BegunLine(NamedTuple):
    """The words before the cursor without `rankeval`, and the begun one."""

    words: Sequence[str]
    begun: str
    kept: str = ""
    """The part of the begun word that the shell keeps."""
    quote: str = ""
    """The quotation mark that is open in the begun word."""


def answer(environment: Mapping[str, str]) -> int:
    """Print the completions that the variables of a shell ask for, and return the exit code."""
    shell = environment[VARIABLE].removeprefix("complete_")
    line = _of_bash(environment) if shell == "bash" else _of_text(environment)
    # Other words would be several lines to the shell, or signs to the terminal.
    found = [word for word in completions(line.words, line.begun) if word.text.isprintable()]
    if shell == "fish" and environment.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        return 0 if found else 1
    for text in _formatted(shell, line, found):
        print(text)  # noqa: T201  the shell reads it
    return 0


def answers(environment: Mapping[str, str]) -> bool:
    """Return True if the shell asks for completions, and not for typer's script."""
    return environment.get(VARIABLE) in ("complete_bash", "complete_zsh", "complete_fish")


def _formatted(shell: str, line: BegunLine, found: Sequence[Word]) -> Sequence[str]:
    match shell:
        case "bash":
            return [_of_shell(word.text.removeprefix(line.kept), line.quote) for word in found]
        case "fish":
            return [f"{word.text}\t{summary(word.help, HELP)}".rstrip() for word in found]
        case _ if found:
            return [f"_arguments '*: :(({' '.join(map(_of_zsh, found))}))'"]
        case _:
            return ["_files"]


def _of_bash(environment: Mapping[str, str]) -> BegunLine:
    """Read the words of bash, which the script joins by line ends, broken at some characters."""
    text = environment["COMP_WORDS"]
    number = int(environment["COMP_CWORD"])
    if "\n" not in text:
        words = _split(text)
        begun = words[number] if number < len(words) else ""
        return BegunLine(words[1:number], begun, quote=_open_quote(text))
    broken = [*text.split("\n")[: number + 1], ""][: number + 1]
    words = broken[:1]
    for before, word in pairwise(broken):
        joins = _BREAKS.fullmatch(word) or (_BREAKS.fullmatch(before) and len(words) > 1)
        words[-1:] = [words[-1] + word] if joins else [words[-1], word]
    begun = _unquoted(words[-1])
    return BegunLine(
        [_unquoted(word) for word in words[1:-1]],
        begun,
        _kept_by_bash(begun, broken[-1]),
        _open_quote(words[-1]),
    )


def _kept_by_bash(begun: str, piece: str) -> str:
    """Return the text before the piece that bash completes, the last one of a broken word.

    Bash takes a break before the piece for done, but for @, with which names of hosts begin.
    """
    kept = begun if _BREAKS.fullmatch(piece) else begun.removesuffix(_unquoted(piece))
    return kept.removesuffix("@")


def _of_text(environment: Mapping[str, str]) -> BegunLine:
    """Read the line up to the cursor, as zsh and fish give it."""
    text = environment.get("_TYPER_COMPLETE_ARGS", "")
    words = _split(text)
    begun = words.pop() if words and not text.endswith(" ") else ""
    return BegunLine(words[1:], begun)


def _split(text: str) -> list[str]:
    """Split a line as a shell does; the last quote may still be open."""
    try:
        return shlex.split(text + _open_quote(text))
    except ValueError:  # a backslash at the end
        return text.split()


def _open_quote(text: str) -> str:
    """Return the quotation mark that a line leaves open, if any."""
    for closing in ("", "'", '"'):
        try:
            shlex.split(text + closing)
        except ValueError:
            continue
        return closing
    return ""


def _unquoted(word: str) -> str:
    return " ".join(_split(word)) if word else ""


def _of_shell(text: str, quote: str) -> str:
    """Return a word as it is typed after an open quotation mark, or none, so that nothing acts."""
    if quote == "'":
        return text.replace("'", "'\\''")
    return re.sub(r'(["$`\\])' if quote else r"([^\w@%+=:,./-])", r"\\\1", text)


def _of_zsh(word: Word) -> str:
    r"""Return a word and its description for `_arguments`, as "word"\:"description"."""
    text = re.sub(r'(["$`\\])', r"\\\1", word.text).replace("'", "'\\''").replace(":", r"\\:")
    summary_text = re.sub(r"""["'$`\\]""", "", summary(word.help, HELP)).replace(":", r"\:")
    return f'"{text}"\\:"{summary_text}"' if summary_text else f'"{text}"'
