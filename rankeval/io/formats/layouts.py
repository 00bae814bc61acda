"""Layouts of lines without a header, and how a file is read: its form, its beginning, its lines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain

from rankeval.base.frozen import frozen
from rankeval.io.parsers.columns import Layout
from rankeval.io.parsers.line_errors import Problems

RUN = Layout(
    what="run",
    fields=("topic", "Q0", "docno", "rank", "score", "tag"),
    value=4,
    value_name="score",
    tag=5,
)

QRELS = Layout(
    what="qrels",
    fields=("topic", "iteration", "docno", "grade"),
    value=3,
    value_name="grade",
)

LAYOUTS = {"run": RUN, "qrels": QRELS}

SUBTOPIC = "iteration"
"""The role of the column that holds subtopics in judgments for diversity."""

PLACEHOLDERS = frozenset({b"0", b"Q0", b"q0"})
"""The second column of judgments if it holds no subtopics."""

STRATUM = "stratum"
"""The role of the column that says from where in the pool a judgment was sampled."""

LABELLED = {
    SUBTOPIC: replace(QRELS, fields=("topic", "subtopic", "docno", "grade"), kept=((SUBTOPIC, 1),)),
    STRATUM: replace(
        QRELS,
        fields=("topic", "0", "docno", "stratum", "grade"),
        value=4,
        integers=(3,),
        kept=((STRATUM, 3),),
    ),
}
"""Judgments with a further column that is read, by its role."""

UNNEEDED = {"run": (("rank", 3), ("tag", 5)), "qrels": (("iteration", 1),)}
"""Columns that an evaluation does not need, and does not wait for."""

CONSTANTS = {"Q0": b"Q0", "0": b"0", "iteration": b"0"}
"""Fields that are written in every line where no column has them."""


RANKED = Layout(
    what="run",
    fields=("topic", "docno", "rank"),
    value=2,
    value_name="rank",
    docno=1,
    ranked=True,
    kept=(("rank", 2),),
)
"""MS MARCO's run. The score of a document is its rank below zero."""

UNGRADED = Layout(what="qrels", fields=("topic", "docno"), value=None, value_name="grade", docno=1)
"""MS MARCO's judgments, whose lines mean the grade 1. Four columns are TREC's."""


LONGEST_MAGIC = 9
"""The first bytes that identify a binary format, and the one behind them."""


@frozen
class Form:
    """The way to read a file.

    ======== ==============================================================================
    what     "run" or "qrels"
    name     the name of its format; None finds the format by the content
    columns  the names of columns by their roles, if they are not the usual ones
    problems collects wrong lines; None refuses them
    keep     read the rank and the tag of each line, or the iteration
    label    the role of the column of subtopics or strata, if it is to be read
    ranks    read the rank column of a run, too, if the format has one
    by_rank  take these ranks instead of the scores, which may be anything
    begun    the beginning of the file, if it has been read already
    fixed    the value of each role that is the same in all lines, such as the grade of interactions
    passing  is given the pieces of each part of a file and its path, and passes them on
    detected True where the name was found by the content, and not given
    ======== ==============================================================================
    """

    what: str
    name: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    problems: Problems | None = None
    keep: bool = False
    label: str | None = None
    ranks: bool = False
    by_rank: bool = False
    begun: "Beginning | None" = None
    fixed: Mapping[str, bytes] = field(default_factory=dict)
    passing: Callable[[Iterator[bytes], str], Iterator[bytes]] | None = None
    detected: bool = False

    def with_ranks(self, layout: Layout) -> Layout:
        """Return the layout with its rank column, where it has one and the form asks for it."""
        rank = dict(layout.kept).get("rank") if self.ranks else None
        return layout.with_ranks(rank, alone=self.by_rank)


@frozen(eq=False)
class LaidOutLines:
    """The lines of a file: their layout, and blocks of them with the number of the first line.

    `counted` is True where the ranks of each topic have to count up, as they may be scores
    otherwise.
    """

    layout: Layout
    blocks: Iterator[tuple[bytes, int]]
    counted: bool = False


@frozen
class Beginning:
    """The beginning of a file, which shows its format.

    ======= ==================================================================================
    head    pieces of the file, as far as its first line of data
    line    that line, b"" if there is none
    start   the offset of that line
    data    the pieces that follow
    ======= ==================================================================================
    """

    head: Sequence[bytes]
    line: bytes
    start: int
    data: Iterator[bytes]

    @property
    def first(self) -> bytes:
        """Enough bytes to recognise binary formats."""
        return b"".join(piece[:LONGEST_MAGIC] for piece in self.head[:3])

    @property
    def whole(self) -> Iterator[bytes]:
        """The pieces from the beginning; they can be read once."""
        return chain(self.head, self.data)
