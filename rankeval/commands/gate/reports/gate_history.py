"""The history that `rankeval gate --append` keeps: a line for each gate.

Lines have the schema rankeval-gate-history/1.
"""

import os
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from shutil import which
from typing import Annotated, Literal, TypedDict

from rankeval.base.arrays import short_digest
from rankeval.choices import VerdictText
from rankeval.commands.gate.report import GateFailure, GateReport, RuleOutcome
from rankeval.evaluation.results import RunResult
from rankeval.io.sources.locks import append_text, require_appendable
from rankeval.output.document_form import Count, Document, Headed, Time, headed, plain
from rankeval.output.json_text import line

SCHEMA = "rankeval-gate-history/1"
BEGINNING = f'{{"schema": "{SCHEMA}"'
COMMITS = (
    *("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILDKITE_COMMIT", "CIRCLE_SHA1"),
    *("BUILD_SOURCEVERSION", "BITBUCKET_COMMIT", "TRAVIS_COMMIT"),
)
"""Variables in which GitHub, GitLab, Jenkins and others name the commit that they build."""
PATIENCE = 10
"""Seconds to wait for git."""


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


def append_history(path: str, reports: Sequence[GateReport | GateFailure]) -> None:
    """Append a line for each gate to the history."""
    time, commit = datetime.now(UTC).isoformat(timespec="seconds"), commit_here()
    text = "".join(line(document(report, time, commit)) for report in reports)
    append_text(path, text, beginning=BEGINNING)


def require_history(path: str) -> None:
    """Raise InputError for a file to which no history is appended, before a gate judges."""
    require_appendable(path, beginning=BEGINNING)


def commit_here() -> str:
    """Return the commit that CI names, or else git's in this directory; "" if there is none."""
    for name in COMMITS:
        if named := os.environ.get(name):
            return named
    git = which("git")
    if git is None:
        return ""
    try:
        found = subprocess.run(  # noqa: S603  the words are fixed
            [git, "rev-parse", "--verify", "HEAD"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


def document(report: GateReport | GateFailure, time: str, commit: str) -> Document:
    """Return the line of a history for a gate at a time, in ISO 8601, and a commit."""
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
        "rules": [_rule(outcome) for outcome in report.outcomes],
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


def _rule(outcome: RuleOutcome) -> Document:
    return {
        "run": outcome.run,
        "rule": str(outcome.rule),
        "group": outcome.rule.group,
        "measure": outcome.measure,
        "passed": outcome.passed,
        "baseline": outcome.baseline,
        "candidate": outcome.candidate,
        "drop": outcome.drop,
        "verdict": None if outcome.verdict is None else outcome.verdict.verdict,
    }


def _digest(run: RunResult) -> str:
    """Return a digest of the values of all topics."""
    pieces = ["\n".join(run.topics).encode("utf-8", "surrogateescape")]
    for score in run.scores:
        pieces += [score.measure.encode("utf-8", "surrogateescape"), score.values.tobytes()]
    return short_digest(pieces)
