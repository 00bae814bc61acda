"""Judgments from anything that can hold them: files, mappings, tables and rows."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from rankeval.alignment.by_user import GRADE, by_user, is_by_user
from rankeval.alignment.duplicates import Duplicates
from rankeval.alignment.in_memory import (
    Columnwise,
    DataTable,
    Rows,
    TaggedRun,
    as_table,
    file_to_read,
    is_lazy,
    is_ranx,
    parts_in_memory,
)
from rankeval.alignment.qrels import (
    IN_MEMORY,
    QRELS,
    Qrels,
    from_columns,
    from_mapping,
    judgments_or_subtopics,
    read_qrels,
)
from rankeval.errors import UsageError
from rankeval.io import trec
from rankeval.io.column_names import find_roles
from rankeval.io.file_objects import ReadableFile
from rankeval.io.form import Form
from rankeval.io.mappings import ByDocno, described

QrelsLike = (
    str
    | os.PathLike[str]
    | ReadableFile
    | Mapping[str, ByDocno]
    | Columnwise
    | DataTable
    | Rows
    | TaggedRun
    | Qrels
)
"""Judgments: path, open file, {topic: {docno: grade}}, table, {column: values}, rows, or Qrels."""

INTERACTIONS = {"user_id", "item_id", "weight", "datetime"}
"""The columns of RecTools' interactions. Each is a relevant item, whatever its weight."""


def judgments_from(
    given: QrelsLike, form: Form = QRELS, duplicates: Duplicates = "refuse"
) -> Qrels:
    """Return judgments, with the labels that the form asks for."""
    match given:
        case Qrels():
            return given
        case str() | os.PathLike():
            return read_qrels(os.fspath(given), form, duplicates)
    if hasattr(given, "read"):
        return read_qrels(*file_to_read(cast("ReadableFile", given), form), duplicates)
    if is_ranx(given):
        given = cast("Any", given).to_dict()
    if is_by_user(given, form):
        columns = by_user(cast("Any", given), form, IN_MEMORY)
        return from_columns([columns], IN_MEMORY, trec.QRELS, None, "first")
    if _is_interactions(given, form):
        form, duplicates = (
            replace(form, fixed=GRADE),
            "first" if duplicates == "refuse" else duplicates,
        )
    parts = parts_in_memory(given, form)
    if parts is not None:
        return judgments_or_subtopics(
            lambda label: from_columns(parts, "qrels", trec.QRELS, label, duplicates), form.label
        )
    if isinstance(given, Mapping):
        return from_mapping(cast("Mapping[str, ByDocno]", given), label=form.label)
    raise UsageError(
        f"{described(given)} is no judgments",
        expected="a path, an open file, {topic: {docno: grade}}, a table, {column: values} or rows "
        "of topic, docno and grade",
    )


def _is_interactions(given: object, form: Form) -> bool:
    """Return True for a table of interactions of RecTools: user, item, weight and time."""
    if form.columns or isinstance(given, Mapping) or as_table(given, "qrels") is None:
        return False
    if is_lazy(given):
        from rankeval.io.tables import lazy_names

        names: Any = lazy_names(given)
    else:
        names = getattr(given, "column_names", getattr(given, "columns", ()))
    names = [str(name) for name in names]
    return set(names) >= INTERACTIONS and find_roles(names, "qrels", {}) is None
