"""The first items of each user's list, and means over them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.measures.declare.definition import Values
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.declare.needs import LISTS, TRAIN
from rankeval.ranking import RankedJudgments
from rankeval.ranking.extras import Training

Short = Annotated[
    Literal["list", "k"],
    Meaning("a list shorter than k is divided by its length, or by k"),
]


class FirstItems(NamedTuple):
    """The items of the first ranks of T topics, and which ranks there are, both (T, K)."""

    items: Integers
    there: Booleans

    @property
    def sizes(self) -> Integers:
        """The number of items of each topic, shape (T,)."""
        return np.count_nonzero(self.there, axis=1)


def first_items(judged: RankedJudgments, cutoff: int) -> FirstItems:
    """Return the items down to a rank, as far as the rankings reach."""
    items = LISTS.of(judged).items[LISTS.code_of(judged), :cutoff]
    ranks = np.arange(1, items.shape[1] + 1)
    return FirstItems(items, (ranks <= judged.retrieved[:, None]) & (items >= 0))


def items_of_topic(judged: RankedJudgments, cutoff: int) -> Integers:
    """Return the first items of the only topic."""
    first = first_items(judged, cutoff)
    return first.items[first.there]


def training(judged: RankedJudgments) -> Training:
    """Return what the training interactions say of the items."""
    found: Training = TRAIN.of(judged)
    return found


def mean_of_items(judged: RankedJudgments, of_items: Floats, *, short: str, cutoff: int) -> Values:
    """Return the mean over each list of a number that every item has; NaN for an empty list."""
    first = first_items(judged, cutoff)
    values = np.zeros(first.items.shape)
    values[first.there] = of_items[first.items[first.there]]
    return divided(_sum(values), first.sizes, short=short, cutoff=cutoff)


def divided(sums: Floats, sizes: Integers, *, short: str, cutoff: int) -> Values:
    """Divide the sum over each list by its length or by k; NaN for an empty list."""
    by: Any = sizes if short == "list" else np.full(len(sizes), cutoff)
    return np.divide(sums, by, out=np.full(len(sums), np.nan), where=sizes > 0)


def _sum(values: Floats) -> Floats:
    """Add up the rows from left to right, so that other rows beside them change nothing."""
    return values.cumsum(axis=1)[:, -1] if values.shape[1] else np.zeros(len(values))
