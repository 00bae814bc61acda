"""The values of an evaluation as rows: run, measure, query, value, and the signature if wanted.

Run by run, as trec_eval orders them: topic by topic, then `all`. Where topics are grouped, the
query of a value over a group is `all:GROUP`, and a column `group` holds the group of every
topic, too; it is empty for `all`. With bounds, columns `low` and `high` hold the values that
judging could lead to, and are empty for groups and where they are not known.
"""

import math
from collections.abc import Iterator

from rankeval.choices import Shape
from rankeval.evaluation.results import Results
from rankeval.output.data_rows import Row, TopicName, Value
from rankeval.output.style import Style
from rankeval.output.values import Line, bounded, grouped, lines, several_topics


def value_rows(results: Results, style: Style) -> Iterator[Row]:
    """Yield a value in each row, or in the wide shape a run or topic in each."""
    return (_long if style.shape is Shape.LONG else _wide)(results, style)


def _long(results: Results, style: Style) -> Iterator[Row]:
    has_groups, has_bounds = grouped(results), bounded(results)
    more = {"group": has_groups, "low": has_bounds, "high": has_bounds}
    wanted = [*(name for name, there in more.items() if there), *["signature"] * style.signature]
    yield ["run", "measure", "query", "value", *wanted]
    for line in lines(results, style):
        low, high = (_number(line, bound) for bound in line.bounds)
        further = {"group": line.group or None, "low": low, "high": high}
        further["signature"] = line.score.signature
        facts = line.run, line.measure, _query(line), _number(line, line.value)
        yield [*facts, *(further[name] for name in wanted)]


def _wide(results: Results, style: Style) -> Iterator[Row]:
    """Yield a row per run and a column per measure; with topics, a column per run.

    Rows of topics have the measure and the query first. Groups of topics have a column `query`
    in the summary, too.
    """
    several = style.per_topic or grouped(results)
    cells: dict[tuple[str, str, bool], dict[str, Value]] = {}
    heads: dict[str, None] = {}
    for line in lines(results, style):
        names = line.measure, line.run
        first, head = names if style.per_topic else reversed(names)
        heads[head] = None
        row = first, _query(line), line.topic is None
        cells.setdefault(row, {})[head] = _number(line, line.value)
    yield ["measure" if style.per_topic else "run", *["query"] * several, *heads]
    order = {measure: i for i, measure in enumerate(dict.fromkeys(row[0] for row in cells))}
    for row in sorted(cells, key=lambda row: order[row[0]]) if style.per_topic else cells:
        yield [*row[: 1 + several], *map(cells[row].get, heads)]


def _number(line: Line, value: float) -> Value:
    """Return a number, a count as an integer, and None for an undefined one."""
    if not math.isfinite(value):
        return None
    return value if line.digits else int(value)


def _query(line: Line) -> str:
    return several_topics(line.group) if line.topic is None else TopicName(line.topic)
