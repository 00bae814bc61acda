"""Decide whether a candidate is worse than a baseline.

A rule has a kind, which says what passes (`rules`). `judge` applies rules to two evaluated runs and
returns outcomes, of which `report` makes the result. `task` reads, evaluates and judges; `suites`
reads what to judge from rankeval.toml. `show` has the one sentence about an outcome, and
`ci_reports` writes it for machines.
"""
