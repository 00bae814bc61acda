"""Read the judgments of `-R qrels`; the interface of all formats of judgments."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from rankeval.base.arrays import Booleans, Integers
from rankeval.base.frozen import frozen
from rankeval.errors import InputError
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.plain_parser import PlainDocnos, parse
from rankeval.ranking import RankedJudgments
from rankeval.ranking.qrels import Qrels, from_columns
from rankeval.ranking.rank import Ties
from rankeval.trec_eval.evaluated_run import Evaluation
from rankeval.trec_eval.flags import Options
from rankeval.trec_eval.recall_scan import POOLED, UNJUDGED
from rankeval.trec_eval.tool_files import cannot_read, malformed, read_text, without_comments
from rankeval.trec_eval.tool_output import integer
from rankeval.trec_eval.tool_version import Version

LARGEST_LEVEL = 1 << 53
"""Higher levels are cut to this: doubles do not hold all integers above it."""


class Judgments(Protocol):
    """A file of judgments in any format."""

    @property
    def qrels(self) -> Qrels:
        """The documents that the file names, by topic."""

    @property
    def ties(self) -> Ties:
        """The order of documents with equal scores."""

    @property
    def n_positive(self) -> int:
        """The number of judgments with a level above 0."""

    @property
    def repeated(self) -> Mapping[bytes, bytes]:
        """The first document by name that is judged twice, of topics that have one."""

    def view(
        self, judged: RankedJudgments, chosen: Integers, options: Options, version: Version
    ) -> Any:
        """Return the chosen topics in the form that the measures of this format take."""

    def unusable(self, judged: RankedJudgments, chosen: Integers, version: Version) -> Booleans:
        """Mark the chosen topics that stop the evaluation."""


def data_lines(path: bytes, reader: str, kind: str, version: Version) -> bytes:
    """Return the text of a file of judgments without comments; Failure if it cannot be read."""
    text = read_text(path)
    if text is None:
        raise cannot_read(path, reader, kind)
    return without_comments(text) if version.comments else text


def fields_of_lines(
    path: bytes, reader: str, kind: str, n_fields: int, version: Version
) -> Iterator[list[bytes]]:
    """Yield the fields of each line; Failure for a line with another number of them."""
    text = data_lines(path, reader, kind, version)
    for number, line in enumerate(text.split(b"\n")[:-1], 1):
        fields = line.split()
        if len(fields) != n_fields:
            raise malformed(path, reader, number)
        yield fields


@frozen(eq=False)
class QrelsFile:
    """Judgments of documents by topic; `repeated` has a document that is judged twice, by topic."""

    qrels: Qrels
    repeated: Mapping[bytes, bytes]
    n_positive: int
    ties: Ties = "docno"

    def view(
        self, judged: RankedJudgments, _chosen: Integers, options: Options, version: Version
    ) -> Evaluation:
        """Return the chosen topics."""
        judged = judged.condensed if options.judged_only else judged
        return Evaluation(judged, options.level, options.collection_size, version)

    def unusable(self, _judged: RankedJudgments, chosen: Integers, _version: Version) -> Booleans:
        """Mark topics with a document judged twice, and some topics with negative levels only.

        A topic whose levels are all -1 is refused only if it is the first to be evaluated; a later
        one keeps the levels of the topic before. trec_eval crashes if all levels are -2 or less;
        such a topic is refused here.
        """
        highest = np.maximum.reduceat(self.qrels.grade, self.qrels.offsets[:-1])[chosen]
        unusable = highest <= POOLED
        if self.repeated:
            topics = self.qrels.topics
            unusable |= np.array([topics[at] in self.repeated for at in chosen.tolist()], bool)
        unusable[:1] |= highest[:1] == UNJUDGED
        return unusable


class _Levels(dict[bytes, float]):
    """Levels by text; each text is parsed once, because a file has few levels and many lines."""

    def __missing__(self, text: bytes) -> float:
        level = max(-LARGEST_LEVEL, min(LARGEST_LEVEL, integer(text)))
        self[text] = level
        return level


_LAYOUT = Layout(
    what="qrels",
    fields=("topic", "iteration", "docno", "level"),
    value=3,
    value_name="level",
    tag=None,
    comments=False,
    number=_Levels().__getitem__,
    decimal=False,
)

_READER = "get_qrels"


def read_qrels_file(path: bytes, version: Version) -> QrelsFile:
    """Read judgments; Failure for a wrong file."""
    text = data_lines(path, _READER, "qrels", version)
    try:
        columns = parse(text, _LAYOUT, "", 1)
    except InputError as error:
        raise malformed(path, _READER, _line_of(error)) from None
    if len(columns) < text.count(b"\n") or not len(columns):
        raise malformed(path, _READER, _first_blank(text))
    qrels, repeated = _without_repetitions(columns)
    return QrelsFile(qrels, repeated, int(np.count_nonzero(columns.values > 0)))


def _line_of(error: InputError) -> int:
    return int(error.place.rpartition(":")[2])


def _first_blank(text: bytes) -> int:
    lines = text.split(b"\n")
    return next(number for number, line in enumerate(lines, 1) if not line.strip())


def _without_repetitions(columns: Columns) -> tuple[Qrels, dict[bytes, bytes]]:
    """Return the first judgment of each document, and the first repeated one of each topic."""
    try:
        qrels = from_columns([columns], "qrels", _LAYOUT)
    except InputError:
        seen: set[tuple[bytes, bytes]] = set()
        topics = [
            topic
            for topic, size in zip(columns.topics, np.diff(columns.starts).tolist(), strict=True)
            for _ in range(size)
        ]
        first: list[int] = []
        twice: dict[bytes, bytes] = {}
        for row, judgment in enumerate(zip(topics, columns.docnos.tolist(), strict=True)):
            if judgment in seen:
                topic, docno = judgment
                twice[topic] = min(docno, twice.get(topic, docno))
            else:
                seen.add(judgment)
                first.append(row)
        qrels = qrels_of(
            [topics[row] for row in first],
            columns.docnos.take(np.array(first)).tolist(),
            columns.values[first].tolist(),
        )
        return qrels, twice
    return qrels, {}


def qrels_of(topics: Sequence[bytes], docnos: Sequence[bytes], levels: Sequence[float]) -> Qrels:
    """Make judgments from lines in any order, without repeated documents."""
    columns = Columns(
        topics=tuple(topics),
        starts=np.arange(len(topics) + 1),
        docnos=PlainDocnos(list(docnos)),
        values=np.array(levels, dtype=float),
        lines=range(1, len(topics) + 1),
    )
    return from_columns([columns], "qrels", _LAYOUT)
