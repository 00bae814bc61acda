"""A gate's report as JSON: the schema rankeval-gate/1."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rankeval.render import json_text
from rankeval.render.gate import headline, sentence
from rankeval.render.notices import notice_lines
from rankeval.render.style import Style
from rankeval.tasks.gate.report import GateReport, RuleOutcome
from rankeval.version import __version__

SCHEMA = "rankeval-gate/1"


def json_document(report: GateReport, style: Style) -> Iterator[str]:
    """Print one object with full precision."""
    document = {
        "schema": SCHEMA,
        "rankeval": __version__,
        "passed": report.passed,
        "exit_code": report.exit_code,
        "summary": headline(report),
        "suite": report.suite,
        "paths": {"baseline": report.paths[0], "candidates": list(report.paths[1:])},
        "baseline": report.baseline,
        "candidates": list(report.candidates),
        "topics": report.topics,
        "qrels": asdict(report.qrels),
        "decision": asdict(report.decision),
        "sequence": None if report.sequence is None else asdict(report.sequence),
        "rules": [_outcome(one, style) for one in report.outcomes],
        "shown": [asdict(other) for other in report.shown],
        "missing": {run: list(topics) for run, topics in report.missing.items()},
        "undefined": {run: list(measures) for run, measures in report.undefined.items()},
        "warnings": [*notice_lines(report.runs), *report.warnings],
    }
    yield from json_text.document(document)


def _outcome(one: RuleOutcome, style: Style) -> dict[str, Any]:
    facts = {
        "run": one.run,
        "rule": str(one.rule),
        "kind": one.rule.kind,
        "measure": one.measure,
        "loss": one.loss,
        "signature": one.signature,
        "passed": one.passed,
        "limit": one.limit,
        "relative": one.rule.relative,
        "baseline": one.baseline,
        "candidate": one.candidate,
        "drop": one.drop,
        "tied": one.tied,
        "message": sentence(one, style.digits),
        "worse_topics": one.n_worse,
        "topics": [asdict(topic) for topic in one.topics],
        "lost_topics": list(one.lost),
        "gained_topics": list(one.gained),
    }
    if one.verdict is not None:
        found = asdict(one.verdict)
        facts["verdict"] = found.pop("verdict")
        facts["statistics"] = found
    return facts
