"""How a file is to be read, and what was read of it to tell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain

from rankeval.errors import UsageError
from rankeval.io.columns import Layout
from rankeval.io.format_names import NAMES
from rankeval.io.line_errors import Problems
from rankeval.support.frozen import frozen


@frozen
class Form:
    """How a file is to be read.

    ======== ==============================================================================
    what     "run", "qrels", or "prefs" for preferences
    name     its format, one of NAMES; None finds it by the content
    columns  the names of columns by their roles, where there is no convention for them
    problems where lines that are wrong go; None refuses them
    keep     keep the rank and the tag of each line, or the iteration
    label    the role of a column that names a subtopic or a stratum, if it is to be read
    ranks    the rank column of a run is read, too, in formats that have one
    begun    the beginning of the file, if it was looked at already
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

    def __post_init__(self) -> None:
        if self.name is not None and self.name not in NAMES:
            raise UsageError(
                f"there is no format '{self.name}'", expected=f"one of {', '.join(NAMES)}"
            )


@frozen
class Beginning:
    """What was read of a file to tell how to go on.

    ======= ==================================================================================
    head    pieces of the file, as far as its first line of data
    line    that line, b"" where there is none
    start   where it starts
    data    the pieces that follow
    ======= ==================================================================================
    """

    head: Sequence[bytes]
    line: bytes
    start: int
    data: Iterator[bytes]

    @property
    def first(self) -> bytes:
        """Enough bytes to tell formats that are no text."""
        return b"".join(piece[:LONGEST_MAGIC] for piece in self.head[:3])

    @property
    def whole(self) -> Iterator[bytes]:
        """The pieces from the beginning; there is only one reading of them."""
        return chain(self.head, self.data)


LONGEST_MAGIC = 9
"""Bytes that tell which binary format a file is in, and the one behind them."""


def with_ranks(layout: Layout, form: Form) -> Layout:
    """The layout with its rank column, if it has one and it is to be read."""
    return replace(layout, rank=dict(layout.kept).get("rank")) if form.ranks else layout
