"""A line of the history of a gate: the schema rankeval-gate-history/1."""

from rankeval.base.digest import short_digest
from rankeval.commands.gate.report import GateFailure, GateReport, RuleOutcome
from rankeval.evaluation.results import RunResult
from rankeval.io.formats.history_lines import SCHEMA
from rankeval.output.document_form import Document, headed, plain


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
