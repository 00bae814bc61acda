"""Runs that are in memory already."""

from collections.abc import Mapping

import numpy as np

from rankeval.errors import InputError
from rankeval.io.columns import Columns
from rankeval.io.plain import PlainDocnos


def columns_of(run: Mapping[str, Mapping[str, float]]) -> Columns:
    """Take a run as {topic: {docno: score}}; InputError for a score that is not finite."""
    ranked = {topic: documents for topic, documents in run.items() if documents}
    sizes = [len(documents) for documents in ranked.values()]
    scores = np.array([s for documents in ranked.values() for s in documents.values()], dtype=float)
    docnos = [docno for documents in ranked.values() for docno in documents]
    if not np.isfinite(scores).all():
        row = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise InputError(
            f"the score of document '{docnos[row]}' is {scores[row]}", expected="finite scores"
        )
    return Columns(
        topics=tuple(topic.encode() for topic in ranked),
        starts=np.cumsum([0, *sizes]),
        docnos=PlainDocnos([docno.encode() for docno in docnos]),
        values=scores,
        lines=range(1, len(scores) + 1),
        tags=frozenset([b"run"]),
        last_tag=b"run",
    )
