"""What measures know of items: interactions, a catalogue, features, lists, and costs of reading."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, short_digest
from rankeval.base.frozen import record, replace
from rankeval.base.wording import count, decoded, described, quoted
from rankeval.errors import InputError, UsageError, placed
from rankeval.io.blocks import data_lines, display_name
from rankeval.io.column_names import DOCNO, plain_name, roles_of
from rankeval.io.columns import Columns, number_or_nan
from rankeval.io.files import StrPath
from rankeval.io.formats import QRELS, Form
from rankeval.io.names import Names
from rankeval.io.python_values import as_bytes, columns_of, encoded
from rankeval.io.read import read_columns
from rankeval.ranking.extras import Costs, Extras, Features, Lists, Ranks, Training
from rankeval.ranking.in_memory import (
    GRADE,
    as_table,
    collected,
    file_to_read,
    listed_values,
    parts_in_memory,
)
from rankeval.ranking.judged_lines import DistinctDocnos, numbered
from rankeval.ranking.qrels import Qrels, QrelsLike

InteractionsLike = QrelsLike | Mapping[Any, Iterable[Any]] | Any
"""Interactions: all that judgments can be, {user: items}, pairs of integers, a sparse matrix."""

CatalogLike = int | StrPath | Iterable[Any]
"""A catalogue: the number of items, a file with one item a line, or the items."""

FeaturesLike = StrPath | Mapping[Any, Any] | Any
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
    given = collected(given)
    if isinstance(given, np.ndarray) and given.dtype.names is None:
        if given.ndim != 2 or given.shape[1] not in (2, 3) or given.dtype.kind not in "iu":
            raise UsageError(
                f"train is an array of the shape {given.shape} and the type {given.dtype}",
                expected="integers of the shape (interactions, 2), each a user and an item",
            )
        given, form = {"topic": given[:, 0], "docno": given[:, 1]}, replace(form, columns={})
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


@record
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
        known = None if self.items is None else self.items.plain
        if known is None and len(shown) > self.size:
            raise UsageError(
                f"a catalogue of {count(self.size, 'item')} is too small: the run recommends "
                f"{count(len(shown), 'item')}",
                expected="the number of all items that could be recommended",
            )
        outside = [] if known is None else [name for name in shown if name not in known]
        if outside:
            raise InputError(
                f"lacks {count(len(outside), 'item')} that the run recommends, such as "
                f"{quoted(outside[0])}",
                place=self.path,
                expected="every item that could be recommended, one a line",
                remedy="add the items, or check that both files are from the same collection",
            )


@record
class ItemFeatures:
    """Features of items: a number for each value of each, shape (F, items); -1 if it is missing."""

    path: str
    items: DistinctDocnos
    values: Integers
    digest: str


@record
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
    if isinstance(given, str | os.PathLike):
        place = display_name(os.fspath(given))
        names = [line.strip() for _, line in data_lines(os.fspath(given))]
        if names and plain_name(decoded(names[0])) in DOCNO:  # a header
            del names[0]
    elif isinstance(given, Iterable):
        place, names = "catalog", encoded(listed_values(given), "item")
    else:
        raise UsageError(
            f"{described(given)} cannot be read as a catalogue",
            expected="the number of items, a file, or items",
        )
    items = {name: number for number, name in enumerate(dict.fromkeys(names))}
    if not items:
        raise InputError("has no items", place=place, expected="one item a line")
    return Catalog(place, len(items), DistinctDocnos(items))


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
    if len({*map(len, columns)}) > 1:
        raise InputError("the columns have different lengths", place=place)
    if not any(map(len, columns)):
        raise InputError("has no items", place=place, expected="a line for each item")
    roles = roles_of(names, "qrels", {"docno": docno} if docno else {}, place, NO_FEATURES)
    if len(names) < 2:
        raise InputError("has no features", place=place, expected="a column for each of them")
    names.pop(roles["docno"])
    items = encoded(columns.pop(roles["docno"]), "item")
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
    from rankeval.io.text_formats import likely_separator, split_at  # seldom needed

    rows: list[list[bytes]] = []
    lines: list[int] = []
    separator = b""
    for number, line in data_lines(path):
        separator = separator or likely_separator(line) or b","
        problem = ""
        try:
            rows.append(split_at(separator, line))
        except ValueError as error:
            problem = str(error)
        if rows and len(rows[-1]) != len(rows[0]):
            found = count(len(rows[-1]), "column")
            problem = f"found {found}, the header has {len(rows[0])}"
        if problem:
            raise InputError(problem, place=f"{display_name(path)}:{number}")
        lines.append(number)
    names, *items = rows or [[]]
    return [*map(decoded, names)], [*zip(*items, strict=True)], lines[1:]


def _key(value: Any) -> float | int | str | None:
    """Return what two equal values of a feature have in common; None for a missing one.

    Numbers are equal as numbers, 1 and 1.0 alike, and everything else as text.
    """
    text = decoded(value) if isinstance(value, bytes) else str(value)
    if value is None or text.strip().lower() in MISSING:
        return None
    number = number_or_nan(text.encode("utf-8", "surrogateescape"))
    if not math.isfinite(number):
        return text
    return int(number) if number.is_integer() else number


EXPECTED = "docno cost, a finite number above 0"


@record
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

    def of_documents(self, docnos: Names, rows: Integers) -> Floats:
        """Return the costs of the documents in some rows; InputError if one has no cost."""
        wanted = docnos.take(rows)
        found, number = wanted.find(self.docnos)
        if len(found) < len(wanted):
            lacking = int(np.setdiff1d(np.arange(len(wanted)), found)[0])
            raise InputError(
                f"the document {quoted(wanted[lacking])} of the run has no cost",
                place=self.path,
                expected="a cost for every document of a run, down to rank 1000",
            )
        return self.cost[number]


CostsLike = StrPath | Mapping[str, float] | DocumentCosts
"""Costs of reading documents, such as seconds or characters: a path, or {docno: cost}."""


def costs_from(given: CostsLike) -> DocumentCosts:
    """Take lines of docno and cost, or {docno: cost}; InputError for what is wrong."""
    if isinstance(given, DocumentCosts):
        return given
    if isinstance(given, Mapping):
        name = "costs"
        rows: Any = [(name, (as_bytes(docno, "docno"), cost)) for docno, cost in given.items()]
    else:
        name = display_name(os.fspath(given))
        lines = data_lines(os.fspath(given))
        rows = ((f"{name}:{number}", line.split()) for number, line in lines)
    costs: dict[bytes, float] = {}
    for place, fields in rows:
        cost = number_or_nan(fields[-1]) if isinstance(fields[-1], bytes) else float(fields[-1])
        problem = "" if 0 < cost < math.inf else f"the cost of {quoted(fields[0])} is not possible"
        if len(fields) != 2:
            problem = f"found {count(len(fields), 'column')}"
        elif fields[0] in costs:
            problem = f"document {quoted(fields[0])} has a cost already"
        if problem:
            raise InputError(problem, place=place, expected=f"{EXPECTED}, each document once")
        costs[fields[0]] = cost
    if not costs:
        raise InputError("has no costs", place=name, expected=f"lines of {EXPECTED}")
    docnos = DistinctDocnos({docno: number for number, docno in enumerate(costs)})
    return DocumentCosts(name, docnos, np.array(list(costs.values())))


DEEPEST_COST = 1000
"""Documents further down have no cost: the measures that know costs look no further."""


@record
class ExtraNeeds:
    """The data to keep of a ranking besides its judged documents; by default none.

    ========= ==============================================================================
    elsewhere the ranks of documents that are judged for other topics only
    costs     the costs of all documents down to rank DEEPEST_COST, taken from this table
    listed    the documents of every ranking down to this rank, with
    facts     what is known of them
    ========= ==============================================================================
    """

    elsewhere: bool = False
    costs: DocumentCosts | None = None
    listed: int = 0
    facts: ItemFacts = NO_FACTS

    @cached_property
    def deepest(self) -> int:
        """The rank down to which all documents are needed, judged or not."""
        return self.listed if self.costs is None else max(self.listed, DEEPEST_COST)

    @cached_property
    def beyond_judged(self) -> bool:
        """True if the measures need more of a ranking than its judged documents."""
        return self.elsewhere or self.deepest > 0


NO_EXTRA_NEEDS = ExtraNeeds()


class Beyond(NamedTuple):
    """Rows that measures need besides the judged ones, as ExtraNeeds says.

    `topic` and `code` are the places of a row's topic among those of its part and of the qrels, -1
    for none. `elsewhere` marks documents that are judged for other topics only. `cost` has costs
    where they are needed, and `docnos` is of lists that are: otherwise it is empty.
    """

    topic: Integers
    code: Integers
    rank: Integers
    elsewhere: Booleans
    cost: Floats
    docnos: Names

    @classmethod
    def judged(
        cls, needs: ExtraNeeds, docnos: Names, rows: Integers, facts: Integers, known: Booleans
    ) -> Beyond:
        """Choose from rows of `docnos` those that are needed.

        `facts` are their first three columns; `known` marks those judged for other topics only.
        """
        _, code, rank = facts
        elsewhere = known & (code >= 0)
        wanted = elsewhere | ((rank <= needs.deepest) & ((code >= 0) | (needs.listed > 0)))
        cost = np.zeros(len(rows))
        if needs.costs is not None:
            near = (rank <= DEEPEST_COST) & (code >= 0)
            cost[near] = needs.costs.of_documents(docnos, rows[near])
        listed = docnos.take(rows[wanted] if needs.listed else rows[:0])
        topic, code, rank = facts[:, wanted]
        return cls(topic, code, rank, elsewhere[wanted], cost[wanted], listed)


def extras_of(
    qrels: Qrels, parts: Sequence[tuple[Integers, Beyond | None]], needs: ExtraNeeds
) -> Extras:
    """Return the optional data of a run; a part has the codes of its topics, and rows of them.

    InputError for lists that the catalogue cannot hold.
    """
    extras = Extras(np.arange(len(qrels.topics)), qrels.subtopics, qrels.strata)
    found = [(code, beyond) for code, beyond in parts if beyond is not None]
    if not found:
        return extras
    topic = np.concatenate([beyond.code for _, beyond in found], dtype=np.int64)
    rank = np.concatenate([beyond.rank for _, beyond in found], dtype=np.int64)
    if needs.elsewhere:
        rows = np.flatnonzero(np.concatenate([beyond.elsewhere for _, beyond in found]))
        rows = rows[np.lexsort((rank[rows], topic[rows]))]
        offsets = np.searchsorted(topic[rows], np.arange(len(qrels.topics) + 1))
        extras = replace(extras, elsewhere=Ranks(offsets, rank[rows]))
    if needs.costs is not None:
        near = (rank <= DEEPEST_COST) & (topic >= 0)
        by_rank = np.zeros((len(qrels.topics), rank[near].max(initial=1)))
        cost = np.concatenate([beyond.cost for _, beyond in found])[near]
        by_rank[topic[near], rank[near] - 1] = cost
        extras = replace(extras, costs=Costs(by_rank, needs.costs.digest))
    return _with_lists(extras, found, needs) if needs.listed else extras


def _with_lists(
    extras: Extras, parts: Sequence[tuple[Integers, Beyond]], needs: ExtraNeeds
) -> Extras:
    """Add the first documents of all rankings, and the facts of these items."""
    known: dict[bytes, int] = {}
    n_rows = len(extras.code)
    rows, ranks, numbers = [], [], []
    for code, beyond in parts:
        row, without = code.copy(), np.flatnonzero(code < 0)
        row[without] = n_rows + np.arange(len(without))
        n_rows += len(without)
        shown = np.flatnonzero(beyond.rank <= needs.listed)
        rows.append(row[beyond.topic[shown]])
        ranks.append(beyond.rank[shown])
        numbers.append(beyond.docnos.take(shown).number(known))
    rank = np.concatenate(ranks)
    items = np.full((n_rows, rank.max(initial=0)), -1)
    items[np.concatenate(rows), rank - 1] = np.concatenate(numbers)
    names, facts = Names.from_names(list(known)), needs.facts
    if facts.catalog is not None:
        facts.catalog.check(list(known))
    return replace(
        extras,
        lists=Lists(items, len(names)),
        train=None if facts.train is None else _training(facts.train, names),
        catalog=facts.catalog,
        features=None if facts.features is None else _features(facts.features, names),
    )


def _training(train: Qrels, names: Names) -> Training:
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


def _features(features: ItemFeatures, names: Names) -> Features:
    rows, numbers = names.find(features.items)
    values = np.full((len(features.values), len(names)), -1)
    values[:, rows] = features.values[:, numbers]
    return Features(values, features.digest)
