"""Decide whether a candidate is worse than a baseline.

`gate` judges candidates and returns a GateReport (`report`). A gate has rules (`rules`), each with
its measure, and a statistical decision (`decision`); `judged` applies rules to the values that
`loaded` has read. `suites` reads all of these from rankeval.toml.
"""
