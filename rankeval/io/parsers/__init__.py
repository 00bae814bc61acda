"""Bytes to columns of values: the parsers, and the columns that they make."""
