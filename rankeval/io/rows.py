"""Rows and columns of Python's own values: named tuples, or lists by the names of columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from numbers import Number
from typing import Any

import numpy as np

from rankeval.base.given import refuse_closed
from rankeval.errors import InputError
from rankeval.io.formats.form import Form
from rankeval.io.formats.trec import LAYOUTS
from rankeval.io.mappings import described, docnos_of, encoded, numbers
from rankeval.io.parsers.column_names import KEPT, find_roles, roles_of, value_role
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.plain_parser import PlainDocnos

WITHOUT_NAMES = ("topic", "docno")
"""The fields of a row without names, before the score or the grade."""

SCALARS = (str, bytes, Number, np.generic, type(None))


def is_row(one: object, what: str, given: Mapping[str, str]) -> bool:
    """Return True for a row: fields that are no containers, three or with names."""
    if isinstance(one, Mapping):
        names = [name for name in one if isinstance(name, str)]
        flat = all(isinstance(value, SCALARS) for value in one.values())
        return bool(one) and flat and find_roles(names, what, given) is not None
    if not isinstance(one, tuple | list) or not one:
        return False
    flat = all(isinstance(value, SCALARS) for value in one)
    return flat and (hasattr(one, "_fields") or not all(isinstance(v, str) for v in one))


def columns_of_rows(rows: Iterable[Any], form: Form) -> Columns:
    """Take rows by the names of their fields, else as topic, docno and score or grade."""
    refuse_closed(rows, form.what)
    every = iter(rows)
    first = next(every, None)
    if first is None:
        raise InputError("holds no row", place=form.what, expected="one row or more")
    names = _names(first)
    if names is None:
        names = (*WITHOUT_NAMES, LAYOUTS[form.what].value_name)
    fields = list(zip(*_values(chain([first], every), names, form.what), strict=True))
    return columns_of_lists(dict(zip(names, fields, strict=True)), form)


def _names(row: Any) -> tuple[str, ...] | None:
    if isinstance(row, Mapping):
        return tuple(row)
    names: tuple[str, ...] | None = getattr(row, "_fields", None)
    return names


def _values(
    rows: Iterable[Any], names: Sequence[str], what: str
) -> Iterator[tuple[Any, ...] | list[Any]]:
    """Yield the fields of each row in the order of the names; InputError for another row."""
    for number, row in enumerate(rows):
        if isinstance(row, Mapping):
            if row.keys() != set(names):
                raise _unlike(what, number, row, names)
            yield [row[name] for name in names]
            continue
        own = getattr(row, "_fields", None)
        if not isinstance(row, tuple | list) or len(row) != len(names):
            raise _unlike(what, number, row, names)
        if own is not None and tuple(own) != tuple(names):
            raise _unlike(what, number, row, names)
        yield row


def _unlike(what: str, number: int, row: object, names: Sequence[str]) -> InputError:
    return InputError(
        f"the row is {described(row)}",
        place=f"{what}:{number + 1}",
        expected=f"rows of {', '.join(map(str, names))}",
    )


def columns_of_lists(columns: Mapping[str, Sequence[Any]], form: Form) -> Columns:
    """Take lists of equal lengths by the names of their columns."""
    layout = LAYOUTS[form.what]
    names = [str(name) for name in columns]
    roles = roles_of(names, form.what, form.columns, form.what, form.fixed)
    found = {role: list(list(columns.values())[at]) for role, at in roles.items()}
    sizes = {role: len(values) for role, values in found.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{names[roles[role]]} {size}" for role, size in sizes.items())
        raise InputError(
            f"the columns have different lengths: {told}",
            place=form.what,
            expected="columns of equal lengths",
        )
    role = value_role(form.what, roles)
    topics, docnos = found["topic"], found["docno"]

    def place(row: int) -> str:
        return f"{form.what}:{row + 1}"

    given = found.get(role)  # none where every line has the same
    values = (
        np.ones(len(topics))
        if given is None
        else numbers(given, role, lambda row: (place(row), ""))
    )
    encoded_topics = _encoded(topics, "topic", form.what)
    starts = [
        row
        for row, topic in enumerate(encoded_topics)
        if not row or topic != encoded_topics[row - 1]
    ]
    tag = b"" if layout.tag is None else form.what.encode()
    kept = {
        name: PlainDocnos(_encoded(_texts(found[name]), name, form.what))
        for name in KEPT[form.what]
        if name in found
    }
    return Columns(
        topics=tuple(encoded_topics[row] for row in starts),
        starts=np.array([*starts, len(encoded_topics)]),
        docnos=docnos_of(docnos, place),
        values=0.0 - values if role == "rank" else values,
        lines=range(1, len(values) + 1),
        tags=frozenset([tag] if tag else []),
        last_tag=tag,
        kept=kept,
    )


def _texts(names: Sequence[Any]) -> list[Any]:
    """Return names with "" where there is none, and the text of other values."""
    return ["" if n is None else n if isinstance(n, str | bytes | int) else str(n) for n in names]


def _encoded(names: Sequence[Any], role: str, what: str) -> list[bytes]:
    return encoded(names, role, lambda row: f"{what}:{row + 1}")
