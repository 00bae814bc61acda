"""TSV and CSV in long form: run, measure, query, value, and the signature if it is wanted.

Run by run, as trec_eval orders them: topic by topic, then `all`. Where topics are grouped, the
query of a value over a group is `all:GROUP`, and a column `group` holds the group of every
topic, too; it is empty for `all`. With bounds, columns `low` and `high` hold the values that
judging could lead to, and are empty for groups and where they are not known. An undefined value
is an empty field. Names are escaped, see `rankeval.output.escape`: a control character shows as
\\x1b, and a name that a spreadsheet would run as a formula gets a ' in front.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence

from rankeval.choices import Shape
from rankeval.evaluation.results import Results
from rankeval.output import escape
from rankeval.output.style import Style
from rankeval.output.values import Line, bounded, decimal, grouped, lines, several_topics


def tsv(results: Results, style: Style) -> Iterator[str]:
    """Print tab-separated values, with nothing quoted."""
    return tsv_lines(_shaped(results, style, escape.tsv))


def csv_(results: Results, style: Style) -> Iterator[str]:
    """Print comma-separated values, quoted where the csv module quotes."""
    return csv_lines(_shaped(results, style, escape.csv))


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


def _value(line: Line, value: float, style: Style) -> str:
    """Return a number: counts without decimals."""
    return style.number(value) if line.digits else decimal(value, 0, undefined="")


def _query(line: Line, safe: Callable[[str], str]) -> str:
    if line.topic is None:
        return safe(several_topics(line.group))
    return escape.topic(safe(line.topic))


def _shaped(results: Results, style: Style, safe: Callable[[str], str]) -> Iterator[list[str]]:
    return (_rows if style.shape is Shape.LONG else _wide_rows)(results, style, safe)


def _wide_rows(results: Results, style: Style, safe: Callable[[str], str]) -> Iterator[list[str]]:
    """Yield a row per run and a column per measure; with topics, a column per run.

    Rows of topics have the measure and the query first. Groups of topics have a column `query`
    in the summary, too.
    """
    several = style.per_topic or grouped(results)
    cells: dict[tuple[str, ...], dict[str, str]] = {}
    heads: dict[str, None] = {}
    for line in lines(results, style):
        run, measure, query = safe(line.run), safe(line.measure), _query(line, safe)
        names = (run, *([query] if several else []))
        row, head = ((measure, query), run) if style.per_topic else (names, measure)
        heads[head] = None
        cells.setdefault(row, {})[head] = _value(line, line.value, style)
    first = ["measure", "query"] if style.per_topic else ["run", "query"][: 1 + several]
    yield [*first, *heads]
    order = {measure: i for i, measure in enumerate(dict.fromkeys(row[0] for row in cells))}
    rows = sorted(cells, key=lambda row: order[row[0]]) if style.per_topic else list(cells)
    for row in rows:
        yield [*row, *(cells[row].get(head, "") for head in heads)]


def _rows(results: Results, style: Style, safe: Callable[[str], str]) -> Iterator[list[str]]:
    has_groups = grouped(results)
    group = ["group"] if has_groups else []
    signature = ["signature"] if style.signature else []
    has_bounds = bounded(results)
    bounds = ["low", "high"] if has_bounds else []
    yield ["run", "measure", "query", "value", *group, *bounds, *signature]
    for line in lines(results, style):
        yield [
            safe(line.run),
            safe(line.measure),
            _query(line, safe),
            _value(line, line.value, style),
            *([safe(line.group)] if has_groups else []),
            *([_value(line, b, style) for b in line.bounds] if has_bounds else []),
            *([safe(line.score.signature)] if style.signature else []),
        ]
