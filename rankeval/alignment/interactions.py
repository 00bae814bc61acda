"""Training interactions of users with items, from anything that can hold judgments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from rankeval.alignment.by_user import GRADE, by_user, names_columns
from rankeval.alignment.in_memory import as_table, file_to_read, is_ranx, parts_in_memory
from rankeval.alignment.qrels import DistinctDocnos, Qrels, numbered
from rankeval.alignment.qrels_source import QrelsLike
from rankeval.errors import InputError, UsageError
from rankeval.io.blocks import display_name
from rankeval.io.columns import Columns
from rankeval.io.file_objects import ReadableFile
from rankeval.io.form import Form
from rankeval.io.mappings import described
from rankeval.io.read import read_columns
from rankeval.io.rows import columns_of_lists

InteractionsLike = QrelsLike | Mapping[Any, Iterable[Any]] | Any
"""Interactions: all that judgments can be, {user: items}, pairs of integers, a sparse matrix."""

PAIR = ("topic", "docno")
"""The roles of a user and an item."""

IN_MEMORY = "train"
EXPECTED = "lines of user and item, or another format of judgments"


def interactions_from(given: InteractionsLike, form: Form) -> Qrels:
    """Return interactions as judgments whose grades count the lines of each user and item.

    Every line is an interaction, whatever its grade. UsageError for what holds none.
    """
    form = replace(form, name=None, fixed=GRADE)
    if isinstance(given, Qrels):
        return replace(given, grade=np.ones(len(given.grade), dtype=np.int64))
    path = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if hasattr(given, "read"):
        path, form = file_to_read(cast("ReadableFile", given), form)
    if path is not None:
        return _counted(read_columns(path, form), display_name(path))
    return _counted(_parts(given, form), IN_MEMORY)


def _parts(given: Any, form: Form) -> tuple[Columns, ...]:
    """Return interactions in memory as parsed lines."""
    if is_ranx(given):
        given = given.to_dict()
    if hasattr(given, "tocoo"):  # a sparse matrix of users by items
        matrix = given.tocoo()
        return _pairs(matrix.row, matrix.col, form)
    if isinstance(given, np.ndarray) and given.dtype.names is None:
        if given.ndim != 2 or given.shape[1] not in (2, 3) or given.dtype.kind not in "iu":
            raise UsageError(
                f"train is an array of the shape {given.shape} and the type {given.dtype}",
                expected="integers of the shape (interactions, 2), each a user and an item",
            )
        return _pairs(given[:, 0], given[:, 1], form)
    if isinstance(given, Mapping) and not names_columns(given, form):
        return (by_user(given, form, IN_MEMORY),)
    if isinstance(given, Iterable) and not isinstance(given, Mapping) and as_table(given) is None:
        given = list(given)
        if not given:
            return ()
        if all(isinstance(row, tuple | list) and len(row) == len(PAIR) for row in given):
            columns = dict(zip(PAIR, zip(*given, strict=True), strict=True))
            return (columns_of_lists(columns, _of_roles(form)),)
    found = parts_in_memory(given, form)
    if found is None:
        raise UsageError(
            f"{described(given)} is no interactions",
            place=IN_MEMORY,
            expected="a path, {user: items}, a table with a user and an item, or pairs of both",
        )
    return found


def _of_roles(form: Form) -> Form:
    return replace(form, columns={})


def _pairs(users: Any, items: Any, form: Form) -> tuple[Columns, ...]:
    columns = {"topic": np.asarray(users), "docno": np.asarray(items)}
    found = parts_in_memory(columns, _of_roles(form))
    return cast("tuple[Columns, ...]", found)


def _counted(parts: Iterable[Columns], name: str) -> Qrels:
    """Count the lines of each user and item."""
    lines = [part for part in parts if len(part)]
    if not lines:
        raise InputError(
            "holds no interaction",
            place=name,
            expected=EXPECTED,
            remedy="check that the file is complete",
        )
    topics, topic, docnos, docno = numbered(lines)
    pairs, times = np.unique(topic * len(docnos) + docno, return_counts=True)
    owner, document = np.divmod(pairs, len(docnos))
    return Qrels(
        path=name,
        topics=topics,
        offsets=np.searchsorted(owner, np.arange(len(topics) + 1)),
        docno=document,
        grade=times,
        docnos=DistinctDocnos(docnos),
    )
