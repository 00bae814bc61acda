"""Find docnos that differ only by case or blanks, without holding their names."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.wording import count, listed
from rankeval.io.parsers.columns import Columns
from rankeval.ranking.chunks import folded

PENDING = 1 << 18
"""Number of hashes gathered before they are sorted."""


NAME_BITS = 20
"""Lower bits of a hash, which tell names of one folded form apart; upper bits tell the forms."""


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
