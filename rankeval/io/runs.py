"""Runs and judgments that are in memory already."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from rankeval.errors import InputError
from rankeval.io.columns import Columns, Docnos, Layout
from rankeval.io.plain import PlainDocnos
from rankeval.io.trec import SUBTOPIC

ByDocno = Mapping[str, float] | Mapping[str, Mapping[str, float]]
"""A topic's {docno: score or grade}, or judgments as {docno: {subtopic or stratum: grade}}."""

MANY = 50_000
"""From so many names on, Arrow encodes and compares them faster than Python does."""


def columns_of(mapping: Mapping[str, ByDocno], layout: Layout, label: str = SUBTOPIC) -> Columns:
    """Take {topic: {docno: score or grade}}; InputError for a number that is not finite.

    Grades may be {name: grade} each, and the names have the role `label`. A topic without
    documents is left out: a file could not name it either.
    """
    filled = {topic: documents for topic, documents in mapping.items() if documents}
    sizes = [len(documents) for documents in filled.values()]
    found: list[Any] = [v for documents in filled.values() for v in documents.values()]
    docnos = [docno for documents in filled.values() for docno in documents]
    kept = {}
    if found and isinstance(found[0], Mapping):
        per_document = [len(by_name) for by_name in found]
        bounds = np.cumsum([0, *per_document])
        sizes = np.diff(bounds[np.cumsum([0, *sizes])]).tolist()
        docnos = [d for d, n in zip(docnos, per_document, strict=True) for _ in range(n)]
        names = [name for by_name in found for name in by_name]
        kept = {label: PlainDocnos(_encoded(names, label))}
        found = [grade for by_name in found for grade in by_name.values()]
    values = np.array(found, dtype=float)
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(
            f"the {layout.value_name} of document '{docnos[row]}' is {values[row]}",
            expected=f"finite {layout.value_name}s",
        )
    tag = b"" if layout.tag is None else layout.what.encode()
    return Columns(
        topics=tuple(_encoded(list(filled), "topic")),
        starts=np.cumsum([0, *sizes]),
        docnos=_docnos(docnos),
        values=values,
        lines=range(1, len(values) + 1),
        tags=frozenset([tag] if tag else []),
        last_tag=tag,
        kept=kept,
    )


def _docnos(names: Sequence[Any]) -> Docnos:
    if len(names) >= MANY:
        import pyarrow as pa

        from rankeval.io.arrow import ArrowDocnos

        # What is no text goes the other way, which names it.
        with suppress(pa.ArrowException, TypeError):
            return ArrowDocnos(pa.array(names, pa.large_string()).cast(pa.large_binary()))
    return PlainDocnos(_encoded(names, "docno"))


def _encoded(names: Sequence[Any], role: str) -> list[bytes]:
    """Names as bytes; InputError for one that is no text."""
    try:
        return list(map(str.encode, names))
    except TypeError:
        wrong = next(name for name in names if not isinstance(name, str))
        raise InputError(
            f"the {role} {wrong!r} is of the type {type(wrong).__name__}",
            expected="text as names: {'1': {'d1': 0.5}}",
            remedy="put it into quotes, or give arrays or a table, where names may be integers",
        ) from None
