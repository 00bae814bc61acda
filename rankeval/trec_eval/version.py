"""The two versions in use, and every rule in which they differ."""

from typing import Literal

from rankeval.support.frozen import frozen

NearestRank = Literal["nearest", "add 0.9"]


@frozen
class Version:
    """What one version of trec_eval does.

    ================== ===================================================================
    number             what -v prints
    topics             "judged": all topics of the qrels, and one that the run lacks is an
                       error, or with -c the placeholder document; "both": those in both files
    single_precision   scores and the levels of preferences are rounded to 4-byte floats
    documents_needed   how a share of R becomes a number of documents: nearest integer, or
                       the integer part of the share plus 0.9
    missing_measures   measures of the other version that this one does not know
    comments           lines that begin with # are comments
    standard_input     a run that begins with - is standard input
    gain_keys          a level in a list of gains is an "integer", and other keys are ignored;
                       or its "leading digits", 0 if there are none
    zscores_reader     the name under which errors in the file of z-scores are reported
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
"""What --as and RANKEVAL_TREC_EVAL may name."""
