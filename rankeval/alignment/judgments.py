"""Judgments from anything that can hold them: files, mappings, tables and rows."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from rankeval.alignment.duplicates import Duplicates
from rankeval.alignment.in_memory import is_ranx, parts_in_memory
from rankeval.alignment.inputs import QrelsLike
from rankeval.alignment.qrels import (
    QRELS,
    Qrels,
    from_columns,
    from_mapping,
    judgments_or_subtopics,
    read_qrels,
)
from rankeval.errors import UsageError
from rankeval.io import trec
from rankeval.io.form import Form
from rankeval.io.mappings import ByDocno, described


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
        return _from_file(given, form, duplicates)
    if is_ranx(given):
        given = cast("Any", given).to_dict()
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


def _from_file(file: Any, form: Form, duplicates: Duplicates) -> Qrels:
    from rankeval.io import file_objects

    path = file_objects.path_of(file)
    if path is not None:
        return read_qrels(path, form, duplicates)
    name, begun = file_objects.begun(file)
    return read_qrels(name, replace(form, begun=begun), duplicates)
