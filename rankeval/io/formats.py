"""The formats of runs and judgments as one table, and the way to read a file of one."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from typing import Any, Protocol, runtime_checkable

from rankeval.base.frozen import field, frozen, record, replace
from rankeval.errors import UsageError
from rankeval.io.column_names import KEPT
from rankeval.io.columns import Columns, Layout
from rankeval.io.lines_parser import Problems

RUN = Layout(
    what="run",
    fields=("topic", "Q0", "docno", "rank", "score", "tag"),
    value=4,
    value_name="score",
    tag=5,
)

QRELS = Layout(
    what="qrels", fields=("topic", "iteration", "docno", "grade"), value=3, value_name="grade"
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


@record
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
    def binary(self) -> str:
        """The name of a binary format; "" for text, which may begin with a word like theirs."""
        first = b"".join(piece[:LONGEST_MAGIC] for piece in self.head[:3])
        found = (magic for magic in MAGIC if first.startswith(magic))
        return next((MAGIC[m] for m in found if not first[len(m) : len(m) + 1].isspace()), "")

    @property
    def whole(self) -> Iterator[bytes]:
        """The pieces from the beginning; they can be read once."""
        return chain(self.head, self.data)


Read = tuple[Layout, Iterator[tuple[bytes, int]]] | Iterator[Columns]
"""The layout of lines, and blocks of lines with the numbers of their first ones; or the columns."""

WORDS, RECORDS, UNICODE = "words without blanks", "text in one line", "text in UTF-8"
"""The names that a format can hold."""


@record
class FileFormat:
    """A format of runs and judgments.

    =============== =========================================================================
    name            its name in options
    module          that of its functions `read` and `write`, which take the name first
    names           the names that it can hold
    roles           columns that it can hold in addition to topics, docnos and numbers
    required        those of them that every line has
    suffixes        suffixes of its files, with the dot
    magic           first bytes of its files, at most eight, if it is binary
    =============== =========================================================================
    """

    name: str
    module: str
    names: str
    roles: Collection[str]
    required: Collection[str] = ()
    suffixes: Collection[str] = ()
    magic: Collection[bytes] = ()

    @property
    def functions(self) -> Any:
        """The functions that read and write its files."""
        return import_module(f"rankeval.io.{self.module}")


_EVERY = ("score", *KEPT["run"], *KEPT["qrels"])
_OF_TREC = (".run", ".trec", ".txt", ".res", ".qrels", ".qrel")
_OF_MSMARCO = ("rank", "iteration")

FORMATS = {
    name: FileFormat(name, *facts)
    for name, *facts in (
        ("trec", "text_formats", WORDS, _EVERY, ("tag", *_OF_MSMARCO), _OF_TREC),
        ("msmarco", "text_formats", WORDS, _OF_MSMARCO, _OF_MSMARCO),
        ("beir", "text_formats", RECORDS, ("score",)),
        ("csv", "text_formats", RECORDS, _EVERY, (), (".csv",)),
        ("tsv", "text_formats", RECORDS, _EVERY, (), (".tsv",)),
        ("json", "json_formats", UNICODE, ("score",), (), (".json",)),
        ("jsonl", "json_formats", UNICODE, _EVERY, (), (".jsonl", ".ndjson")),
        ("parquet", "table_files", UNICODE, _EVERY, (), (".parquet", ".pq"), (b"PAR1",)),
        (
            *("arrow", "table_files", UNICODE, _EVERY, (), (".arrow", ".feather", ".ipc")),
            (b"ARROW1\0\0", b"\xff\xff\xff\xff"),
        ),
    )
}
"""All formats by their names, in the order of --help."""

MAGIC = {magic: name for name, one in FORMATS.items() for magic in one.magic}
LONGEST_MAGIC = max(map(len, MAGIC)) + 1
IRDS = "irds:"
"""The beginning of the name of a data set of ir_datasets."""


def check_name(name: str | None) -> None:
    """Raise UsageError if there is no format of that name; None means no name."""
    if name is not None and name not in FORMATS:
        raise UsageError(f"there is no format '{name}'", expected=f"one of {', '.join(FORMATS)}")


IN_MEMORY = "file object"
"""The name in messages of an open file that has none."""


@runtime_checkable
class ReadableFile(Protocol):
    """An open file: its `read` gives bytes or text."""

    def read(self, size: int = -1, /) -> Any:
        """Return the next bytes or characters, at most `size`; all of them for -1."""
