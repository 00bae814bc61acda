"""The words of statistics that options and functions share: tests, corrections and intervals."""

from enum import StrEnum
from typing import Literal


class TestName(StrEnum):
    """The paired tests, by the names that options and outputs use."""

    __test__ = False  # not a test case, whatever a test runner makes of the name

    STUDENT_T = "t"
    RANDOMIZATION = "randomization"
    BOOTSTRAP = "bootstrap"
    WILCOXON = "wilcoxon"
    SIGN = "sign"


class SystemsTest(StrEnum):
    """Tests of all systems at once; their p-values hold for all pairs."""

    TUKEY = "tukey"
    RANDOMIZED_TUKEY = "randomized-tukey"
    DUNNETT = "dunnett"


class PosteriorTest(StrEnum):
    """Tests that give probabilities that a run is worse, equal or better, instead of p-values."""

    BAYES = "bayes"


TestNameText = Literal["t", "randomization", "bootstrap", "wilcoxon", "sign"]
"""The paired tests by their names, which mean the members."""
TestText = Literal[TestNameText, "tukey", "randomized-tukey", "dunnett", "bayes"]
"""All tests by their names, which mean the members."""


class Correction(StrEnum):
    """The corrections, by the names that options and outputs use."""

    HOLM = "holm"
    BENJAMINI_HOCHBERG = "bh"
    NONE = "none"


CorrectionText = Literal["holm", "bh", "none"]
"""The corrections by their names, which mean the members."""

VerdictText = Literal[
    "worse", "not worse", "inconclusive", "equivalent", "not equivalent", "better", "not better"
]
"""The verdicts on a candidate, as documents have them; `Verdict` of stats has their names."""


class IntervalMethod(StrEnum):
    """The intervals, by the names that options and outputs use."""

    STUDENT_T = "t"
    BCA = "bca"


class Bound(StrEnum):
    """The methods that bound a drop."""

    STUDENT_T = "t"
    BETTING = "betting"


class GatePolicy(StrEnum):
    """The condition under which a gate opens."""

    OBSERVED = "observed"  # the observed drop is within the limit, chance or not
    NOT_SHOWN_WORSE = "not-shown-worse"
    NOT_SHOWN_BEYOND_LIMIT = "not-shown-beyond-limit"
    SHOWN_NOT_WORSE = "shown-not-worse"
