"""Docnos that differ only by case or blanks, in memory that holds no names."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rankeval.io.columns import Columns
from rankeval.judgments import Integers  # noqa: TC001  as in every module
from rankeval.wording import count, listed

PENDING = 1 << 18
"""Hashes that are gathered before they are sorted."""


def folded(name: bytes) -> bytes:
    """A docno without what people get wrong."""
    return b"".join(name.lower().split())


class Spellings:
    """Two hashes of each distinct docno: of its folded form, and of itself."""

    def __init__(self) -> None:
        self._known = np.zeros((0, 2), dtype=np.int64)
        self._new: list[Integers] = []
        self._n_new = 0

    def add(self, names: Iterable[bytes]) -> None:
        """Take note of some docnos."""
        pairs = np.array([(hash(folded(name)), hash(name)) for name in names], dtype=np.int64)
        self._new.append(pairs.reshape(-1, 2))
        self._n_new += len(pairs)
        if self._n_new > max(PENDING, len(self._known)):
            self._merge()

    def _merge(self) -> None:
        self._known = np.unique(np.concatenate([self._known, *self._new]), axis=0)
        self._new, self._n_new = [], 0

    def warnings(self, again: Callable[[], Iterable[Columns]]) -> list[str]:
        """What to tell; the file is read `again` for the names, if there are any to tell."""
        self._merge()
        forms, times = np.unique(self._known[:, 0], return_counts=True)
        several = frozenset(forms[times > 1].tolist())
        if not several:
            return []
        alike: dict[bytes, set[bytes]] = {}
        for columns in again():
            for name in columns.docnos.tolist():
                form = folded(name)
                if hash(form) in several:
                    alike.setdefault(form, set()).add(name)
        groups = [sorted(names) for names in alike.values() if len(names) > 1]
        if not groups:  # two names had the same hash
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
                    self._found.setdefault(meant, name)

    def warnings(self) -> list[str]:
        """What to tell."""
        if not self._found:
            return []
        meant, name = next(iter(self._found.items()))
        example = f"{listed([name])} for {listed([meant])}"
        times = count(len(self._found), "judged docno")
        return [f"{times} spelled otherwise by case or blanks, such as {example}"]
