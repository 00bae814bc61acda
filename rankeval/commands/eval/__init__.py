"""The command `rankeval eval`."""
