"""Decide whether a candidate is worse than a baseline.

`gate` judges candidates and returns a GateReport (`report`). A gate has rules (`rules`), each with
its measure (`measures`), and a statistical decision (`decision`); `outcomes` applies rules to
values. `suites` reads all of these from rankeval.toml, `sequence` keeps the alpha of a gate that
runs every night, and `tie_extremes` tries other orders of equal scores.
"""
