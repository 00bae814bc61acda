"""Grades of the judged documents, highest first: the ideal ranking."""

from collections.abc import Callable, Hashable
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from rankeval.base.arrays import (
    Booleans,
    Floats,
    Grades,
    Integers,
    NDArray,
    Number,
    offsets_of,
    owner,
    position,
    sizes_of,
    sums,
)
from rankeval.base.frozen import frozen


@frozen(eq=False)
class Ideal:
    """The grades of all judged documents of T topics, M in all, highest first.

    They are the same for every run.

    ======= ============ ================================================================
    offsets (T+1,) int64 topic t has the grades offsets[t] to offsets[t+1]
    grade   (M,)         grades, highest first in each topic
    ======= ============ ================================================================
    """

    offsets: Integers
    grade: Grades
    whole: "tuple[Ideal, Booleans] | None" = field(default=None, repr=False)
    """The ideal of more topics that this is a part of, and a mask of the topics."""
    _known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def topic(self) -> Integers:
        """Index of the topic that each grade belongs to, shape (M,)."""
        return owner(self.offsets)

    @cached_property
    def rank(self) -> Integers:
        """1-based rank of each grade, shape (M,)."""
        return position(self.offsets) + 1

    def once(
        self, function: Callable[..., NDArray[Number]], **parameters: Hashable
    ) -> NDArray[Number]:
        """Return function(self, **parameters), read-only; compute it at the first call only.

        The function gives one value per topic, shape (T,), that other topics do not change.
        """
        key = (function, *parameters.items())
        known: NDArray[Number] | None = self._known.get(key)
        if known is not None:
            return known
        if self.whole is None:
            known = function(self, **parameters)
        else:
            whole, chosen = self.whole
            known = whole.once(function, **parameters)[chosen]
        known.setflags(write=False)
        self._known[key] = known
        return known

    def select(self, chosen: Booleans) -> "Ideal":
        """Keep the chosen topics, given as a mask of shape (T,)."""
        offsets = offsets_of(sizes_of(self.offsets)[chosen])
        return Ideal(offsets, self.grade[chosen[self.topic]], (self, chosen))

    def sum(self, values: NDArray[np.generic]) -> Floats:
        """Sum values by topic, best grade first, shape (T,)."""
        return sums(self.topic, values, len(self.offsets) - 1)

    def count(self, *, min_grade: float) -> Integers:
        """Count documents of at least a grade by topic, shape (T,)."""
        return np.bincount(self.topic[self.grade >= min_grade], minlength=len(self.offsets) - 1)
