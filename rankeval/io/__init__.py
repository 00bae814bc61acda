"""Files: reading what the formats hold, and writing so that nothing is left half-written."""
