"""Data that some measures need besides judged documents: labels, lists of items, costs."""

from functools import cached_property
from typing import Any

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Grades, Integers, offsets_of, owner, position
from rankeval.base.frozen import record, replace


@record
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


@record
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


@record
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


@record
class Labels:
    """Labels of judgments, such as subtopics: L labels of the M judgments of a qrels file.

    A label is a name, such as that of a subtopic, and the grade that the document has for it.

    ============= =============== ===========================================================
    offsets       (M+1,) int64    judgment m has the labels offsets[m] to offsets[m+1]
    number        (L,) int64      number of its topic and name; numbers increase
                                  from topic to topic
    topic         (S,) int64      the topic that each number belongs to
    grade         (L,)            grade of the document for the name
    docno_order   (M,) int64      sort key: the order of docnos by their bytes
    judged_topic  (M,) int64      the topic of each judgment
    digest        text            twelve hexadecimal digits
    ============= =============== ===========================================================
    """

    offsets: Integers
    number: Integers
    topic: Integers
    grade: Grades
    docno_order: Integers
    judged_topic: Integers
    digest: str

    def __len__(self) -> int:
        """Count the distinct pairs of topic and name."""
        return len(self.topic)

    @cached_property
    def judgment(self) -> Integers:
        """The judgment that each label belongs to, shape (L,)."""
        return owner(self.offsets)

    def of_judgments(self, judgments: Integers) -> tuple[Integers, Integers]:
        """Return all labels of some judgments: indices into `judgments`, and label indices."""
        offsets = offsets_of(np.diff(self.offsets)[judgments])
        row = owner(offsets)
        return row, self.offsets[judgments][row] + position(offsets)


@record
class Ranks:
    """Ranks of some documents of every topic of the qrels, in rank order (CSR layout)."""

    offsets: Integers
    rank: Integers


@record
class Costs:
    """Cost of reading each of the first documents of a ranking.

    `by_rank` has a row for each topic of the qrels; `digest` identifies the file of costs.
    """

    by_rank: Floats
    digest: str


@record
class Extras:
    """Optional data for some measures, about the whole qrels file.

    ========= ============= ==============================================================
    code      (T,) int64    index in the qrels of each topic of the batch
    subtopics               subtopics that each document was judged for
    strata                  stratum of the pool that each judgment was sampled from
    elsewhere               ranks of documents that are judged for other topics only
    costs                   cost of reading each document of a ranking
    lists                   the first documents of all rankings, judged or not
    train                   training interactions with the items of the lists
    catalog                 the items that could be recommended, of which `size` is the number
    features                features of the items of the lists
    ========= ============= ==============================================================
    """

    code: Integers
    subtopics: Labels | None = None
    strata: Labels | None = None
    elsewhere: Ranks | None = None
    costs: Costs | None = None
    lists: Lists | None = None
    train: Training | None = None
    catalog: Any = None
    features: Features | None = None

    def select(self, chosen: Booleans | slice) -> "Extras":
        """Keep the chosen topics of the batch."""
        return replace(self, code=self.code[chosen])

    def repeated(self, times: int) -> "Extras":
        """Repeat all topics, one batch after the other."""
        return replace(self, code=np.tile(self.code, times))

    def reordered(self, topic: Integers, before: Integers, after: Integers) -> "Extras":
        """Move judged documents from old ranks to new ones, and drop all other documents.

        `topic` is the index in the batch of each document.
        """
        elsewhere, costs = self.elsewhere, self.costs
        if elsewhere is not None:
            elsewhere = Ranks(np.zeros_like(elsewhere.offsets), np.zeros(0, dtype=np.int64))
        if costs is not None:
            within = before <= costs.by_rank.shape[1]
            code, old, new = self.code[topic][within], before[within] - 1, after[within] - 1
            moved = np.zeros_like(costs.by_rank)
            moved[code, new] = costs.by_rank[code, old]
            costs = replace(costs, by_rank=moved)
        return replace(self, elsewhere=elsewhere, costs=costs)
