"""Runs and judgments that are in memory already."""

from collections.abc import Mapping

import numpy as np

from rankeval.errors import InputError
from rankeval.io.columns import Columns, Layout
from rankeval.io.plain import PlainDocnos


def columns_of(mapping: Mapping[str, Mapping[str, float]], layout: Layout) -> Columns:
    """Take {topic: {docno: score or grade}}; InputError for a number that is not finite.

    A topic without documents is left out: a file could not name it either.
    """
    filled = {topic: documents for topic, documents in mapping.items() if documents}
    sizes = [len(documents) for documents in filled.values()]
    values = np.array([v for documents in filled.values() for v in documents.values()], dtype=float)
    docnos = [docno for documents in filled.values() for docno in documents]
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(
            f"the {layout.value_name} of document '{docnos[row]}' is {values[row]}",
            expected=f"finite {layout.value_name}s",
        )
    tag = b"" if layout.tag is None else layout.what.encode()
    return Columns(
        topics=tuple(topic.encode() for topic in filled),
        starts=np.cumsum([0, *sizes]),
        docnos=PlainDocnos([docno.encode() for docno in docnos]),
        values=values,
        lines=range(1, len(values) + 1),
        tags=frozenset([tag] if tag else []),
        last_tag=tag,
    )
