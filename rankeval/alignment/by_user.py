"""Items by user, {user: [item, ...]}: interactions, or judgments that are all of grade 1."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankeval.errors import UsageError
from rankeval.io.column_names import find_roles, roles_found, roles_of
from rankeval.io.columns import Columns
from rankeval.io.form import Form
from rankeval.io.mappings import described
from rankeval.io.rows import columns_of_lists

GRADE: Mapping[str, bytes] = {"grade": b"1"}
"""An interaction is one whatever its grade, which a file may lack."""


def names_columns(given: Mapping[Any, Any], form: Form) -> bool:
    """Return True for {column: values}, False for {user: items}."""
    names = [name for name in given if isinstance(name, str)]
    return find_roles(names, form.what, form.columns, GRADE) is not None


def is_by_user(given: object, form: Form) -> bool:
    """Return True for {user: [item, ...]}, whose items all have the grade 1.

    Columns of one length by names that are text are a table, whatever the names.
    """
    if not isinstance(given, Mapping) or not given:
        return False
    values = given.values()
    if not all(isinstance(one, Collection) and getattr(one, "shape", None) != () for one in values):
        return False
    if any(isinstance(one, Mapping | str | bytes) for one in values):
        return False
    names = [name for name in given if isinstance(name, str)]
    if len(roles_found(names, form.what, form.columns, form.fixed)) > 1:  # columns, or most of them
        roles_of(names, form.what, form.columns, form.what, form.fixed)
        return False
    arrays = all(hasattr(one, "__array__") for one in values)
    one_length = len({len(one) for one in values}) == 1
    return not (arrays and one_length and len(names) == len(given))


def by_user(given: Mapping[Any, Iterable[Any]], form: Form, place: str) -> Columns:
    """Take {user: items}, or {user: {item: grade}}, whose grades are all taken as 1."""
    for user, items in given.items():
        if isinstance(items, str | bytes) or not isinstance(items, Iterable):
            raise UsageError(
                f"the items of the user {user!r} are {described(items)}",
                place=place,
                expected="{user: [item, ...]}, or {user: {item: grade}}",
            )
    lists = {user: list(items) for user, items in given.items()}
    columns: dict[str, Sequence[Any]] = {
        "topic": [user for user, items in lists.items() for _ in items],
        "docno": [item for items in lists.values() for item in items],
    }
    return columns_of_lists(columns, replace(form, columns={}, fixed=GRADE))
