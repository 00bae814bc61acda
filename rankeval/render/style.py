"""Choices about the look of the output."""

from rankeval.documents.content import Content
from rankeval.support.frozen import frozen


@frozen
class Style(Content):
    """Choices about the output; a format ignores what it has no place for.

    ========= ============================================================================
    width     columns that a table may take; None is the terminal's width, and elsewhere as many as
              the table needs
    colour    True marks with escape codes, False with characters; None asks the terminal
    unicode   True draws lines with box characters, False in ASCII; None asks the terminal
    log       True for the log of a workflow, in which no line may be a command; None asks whether
              this is one
    ========= ============================================================================
    """

    width: int | None = None
    colour: bool | None = None
    unicode: bool | None = None
    log: bool | None = None
