"""Rankings that come in batches, as a loop over topics gives them: one run in the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankeval.errors import InputError, UsageError
from rankeval.io.columns import Columns
from rankeval.io.formats import RUN, Form
from rankeval.io.python_values import as_bytes, columns_of, encoded
from rankeval.io.topic_order import gathered
from rankeval.ranking.run_source import RunLike, RunSource
from rankeval.ranking.topk import from_topk

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Batch = Columns | dict[str, Mapping[Any, float]]
"""Rankings of some topics: the lines of arrays, or {topic: {docno: score}}."""


class Batches:
    """Batches whose topics are all different; threads may add them at once."""

    def __init__(self) -> None:
        """Begin without any."""
        self._rankings: dict[str, Any] = {}
        self._parts: list[Columns] = []
        self._owner: dict[bytes, Batch] = {}

    def add(self, batch: Batch) -> None:
        """Add a batch, whole or not at all; UsageError for a topic that is there."""
        names = (
            [*batch.topics, *batch.empty]
            if isinstance(batch, Columns)
            else encoded([*batch], "topic")
        )
        for place, name in enumerate(names):
            if self._owner.setdefault(name, batch) is not batch:  # one step, also among threads
                for own in {*names[:place]}:
                    del self._owner[own]
                raise UsageError(
                    f"topic {name.decode(errors='backslashreplace')!r} was added before",
                    remedy="add each topic once, or call reset() between two runs",
                )
        if isinstance(batch, Columns):
            self._parts.append(batch)
        else:
            self._rankings.update(batch)

    def run(self) -> RunLike:
        """Return one run of all batches."""
        if not self._parts:
            return {**self._rankings}
        return RunSource(parts=(columns_of(self._rankings, RUN), *self._parts))


def batch_of(
    ids: RunLike | ArrayLike,
    scores: ArrayLike | None,
    topics: ArrayLike | None,
    pad: int | str | bytes,
) -> Batch:
    """Return arrays of several topics, lists of one topic, or any run as a batch."""
    if isinstance(topics, str | bytes | int | np.integer):
        return {_as_text(topics, "topic"): _ranking(topics, ids, scores)}
    given: Any = ids
    is_rows = isinstance(given, Sequence) and bool(given) and isinstance(given[0], list)
    is_array = getattr(given, "ndim", 0) == 2 and not hasattr(given, "columns")
    if topics is not None or scores is not None or is_rows or is_array:
        return from_topk(given, scores, topics, pad)
    source = RunSource.of(given)
    if source.is_by_topic:
        return {
            _as_text(topic, "topic"): dict(ranking) if isinstance(ranking, Mapping) else ranking
            for topic, ranking in source.given.items()
        }
    return gathered(source.again(Form("run")).parts or ())


def _ranking(topic: str | bytes | int | np.integer[Any], ids: Any, scores: Any) -> dict[str, float]:
    """Return the ranking of one topic from lists of its documents and their scores."""
    names = [_as_text(docno, "docno") for docno in _listed(ids, "ids")]
    values = range(len(names), 0, -1) if scores is None else _listed(scores, "scores")
    if len(names) != len(values):
        raise UsageError(
            f"topic {topic!r} has {len(names)} docnos and {len(values)} scores",
            expected="one score for each docno",
        )
    ranking = dict(zip(names, values, strict=True))
    if len(ranking) < len(names):
        again = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(
            f"document {again!r} is listed twice in topic {topic!r}",
            expected="each document once per topic",
        )
    return ranking


def _listed(values: Any, what: str) -> list[Any]:
    """Return values as a list of Python's own numbers or texts, also from an array or a tensor."""
    as_list = getattr(values, "tolist", None)
    found = values if as_list is None else as_list()
    if isinstance(found, str | bytes) or not isinstance(found, Iterable):
        raise UsageError(
            f"{what} are {found!r} ({type(found).__name__})",
            expected=f"several {what}: a list or an array",
        )
    return list(found)


def _as_text(name: object, role: str) -> str:
    """Return a name as text: 7, "7" and b"7" are one; InputError for what is not a name."""
    return name if isinstance(name, str) else as_bytes(name, role).decode(errors="surrogateescape")
