"""Select topics and the first documents of a run; set its ranks and tags."""

from dataclasses import replace

import numpy as np

from rankeval.errors import UsageError
from rankeval.io.columns import Columns, stretches
from rankeval.io.format_limits import ranks_by_score
from rankeval.io.plain_parser import PlainDocnos
from rankeval.ranking.duplicates import rows_of_topics
from rankeval.support.frozen import frozen


@frozen
class Selection:
    """The lines to select, and the tag and ranks to set.

    ======== ============================================================================
    depth    number of documents to keep of a topic, by score (ties by docno, descending)
    topics   topics to keep; None keeps all
    tag      the tag of every line; None leaves them
    renumber True to sort lines by score and number ranks from 1
    ======== ============================================================================
    """

    depth: int | None = None
    topics: frozenset[bytes] | None = None
    tag: bytes | None = None
    renumber: bool = False

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise UsageError(f"a depth of {self.depth} keeps nothing", expected="1 or more")

    def of(self, columns: Columns) -> Columns:
        """Return the selected lines of some whole topics; there may be none."""
        if self.topics is not None:
            columns = _among(columns, self.topics)
        if self.depth is not None:
            shallow = np.flatnonzero(ranks_by_score(columns) <= self.depth)
            columns = rows_of_topics(columns, shallow)
        if self.renumber:
            ranks = ranks_by_score(columns)
            order = np.lexsort((ranks, stretches(columns)))
            columns = rows_of_topics(columns, order)
            columns = with_column(columns, "rank", [b"%d" % r for r in ranks[order].tolist()])
        if self.tag is not None:
            columns = with_column(columns, "tag", [self.tag] * len(columns))
        return columns


def with_column(columns: Columns, role: str, names: list[bytes]) -> Columns:
    """Return the lines with a column added or replaced."""
    return replace(columns, kept={**columns.kept, role: PlainDocnos(names)})


def _among(columns: Columns, topics: frozenset[bytes]) -> Columns:
    """Return the lines of some topics."""
    wanted = np.array([topic in topics for topic in columns.topics], dtype=bool)
    return rows_of_topics(columns, np.flatnonzero(np.repeat(wanted, np.diff(columns.starts))))
