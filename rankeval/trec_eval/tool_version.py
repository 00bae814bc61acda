"""The versions 9 and 10 of trec_eval, the rules in which they differ, and its early end."""

from typing import Literal

from rankeval.base.frozen import frozen
from rankeval.errors import printable


class Failure(Exception):  # noqa: N818 - raised for wrong usage and bad files
    """Stop with an exit status; the message goes to standard error, one line or several."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


USAGE = 1
"""Wrong usage, or an unknown measure."""

BAD_INPUT = 2
"""A file that cannot be read, an unknown format, an impossible parameter of a measure."""

BAD_TOPIC = 4
"""A topic that cannot be evaluated."""

NO_TOPIC = 7
"""No topic was evaluated."""

BAD_ZSCORES = 255
"""The file of means and standard deviations cannot be used."""


def shown(text: bytes) -> str:
    """Return bytes from a command line or a file as text for a message."""
    return printable(text.decode("utf-8", "backslashreplace"))


NearestRank = Literal["nearest", "add 0.9"]


@frozen
class Version:
    """The rules of one version of trec_eval.

    ================== ===================================================================
    number             what -v prints
    topics             "judged": all topics of the qrels; one that the run lacks is an error, or
                       with -c gets the placeholder document. "both": topics in both files
    single_precision   True to round scores and the levels of preferences to 4-byte floats
    documents_needed   rounding of a share of R to a number of documents: to the nearest
                       integer, or the integer part of the share plus 0.9
    missing_measures   measures of the other version that this one does not have
    comments           True if lines that begin with # are comments
    standard_input     True if a path that begins with - is standard input
    gain_keys          "integer": ignore levels in a list of gains that are not integers;
                       "leading digits": take their leading digits, or 0 if there are none
    zscores_reader     name of the function in error messages about the file of z-scores
    ================== ===================================================================
    """

    number: str
    topics: Literal["judged", "both"]
    single_precision: bool
    documents_needed: NearestRank
    missing_measures: frozenset[str]
    comments: bool
    standard_input: bool
    gain_keys: Literal["integer", "leading digits"]
    zscores_reader: str


TEN = Version(
    number="10.0-rc3",
    topics="judged",
    single_precision=False,
    documents_needed="nearest",
    missing_measures=frozenset(),
    comments=True,
    standard_input=True,
    gain_keys="integer",
    zscores_reader="get_zscores",
)

NINE = Version(
    number="9.0.7",  # 9.0.8 calls itself so
    topics="both",
    single_precision=True,
    documents_needed="add 0.9",
    missing_measures=frozenset({"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"}),
    comments=False,
    standard_input=False,
    gain_keys="leading digits",
    zscores_reader="get_prefs",
)

NAMED = {"9": NINE, "10": TEN}
"""Versions by the names that --as and RANKEVAL_TREC_EVAL accept."""
