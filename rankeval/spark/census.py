"""Count judgments that are too many for one machine: one pass over them before they are used."""

import pickle
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from rankeval.base.arrays import short_digest
from rankeval.base.frozen import frozen
from rankeval.errors import InputError, RankevalError, placed
from rankeval.evaluation.notices import by_kind
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import QrelsFacts, TopicDigests
from rankeval.ranking.qrels import Qrels
from rankeval.spark.partition_work import (
    AT_ONCE,
    Batches,
    WrongRows,
    judgments_of_rows,
    whole_topics,
)

SCHEMA = "text binary, counts binary"

ADDED = ("topics", "judgments", "between", "fractions", "several", "names", "digests")
"""The fields of a census that are the sums of those of its parts."""


@frozen(eq=False)
class Census:
    """Counts of judgments; those of parts with different topics add up.

    ========= ============================================================================
    topics    number of topics
    judgments number of judgments
    highest_grade the highest grade
    between   judgments with a grade between 0 and 1
    fractions judgments whose grade is no integer
    several   documents with judgments for several subtopics
    dropped   rows that were left out, counted by kind
    names     the topics, in the order of their names
    digests   the digest of the judgments of each
    error     the error that ended the count
    ========= ============================================================================
    """

    topics: int = 0
    judgments: int = 0
    highest_grade: float = 0.0
    between: int = 0
    fractions: int = 0
    several: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    names: tuple[bytes, ...] = ()
    digests: tuple[int, ...] = ()
    error: RankevalError | None = None

    def plus(self, other: "Census") -> "Census":
        """Return the counts of both."""
        return Census(
            **{name: getattr(self, name) + getattr(other, name) for name in ADDED},
            highest_grade=max(self.highest_grade, other.highest_grade),
            dropped=dict(Counter(self.dropped) + Counter(other.dropped)),
            error=self.error or other.error,
        )

    def facts(self, path: str, digest: str) -> QrelsFacts:
        """Return the facts that results have of their judgments."""
        return QrelsFacts(
            path=path,
            topics=self.topics,
            judgments=self.judgments,
            digest=digest,
            dropped=by_kind(self.dropped),
            of_topics=TopicDigests(self.names, np.array(self.digests, dtype=np.int64)),
        )


def take_census(frame: Any, name: str, reading: Reading) -> tuple[Census, str]:
    """Return the counts and the digest of judgments; InputError for wrong ones.

    Their text goes through the driver piece by piece, in the order of topics, as the digest is
    that of one file.
    """
    work = partial(counted, name=name, reading=reading)
    rows = frame.repartitionByRange("topic").sortWithinPartitions("topic").mapInArrow(work, SCHEMA)
    census = Census()

    def texts() -> Iterator[bytes]:
        nonlocal census
        for text, counts in rows.toLocalIterator(prefetchPartitions=True):
            if counts is not None:
                census = census.plus(pickle.loads(bytes(counts)))  # noqa: S301  see `counted`
            if text is not None:
                yield bytes(text)

    digest = short_digest(texts())
    if census.error is not None:
        raise census.error
    if not census.judgments:
        raise no_row(name, "judgment", "grade")
    return census, digest


def no_row(name: str, what: str, value: str) -> InputError:
    """Return the error of a run or of judgments without any row."""
    return InputError(
        f"holds no {what}",
        place=name,
        expected=f"rows of topic, docno and {value}",
        remedy="check that the table is complete",
    )


def counted(batches: Batches, *, name: str, reading: Reading) -> Iterator[Any]:
    """Yield the sorted text of a partition's judgments, and their counts."""
    wrong = WrongRows("qrels", name, reading)
    census = Census()
    try:
        for table in whole_topics(batches, AT_ONCE):
            qrels = judgments_of_rows(table, wrong)
            if qrels is not None:
                census = census.plus(_counts(qrels))
                yield _row(b"".join(qrels.sorted_text()), None)
    except RankevalError as error:
        census = Census(error=placed(error, error.place))
    yield _row(None, pickle.dumps(census.plus(Census(dropped=wrong.counts))))


def _counts(qrels: Qrels) -> Census:
    several = 0 if qrels.subtopics is None else np.diff(qrels.subtopics.offsets) > 1
    return Census(
        topics=len(qrels.topics),
        judgments=len(qrels.grade),
        highest_grade=qrels.highest_grade,
        between=qrels.fractions_below_one,
        fractions=qrels.fractions,
        several=int(np.count_nonzero(several)),
        dropped=qrels.dropped,
        names=qrels.topics,
        digests=tuple(qrels.topic_digests.tolist()),
    )


def _row(text: bytes | None, counts: bytes | None) -> Any:
    return pa.RecordBatch.from_arrays(
        [pa.array([text], pa.binary()), pa.array([counts], pa.binary())], ["text", "counts"]
    )
