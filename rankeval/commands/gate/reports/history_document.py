"""A line of the history of a gate: the schema rankeval-gate-history/1."""

from typing import Annotated, Literal, NotRequired, TypedDict

from rankeval.base.digest import short_digest
from rankeval.commands.gate.report import GateFailure, GateReport, RuleOutcome
from rankeval.evaluation.results import RunResult
from rankeval.io.formats.history_lines import SCHEMA
from rankeval.output.document_form import Count, Document, Headed, Time, headed, plain


class HistoryDocument(Headed):
    """Line of the history of a gate.

    A line of the file to which `rankeval gate --append FILE` appends.
    """

    schema: Literal["rankeval-gate-history/1"]


class HistoryOfDigests(TypedDict):
    """Digests.

    ===== =========================================================
    qrels Digest of the judgments.
    runs  By evaluated run, the digest of its values of all topics.
    ===== =========================================================
    """

    qrels: str
    runs: dict[str, str]


class HistoryOfRule(TypedDict):
    """Outcome of a rule for a candidate.

    ========== =====================================================================================
    run        Name of the candidate.
    rule       The rule, as on the command line.
    group      Group of topics that the rule holds in; "" for all topics.
    collection Collection that the rule holds in, "macro mean" or "worst collection"; "" for a suite
               without collections.
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
    collection: NotRequired[str]
    measure: str
    passed: bool
    baseline: float | None
    candidate: float | None
    drop: float | None
    verdict: Literal["worse", "not worse", "cannot tell", "equivalent", "not equivalent"] | None


class HistoryOfShown(TypedDict):
    """Means of a measure without a rule.

    ========= ==================================================
    run       Name of the candidate.
    measure   Name of the measure.
    baseline  Mean of the baseline; null where it is undefined.
    candidate Mean of the candidate; null where it is undefined.
    ========= ==================================================
    """

    run: str
    measure: str
    baseline: float | None
    candidate: float | None


class HistoryOfReport(HistoryDocument):
    """Gate that judged.

    ========== ================================================
    time       When the gate ended, in UTC, as ISO 8601 has it.
    commit     Commit that CI or git names; "" for none.
    suite      Name of the suite; "" for none.
    passed     True if every candidate keeps every rule.
    exit_code  0 if the gate passed, 1 if a rule is broken.
    baseline   Name of the baseline.
    candidates Names of the candidates.
    topics     Number of topics.
    digests    Digests of what was judged.
    rules      One object for each candidate and rule.
    shown      Measures without a rule.
    ========== ================================================
    """

    time: Time
    commit: str
    suite: str
    passed: bool
    exit_code: Literal[0, 1]
    baseline: str
    candidates: Annotated[list[str], ("minItems", 1)]
    topics: Count
    digests: HistoryOfDigests
    rules: list[HistoryOfRule]
    shown: list[HistoryOfShown]


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
    commit    Commit that CI or git names; "" for none.
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


def document(report: GateReport | GateFailure, time: str, commit: str) -> Document:
    """Return what a history keeps of a gate at a time, in ISO 8601, and of a commit."""
    about = {
        "time": time,
        "commit": commit,
        "suite": report.suite,
        "passed": report.passed,
        "exit_code": report.exit_code,
    }
    if isinstance(report, GateFailure):
        error = {"kind": report.kind, "message": report.problem}
        return headed(SCHEMA, {**about, "error": error})
    found = {
        "baseline": report.baseline,
        "candidates": list(report.candidates),
        "topics": report.topics,
        "digests": {
            "qrels": report.qrels.digest,
            "runs": {run.name: _digest(run) for run in report.runs},
        },
        "rules": [_rule(one) for one in report.outcomes],
        "shown": [
            {
                "run": one.run,
                "measure": one.measure,
                "baseline": one.baseline,
                "candidate": one.candidate,
            }
            for one in report.shown
        ],
    }
    return headed(SCHEMA, plain({**about, **found}))


def _rule(one: RuleOutcome) -> Document:
    return {
        "run": one.run,
        "rule": str(one.rule),
        "group": one.rule.group,
        "collection": one.rule.collection,
        "measure": one.measure,
        "passed": one.passed,
        "baseline": one.baseline,
        "candidate": one.candidate,
        "drop": one.drop,
        "verdict": None if one.verdict is None else one.verdict.verdict,
    }


def _digest(run: RunResult) -> str:
    """Return a digest of the values of all topics."""
    pieces = ["\n".join(run.topics).encode("utf-8", "surrogateescape")]
    for score in run.scores:
        pieces += [score.measure.encode("utf-8", "surrogateescape"), score.values.tobytes()]
    return short_digest(pieces)
