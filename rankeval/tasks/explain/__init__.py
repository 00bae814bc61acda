"""Explain the value of one topic, rank by rank."""
