"""Draw results in each output format, and write them to a terminal, a pipe or a file.

Nothing is computed here: a number is printed as it comes, and the best value is found among the
numbers as printed.
"""

from rankeval.choices import Format, Names
from rankeval.documents.notices import notice_lines
from rankeval.render.output import render, write, write_pieces, write_result
from rankeval.render.output_formats import format_of, output_format
from rankeval.render.printer import Printer
from rankeval.render.results import RESULTS
from rankeval.render.style import Style

__all__ = [
    "RESULTS",
    "Format",
    "Names",
    "Printer",
    "Style",
    "format_of",
    "notice_lines",
    "output_format",
    "render",
    "write",
    "write_pieces",
    "write_result",
]
