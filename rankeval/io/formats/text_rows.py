"""Columns as rows of text, in which formats of text are written."""

from collections.abc import Iterator
from itertools import chain, repeat

from rankeval.io.parsers.column_names import VALUES
from rankeval.io.parsers.columns import Columns

FIELDS = {
    "run": ("topic", "docno", "rank", "score", "tag"),
    "qrels": ("topic", "iteration", "docno", "stratum", "grade"),
    "prefs": ("topic", "group", "subgroup", "docno", "level"),
}
"""The order of columns in formats that name them."""

Rows = dict[str, list[bytes]]
"""Columns by their roles, with one item per line."""


def rows_of(what: str, columns: Columns) -> Rows:
    """Return every column as text, one item per line."""
    sizes = (columns.starts[1:] - columns.starts[:-1]).tolist()
    topics = chain.from_iterable(map(repeat, columns.topics, sizes))
    return {
        "topic": list(topics),
        "docno": columns.docnos.tolist(),
        VALUES[what]: numbers_of(what, columns),
        **{role: names.tolist() for role, names in columns.kept.items()},
    }


def every_rows(what: str, parts: Iterator[Columns]) -> Iterator[Rows]:
    """Return the rows of each part in turn."""
    return map(rows_of, repeat(what), parts)


def numbers_of(what: str, columns: Columns) -> list[bytes]:
    """Return scores or grades as the shortest exact text; whole grades without a point."""
    if what == "run":
        return [b"%a" % value for value in columns.values.tolist()]
    return [
        b"%d" % value if value.is_integer() else b"%a" % value for value in columns.values.tolist()
    ]


def lines_of_fields(
    fields: tuple[str, ...], separator: bytes, rows: Rows, constants: dict[str, bytes]
) -> bytes:
    """Return lines of fields; `constants` fills the fields that are no columns."""
    columns = [
        repeat(constants[name]) if name not in rows and name in constants else rows[name]
        for name in fields
    ]
    return b"\n".join([*map(separator.join, zip(*columns, strict=False)), b""])
