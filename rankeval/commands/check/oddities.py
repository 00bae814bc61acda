"""Find odd bytes in a text: marks, line ends, and what is not UTF-8."""

import re
from collections.abc import Iterable, Iterator

from rankeval.base.wording import count
from rankeval.io.sources.blocks import BYTE_ORDER_MARK

_INVISIBLE = re.compile("[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]")


class Oddities:
    """Lines with oddities, counted by kind while the pieces of a file pass."""

    def __init__(self) -> None:
        self._lines: dict[str, list[int]] = {}
        self._complete = False

    def passing(self, pieces: Iterable[bytes], _path: str = "") -> Iterator[bytes]:
        """Yield the pieces of a file as they are; a file that is read again counts once."""
        if self._complete:
            yield from pieces
            return
        self._lines = {}
        line, begun = 1, list[bytes]()
        for number, piece in enumerate(pieces):
            text = piece
            if not number and piece.startswith(BYTE_ORDER_MARK):
                self._note("a byte order mark", 1)
                text = piece.removeprefix(BYTE_ORDER_MARK)
            lines, newline, end = text.rpartition(b"\n")
            if newline:
                self._look(b"".join([*begun, lines]), line)
                line += lines.count(b"\n") + 1
                begun = []
            begun.append(end)
            yield piece
        self._look(b"".join(begun), line)
        self._complete = True

    def _look(self, text: bytes, first: int) -> None:
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
                    self._note("bytes that are not UTF-8", number)

    def _note(self, kind: str, line: int) -> None:
        self._lines.setdefault(kind, [0, line])[0] += 1

    def warnings(self) -> list[str]:
        """Return a sentence for each kind, in the order of their first lines."""
        return [
            f"{kind} in {count(often, 'line')}, first in line {first}"
            for kind, (often, first) in self._lines.items()
        ]
