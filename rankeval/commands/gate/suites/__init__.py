"""Suites: gates that a file describes, which are read, opened, checked and judged."""
