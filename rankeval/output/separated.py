"""TSV and CSV.

Names are escaped, see `rankeval.output.escape`: a control character shows as \\x1b, and a name that
a spreadsheet would run as a formula gets a ' in front. An undefined value is an empty field.
"""

import csv
from collections.abc import Iterator

from rankeval.output import escape
from rankeval.output.data_rows import Rows, texts
from rankeval.output.style import Style


def tsv_lines(rows: Rows, style: Style) -> Iterator[str]:
    """Yield tab-separated values, with nothing quoted."""
    for row in texts(rows, style, escape.tsv):
        yield "\t".join(row) + "\n"


def csv_lines(rows: Rows, style: Style) -> Iterator[str]:
    """Yield comma-separated values, quoted where the csv module quotes."""
    writer = csv.writer(_Echo(), lineterminator="\n")
    for row in texts(rows, style, escape.csv):
        yield writer.writerow(row)


class _Echo:
    """A file for csv.writer that returns each line: writerow passes it on."""

    def write(self, text: str) -> str:
        return text
