"""What an explanation holds: a topic's value, its ranks, the ideal and what was missed."""

from collections.abc import Mapping

from rankeval.support.frozen import frozen


@frozen
class ExplainedDocument:
    """A retrieved document, and what it does to the value.

    ============ =========================================================================
    rank         1-based
    grade        None when it is unjudged
    relevant     whether the grade is that of a relevant document
    ties         first and last rank of the documents with the same score, if there are others
    terms        what the measure's formula takes from it, and, unjudged or not, from its rank
    running      the value of the ranking if it ended here; NaN where that is undefined
    contribution how much of that the document brought; NaN where that is undefined
    ============ =========================================================================
    """

    rank: int
    docno: str
    score: float
    grade: float | None
    relevant: bool
    ties: tuple[int, int] | None
    terms: Mapping[str, float]
    contribution: float
    running: float


@frozen
class IdealDocument:
    """A place of the best possible ranking, as the measure sees it."""

    rank: int
    terms: Mapping[str, float]


@frozen
class MissedDocument:
    """A relevant document that did not count; its rank where it stands below the cutoff."""

    docno: str
    grade: float
    rank: int | None


@frozen
class Explanation:
    """How one measure's value for one topic comes about.

    ========== ============================================================================
    topic, run names of the topic and the run
    measure    canonical name
    formula    the formula, as its documentation has it
    value      the topic's value; NaN where it is undefined
    quantities numbers that make it up, by name
    retrieved  documents of the ranking
    documents  the first ones, then the relevant ones further down
    ideal      the best possible ranking, for measures that compare with one
    missed     relevant documents that were not retrieved or stand below the cutoff
    signature  the conventions behind the value
    warnings   what was left out of the files
    ========== ============================================================================
    """

    topic: str
    run: str
    measure: str
    formula: str
    value: float
    quantities: Mapping[str, float]
    retrieved: int
    documents: tuple[ExplainedDocument, ...]
    ideal: tuple[IdealDocument, ...]
    missed: tuple[MissedDocument, ...]
    signature: str
    warnings: tuple[str, ...] = ()
