"""Formats of lines without a header, made from the names of their columns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rankeval.errors import InputError, UsageError
from rankeval.io.formats.file_format import (
    Beginning,
    FileFormat,
    Form,
    LaidOutLines,
    Limits,
    NameRule,
)
from rankeval.io.parsers.column_names import ROLES, VALUES, missing_roles
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.sources.blocks import display_name, whole_lines


def line_format(
    name: str,
    *,
    run: str | None = None,
    qrels: str | None = None,
    prefs: str | None = None,
    suffixes: Sequence[str] = (),
) -> FileFormat:
    """Return a format of lines whose columns are separated by white space.

    ======== ===============================================================================
    name     of the format, for --run-format and the like
    run      columns of runs, as in "topic docno score"; None where the format has no runs
    qrels    columns of judgments
    prefs    columns of preferences
    suffixes of files in the format, as in [".tds"]
    ======== ===============================================================================

    Columns are called as in rankeval's own files: topic, docno, score, rank, tag, grade, iteration,
    stratum, group, subgroup, level. A column of another name is skipped when a file is read, and
    holds that name where one is written. UsageError if a needed column is missing.

    >>> from rankeval.options import line_format
    >>> line_format("tds", run="topic docno score", suffixes=[".tds"]).name
    'tds'
    """
    given = {"run": run, "qrels": qrels, "prefs": prefs}
    layouts = {
        what: _layout(name, what, tuple(fields.split()))
        for what, fields in given.items()
        if fields is not None
    }
    if not layouts:
        raise UsageError(
            f"the format '{name}' has no columns", expected='such as run="topic docno score"'
        )
    further = frozenset(role for layout in layouts.values() for role, _ in layout.kept)
    return FileFormat(
        name,
        Limits(
            NameRule.WORDS,
            kinds=tuple(layouts),
            roles=further,
            required=further,
            scores="run" not in layouts or not layouts["run"].ranked,
        ),
        partial(_read, name, layouts),
        partial(_write, layouts),
        suffixes=tuple(suffixes),
    )


def _layout(name: str, what: str, fields: tuple[str, ...]) -> Layout:
    roles = {role: fields.index(role) for role in ROLES[what] if role in fields}
    missing = missing_roles(roles, what)
    if missing or len(set(fields)) < len(fields):
        problem = f"lacks the column {missing[0]}" if missing else "names a column twice"
        raise UsageError(
            f"the format '{name}' {problem}", expected=f"topic, docno and {VALUES[what]}, each once"
        )
    return Layout.by_roles(what, fields, roles)


def _read(
    name: str, layouts: Mapping[str, Layout], path: str, begun: Beginning, form: Form
) -> LaidOutLines:
    layout = layouts.get(form.what)
    if layout is None:
        raise InputError(
            f"is in the format {name}, which is not one of {_SHOWN[form.what]}",
            place=display_name(path),
            remedy=f"name a file of {_SHOWN[form.what]}",
        )
    return LaidOutLines(layout.with_ranks(when=form.ranks), whole_lines(begun.whole, path))


_SHOWN = {"run": "runs", "qrels": "judgments", "prefs": "preferences"}


def _write(layouts: Mapping[str, Layout], what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    from rankeval.io.formats.text_rows import every_rows, lines_of_fields

    fields = layouts[what].fields
    constants = {field: field.encode() for field in fields if field not in ROLES[what]}
    constants |= {"iteration": b"0", "stratum": b"0"}
    for rows in every_rows(what, parts):
        yield lines_of_fields(fields, b" ", rows, constants)
