"""Describe how measures and topics order the systems, and what each adds to the pool."""
