"""Counts of recommendations, from which measures of a whole run are computed."""

from typing import Self

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.ranking import RankedJudgments


@frozen(eq=False)
class Exposure:
    """Items that a run recommends, and how often.

    ========= ============ ===============================================================
    counts    (I,) int64   recommendations of each item that is recommended, all positive
    catalogue int          items that could be recommended; 0 if that is not known
    ========= ============ ===============================================================
    """

    counts: Integers
    catalogue: int

    @classmethod
    def of(cls, judged: RankedJudgments, cutoff: int, topics: Integers | None) -> Self:
        """Count the first documents of all rankings, or of some topics of the batch."""
        extras = judged.extras
        assert extras is not None  # noqa: S101  `Need.refuse_lack` has refused it
        assert extras.lists is not None  # noqa: S101  likewise
        counts = extras.lists.counts(cutoff, None if topics is None else extras.code[topics])
        return cls(counts[counts > 0], extras.catalog.size if extras.catalog else 0)
