"""Recommended lists of a run, judged or not, and facts about their items, all by numbers."""

from functools import cached_property

import numpy as np

from rankeval.support.arrays import Booleans, Floats, Integers
from rankeval.support.frozen import frozen


@frozen(eq=False)
class Lists:
    """The first K documents of every ranking of a run, judged or not, as numbers of I items.

    `items` has shape (U, K), with -1 below the end of a ranking. Its rows are the topics of the
    qrels in their order, and then the topics of the run that have no judgments.
    """

    items: Integers
    n_items: int

    def counts(self, cutoff: int, topics: Integers | None = None) -> Integers:
        """Count how often each item is among the first documents of all rankings, or of some."""
        items = self.items[:, :cutoff] if topics is None else self.items[topics, :cutoff]
        return np.bincount(items[items >= 0], minlength=self.n_items)


@frozen(eq=False)
class Training:
    """Training interactions with the I items of the lists.

    ============== ============ =========================================================
    interactions   (I,) int64   interactions with each item
    users          (I,) int64   users who interacted with it
    popularity     (I,) int64   its place when all training items are ordered by descending
                                interactions, items with equally many at one place; 0 for a
                                cold item, which no user has interacted with
    n_users        int          users in all
    n_interactions int          interactions in all
    digest         text         twelve hexadecimal digits
    ============== ============ =========================================================
    """

    interactions: Integers
    users: Integers
    popularity: Integers
    n_users: int
    n_interactions: int
    digest: str

    @cached_property
    def novelty(self) -> Floats:
        """Inverse user frequency of each item in bits; a cold item counts as one user's."""
        return -np.log2(np.maximum(self.users, 1) / self.n_users)


@frozen(eq=False)
class Catalog:
    """The number of items that could be recommended; `digest` is the number, or a file's digest."""

    size: int
    digest: str


@frozen(eq=False)
class Features:
    """Features of the I items of the lists: F columns of numbers that stand for values.

    `values` has shape (F, I); -1 stands for a value that is missing.
    """

    values: Integers
    digest: str

    @cached_property
    def known(self) -> Booleans:
        """The items of which every feature is known, shape (I,)."""
        return np.logical_and.reduce(self.values >= 0, axis=0)
