"""The table of formats."""

from functools import cache

from rankeval.errors import UsageError
from rankeval.io.formats.file_format import FileFormat

NAMES = ("trec", "msmarco", "beir", "csv", "tsv", "json", "jsonl", "parquet", "arrow")
"""The names of all formats, in the order of --help, which needs no more of them."""


@cache
def all_formats() -> tuple[FileFormat, ...]:
    """Return all formats in the order in which a file is tried for them."""
    from rankeval.io.formats.delimited import BEIR, CSV, TSV
    from rankeval.io.formats.json_and_tables import ARROW, JSON, JSONL, PARQUET
    from rankeval.io.formats.msmarco import MSMARCO
    from rankeval.io.formats.trec import TREC

    return PARQUET, ARROW, JSONL, JSON, CSV, TSV, BEIR, MSMARCO, TREC


def format_named(name: str) -> FileFormat:
    """Return the format of a name; UsageError if there is none."""
    check_name(name)
    return next(form for form in all_formats() if form.name == name)


def check_name(name: str | None) -> None:
    """Raise UsageError if there is no format of that name; None means no name."""
    if name is not None and name not in NAMES:
        raise UsageError(f"there is no format '{name}'", expected=f"one of {', '.join(NAMES)}")
