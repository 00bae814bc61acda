"""The tables of a pool, and its documents, with their texts where these were given."""

from collections.abc import Iterator
from operator import itemgetter

from rankeval.base.wording import count as counted
from rankeval.commands.pool.task import Pool
from rankeval.evaluation.text_cells import text_columns
from rankeval.output.data_rows import Row, Rows
from rankeval.output.declared_columns import count, data, name, number, rows_of, table, text
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block

RUNS = [name("run"), count("documents"), count("unique", "in no other run")]
PAIRS = [
    text("first", "run"),
    text("second", "other"),
    count("shared"),
    number("jaccard", "Jaccard"),
    number("rbo", "RBO"),
]
COVERED = [count("cutoff", get=itemgetter(0)), number("covered", get=itemgetter(1))]


def _overlap(pool: Pool, style: Style) -> Iterator[Block]:
    title = f"Pool of {counted(len(pool), 'document')}: what it has of each run"
    yield table(title, RUNS, pool.runs, style)
    if pool.shared:
        yield table("What each two runs share", PAIRS, pool.shared, style, long=True)
        yield "RBO is extrapolated, p = 0.9, mean over topics."


def _overlap_rows(pool: Pool, _: Style) -> Iterator[Row]:
    yield ["run", "other", "documents", "unique", "shared", "jaccard", "rbo"]
    for one in pool.runs:
        yield [one.run, None, one.documents, one.unique, None, None, None]
    for pair in pool.shared:
        yield [pair.first, pair.second, None, None, pair.shared, pair.jaccard, pair.rbo]


def _coverage(pool: Pool, style: Style) -> Iterator[Block]:
    title = "Share of the run's first documents that are in the pool or judged"
    yield table(title, COVERED, (pool.covered or {}).items(), style)


def _coverage_rows(pool: Pool, _: Style) -> Rows:
    return rows_of(COVERED, (pool.covered or {}).items())


def _documents(pool: Pool, _: Style) -> Rows:
    names = [data("topic", get=itemgetter(0)), data("docno", get=itemgetter(1))]
    columns = [*names, *text_columns(pool.texts, itemgetter(0), itemgetter(1))]
    return rows_of(columns, pool.pairs())


OVERLAP = Printer[Pool](_overlap, _overlap_rows)
COVERAGE = Printer[Pool](_coverage, _coverage_rows)
PRINTER = Printer[Pool](_overlap, _documents)
"""A pool in Python: the overlap of its runs, and its documents as rows."""
