"""Grades of the judged documents, highest first: the ideal ranking."""

from collections.abc import Callable, Hashable
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankeval.support.arrays import (
    Floats,
    Grades,
    Integers,
    Number,
    owner,
    position,
    sums,
)
from rankeval.support.frozen import frozen


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
        """Return function(self, **parameters), read-only; compute it at the first call only."""
        key = (function, *parameters.items())
        if key not in self._known:
            values = function(self, **parameters)
            values.setflags(write=False)
            self._known[key] = values
        known: NDArray[Number] = self._known[key]
        return known

    def sum(self, values: NDArray[np.generic]) -> Floats:
        """Sum values by topic, best grade first, shape (T,)."""
        return sums(self.topic, values, len(self.offsets) - 1)

    def count(self, *, min_grade: float) -> Integers:
        """Count documents of at least a grade by topic, shape (T,)."""
        return np.bincount(self.topic[self.grade >= min_grade], minlength=len(self.offsets) - 1)
