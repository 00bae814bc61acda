"""The gate in addition to `rankeval.gate`: rules, suites of a file, and the reports on both.

>>> from rankeval.gating import parse_rule
>>> str(parse_rule("max-drop nDCG@10=2%"))
'max-drop nDCG@10=2%'
"""

from rankeval.commands.gate.report import (
    GateError,
    GateFailure,
    GateReport,
    RuleOutcome,
    SuitesReport,
)
from rankeval.commands.gate.rules.all_kinds import parse_rule
from rankeval.commands.gate.rules.rule import Rule
from rankeval.commands.gate.suites.judged_suites import (
    gate_suite,
    gate_suites,
)
from rankeval.commands.gate.suites.read_suites import read_suite, read_suites
from rankeval.commands.gate.suites.suite import Suite
from rankeval.commands.gate.task import renewed_baseline

__all__ = [
    "GateError",
    "GateFailure",
    "GateReport",
    "Rule",
    "RuleOutcome",
    "Suite",
    "SuitesReport",
    "gate_suite",
    "gate_suites",
    "parse_rule",
    "read_suite",
    "read_suites",
    "renewed_baseline",
]
