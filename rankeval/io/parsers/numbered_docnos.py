"""Names as numbers: integers whose digits are the names, or places in a table of names."""

from collections.abc import Iterator, Sequence
from typing import Any, Self, overload

import numpy as np

from rankeval.base.arrays import Integers, owner, sizes_of
from rankeval.base.frozen import frozen
from rankeval.io.parsers.columns import Docnos, PlainDocnos


class Digits:
    """Integers named by their digits."""

    def names(self, numbers: Integers) -> list[bytes]:
        """Return the digits of each number."""
        return list(map(b"%d".__mod__, numbers.tolist()))

    def find(self, numbers: Integers, index: Any) -> Integers:
        """Return the number that each name has in an index, -1 for none."""
        found: Integers = index.integers.find(numbers)
        return found


DIGITS = Digits()


class DistinctNames:
    """Names, each once, numbered from 0."""

    def __init__(self, names: Sequence[bytes]) -> None:
        self.distinct = tuple(names)
        self._found: tuple[Any, Integers] | None = None

    def names(self, numbers: Integers) -> list[bytes]:
        """Return the name at each place."""
        return list(map(self.distinct.__getitem__, numbers.tolist()))

    def find(self, numbers: Integers, index: Any) -> Integers:
        """Return the number that each name has in an index, -1 for none."""
        # A run is looked up piece by piece in one index, so each name needs one look-up only.
        if self._found is None or self._found[0] is not index:
            found = [index.plain.get(name, -1) for name in self.distinct]
            self._found = index, np.array(found, dtype=np.int64)
        return self._found[1][numbers]


Naming = Digits | DistinctNames
"""The names of numbers; two numbers never have the same name."""


@frozen(eq=False)
class IntegerTopics(Sequence[bytes]):
    """Topics that are named by the digits of integers."""

    numbers: Integers

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[bytes]:
        return iter(DIGITS.names(self.numbers))

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> "IntegerTopics": ...
    def __getitem__(self, place: int | slice) -> "bytes | IntegerTopics":
        if isinstance(place, slice):
            return IntegerTopics(self.numbers[place])
        return b"%d" % self.numbers[place]


@frozen(eq=False)
class NumberedDocnos(Docnos):
    """Docnos as N numbers, and the names of these."""

    numbers: Integers
    naming: Naming

    def __len__(self) -> int:
        return len(self.numbers)

    def tolist(self) -> list[bytes]:
        return self.naming.names(self.numbers)

    def find(self, index: Any) -> tuple[Integers, Integers]:
        found = self.naming.find(self.numbers, index)
        rows = (found >= 0).nonzero()[0]
        return rows, found[rows]

    def find_judged(
        self, index: Any, topic: Integers, starts: Integers
    ) -> tuple[Integers, Integers]:
        found = self.naming.find(self.numbers, index.docnos)
        code = topic.repeat(sizes_of(starts))
        rows = ((found >= 0) & (code >= 0)).nonzero()[0]
        judged, judgment = index.find_judged(code[rows], found[rows])
        return rows[judged], judgment

    def number(self, known: dict[bytes, int]) -> Integers:
        distinct, which = np.unique(self.numbers, return_inverse=True)
        return PlainDocnos(self.naming.names(distinct)).number(known)[which]

    def order(self, rows: Integers) -> Integers:
        distinct, which = np.unique(self.numbers[rows], return_inverse=True)
        names = PlainDocnos(self.naming.names(distinct))
        return names.order(np.arange(len(distinct)))[which]

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        return [] if self._are_distinct(starts) else super().duplicates(starts)

    def _are_distinct(self, starts: Integers) -> bool:
        """Return True if no stretch has a docno twice."""
        sizes = sizes_of(starts)
        if len(sizes) and (sizes == sizes[0]).all():
            ascending = np.sort(self.numbers.reshape(len(sizes), -1), axis=1)
            return not (ascending[:, 1:] == ascending[:, :-1]).any()
        return len(self.numbered(owner(starts))[0]) == len(self)

    def take(self, rows: Integers) -> Self:
        return type(self)(self.numbers[rows], self.naming)

    def slice(self, start: int, stop: int) -> Self:
        return type(self)(self.numbers[start:stop], self.naming)

    def followed_by(self, others: Sequence[Docnos]) -> Docnos:
        alike = [one for one in others if isinstance(one, NumberedDocnos)]
        if len(alike) < len(others) or any(one.naming is not self.naming for one in alike):
            return super().followed_by(others)
        every = np.concatenate([self.numbers, *(one.numbers for one in alike)])
        return type(self)(every, self.naming)
