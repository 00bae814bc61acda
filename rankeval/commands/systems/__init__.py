"""Describe how measures and topics order the systems, and each one's share of the pool."""
