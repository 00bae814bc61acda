"""Find oddities in the bytes of a text: marks, line ends, encodings."""

import re
from collections.abc import Iterable, Iterator

from rankeval.io.blocks import BYTE_ORDER_MARK
from rankeval.support.wording import count

_INVISIBLE = re.compile("[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]")


class Oddities:
    """Count the lines with oddities by kind, and note the first line of each kind."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, int]] = {}
        self._line = 1
        self._carry: list[bytes] = []
        self.rest: Iterator[bytes] = iter(())

    def passing(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the pieces of a file, and inspect each on its way.

        If the pieces are not all read, `rest` yields the others.
        """
        self.rest = self._passing(pieces)
        return self.rest

    def _passing(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for number, piece in enumerate(pieces):
            text = piece
            if number == 0 and piece.startswith(BYTE_ORDER_MARK):
                self._note("a byte order mark", 1)
                text = piece.removeprefix(BYTE_ORDER_MARK)
            self._look(text)
            yield piece
        self._look(b"\n")

    def warnings(self) -> list[str]:
        """Return a sentence for each kind."""
        return [
            f"{kind} in {count(times, 'line')}, first in line {first}"
            for kind, (times, first) in self._found.items()
        ]

    def _look(self, piece: bytes) -> None:
        """Inspect the lines that end in this piece."""
        lines, newline, rest = piece.rpartition(b"\n")
        if newline:
            self._look_at_lines(b"".join((*self._carry, lines)))
            self._carry = []
        self._carry.append(rest)

    def _look_at_lines(self, text: bytes) -> None:
        first = self._line
        self._line += text.count(b"\n") + 1
        if text.isascii() and b"\r" not in text and b"\0" not in text:
            return
        for number, line in enumerate(text.split(b"\n"), first):
            if b"\r" in line:
                self._note("a carriage return", number)
            if b"\0" in line:
                self._note("a NUL byte", number)
            if not line.isascii():
                try:
                    if _INVISIBLE.search(line.decode()):
                        self._note("an invisible character", number)
                except UnicodeDecodeError:
                    self._note("bytes that are no UTF-8", number)

    def _note(self, kind: str, line: int) -> None:
        times, first = self._found.get(kind, (0, line))
        self._found[kind] = times + 1, first
