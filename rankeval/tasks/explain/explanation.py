"""Explanations: a topic's value, its ranks, the ideal ranking and missed documents."""

from collections.abc import Mapping

from rankeval.support.frozen import frozen
from rankeval.support.read_only import seal
from rankeval.support.shown import InPapers


@frozen
class ExplainedDocument:
    """A retrieved document, and its contribution to the value.

    ============ =========================================================================
    rank         1-based rank
    grade        grade; None if it is unjudged
    relevant     True if the grade is relevant
    ties         first and last rank of the documents with the same score; None for one alone
    terms        terms of the measure's formula: those of the document, if judged, and of the rank
    running      the value of the ranking cut after this rank; NaN where it is undefined
    contribution the difference to the running value of the rank above; NaN likewise
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

    def __post_init__(self) -> None:
        seal(self)


@frozen
class IdealDocument:
    """A rank of the ideal ranking, with the terms of the measure's formula."""

    rank: int
    terms: Mapping[str, float]

    def __post_init__(self) -> None:
        seal(self)


@frozen
class MissedDocument:
    """A relevant document that did not count; its rank if it is retrieved below the cutoff."""

    docno: str
    grade: float
    rank: int | None


@frozen
class Explanation(InPapers):
    """The explanation of a measure's value for a topic.

    ========== ============================================================================
    topic, run names of the topic and the run
    measure    canonical name
    formula    the formula in the measure's documentation
    value      the topic's value; NaN where it is undefined
    quantities counts and other numbers of which the value is made, by name
    retrieved  number of documents retrieved
    documents  the documents at the first ranks, and relevant ones at lower ranks
    ideal      the ideal ranking, for measures that have one
    missed     relevant documents that are not retrieved, or retrieved below the cutoff
    signature  the conventions behind the value
    warnings   notes about lines that were dropped from the files
    conventions those that are not the default, in words
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
    conventions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        seal(self)

    __repr__ = InPapers.__repr__
