"""The way to read a file, and the beginning that was read to find it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain

from rankeval.base.frozen import frozen
from rankeval.io.parsers.line_errors import Problems


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
    begun    the beginning of the file, if it has been read already
    fixed    the value of each role that is the same in all lines, as the folder's name says
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
    begun: "Beginning | None" = None
    fixed: Mapping[str, bytes] = field(default_factory=dict)
    passing: "Callable[[Iterator[bytes], str], Iterator[bytes]] | None" = None


@frozen
class Beginning:
    """The beginning of a file, which tells its format.

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
"""The first bytes that tell a binary format, and the one behind them."""
