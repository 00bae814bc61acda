"""Evaluate and compare systems over several collections."""
