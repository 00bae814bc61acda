"""TSV and CSV in long form: run, measure, query, value, and the signature if it is wanted.

Run by run, as trec_eval orders them: topic by topic, then `all`. Where topics are grouped, the
query of a value over a group is `all:GROUP`, and a column `group` holds the group of every
topic, too; it is empty for `all`. With bounds, columns `low` and `high` hold the values that
judging could lead to, and are empty for groups and where they are not known. An undefined value
is an empty field. Names are escaped, see `rankeval.render.escape`: a control character shows as
\\x1b, and a name that a spreadsheet would run as a formula gets a ' in front.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence

from rankeval.documents.values import bounded, decimal, grouped, lines, several_topics
from rankeval.evaluation.results import Results
from rankeval.render import escape
from rankeval.render.style import Style


def tsv(results: Results, style: Style) -> Iterator[str]:
    """Print tab-separated values, with nothing quoted."""
    return tsv_lines(_rows(results, style, escape.tsv))


def csv_(results: Results, style: Style) -> Iterator[str]:
    """Print comma-separated values, quoted where the csv module quotes."""
    return csv_lines(_rows(results, style, escape.csv))


def tsv_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Print rows of escaped cells, separated by tabs."""
    for row in rows:
        yield "\t".join(row) + "\n"


def csv_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Print rows of escaped cells, separated by commas."""
    writer = csv.writer(_Echo(), lineterminator="\n")
    for row in rows:
        yield writer.writerow(row)


class _Echo:
    """A file for csv.writer that returns each line: writerow passes it on."""

    def write(self, text: str) -> str:
        return text


def _rows(results: Results, style: Style, safe: Callable[[str], str]) -> Iterator[list[str]]:
    has_groups = grouped(results)
    group = ["group"] if has_groups else []
    signature = ["signature"] if style.signature else []
    has_bounds = bounded(results)
    bounds = ["low", "high"] if has_bounds else []
    yield ["run", "measure", "query", "value", *group, *bounds, *signature]
    for line in lines(results, style):
        several = line.topic is None
        topic = (
            safe(several_topics(line.group)) if several else escape.topic(safe(line.topic or ""))
        )
        value = decimal(line.value, line.digits, undefined="")
        yield [
            safe(line.run),
            safe(line.measure),
            topic,
            value,
            *([safe(line.group)] if has_groups else []),
            *([decimal(b, line.digits, undefined="") for b in line.bounds] if has_bounds else []),
            *([safe(line.score.signature)] if style.signature else []),
        ]
