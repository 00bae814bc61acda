"""What a user may choose about the output."""

from enum import StrEnum
from pathlib import PurePath

from rankeval.errors import UsageError
from rankeval.support.frozen import frozen


class Format(StrEnum):
    """The formats that results can be printed in."""

    TABLE = "table"
    TSV = "tsv"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    MARKDOWN = "markdown"
    LATEX = "latex"
    TREC = "trec"


class Names(StrEnum):
    """How measures are called."""

    CANONICAL = "canonical"
    AS_GIVEN = "as-given"


@frozen
class Style:
    """Choices about the output; a format ignores what it has no place for.

    ========= ============================================================================
    per_topic print the value of each topic
    summary   print the value over all topics; JSON always has it
    digits    decimals; JSON and JSON Lines always have full precision
    names     measures under their canonical names, or in the user's words
    signature print the conventions behind each number; JSON always has them
    width     columns that a table may take; None is the terminal's width, or 80
    colour    True marks with escape codes, False with characters; None asks the terminal
    unicode   True draws lines with box characters, False in ASCII; None asks the terminal
    log       True for the log of a workflow, in which no line may be a command; None asks whether
              this is one
    ========= ============================================================================
    """

    per_topic: bool = False
    summary: bool = True
    digits: int = 4
    names: Names = Names.CANONICAL
    signature: bool = False
    width: int | None = None
    colour: bool | None = None
    unicode: bool | None = None
    log: bool | None = None

    def __post_init__(self) -> None:
        if not (self.per_topic or self.summary):
            raise UsageError(
                "--no-summary without --per-query leaves nothing to print",
                remedy="add -q, or leave out -n",
            )
        if self.digits < 0:
            raise UsageError(f"--digits {self.digits} is negative", expected="0 or more")


_SUFFIXES = {
    ".tsv": Format.TSV,
    ".csv": Format.CSV,
    ".json": Format.JSON,
    ".jsonl": Format.JSONL,
    ".md": Format.MARKDOWN,
    ".tex": Format.LATEX,
    ".txt": Format.TABLE,
}


def format_of(path: str) -> Format:
    """Tell the format from a file's suffix; UsageError when the suffix is not known."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in _SUFFIXES:
        found = f"the suffix '{suffix}'" if suffix else "a name without a suffix"
        raise UsageError(
            f"{found} does not tell the output format",
            place=path,
            expected=f"one of {' '.join(_SUFFIXES)}",
            remedy="name the format with --format, or change the suffix",
        )
    return _SUFFIXES[suffix]
