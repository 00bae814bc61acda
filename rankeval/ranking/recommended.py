"""The lists that a run recommends, and the facts of their items."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from rankeval.base.arrays import Integers, short_digest
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos
from rankeval.ranking import Catalog, Extras, Features, Lists, Training
from rankeval.ranking.duplicates import rows_of_topics
from rankeval.ranking.judged_lines import DistinctDocnos
from rankeval.ranking.qrels import Qrels

CatalogLike = int | str | os.PathLike[str] | Iterable[Any]
"""A catalogue: the number of items, a file with one item a line, or the items."""

FeaturesLike = str | os.PathLike[str] | Mapping[Any, Any] | Any
"""Features of items: a CSV file, a table with a column of items, or {item: {feature: value}}."""


@frozen(eq=False)
class CatalogItems:
    """A catalogue: the number of items, and their names where these are known."""

    path: str
    size: int
    items: DistinctDocnos | None

    @cached_property
    def digest(self) -> str:
        """Return the number of items, or twelve hexadecimal digits of the SHA-256 of names."""
        if self.items is None:
            return str(self.size)
        return short_digest(name + b"\n" for name in sorted(self.items.names))

    def check(self, shown: Sequence[bytes]) -> None:
        """Raise InputError if a run recommends items that the catalogue cannot hold."""
        if self.items is None:
            if len(shown) > self.size:
                raise UsageError(
                    f"a catalogue of {count(self.size, 'item')} is too small: the run recommends "
                    f"{count(len(shown), 'item')}",
                    expected="the number of all items that could be recommended",
                )
            return
        outside = [name for name in shown if name not in self.items.plain]
        if outside:
            raise InputError(
                f"lacks {count(len(outside), 'item')} that the run recommends, such as "
                f"{quoted(outside[0])}",
                place=self.path,
                expected="every item that could be recommended, one a line",
                remedy="add the items, or check that both files are from the same collection",
            )


@frozen(eq=False)
class ItemFeatures:
    """Features of items: a number for each value of each, shape (F, items); -1 if it is missing."""

    path: str
    items: DistinctDocnos
    values: Integers
    digest: str


@frozen(eq=False)
class ItemFacts:
    """Facts of items beside the judgments; None for what is not given.

    ======== =============================================================================
    train    interactions, as judgments whose grades count them
    catalog  the items that could be recommended
    features features of items
    ======== =============================================================================
    """

    train: Qrels | None = None
    catalog: CatalogItems | None = None
    features: ItemFeatures | None = None


NO_FACTS = ItemFacts()


def without_seen(columns: Columns, seen: Qrels) -> Columns:
    """Drop the documents that a topic has interactions with, and topics without others."""
    code = seen.codes_of(columns.topics)
    rows, _ = columns.docnos.find_judged(seen, code, columns.starts)
    return without_rows(columns, rows)


def without_rows(columns: Columns, rows: Integers) -> Columns:
    """Drop some rows, and topics without others."""
    if not len(rows):
        return columns
    return rows_of_topics(columns, np.delete(np.arange(len(columns)), rows))


def with_lists(
    extras: Extras,
    parts: Sequence[tuple[Integers, Integers, Integers, Docnos]],
    facts: ItemFacts,
) -> Extras:
    """Add the first documents of all rankings, and the facts of these items.

    A part has the codes of its topics, and the place of the topic, the rank and the docno of each
    document. InputError for a list that the catalogue cannot hold.
    """
    known: dict[bytes, int] = {}
    n_rows = len(extras.code)
    rows, ranks, numbers = [], [], []
    for code, topic, rank, docnos in parts:
        without = np.flatnonzero(code < 0)
        row = code.copy()
        row[without] = n_rows + np.arange(len(without))
        n_rows += len(without)
        rows.append(row[topic])
        ranks.append(rank)
        numbers.append(docnos.number(known))
    rank = np.concatenate(ranks)
    items = np.full((n_rows, rank.max(initial=0)), -1)
    items[np.concatenate(rows), rank - 1] = np.concatenate(numbers)
    names = PlainDocnos(list(known))
    catalog = facts.catalog
    if catalog is not None:
        catalog.check(names.names)
    return replace(
        extras,
        lists=Lists(items, len(names)),
        train=None if facts.train is None else _training(facts.train, names),
        catalog=None if catalog is None else Catalog(catalog.size, catalog.digest),
        features=None if facts.features is None else _features(facts.features, names),
    )


def _training(train: Qrels, names: PlainDocnos) -> Training:
    """Look up how many interactions and users each item has, and how popular it is."""
    n_items = len(train.docnos.plain)
    interactions = np.bincount(train.docno, weights=train.grade, minlength=n_items).astype(np.int64)
    users = np.bincount(train.docno, minlength=n_items)
    distinct, which = np.unique(interactions, return_inverse=True)
    popularity = len(distinct) - which
    rows, numbers = names.find(train.docnos)

    def of_lists(values: Integers) -> Integers:
        found = np.zeros(len(names), dtype=np.int64)
        found[rows] = values[numbers]
        return found

    return Training(
        interactions=of_lists(interactions),
        users=of_lists(users),
        popularity=of_lists(popularity),
        n_users=len(train.topics),
        n_interactions=int(train.grade.sum()),
        digest=train.digest,
    )


def _features(features: ItemFeatures, names: PlainDocnos) -> Features:
    rows, numbers = names.find(features.items)
    values = np.full((len(features.values), len(names)), -1)
    values[:, rows] = features.values[:, numbers]
    return Features(values, features.digest)
