"""Find oddities of a text: marks, line ends, encodings, and names that differ in spelling only."""

import codecs
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from rankeval.base.arrays import Booleans, Integers
from rankeval.base.wording import count, listed
from rankeval.io.parsers.columns import Columns
from rankeval.io.sources.blocks import BYTE_ORDER_MARK
from rankeval.ranking.chunks import folded

PENDING = 1 << 18
"""Number of hashes gathered before they are sorted."""


NAME_BITS = 20
"""Lower bits of a hash distinguish names of one folded form; upper bits, the forms."""


def hashed(name: bytes) -> int:
    """Return a hash whose upper bits are the same for all spellings of a docno."""
    low = (1 << NAME_BITS) - 1
    return hash(folded(name)) & ~low | hash(name) & low


class Spellings:
    """The hash of each distinct docno, in eight bytes of memory."""

    def __init__(self) -> None:
        self._known = np.zeros(0, dtype=np.int64)
        self._new: list[Integers] = []
        self._n_new = 0

    def add(self, names: Iterable[bytes]) -> None:
        """Take note of some docnos."""
        new = np.fromiter(map(hashed, names), dtype=np.int64)
        self._new.append(new)
        self._n_new += len(new)
        if self._n_new > max(PENDING, len(self._known) // 4):
            self._merge()

    def _merge(self) -> None:
        every = np.concatenate([self._known, *self._new])
        self._new, self._n_new = [], 0
        every.sort()  # in its place, where np.unique would copy it first
        self._known = every[np.append(True, every[1:] != every[:-1])] if len(every) else every

    def warnings(self, again: Callable[[], Iterable[Columns]]) -> list[str]:
        """Return the warnings; the file is read `again` for the names, if there are any."""
        self._merge()
        forms = self._known >> NAME_BITS
        several = frozenset(forms[1:][forms[1:] == forms[:-1]].tolist())
        if not several:
            return []
        alike: dict[bytes, set[bytes]] = {}
        for columns in again():
            for name in columns.docnos.tolist():
                if hashed(name) >> NAME_BITS in several:
                    alike.setdefault(folded(name), set()).add(name)
        groups = [sorted(names) for names in alike.values() if len(names) > 1]
        if not groups:  # names of different forms had the same bits
            return []
        several_of = count(len(groups), "docno")
        return [f"{several_of} in several spellings of case or blanks, such as {listed(groups[0])}"]


class Misspelt:
    """Docnos of a run that would be judged if they were spelled as in the judgments."""

    def __init__(self, judged: Sequence[bytes]) -> None:
        self._judged = frozenset(judged)
        self._forms = {folded(name): name for name in judged}
        self._found: dict[bytes, bytes] = {}

    def add(self, names: Iterable[bytes]) -> None:
        """Take note of some docnos."""
        for name in names:
            if name not in self._judged:
                meant = self._forms.get(folded(name))
                if meant is not None:
                    self._found[meant] = min(name, self._found.get(meant, name))

    def warnings(self) -> list[str]:
        """Return the warnings."""
        if not self._found:
            return []
        meant, name = min(self._found.items())  # the order of a set differs from run to run
        example = f"{listed([name])} for {listed([meant])}"
        times = count(len(self._found), "judged docno")
        return [f"{times} spelled otherwise by case or blanks, such as {example}"]


RETURN, NUL = "a carriage return", "a NUL byte"
INVISIBLE, NO_UTF8 = "an invisible character", "bytes that are no UTF-8"
LAST_OF_ASCII = 127
KINDS = (RETURN, NUL, INVISIBLE, NO_UTF8)
_DECODER = codecs.getincrementaldecoder("utf-8")
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
        """Inspect the parts of a file that nobody has read."""
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
        self._open = _Line()
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
        """The number of lines of each kind, and the first of them; the first kind comes first."""
        return dict(sorted(self._found.items(), key=lambda kind: kind[1][1]))

    def _look(self, piece: bytes) -> None:
        """Inspect the lines that end in this piece, and the beginning of the one that does not."""
        end, newline, rest = piece.partition(b"\n")
        self._open.add(end)
        if not newline:
            return
        self._note_line(self._open, self._line)
        self._line += 1
        lines, newline, begun = rest.rpartition(b"\n")
        if newline:
            self._look_at_lines(lines)
        self._open = _Line()
        self._open.add(begun)

    def _look_at_lines(self, text: bytes) -> None:
        first = self._line
        self._line += text.count(b"\n") + 1
        if _is_plain(text):
            return
        characters = np.frombuffer(text, dtype=np.uint8)
        ends = np.flatnonzero(characters == ord("\n"))

        def lines_with(found: Booleans) -> Integers:
            lines = np.searchsorted(ends, np.flatnonzero(found))
            return lines[np.diff(lines, prepend=-1) > 0]  # np.unique would hash them

        lines = {
            RETURN: lines_with(characters == ord("\r")).tolist(),
            NUL: lines_with(characters == 0).tolist(),
            INVISIBLE: [],
            NO_UTF8: [],
        }
        bounds = np.concatenate(([-1], ends, [len(text)]))
        for number in lines_with(characters > LAST_OF_ASCII).tolist():
            line = _Line()
            line.add(text[bounds[number] + 1 : bounds[number + 1]])
            for kind in {*line.kinds()} - {RETURN, NUL}:
                lines[kind].append(number)
        for kind in sorted(filter(lines.get, KINDS), key=lambda kind: lines[kind][0]):
            self._note(kind, first + lines[kind][0], len(lines[kind]))

    def _note_line(self, line: "_Line", number: int) -> None:
        for kind in line.kinds():
            self._note(kind, number)

    def _note(self, kind: str, line: int, often: int = 1) -> None:
        times, first = self._found.get(kind, (0, line))
        self._found[kind] = times + often, first


def _is_plain(text: bytes) -> bool:
    return text.isascii() and b"\r" not in text and b"\0" not in text


class _Line:
    """The oddities of one line, which may come in parts: a line of any length takes no memory."""

    def __init__(self) -> None:
        self._plain = True
        self._found: set[str] = set()
        self._decoder = _DECODER()

    def add(self, part: bytes) -> None:
        """Inspect the next part of the line."""
        if self._plain and _is_plain(part):
            return
        self._plain = False
        if b"\r" in part:
            self._found.add(RETURN)
        if b"\0" in part:
            self._found.add(NUL)
        self._decode(part)

    def kinds(self) -> list[str]:
        """Return the kinds that a whole line has, in a fixed order."""
        if not self._plain:
            self._decode(b"", final=True)
        if NO_UTF8 in self._found:
            self._found.discard(INVISIBLE)
        return [kind for kind in KINDS if kind in self._found]

    def _decode(self, part: bytes, *, final: bool = False) -> None:
        if NO_UTF8 in self._found:
            return
        try:
            if _INVISIBLE.search(self._decoder.decode(part, final)):
                self._found.add(INVISIBLE)
        except UnicodeDecodeError:
            self._found.add(NO_UTF8)
