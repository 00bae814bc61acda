"""The command `rankeval reproduce`."""
