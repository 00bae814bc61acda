"""The history that `rankeval gate --append` keeps: a line for each gate.

Lines have the schema rankeval-gate-history/1.
"""

import os
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from shutil import which

from rankeval.base.arrays import short_digest
from rankeval.commands.gate.report import GateFailure, GateReport, RuleOutcome
from rankeval.evaluation.results import RunResult
from rankeval.io.sources.locks import append_text, require_appendable
from rankeval.output.document_form import Document, fields_of, headed, plain
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
    about = {"time": time, "commit": commit, **fields_of(report, "suite", "passed", "exit_code")}
    if isinstance(report, GateFailure):
        error = {"kind": report.kind, "message": report.problem}
        return headed(SCHEMA, {**about, "error": error})
    found = {
        **fields_of(report, "baseline", "candidates", "topics"),
        "digests": {
            "qrels": report.qrels.digest,
            "runs": {run.name: _digest(run) for run in report.runs},
        },
        "rules": [_rule(outcome) for outcome in report.outcomes],
        "shown": [
            fields_of(one, "run", "measure", "baseline", "candidate") for one in report.shown
        ],
    }
    return headed(SCHEMA, plain({**about, **found}))


def _rule(outcome: RuleOutcome) -> Document:
    return {
        "run": outcome.run,
        "rule": str(outcome.rule),
        "group": outcome.rule.group,
        **fields_of(outcome, "measure", "passed", "baseline", "candidate", "drop"),
        "verdict": None if outcome.verdict is None else outcome.verdict.verdict,
    }


def _digest(run: RunResult) -> str:
    """Return a digest of the values of all topics."""
    pieces = ["\n".join(run.topics).encode("utf-8", "surrogateescape")]
    for score in run.scores:
        pieces += [score.measure.encode("utf-8", "surrogateescape"), score.values.tobytes()]
    return short_digest(pieces)
