"""Rows of values."""
