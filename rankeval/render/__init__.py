"""How results look: one module per output format, and writing to a terminal or a file.

The format modules are functions `(Results, Style) -> Iterator[str]`. They compute nothing: a
number is printed as it comes, and the best value is found among the numbers as printed.
"""

from rankeval.render.notices import notice_lines
from rankeval.render.output import printers, render, write, write_pieces
from rankeval.render.style import Format, Names, Style, format_of

__all__ = [
    "Format",
    "Names",
    "Style",
    "format_of",
    "notice_lines",
    "printers",
    "render",
    "write",
    "write_pieces",
]
