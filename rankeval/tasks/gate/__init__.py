"""Decide whether a candidate is worse than a baseline."""
