"""Choices about the content of documents and drawings."""

from enum import StrEnum

from rankeval.errors import UsageError
from rankeval.support.frozen import frozen


class Names(StrEnum):
    """The names that measures are printed under."""

    CANONICAL = "canonical"
    AS_GIVEN = "as-given"


@frozen
class Content:
    """Choices about what is printed; a document ignores what it has no place for.

    ========= ============================================================================
    per_topic print the value of each topic
    summary   print the value over all topics; JSON always has it
    digits    decimals in tables and sentences; numbers in JSON always have full precision
    names     measures under their canonical names, or in the user's words
    signature print the conventions behind each number; JSON always has them
    ========= ============================================================================
    """

    per_topic: bool = False
    summary: bool = True
    digits: int = 4
    names: Names = Names.CANONICAL
    signature: bool = False

    def __post_init__(self) -> None:
        if not (self.per_topic or self.summary):
            raise UsageError(
                "--no-summary without --per-query leaves nothing to print",
                remedy="add -q, or leave out -n",
            )
        if self.digits < 0:
            raise UsageError(f"--digits {self.digits} is negative", expected="0 or more")
