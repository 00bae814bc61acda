"""What some measures need beside grades and ranks: there only when it is asked for."""

from dataclasses import replace

import numpy as np

from rankeval.frozen import frozen
from rankeval.judgments import Booleans, Floats, Integers
from rankeval.labels import Labels


@frozen(eq=False)
class Ranks:
    """Some ranks of every topic of the qrels, increasing within a topic (CSR layout).

    `tie_first` and `tie_last` are the ends of the groups of equal scores that they are in.
    """

    offsets: Integers
    rank: Integers
    tie_first: Integers
    tie_last: Integers


@frozen(eq=False)
class Costs:
    """What each of the first documents of a ranking costs to read.

    `by_rank` has a row for each topic of the qrels; `digest` is that of the file of costs.
    """

    by_rank: Floats
    digest: str


@frozen(eq=False)
class Extras:
    """What is known beside grades and ranks. All tables are of the whole qrels file.

    ========= ============= ==============================================================
    code      (T,) int64    the index that each topic of a batch has in the qrels
    subtopics               what each document was judged for
    strata                  from which stratum of the pool each judgment was sampled
    elsewhere               ranks of documents that are judged for other topics only
    costs                   what each document of a ranking costs to read
    ========= ============= ==============================================================
    """

    code: Integers
    subtopics: Labels | None = None
    strata: Labels | None = None
    elsewhere: Ranks | None = None
    costs: Costs | None = None

    def select(self, chosen: Booleans) -> "Extras":
        """Keep the chosen topics of the batch."""
        return replace(self, code=self.code[chosen])

    def repeated(self, times: int) -> "Extras":
        """A batch of so many copies of the only topic."""
        return replace(self, code=np.repeat(self.code, times))

    def reordered(self, topic: Integers, before: Integers, after: Integers) -> "Extras":
        """Follow the judged documents from old ranks to new ones; no other document is left.

        `topic` is the index in the batch of each document that is moved.
        """
        elsewhere, costs = self.elsewhere, self.costs
        if elsewhere is not None:
            nothing = np.zeros(0, dtype=np.int64)
            elsewhere = Ranks(np.zeros_like(elsewhere.offsets), nothing, nothing, nothing)
        if costs is not None:
            within = before <= costs.by_rank.shape[1]
            code, old, new = self.code[topic][within], before[within] - 1, after[within] - 1
            moved = np.zeros_like(costs.by_rank)
            moved[code, new] = costs.by_rank[code, old]
            costs = replace(costs, by_rank=moved)
        return replace(self, elsewhere=elsewhere, costs=costs)
