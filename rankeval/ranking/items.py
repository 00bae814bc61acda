"""What measures know of items: interactions, a catalogue, features, lists, and costs of reading."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats, Integers, short_digest
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, decoded, described, quoted
from rankeval.errors import InputError, UsageError, placed
from rankeval.io.formats import QRELS, Form
from rankeval.io.parsers.column_names import DOCNO, plain_name, roles_of
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos, number_or_nan
from rankeval.io.python_values import as_bytes, columns_of
from rankeval.io.read import read_columns
from rankeval.io.sources.blocks import data_lines, display_name
from rankeval.ranking import Extras, Features, Lists, Training
from rankeval.ranking.duplicates import without_rows
from rankeval.ranking.in_memory import (
    GRADE,
    as_table,
    file_to_read,
    is_ranx,
    listed_values,
    parts_in_memory,
)
from rankeval.ranking.judged_lines import DistinctDocnos, numbered
from rankeval.ranking.qrels import Qrels, QrelsLike

InteractionsLike = QrelsLike | Mapping[Any, Iterable[Any]] | Any
"""Interactions: all that judgments can be, {user: items}, pairs of integers, a sparse matrix."""

CatalogLike = int | str | os.PathLike[str] | Iterable[Any]
"""A catalogue: the number of items, a file with one item a line, or the items."""

FeaturesLike = str | os.PathLike[str] | Mapping[Any, Any] | Any
"""Features of items: a CSV file, a table with a column of items, or {item: {feature: value}}."""

LARGEST = 10**12
"""Items of the largest catalogue."""

MISSING = frozenset({"", "nan"})
"""Texts, in lower case, of a feature that is not known."""


def interactions_from(given: InteractionsLike, form: Form) -> Qrels:
    """Return interactions as judgments whose grades count the lines of each user and item.

    Every line is an interaction, whatever its grade. UsageError for what holds none.
    """
    form = replace(form, name=None, fixed=GRADE)
    if isinstance(given, Qrels):
        return given.changed(grade=np.ones(len(given.grade), dtype=np.int64))
    file = file_to_read(given, form)
    if file is None:
        name, parts = "train", _interactions(given, form)
    else:
        name, parts = display_name(file[0]), read_columns(*file)
    lines = [part for part in parts if len(part)]
    if not lines:
        raise InputError(
            "has no interactions",
            place=name,
            expected="lines of user and item, or another format of judgments",
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


def _interactions(given: Any, form: Form) -> Iterable[Columns]:
    """Return interactions in memory as parsed lines."""
    if hasattr(given, "tocoo"):  # a sparse matrix of users by items
        matrix = given.tocoo()
        given = np.column_stack((matrix.row, matrix.col))
    if is_ranx(given):
        given = given.to_dict()
    if isinstance(given, np.ndarray) and given.dtype.names is None:
        if given.ndim != 2 or given.shape[1] not in (2, 3) or given.dtype.kind not in "iu":
            raise UsageError(
                f"train is an array of the shape {given.shape} and the type {given.dtype}",
                expected="integers of the shape (interactions, 2), each a user and an item",
            )
        given, form = {"topic": given[:, 0], "docno": given[:, 1]}, replace(form, columns={})
    if isinstance(given, list | dict) and not given:
        return ()
    if isinstance(given, Mapping) and as_table(given, "qrels", form.columns, form.fixed) is None:
        try:
            return (columns_of(given, QRELS),)
        except InputError as error:
            raise placed(error, "train") from None
    found = parts_in_memory(given, form)
    if found is None:
        raise UsageError(
            f"{described(given)} cannot be read as interactions",
            place="train",
            expected="a path, {user: items}, a table with a user and an item, or pairs of both",
        )
    return found


@frozen(eq=False)
class Catalog:
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
    catalog: Catalog | None = None
    features: ItemFeatures | None = None


NO_FACTS = ItemFacts()


def catalog_from(given: CatalogLike) -> Catalog:
    """Take the number of items, a file with one item a line, or the items."""
    if isinstance(given, str) and given.isascii() and given.isdigit():
        given = int(given[:20])
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        if not 1 <= given <= LARGEST:
            raise UsageError(
                f"a catalogue cannot have {given} items", expected=f"1 to {LARGEST:.0e} items"
            )
        return Catalog("", int(given), None)
    names: Iterable[bytes]
    if isinstance(given, str | os.PathLike):
        names, place = _lines_of_items(os.fspath(given)), display_name(os.fspath(given))
    elif isinstance(given, Iterable):
        names, place = (as_bytes(name, "item") for name in listed_values(given)), "catalog"
    else:
        raise UsageError(
            f"{described(given)} cannot be read as a catalogue",
            expected="the number of items, a file, or items",
        )
    items = {name: number for number, name in enumerate(dict.fromkeys(names))}
    if not items:
        raise InputError("has no items", place=place, expected="one item a line")
    return Catalog(place, len(items), DistinctDocnos(items))


def _lines_of_items(path: str) -> Iterator[bytes]:
    """Yield the items of a file, without comments, and without a header that names a docno."""
    first = True
    for _, line in data_lines(path):
        name = line.strip()
        if not (first and plain_name(decoded(name)) in DOCNO):
            yield name
        first = False


NO_FEATURES = ("topic", "grade", "iteration", "stratum")
"""Roles that a column of features does not have, whatever its name."""


def features_from(given: FeaturesLike, docno: str | None = None) -> ItemFeatures:
    """Take features from a CSV file, a table, or {item: {feature: value}}.

    `docno` is the name of the column of items, if it is not a usual one.
    """
    place, lines = "item_features", list[int]()
    if isinstance(given, str | os.PathLike):
        place = display_name(os.fspath(given))
        names, columns, lines = _read(os.fspath(given))
    else:
        names, columns = _columns(given)
    roles = roles_of(names, "qrels", {"docno": docno} if docno else {}, place, NO_FEATURES)
    if len(names) < 2:
        raise InputError(
            "has no features", place=place, expected="a column for each feature of the items"
        )
    if len({len(values) for values in columns}) > 1:
        raise InputError("the columns have different lengths", place=place)
    names.pop(roles["docno"])
    items = [as_bytes(_plain(name), "item") for name in columns.pop(roles["docno"])]
    if not items:
        raise InputError("has no items", place=place, expected="a line for each item")
    known: dict[bytes, int] = {}
    for row, item in enumerate(items):
        if not item or item in known:
            raise InputError(
                f"item {quoted(item)} has features already" if item else "the docno is empty",
                place=f"{place}:{lines[row] if lines else row + 1}",
                expected="each item once",
            )
        known[item] = row
    keys = [[_key(value) for value in column] for column in columns]
    values = np.full((len(columns), len(items)), -1)
    for number, column in enumerate(keys):
        numbers: dict[Any, int] = {}
        values[number] = [-1 if k is None else numbers.setdefault(k, len(numbers)) for k in column]
    digested = sorted(
        b"%b %b\n" % (item, repr(row).encode("utf-8", "surrogatepass"))
        for item, row in zip(items, zip(*keys, strict=True), strict=True)
    )
    header = repr(names).encode("utf-8", "surrogatepass")
    return ItemFeatures(place, DistinctDocnos(known), values, short_digest([header, *digested]))


def _columns(given: Any) -> tuple[list[str], list[Sequence[Any]]]:
    """Return the names and the columns of a table, or of {item: {feature: value}}."""
    table = as_table(given) if not isinstance(given, Mapping) else given
    if table is not None and not isinstance(table, Mapping):
        import pyarrow as pa

        found = pa.table(table)
        return found.column_names, [found[name].to_pylist() for name in found.column_names]
    values = list(table.values()) if table else []
    if table and all(isinstance(value, Mapping) for value in values):
        names = list(dict.fromkeys(name for features in values for name in features))
        columns = [[features.get(name) for features in values] for name in names]
        return [DOCNO[0], *map(str, names)], [list(table), *columns]
    if table and all(hasattr(v, "tolist") or isinstance(v, list | tuple) for v in values):
        return [*map(str, table)], [*map(listed_values, values)]
    raise UsageError(
        f"{described(given)} cannot be read as features",
        place="item_features",
        expected="a path, a table with a column of items, or {item: {feature: value}}",
    )


def _read(path: str) -> tuple[list[str], list[Sequence[Any]], list[int]]:
    """Return the names and the columns of a CSV file, and the numbers of its lines of items."""
    from rankeval.io.text_formats import (  # most evaluations have no features
        likely_separator,
        split_at,
    )

    rows: list[list[bytes]] = []
    lines: list[int] = []
    separator = b""
    for number, line in data_lines(path):
        separator = separator or likely_separator(line) or b","
        place = f"{display_name(path)}:{number}"
        try:
            rows.append(split_at(separator, line))
        except ValueError as error:
            raise InputError(str(error), place=place) from None
        lines.append(number)
        if len(rows[-1]) != len(rows[0]):
            raise InputError(
                f"found {count(len(rows[-1]), 'column')}, the header has {len(rows[0])}",
                place=place,
                remedy="write an empty field for a feature that is not known",
            )
    if not rows:
        raise InputError(
            "has no items",
            place=display_name(path),
            expected="a header, docno and features, and a line for each item",
        )
    return [*map(decoded, rows[0])], [column[1:] for column in zip(*rows, strict=True)], lines[1:]


def _plain(name: Any) -> Any:
    """Return an item as it is named elsewhere: 7.0, which a table with gaps holds, is 7."""
    return int(name) if isinstance(name, float) and name.is_integer() else name


def _key(value: Any) -> float | int | str | None:
    """Return what two equal values of a feature have in common; None for a missing one.

    Numbers are equal as numbers, 1 and 1.0 alike, and everything else as text.
    """
    value = value.item() if isinstance(value, np.generic) else value
    if value is not None and not isinstance(value, int | float):
        text = decoded(value) if isinstance(value, bytes) else str(value)
        if text.strip().lower() in MISSING:
            return None
        value = number_or_nan(text.encode("utf-8", "surrogateescape"))
        if not math.isfinite(value):
            return text
    if value is None or math.isnan(value):
        return None
    return int(value) if math.isfinite(value) and float(value).is_integer() else value


def without_seen(columns: Columns, seen: Qrels) -> Columns:
    """Drop the documents that a topic has interactions with, and topics without others."""
    code = seen.codes_of(columns.topics)
    rows, _ = columns.docnos.find_judged(seen, code, columns.starts)
    return without_rows(columns, rows)


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
        catalog=catalog,
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


EXPECTED = "docno cost, a finite number above 0"


@frozen(eq=False)
class DocumentCosts:
    """The cost of each document: that of docno number i of `docnos` is `cost[i]`."""

    path: str
    docnos: DistinctDocnos
    cost: Floats

    @cached_property
    def digest(self) -> str:
        """Return twelve hexadecimal digits of the SHA-256 of the costs in sorted order."""
        lines = sorted(
            b"%b %b\n" % (name, f"{cost:.17g}".encode())
            for name, cost in zip(self.docnos.names, self.cost.tolist(), strict=True)
        )
        return short_digest(lines)

    def of_documents(self, docnos: Docnos, rows: Integers) -> Floats:
        """Return the costs of the documents in some rows; InputError if one has no cost."""
        wanted = docnos.take(rows)
        found, number = wanted.find(self.docnos)
        if len(found) < len(wanted):
            lacking = int(np.setdiff1d(np.arange(len(wanted)), found)[0])
            raise InputError(
                f"the document {quoted(wanted[lacking])} of the run has no cost",
                place=self.path,
                expected="a cost for every document of a run, down to rank 1000",
                remedy="add its line",
            )
        return self.cost[number]


CostsLike = str | os.PathLike[str] | Mapping[str, float] | DocumentCosts
"""Costs of reading documents, such as seconds or characters: a path, or {docno: cost}."""


def costs_from(given: CostsLike) -> DocumentCosts:
    """Take lines of docno and cost, or {docno: cost}; InputError for what is wrong."""
    if isinstance(given, DocumentCosts):
        return given
    name = "costs" if isinstance(given, Mapping) else display_name(os.fspath(given))
    costs: dict[bytes, float] = {}
    for docno, cost, place in _costs(given, name):
        if docno in costs:
            raise InputError(
                f"document {quoted(docno)} has a cost already",
                place=place,
                expected="each document once",
                remedy="drop one of the two lines",
            )
        if not 0 < cost < math.inf:
            problem = f"the cost of {quoted(docno)} is not possible"
            raise InputError(problem, place=place, expected=EXPECTED)
        costs[docno] = float(cost)
    if not costs:
        raise InputError("has no costs", place=name, expected=f"lines of {EXPECTED}")
    docnos = DistinctDocnos({docno: number for number, docno in enumerate(costs)})
    return DocumentCosts(name, docnos, np.array(list(costs.values())))


def _costs(
    given: str | os.PathLike[str] | Mapping[str, float], name: str
) -> Iterator[tuple[bytes, float, str]]:
    """Yield documents, their costs, and the places of these in messages."""
    if isinstance(given, Mapping):
        yield from ((as_bytes(docno, "docno"), cost, name) for docno, cost in given.items())
        return
    for line, text in data_lines(os.fspath(given)):
        fields, place = text.split(), f"{name}:{line}"
        if len(fields) != 2:
            raise InputError(
                f"found {count(len(fields), 'column')}: {quoted(text.strip())}",
                place=place,
                expected=EXPECTED,
            )
        yield fields[0], number_or_nan(fields[1]), place
