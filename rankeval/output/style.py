"""Choices about the look of the output."""

import math

from rankeval.base.frozen import frozen
from rankeval.choices import Names

USUAL_DECIMALS = 4


@frozen
class Style:
    """Choices about the output; a format ignores those that do not apply.

    ========= ============================================================================
    per_topic print the value of each topic
    summary   print the value over all topics; JSON always has it
    digits    decimals; None is 4 in tables and sentences, and full precision in TSV and CSV.
              Numbers in JSON always have full precision.
    names     measures under their canonical names, or in the user's words
    signature print the conventions behind each number; JSON always has them
    width     columns that a table may take; None is the terminal's width, and elsewhere as many as
              the table needs
    colour    True marks with escape codes, False with characters; None asks the terminal
    unicode   True draws lines with box characters, False in ASCII; None asks the terminal
    caption   the caption of LaTeX tables; "" for that of the result
    label     the label of the first LaTeX table, and with a number behind it of the others
    verbose   every detail of a report on a terminal; JSON and pages always have them
    log       True for the log of a workflow, in which no line may be a command
    signs     True where letters and the best value are marked by signs behind a number, as in text
    ========= ============================================================================
    """

    per_topic: bool = False
    summary: bool = True
    digits: int | None = None
    names: Names = "canonical"
    signature: bool = False
    width: int | None = None
    colour: bool | None = None
    unicode: bool | None = None
    caption: str = ""
    label: str = ""
    verbose: bool = False
    signs: bool = False
    log: bool = False

    @property
    def decimals(self) -> int:
        """The decimals in tables and sentences."""
        return USUAL_DECIMALS if self.digits is None else self.digits

    def number(self, value: float | None) -> str:
        """Write a number for programs: "" if it is undefined."""
        if value is None or not math.isfinite(value):
            return ""
        # Adding zero takes the sign from a negative one.
        return repr(float(value) + 0.0) if self.digits is None else f"{value:z.{self.digits}f}"


PLAIN = Style(names="as-given", colour=False, unicode=False)
"""The style of a result that prints itself: measures have the names that look them up."""
