"""`rankeval promote`: store judged candidates as the baselines of their suites."""
