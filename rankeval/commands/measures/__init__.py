"""The command `rankeval measures`."""
