"""Rules that make a ranking from the lines of a run."""

from collections.abc import Callable
from typing import Literal

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.io.parsers.columns import Columns
from rankeval.ranking.chunks import Collapse
from rankeval.ranking.costs import DocumentCosts
from rankeval.ranking.duplicates import Duplicates
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.recommended import NO_FACTS, ItemFacts

Ties = Literal["docno", "docno-ascending", "input", "rank", "best", "worst"]


@frozen
class Rules:
    """Rules that make a ranking from lines.

    ======== =============================================================================
    ties     the order of documents with equal scores: docno descending as in trec_eval, docno
             ascending, the order of the file, the rank column ascending, or better grades
             first or last; unjudged documents and negative grades count as 0
    scores   function that replaces scores before they are compared
    no_self  leave out a document whose docno is the topic's name
    seen     leave out documents that a topic has these interactions with
    repeated which line counts of a document listed twice for a topic; "refuse" leaves all
    chunks   the documents that chunks belong to
    ======== =============================================================================

    Equal ranks or grades are ordered by docno.
    """

    ties: Ties = "docno"
    scores: Callable[[Columns], Floats] | None = None
    no_self: bool = False
    seen: Qrels | None = None
    repeated: Duplicates = "refuse"
    chunks: Collapse | None = None


BY_SCORE = Rules()


@frozen(eq=False)
class ExtraNeeds:
    """The data to keep of a ranking besides its judged documents; by default none.

    ========= ==============================================================================
    elsewhere the ranks of documents that are judged for other topics only
    costs     the costs of all documents down to rank DEEPEST_COST, taken from this table
    listed    the documents of every ranking down to this rank, with
    facts     what is known of them
    ========= ==============================================================================
    """

    elsewhere: bool = False
    costs: DocumentCosts | None = None
    listed: int = 0
    facts: ItemFacts = NO_FACTS

    @property
    def beyond_judged(self) -> bool:
        """True if the measures need more of a ranking than its judged documents."""
        return self.elsewhere or self.costs is not None or self.listed > 0


NO_EXTRA_NEEDS = ExtraNeeds()


DEEPEST_COST = 1000
"""Documents further down have no cost: the measures that know costs look no further."""
