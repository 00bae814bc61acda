"""Find oddities in the bytes of a text: marks, line ends, encodings."""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping

from rankeval.io.blocks import BYTE_ORDER_MARK
from rankeval.support.wording import count

_INVISIBLE = re.compile("[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]")


class OdditiesOfParts:
    """The oddities of a file, or of each of its parts."""

    def __init__(self) -> None:
        self._parts: dict[str, Oddities] = {}

    def passing(self, pieces: Iterator[bytes], path: str) -> Iterator[bytes]:
        """Yield the pieces of a file; one that is read again is not inspected again."""
        before = self._parts.get(path)
        if before is not None and before.complete:
            return pieces
        self._parts[path] = Oddities()
        return self._parts[path].passing(pieces)

    def inspect_rest(self) -> None:
        """Inspect what nobody has read of a file."""
        for one in self._parts.values():
            deque(one.rest, maxlen=0)

    def warnings(self) -> list[str]:
        """Return a sentence for each kind."""
        times: Counter[str] = Counter()
        first: dict[str, str] = {}
        for path, one in self._parts.items():
            for kind, (often, line) in one.found.items():
                times[kind] += often
                first.setdefault(kind, f"line {line}" + (f" of {path}" if path else ""))
        return [
            f"{kind} in {count(often, 'line')}, first in {first[kind]}"
            for kind, often in times.items()
        ]


class Oddities:
    """Count the lines with oddities by kind, and note the first line of each kind."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, int]] = {}
        self._line = 1
        self._carry: list[bytes] = []
        self.rest: Iterator[bytes] = iter(())
        self.complete = False

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
        self.complete = True

    @property
    def found(self) -> Mapping[str, tuple[int, int]]:
        """The number of lines of each kind, and the first of them."""
        return self._found

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
