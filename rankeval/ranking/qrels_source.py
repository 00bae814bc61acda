"""Interactions of users with items, from anything that can hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from rankeval.base.wording import described
from rankeval.errors import InputError, UsageError, placed
from rankeval.io.formats import layouts
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers.columns import Columns
from rankeval.io.python_values import columns_of, columns_of_lists
from rankeval.io.read import read_columns
from rankeval.io.sources.blocks import display_name
from rankeval.ranking.in_memory import (
    GRADE,
    as_table,
    file_to_read,
    is_ranx,
    parts_in_memory,
)
from rankeval.ranking.judged_lines import numbered
from rankeval.ranking.qrels import Qrels, QrelsLike

InteractionsLike = QrelsLike | Mapping[Any, Iterable[Any]] | Any
"""Interactions: all that judgments can be, {user: items}, pairs of integers, a sparse matrix."""

PAIR = ("topic", "docno")
"""The roles of a user and an item."""

TRAIN = "train"
EXPECTED = "lines of user and item, or another format of judgments"


def interactions_from(given: InteractionsLike, form: Form) -> Qrels:
    """Return interactions as judgments whose grades count the lines of each user and item.

    Every line is an interaction, whatever its grade. UsageError for what holds none.
    """
    form = replace(form, name=None, fixed=GRADE)
    if isinstance(given, Qrels):
        return given.changed(grade=np.ones(len(given.grade), dtype=np.int64))
    file = file_to_read(given, form)
    if file is not None:
        return _counted(read_columns(*file), display_name(file[0]))
    return _counted(_parts(given, form), TRAIN)


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
    if isinstance(given, Mapping) and as_table(given, "qrels", form.columns, form.fixed) is None:
        return (_by_user(given),)
    if isinstance(given, Iterable) and not isinstance(given, Mapping) and as_table(given) is None:
        given = list(given)
        if not given:
            return ()
        if all(isinstance(row, tuple | list) and len(row) == len(PAIR) for row in given):
            columns = dict(zip(PAIR, zip(*given, strict=True), strict=True))
            return (columns_of_lists(columns, replace(form, columns={})),)
    found = parts_in_memory(given, form)
    if found is None:
        raise UsageError(
            f"{described(given)} cannot be read as interactions",
            place=TRAIN,
            expected="a path, {user: items}, a table with a user and an item, or pairs of both",
        )
    return found


def _by_user(given: Mapping[Any, Any]) -> Columns:
    """Return the lines of {user: items}."""
    try:
        return columns_of(given, layouts.QRELS)
    except InputError as error:
        raise placed(error, TRAIN) from None


def _pairs(users: Any, items: Any, form: Form) -> tuple[Columns, ...]:
    columns = {"topic": np.asarray(users), "docno": np.asarray(items)}
    found = parts_in_memory(columns, replace(form, columns={}))
    return cast("tuple[Columns, ...]", found)


def _counted(parts: Iterable[Columns], name: str) -> Qrels:
    """Count the lines of each user and item."""
    lines = [part for part in parts if len(part)]
    if not lines:
        raise InputError(
            "has no interactions",
            place=name,
            expected=EXPECTED,
            remedy="check that the file is complete",
        )
    topics, topic, docnos, docno = numbered(lines)
    pairs, times = np.unique(topic * len(docnos) + docno, return_counts=True)
    owner, document = np.divmod(pairs, len(docnos))
    return Qrels.made(
        path=name,
        topics=topics,
        offsets=np.searchsorted(owner, np.arange(len(topics) + 1)),
        docno=document,
        grade=times,
        docnos=docnos,
    )
