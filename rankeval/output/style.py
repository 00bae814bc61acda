"""Choices about the look of the output."""

from rankeval.base.frozen import frozen
from rankeval.choices import Shape
from rankeval.output.content import Content


@frozen
class Style(Content):
    """Choices about the output; a format ignores what it has no place for.

    ========= ============================================================================
    width     columns that a table may take; None is the terminal's width, and elsewhere as many as
              the table needs
    colour    True marks with escape codes, False with characters; None asks the terminal
    unicode   True draws lines with box characters, False in ASCII; None asks the terminal
    shape     rows of TSV and CSV: a value each, or in wide form a run or topic each
    caption   the caption of LaTeX tables; "" for that of the result
    label     the label of the first LaTeX table, and with a number behind it of the others
    log       True for the log of a workflow, in which no line may be a command; None asks whether
              this is one
    ========= ============================================================================
    """

    width: int | None = None
    colour: bool | None = None
    unicode: bool | None = None
    shape: Shape = Shape.LONG
    caption: str = ""
    label: str = ""
    log: bool | None = None
