"""The results of several collections in every format."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from rankeval.choices import Format, Shape
from rankeval.documents.collections import (
    MACRO,
    MICRO,
    OF_PARTS,
    CollectionLine,
    CollectionReport,
    basis,
    document,
    lines,
    records,
)
from rankeval.render import escape
from rankeval.render.drawings import drawings
from rankeval.render.evaluation import tables as tables_of_results
from rankeval.render.latex import captioned_blocks
from rankeval.render.latex import latex as latex_of
from rankeval.render.printer import Printer
from rankeval.render.style import Style
from rankeval.render.tables import NAME, Block, Cell, Column, Row, Table, numbers, ranked
from rankeval.support.numbers import UNDEFINED, number
from rankeval.support.wording import count
from rankeval.tasks.collections.means import CollectionRow, CollectionTable

MISSING = "missing"


def blocks(report: CollectionReport, style: Style) -> Iterator[Block]:
    """Yield a table for each measure, those of parts, and sentences on how to read them."""
    if style.per_topic:
        for one in report.results:
            if one.results.runs:
                for found in tables_of_results(one.results, replace(style, summary=False)):
                    name = one.collection.name
                    title = f"{name}, {found.title}" if found.title else name
                    yield replace(found, title=title)
    for table in report.tables:
        yield from measure_blocks(table, style)
    yield from _missing(report)
    yield from basis(report.results)


def measure_blocks(table: CollectionTable, style: Style) -> Iterator[Block]:
    """Yield the table of a measure, its parts, and the names that the measure has elsewhere."""
    yield _whole(table, style)
    for row in table.collections:
        if row.parts:
            yield _parts(table, row, style)
    names: dict[str, list[str]] = {}
    for collection, name in table.names.items():
        names.setdefault(name, []).append(collection)
    if names:
        shown = "; ".join(f"{name} in {', '.join(where)}" for name, where in names.items())
        yield f"{table.measure} stands for {shown}."


def _whole(table: CollectionTable, style: Style) -> Table:
    row = partial(_row, table, style)
    number_of_collections = count(len(table.collections), "collection")
    return Table(
        title=table.measure,
        columns=[Column("collection", NAME), *numbers(["topics", *table.systems])],
        rows=[
            *(row(one.name, one.topics, one.values, MISSING) for one in table.collections),
            row(f"{MACRO} ({number_of_collections})", None, table.macro_means),
            row(f"{MICRO} ({count(table.topics, 'topic')})", table.topics, table.micro_means),
        ],
        footing=2,
        turned="system",
    )


def _parts(table: CollectionTable, whole: CollectionRow, style: Style) -> Table:
    row = partial(_row, table, style)
    rows = table.parts_of(whole.name)
    return Table(
        title=f"{table.measure}, parts of {whole.name}",
        columns=[Column("part", NAME), *numbers(["topics", *table.systems])],
        rows=[
            *(row(one.name, one.topics, one.values, MISSING) for one in rows),
            row(f"{OF_PARTS} ({len(rows)})", whole.topics, whole.values),
        ],
        footing=1,
        turned="system",
    )


def _row(
    table: CollectionTable,
    style: Style,
    name: str,
    topics: int | None,
    values: Sequence[float | None],
    undefined: str = UNDEFINED,
) -> Row:
    whole = table.adds_up and all(value is None or value.is_integer() for value in values)
    digits = 0 if whole else style.decimals
    shown = [undefined if value is None else number(value, digits) for value in values]
    printed = [
        None if value is None or table.adds_up else float(text)
        for value, text in zip(values, shown, strict=True)
    ]
    cells = map(Cell, shown, ranked(printed, loss=table.loss))
    return [name, "" if topics is None else str(topics), *cells]


def _missing(report: CollectionReport) -> Iterator[Block]:
    """Yield how many runs are missing, and what that does to the means."""
    lacking: dict[str, list[str]] = {}
    for run in report.results.missing:
        lacking.setdefault(run.system, []).append(run.collection)
    for system, collections in lacking.items():
        share = f"{len(collections)} of {count(len(report.results), 'collection')}"
        yield f"{system} has no run on {share}: {', '.join(collections)}."
    if lacking:
        yield {
            "blank": "A system without a run has no means over collections.",
            "skip": "Means of a system are over the collections that it has a run for.",
            "zero": "A missing run counts as 0, for each topic of the collection.",
        }[report.missing]


HEADS = ("collection", "part_of", "system", "measure", "query", "value")


def _rows(
    report: CollectionReport, style: Style, safe: Callable[[str], str]
) -> Iterator[Sequence[str]]:
    return (_long if style.shape is Shape.LONG else _wide)(report, style, safe)


def _long(
    report: CollectionReport, style: Style, safe: Callable[[str], str]
) -> Iterator[Sequence[str]]:
    yield HEADS
    for line in lines(report, style):
        names = map(safe, (line.collection, line.part_of, line.system, line.measure))
        yield [*names, _query(line, safe), _number(line, style)]


def _wide(
    report: CollectionReport, style: Style, safe: Callable[[str], str]
) -> Iterator[Sequence[str]]:
    """Yield a column per system."""
    cells: dict[tuple[str, ...], dict[str, str]] = {}
    for line in lines(report, style):
        names = tuple(map(safe, (line.collection, line.part_of, line.measure)))
        row = cells.setdefault((*names, _query(line, safe)), {})
        row[line.system] = _number(line, style)
    systems = report.results.systems
    yield [*HEADS[:2], *HEADS[3:5], *map(safe, systems)]
    for names, row in cells.items():
        yield [*names, *(row.get(system, "") for system in systems)]


def _query(line: CollectionLine, safe: Callable[[str], str]) -> str:
    return escape.topic(safe(line.query)) if line.is_topic else line.query


def _number(line: CollectionLine, style: Style) -> str:
    if line.adds_up and line.value is not None and line.value.is_integer():
        return f"{line.value:.0f}"
    return style.number(line.value)


def _latex(report: CollectionReport, style: Style) -> Iterator[str]:
    yield f"% packages: booktabs{', longtable' if style.per_topic else ''}\n"
    yield from latex_of(captioned_blocks(blocks(report, style), style))


COLLECTIONS = Printer[CollectionReport](
    document=document,
    records=records,
    drawings={**drawings(blocks, _rows), Format.LATEX: _latex},
)
