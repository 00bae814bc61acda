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
    """The words before the cursor without `rankeval`, the begun one, and its part to keep."""

    words: Sequence[str]
    begun: str
    kept: str = ""


def answer(environment: Mapping[str, str]) -> int:
    """Print the completions that the variables of a shell ask for, and return the exit code."""
    shell = environment[VARIABLE].removeprefix("complete_")
    line = _of_bash(environment) if shell == "bash" else _of_text(environment)
    found = completions(line.words, line.begun)
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
            return [word.text.removeprefix(line.kept) for word in found]
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
        return BegunLine(words[1:number], words[number] if number < len(words) else "")
    broken = [*text.split("\n")[: number + 1], ""][: number + 1]
    words = broken[:1]
    for before, word in pairwise(broken):
        joins = _BREAKS.fullmatch(word) or (_BREAKS.fullmatch(before) and len(words) > 1)
        words[-1:] = [words[-1] + word] if joins else [words[-1], word]
    begun = _unquoted(words[-1])
    quoted = words[-1][:1] in ("'", '"')
    ends = [] if quoted else [match.end() for match in _BREAKS.finditer(begun)]
    return BegunLine(
        [_unquoted(word) for word in words[1:-1]], begun, begun[: max(ends, default=0)]
    )


def _of_text(environment: Mapping[str, str]) -> BegunLine:
    """Read the line up to the cursor, as zsh and fish give it."""
    text = environment.get("_TYPER_COMPLETE_ARGS", "")
    words = _split(text)
    begun = words.pop() if words and not text.endswith(" ") else ""
    return BegunLine(words[1:], begun)


def _split(text: str) -> list[str]:
    """Split a line as a shell does; the last quote may still be open."""
    for closing in ("", "'", '"'):
        try:
            return shlex.split(text + closing)
        except ValueError:
            continue
    return text.split()


def _unquoted(word: str) -> str:
    return " ".join(_split(word)) if word else ""


def _of_zsh(word: Word) -> str:
    r"""Return a word and its description for `_arguments`, as "word"\:"description"."""
    text = re.sub(r'(["$`\\])', r"\\\1", word.text).replace("'", "'\\''").replace(":", r"\\:")
    told = re.sub(r"""["'$`\\]""", "", summary(word.help, HELP)).replace(":", r"\:")
    return f'"{text}"\\:"{told}"' if told else f'"{text}"'
