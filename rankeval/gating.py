"""The gate in addition to `rankeval.gate`: rules, suites of a file, and the reports on both.

>>> from rankeval.gating import parse_rule
>>> str(parse_rule("max-drop nDCG@10=2%"))
'max-drop nDCG@10=2%'
"""

from rankeval.commands.gate.report import (
    GateError,
    GateFailure,
    GateReport,
    JudgedSuite,
    RuleOutcome,
)
from rankeval.commands.gate.rules import Rule, parse_rule
from rankeval.commands.gate.suites import Suite, read_suites
from rankeval.commands.gate.task import gate_suites, renewed_baseline

__all__ = [
    "GateError",
    "GateFailure",
    "GateReport",
    "JudgedSuite",
    "Rule",
    "RuleOutcome",
    "Suite",
    "gate_suites",
    "parse_rule",
    "read_suites",
    "renewed_baseline",
]
