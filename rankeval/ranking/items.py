"""The catalogue of items and their features: files and values in memory."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rankeval.base.arrays import short_digest
from rankeval.base.wording import count, decoded, described, quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.parsers.column_names import DOCNO, listed, plain_name
from rankeval.io.python_values import as_bytes
from rankeval.io.sources.blocks import data_lines, display_name
from rankeval.ranking.in_memory import as_table, listed_values
from rankeval.ranking.judged_lines import DistinctDocnos
from rankeval.ranking.recommended import CatalogItems, CatalogLike, FeaturesLike, ItemFeatures

LARGEST = 10**12
"""Items of the largest catalogue."""

MISSING = frozenset({b"", b"nan"})
"""Texts, in lower case, of a feature that is not known."""


def catalog_from(given: CatalogLike) -> CatalogItems:
    """Take the number of items, a file with one item a line, or the items."""
    if isinstance(given, np.integer):
        given = int(given)
    if isinstance(given, bool) or not isinstance(given, int | str | os.PathLike | Iterable):
        raise UsageError(
            f"{described(given)} cannot be read as a catalogue",
            expected="the number of items, a file, or items",
        )
    if isinstance(given, str) and given.isascii() and given.isdigit():
        given = int(given[:20])
    if isinstance(given, int):
        if not 1 <= given <= LARGEST:
            raise UsageError(
                f"a catalogue cannot have {given} items", expected=f"1 to {LARGEST:.0e} items"
            )
        return CatalogItems("", given, None)
    if isinstance(given, str | os.PathLike):
        path = os.fspath(given)
        return _catalog(list(_lines_of_items(path)), display_name(path))
    names = given.tolist() if hasattr(given, "tolist") else given
    return _catalog([as_bytes(name, "item") for name in names], "catalog")


def _catalog(names: Iterable[bytes], place: str) -> CatalogItems:
    items = {name: number for number, name in enumerate(dict.fromkeys(names))}
    if not items:
        raise InputError("has no items", place=place, expected="one item a line")
    return CatalogItems(place, len(items), DistinctDocnos(items))


def _lines_of_items(path: str) -> Iterator[bytes]:
    """Yield the items of a file, without comments, and without a header that names a docno."""
    first = True
    for _, line in data_lines(path):
        name = line.strip()
        if not (first and plain_name(decoded(name)) in DOCNO):
            yield name
        first = False


def features_from(given: FeaturesLike, docno: str | None = None) -> ItemFeatures:
    """Take features from a CSV file, a table, or {item: {feature: value}}.

    `docno` is the name of the column of items, if it is not a usual one.
    """
    if isinstance(given, str | os.PathLike):
        path = os.fspath(given)
        return _coded(*_read(path, docno), display_name(path))
    columns = _columns(given)
    names = list(columns)
    at = _place_of_docno(names, docno, "item_features")
    lists = list(columns.values())
    if len({len(values) for values in lists}) > 1:
        raise InputError("the columns have different lengths", place="item_features")
    items = [as_bytes(_plain(name), "item") for name in lists.pop(at)]
    _refuse_repeated(items, lambda row: f"item_features:{row + 1}")
    names.pop(at)
    return _coded(names, items, lists, "item_features")


def _columns(given: Any) -> dict[str, list[Any]]:
    """Return the columns of a table, or of {item: {feature: value}}, as lists."""
    table = as_table(given) if not isinstance(given, Mapping) else None
    if table is not None and not isinstance(table, Mapping):
        import pyarrow as pa

        found = pa.table(table)
        return {name: found[name].to_pylist() for name in found.column_names}
    if table is not None:
        given = table
    if isinstance(given, Mapping) and given:
        values = list(given.values())
        if all(isinstance(value, Mapping) for value in values):
            names = list(dict.fromkeys(name for features in values for name in features))
            columns: dict[str, list[Any]] = {DOCNO[0]: list(given)}
            columns |= {str(name): [features.get(name) for features in values] for name in names}
            return columns
        if all(hasattr(v, "tolist") or isinstance(v, list | tuple) for v in values):
            return {str(name): listed_values(v) for name, v in given.items()}
    raise UsageError(
        f"{described(given)} cannot be read as features",
        place="item_features",
        expected="a path, a table with a column of items, or {item: {feature: value}}",
    )


def _plain(name: Any) -> Any:
    """Return an item as it is named elsewhere: 7.0, which a table with gaps holds, is 7."""
    return int(name) if isinstance(name, float) and name.is_integer() else name


def _place_of_docno(names: Sequence[str], docno: str | None, place: str) -> int:
    """Return the place of the column of items; InputError for none, or no column besides."""
    plain = [docno] if docno in names else [n for n in DOCNO if n in map(plain_name, names)]
    if not plain:
        raise InputError(
            f"has no column of items: {listed(names)}",
            place=place,
            expected=f"a column docno, or {' or '.join(DOCNO[-3:])}, and the features",
            remedy="rename the column, or name it with --columns docno=NAME",
        )
    if len(names) < 2:
        raise InputError(
            "has no features", place=place, expected="a column for each feature of the items"
        )
    known = names if plain[0] in names else [plain_name(name) for name in names]
    return list(known).index(str(plain[0]))


def _read(path: str, docno: str | None) -> tuple[list[str], list[bytes], list[list[bytes]]]:
    """Read the names of features, the items, and a column of texts for each feature."""
    from rankeval.io.formats.text_formats import (
        likely_separator,  # most evaluations have no features
    )

    place = display_name(path)
    rows = data_lines(path)
    number, header = next(rows, (0, b""))
    if not number:
        raise InputError(
            "has no items", place=place, expected="a header, docno and features, and their values"
        )
    separator = likely_separator(header) or b","
    names = [decoded(name) for name in _fields(header, separator, f"{place}:{number}")]
    at = _place_of_docno(names, docno, f"{place}:{number}")
    items, lines, columns = [], [], []
    for number, line in rows:
        fields = _fields(line, separator, f"{place}:{number}")
        if len(fields) != len(names):
            raise InputError(
                f"found {count(len(fields), 'column')}, the header has {len(names)}",
                place=f"{place}:{number}",
                expected=listed(names),
                remedy="write an empty field for a feature that is not known",
            )
        items.append(fields.pop(at))
        lines.append(number)
        columns.append(fields)
    if not items:
        raise InputError("holds a header and no item", place=place, expected="a line for each item")
    _refuse_repeated(items, lambda row: f"{place}:{lines[row]}")
    names.pop(at)
    return names, items, [list(column) for column in zip(*columns, strict=True)]


def _fields(line: bytes, separator: bytes, place: str) -> list[bytes]:
    from rankeval.io.formats.text_formats import split_at

    try:
        return split_at(separator, line)
    except ValueError as error:
        raise InputError(str(error), place=place, remedy='double quotes in a field: ""') from None


def _refuse_repeated(items: Sequence[bytes], place: Any) -> None:
    first: dict[bytes, int] = {}
    for row, item in enumerate(items):
        if not item:
            raise InputError("the docno is empty", place=place(row), expected="an item in each row")
        if first.setdefault(item, row) != row:
            raise InputError(
                f"item {quoted(item)} has features already, at {place(first[item])}",
                place=place(row),
                expected="each item once",
                remedy="drop one of the two lines",
            )


def _coded(
    names: Sequence[str], items: Sequence[bytes], columns: Sequence[Sequence[Any]], place: str
) -> ItemFeatures:
    """Number the values of each feature in the order in which they occur."""
    values = np.full((len(columns), len(items)), -1)
    texts = []
    for number, column in enumerate(columns):
        keys = [_key(value) for value in column]
        known: dict[Any, int] = {}
        for key in keys:
            if key is not None:
                known.setdefault(key, len(known))
        values[number] = [-1 if key is None else known[key] for key in keys]
        texts.append(keys)
    lines = sorted(
        b"%b %b\n" % (item, repr(row).encode("utf-8", "surrogatepass"))
        for item, row in zip(items, zip(*texts, strict=True), strict=True)
    )
    header = repr(list(names)).encode("utf-8", "surrogatepass")
    numbers = {item: number for number, item in enumerate(items)}
    return ItemFeatures(place, DistinctDocnos(numbers), values, short_digest([header, *lines]))


def _key(value: Any) -> float | int | str | None:
    """Return what two equal values of a feature have in common; None for a missing one.

    Numbers are equal as numbers, 1 and 1.0 alike, and everything else as text.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None:
        return None
    if isinstance(value, bytes | str):
        text = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
        if text.strip().lower() in MISSING:
            return None
        number = _number(text)
        return decoded(text) if number is None else number
    if isinstance(value, int | float):
        return None if math.isnan(value) else _whole(value)
    return str(value)


def _number(text: bytes) -> float | int | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return _whole(number) if math.isfinite(number) and b"_" not in text else None


def _whole(number: float) -> float | int:
    return int(number) if math.isfinite(number) and float(number).is_integer() else number
