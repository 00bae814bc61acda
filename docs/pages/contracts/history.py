"""The types of a line of the history that `rankeval gate --append` keeps."""

from typing import Annotated, Literal, TypedDict

from docs.pages.contracts.parts import Count, Headed, Time
from rankeval.choices import VerdictText


class HistoryDocument(Headed):
    """Line of the history of a gate.

    A line of the file to which `rankeval gate --append FILE` appends.
    """

    schema: Literal["rankeval-gate-history/1"]


class HistoryOfRule(TypedDict):
    """Outcome of a rule for a candidate.

    ========== =====================================================================================
    run        Name of the candidate.
    rule       The rule, as on the command line.
    group      Group of topics that the rule holds in; "" for all topics.
    measure    Canonical name of the measure.
    passed     True if the candidate keeps the rule.
    baseline   Mean of the baseline; null where it is undefined.
    candidate  Mean of the candidate; null where it is undefined.
    drop       Difference by which the candidate is worse; negative when it is better.
    verdict    Verdict of the test; null for rules without one.
    ========== =====================================================================================
    """

    run: str
    rule: str
    group: str
    measure: str
    passed: bool
    baseline: float | None
    candidate: float | None
    drop: float | None
    verdict: VerdictText | None


class HistoryOfReport(HistoryDocument):
    """Gate that judged.

    ========== ================================================
    time       When the gate ended, in UTC, as ISO 8601 has it.
    commit     Commit that CI names; "" for none.
    suite      Name of the suite; "" for none.
    passed     True if every candidate keeps every rule.
    exit_code  0 if the gate passed, 1 if a rule fails.
    baseline   Name of the baseline.
    topics     Number of topics.
    qrels      Digest of the judgments.
    rules      One object for each candidate and rule.
    ========== ================================================
    """

    time: Time
    commit: str
    suite: str
    passed: bool
    exit_code: Literal[0, 1]
    baseline: str
    topics: Count
    qrels: str
    rules: list[HistoryOfRule]


class HistoryOfError(TypedDict):
    """Error.

    ======= ==========================
    kind    Name of the error's class.
    message The message.
    ======= ==========================
    """

    kind: str
    message: str


class HistoryOfFailure(HistoryDocument):
    """Gate that could not judge.

    ========= ========================================================================
    time      When the gate ended, in UTC, as ISO 8601 has it.
    commit    Commit that CI names; "" for none.
    suite     Name of the suite; "" for none.
    passed    False: without a verdict, no gate passes.
    exit_code 2 if options or files are wrong, another one if the program was stopped.
    error     The error.
    ========= ========================================================================
    """

    time: Time
    commit: str
    suite: str
    passed: Literal[False]
    exit_code: Annotated[int, ("minimum", 2)]
    error: HistoryOfError
