"""Files to columns of values and back: the only room that knows paths, bytes and formats."""
