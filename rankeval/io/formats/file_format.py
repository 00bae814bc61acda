"""A file format as one record, and the way to read a file: its form and its beginning."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING

from rankeval.base.frozen import frozen
from rankeval.io.parsers.column_names import KEPT, KINDS, ContentGuess
from rankeval.io.parsers.line_errors import Problems

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.io.parsers.columns import Columns, Layout


class NameRule(Enum):
    """The names that a format can hold."""

    WORDS = "words without blanks"
    RECORDS = "text in one line"
    UNICODE = "text in UTF-8"


ALL_ROLES = frozenset(role for roles in KEPT.values() for role in roles)
"""Every column that a format may hold in addition to topics, docnos and numbers."""


@frozen
class Limits:
    """The limits of a format.

    ============= ===========================================================================
    names         the names that it can hold
    kinds         "run", "qrels" and "prefs", or some of them
    roles         columns that it can hold in addition to topics, docnos and numbers
    required      those of them that every line has
    scores        it holds the scores of a run; otherwise ranks take their place
    integer_ranks ranks are integers, not text
    whole_grades  trec_eval reads files of this format, and reads whole grades only
    comments      lines that begin with # may come before those of data
    ============= ===========================================================================
    """

    names: NameRule
    kinds: tuple[str, ...] = KINDS
    roles: frozenset[str] = ALL_ROLES
    required: frozenset[str] = frozenset()
    scores: bool = True
    integer_ranks: bool = False
    whole_grades: bool = False
    comments: bool = False


@frozen(eq=False)
class LaidOutLines:
    """The lines of a file: their layout, and blocks of them with the number of the first line.

    `header` is the line above them that names their fields, b"" without one. `counted` is True
    where the ranks of each topic have to count up, as they may be scores otherwise.
    """

    layout: "Layout"
    blocks: Iterator[tuple[bytes, int]]
    header: bytes = b""
    counted: bool = False


@frozen(eq=False)
class FileFormat:
    """A format of runs, judgments or preferences.

    =============== =========================================================================
    name            its name in options
    limits          what it can hold
    read            reads a file that is open: gives its lines and their layout, or columns
    write           turns columns of "run", "qrels" or "prefs" into the pieces of a file
    suffixes        suffixes of its files, with the dot
    output_suffixes further suffixes, which name the format of a file that is to be written
    magic           first bytes of its files, at most eight, if it is binary
    recognises      returns True if the first line of data can be of this format only; else its
                    files are known by magic or suffix
    guess           guesses the content of a file from its beginning, its path and given column
                    names; None if they do not show it
    unread          describes the columns of a file that have no known meaning
    read_as         the format that its files are recognised as, by kind, if it is another one
    =============== =========================================================================
    """

    name: str
    limits: Limits
    read: "Callable[[str, Beginning, Form], LaidOutLines | Iterator[Columns]]"
    write: "Callable[[str, Iterator[Columns]], Iterator[bytes]]"
    suffixes: tuple[str, ...] = ()
    output_suffixes: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    recognises: "Callable[[bytes, Form], bool]" = lambda *_: False
    guess: "Callable[[Beginning, str, Mapping[str, str]], ContentGuess | None]" = lambda *_: None
    unread: "Callable[[str, Beginning, Form], Sequence[str]]" = lambda *_: ()
    read_as: Mapping[str, str] = field(default_factory=dict)

    def has_magic(self, head: bytes) -> bool:
        """Return True if a file begins as files of this format do, and not with a word."""
        return any(
            head.startswith(magic) and not head[len(magic) :][:1].isspace() for magic in self.magic
        )


@frozen
class Form:
    """The way to read a file.

    ======== ==============================================================================
    what     "run", "qrels", or "prefs" for preferences
    name     the name of its format; None finds the format by the content
    columns  the names of columns by their roles, if they are not the usual ones
    problems collects wrong lines; None refuses them
    keep     read the rank and the tag of each line, or the iteration
    label    the role of the column of subtopics or strata, if it is to be read
    ranks    read the rank column of a run, too, if the format has one
    by_rank  take these ranks in the place of the scores, which may be anything
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
    passing: "Callable[[Iterator[bytes], str], Iterator[bytes]] | None" = None
    detected: bool = False

    def with_ranks(self, layout: "Layout") -> "Layout":
        """Return the layout with its rank column, where it has one and the form asks for it."""
        rank = dict(layout.kept).get("rank") if self.ranks else None
        return layout.with_ranks(rank, alone=self.by_rank)


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


LONGEST_MAGIC = 9
"""The first bytes that identify a binary format, and the one behind them."""
